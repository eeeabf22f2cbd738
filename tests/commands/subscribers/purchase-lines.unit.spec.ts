// Owner of a purchase line: at any time one customer has all of it, whoever claims it, in whatever order, and wherever it is cut.
import { expect } from 'chai';
import { Rejection, Unavailable } from '../../../src/domain/errors.js';
import { anonymousAppUserId } from '../../../src/domain/ids.js';
import { deliveryBodyCollection, deliveryCollection } from '../../../src/commands/webhooks/deliveries.js';
import { eraseSubscriber } from '../../../src/commands/subscribers/erasure.js';
import { ownershipReaction, payersReaction } from '../../../src/workers/reactions/completions.js';
import { crashingLog, type CrashingLog, type Moment } from '../support/crashing-log.js';
import { monthly, notification, renewal } from '../support/store-data.js';
import { eventsOf } from '../support/memory-deps.js';
import { createProjectFixture, type ProjectFixture } from '../support/project-fixture.js';

const SUBSCRIBED = notification('SUBSCRIBED', monthly());
const chain = { originalTransactionId: 'tx_1' };
const RENEWED = notification('DID_RENEW', renewal(chain));
const rejected = (err: unknown) => (err instanceof Rejection ? err.code : err);

/** Each transaction was bought once, whatever moved afterwards. */
async function boughtOnce({ deps }: ProjectFixture): Promise<void> {
  const bought = (await eventsOf(deps.log)).filter((e) =>
    ['SubscriptionStarted', 'SubscriptionRenewed'].includes(e.type),
  );
  const ids = bought.map((e) => (e.data as { purchase: { transactionId: string } }).purchase.transactionId);
  expect(ids, 'transactions bought').to.deep.equal([...new Set(ids)]);
}

async function finishTransfers({ deps }: ProjectFixture): Promise<void> {
  const reaction = ownershipReaction(deps);
  for (const event of await eventsOf(deps.log)) if (reaction.serialKeyOf(event) !== null) await reaction.handle(event);
}

describe('purchase line', () => {
  it('is claimed for an anonymous customer when the store names no user', async () => {
    const fixture = await createProjectFixture();
    await fixture.notify(SUBSCRIBED);
    expect(await fixture.holders('tx_1')).to.deep.equal({
      [anonymousAppUserId(fixture.deps.hash, fixture.projectId, 'tx_1')]: ['tx_1'],
    });
  });

  it('is claimed for the customer whom the store names', async () => {
    const fixture = await createProjectFixture();
    const token = '7e3fb20b-4cdb-47cc-936d-99d65f608138';
    await fixture.submit(token.toUpperCase(), monthly({ transactionId: 'tx_0', originalTransactionId: 'tx_0' }));
    await fixture.notify(notification('SUBSCRIBED', monthly({ appAccountToken: token })));
    expect(await fixture.holders('tx_1')).to.deep.equal({ [token.toUpperCase()]: ['tx_1'] });
  });

  it('is claimed by the first receipt, and a notification of the same purchase adds nothing', async () => {
    const fixture = await createProjectFixture();
    await fixture.submit('ann', monthly());
    await fixture.notify(SUBSCRIBED);
    expect(await fixture.holders('tx_1')).to.deep.equal({ ann: ['tx_1'] });
    await boughtOnce(fixture);
  });

  it('stays with its owner when the store renews it', async () => {
    const fixture = await createProjectFixture();
    await fixture.submit('ann', monthly());
    await fixture.notify(RENEWED);
    expect(await fixture.holders('tx_1')).to.deep.equal({ ann: ['tx_1', 'tx_2'] });
  });

  for (const transferBehavior of ['transfer', 'transfer_if_no_active', 'keep'] as const) {
    it(`merges an anonymous owner into who shows the receipt (${transferBehavior})`, async () => {
      const fixture = await createProjectFixture({ transferBehavior });
      await fixture.notify(SUBSCRIBED);
      const { state } = await fixture.submit('ann', monthly());
      const anonymous = anonymousAppUserId(fixture.deps.hash, fixture.projectId, 'tx_1');
      expect(await fixture.holders('tx_1')).to.deep.equal({ ann: ['tx_1'] });
      expect(state.profile.aliases).to.deep.equal([anonymous]);
      const [merged] = (await fixture.subscribers()).filter((s) => s.state.profile.appUserId === anonymous);
      expect(merged?.state.profile.mergedInto?.appUserId).to.equal('ann');
      await fixture.notify(RENEWED);
      expect(await fixture.holders('tx_1')).to.deep.equal({ ann: ['tx_1', 'tx_2'] });
    });
  }
});

describe('money of a purchase that changed hands', () => {
  const refund = notification('REFUND', monthly({ revocationDate: monthly().purchaseDate + 1 }));
  const spentBy = async (fixture: ProjectFixture) =>
    Object.fromEntries(
      (await fixture.subscribers()).map(({ state }) => [state.profile.appUserId, state.profile.spentMicros]),
    );
  const book = async ({ deps }: ProjectFixture) => {
    const reaction = payersReaction(deps);
    for (const event of await eventsOf(deps.log))
      if (reaction.serialKeyOf(event) !== null) await reaction.handle(event);
  };

  it('goes back to who paid, once, however often that is booked', async () => {
    const fixture = await createProjectFixture();
    for (const who of ['ann', 'ben', 'cleo']) await fixture.submit(who, monthly());
    await fixture.notify(refund);
    for (let n = 0; n < 3; n++) await book(fixture);
    expect(await spentBy(fixture)).to.deep.equal({ ann: 0, ben: 0, cleo: 0 });
  });

  it('goes back to who paid when the purchase came back before it was booked', async () => {
    const fixture = await createProjectFixture();
    for (const who of ['ann', 'ben']) await fixture.submit(who, monthly());
    await fixture.notify(refund);
    await fixture.submit('ann', monthly(), true);
    await book(fixture);
    expect(await spentBy(fixture)).to.deep.equal({ ann: 0, ben: 0 });
    const [ann] = (await fixture.subscribers()).filter(({ state }) => state.profile.appUserId === 'ann');
    expect(ann?.state.profile.subscriptions[0]?.revenue.gross, 'taken off once').to.equal(0);
  });

  it('is counted with who paid when its price becomes known', async () => {
    const fixture = await createProjectFixture();
    const { price: _, ...unpriced } = monthly();
    await fixture.submit('ann', unpriced);
    await fixture.submit('ben', monthly());
    await book(fixture);
    expect(await spentBy(fixture)).to.deep.equal({ ann: 9_990_000, ben: 0 });
  });

  it('is booked in the end, wherever that is cut', async () => {
    for (const moment of ['before', 'after'] as const) {
      const fixture = await createProjectFixture({ wrapLog: crashingLog });
      const log = fixture.deps.log as CrashingLog;
      for (const who of ['ann', 'ben']) await fixture.submit(who, monthly());
      await fixture.notify(refund);
      log.failAt(1, moment);
      const cut = await book(fixture).catch((err: unknown) => err);
      expect(cut, moment).to.be.instanceOf(Unavailable);
      log.failAt(0, moment);
      await book(fixture);
      expect(await spentBy(fixture), moment).to.deep.equal({ ann: 0, ben: 0 });
    }
  });
});

describe('transfer between identified customers', () => {
  it('moves the whole line under `transfer`', async () => {
    const fixture = await createProjectFixture({ transferBehavior: 'transfer' });
    await fixture.submit('ann', monthly());
    await fixture.notify(RENEWED);
    await fixture.submit('ben', renewal(chain), true);
    expect(await fixture.holders('tx_1')).to.deep.equal({ ben: ['tx_1', 'tx_2'] });
    await boughtOnce(fixture);
  });

  it('is refused under `keep`', async () => {
    const fixture = await createProjectFixture({ transferBehavior: 'keep' });
    await fixture.submit('ann', monthly());
    expect(await fixture.submit('ben', monthly()).catch(rejected)).to.equal('receipt-owned');
    expect(await fixture.holders('tx_1')).to.deep.equal({ ann: ['tx_1'] });
  });

  for (const transferBehavior of ['keep', 'transfer_if_no_active'] as const) {
    it(`lets the next customer claim all of an erased customer’s purchase (${transferBehavior})`, async () => {
      for (const owner of ['ann', '$anon:erased']) {
        const fixture = await createProjectFixture({ transferBehavior });
        await fixture.deps.docs.ensure([deliveryCollection, deliveryBodyCollection]);
        await fixture.submit(owner, monthly());
        await eraseSubscriber(fixture.deps, fixture.by(), fixture.projectId, owner);
        await fixture.submit('ben', monthly());
        expect(await fixture.holders('tx_1'), owner).to.deep.equal({ ben: ['tx_1'] });
        await fixture.notify(RENEWED);
        expect(await fixture.holders('tx_1'), owner).to.deep.equal({ ben: ['tx_1', 'tx_2'] });
      }
    });
  }

  it('is refused under `transfer_if_no_active` while the line gives access, and allowed afterwards', async () => {
    const fixture = await createProjectFixture({ transferBehavior: 'transfer_if_no_active' });
    await fixture.submit('ann', monthly());
    expect(await fixture.submit('ben', monthly()).catch(rejected)).to.equal('receipt-owned');
    fixture.clock.set('2026-12-20T10:00:00.000Z');
    await fixture.submit('ben', monthly());
    expect(await fixture.holders('tx_1')).to.deep.equal({ ben: ['tx_1'] });
  });

  it('gives the line back and forth with the very same receipt', async () => {
    const fixture = await createProjectFixture();
    for (const appUserId of ['ann', 'ben', 'ann', 'ben', 'ann']) {
      const { state } = await fixture.submit(appUserId, monthly(), true);
      expect(await fixture.holders('tx_1')).to.deep.equal({ [appUserId]: ['tx_1'] });
      expect(state.profile.subscriptions).to.have.length(1);
    }
    await boughtOnce(fixture);
  });

  it('lets one of many at once have the line', async () => {
    const fixture = await createProjectFixture();
    const names = ['ann', 'ben', 'cleo', 'dora'];
    await Promise.all(names.map((name) => fixture.submit(name, monthly())));
    await Promise.all([
      fixture.notify(SUBSCRIBED),
      fixture.notify(RENEWED),
      ...names.map((n) => fixture.submit(n, monthly())),
    ]);
    const holdings = Object.values(await fixture.holders('tx_1'));
    expect(holdings).to.deep.equal([['tx_1', 'tx_2']]);
    await boughtOnce(fixture);
  });

  it('does not undo a newer change when an older one is seen again', async () => {
    const fixture = await createProjectFixture();
    for (const appUserId of ['ann', 'ben', 'ann']) await fixture.submit(appUserId, monthly());
    await finishTransfers(fixture);
    expect(await fixture.holders('tx_1')).to.deep.equal({ ann: ['tx_1'] });
  });
});

type History = {
  readonly name: string;
  readonly before: (fixture: ProjectFixture) => Promise<unknown>;
  readonly cut: (fixture: ProjectFixture) => Promise<unknown>;
  /** Holders after the uninterrupted history, and after each interrupted one once it is finished. */
  readonly holders: Readonly<Record<string, readonly string[]>>;
};

const histories: readonly History[] = [
  {
    name: 'a first receipt',
    before: async () => undefined,
    cut: (fixture) => fixture.submit('ann', monthly()),
    holders: { ann: ['tx_1'] },
  },
  {
    name: 'a transfer to another customer',
    before: async (fixture) => {
      await fixture.submit('ann', monthly());
      await fixture.notify(RENEWED);
    },
    cut: (fixture) => fixture.submit('ben', monthly()),
    holders: { ben: ['tx_1', 'tx_2'] },
  },
  {
    name: 'a transfer back',
    before: async (fixture) => {
      await fixture.submit('ann', monthly());
      await fixture.submit('ben', monthly());
    },
    cut: (fixture) => fixture.submit('ann', monthly()),
    holders: { ann: ['tx_1'] },
  },
  {
    name: 'a merge of an anonymous customer',
    before: (fixture) => fixture.notify(SUBSCRIBED),
    cut: (fixture) => fixture.submit('ann', monthly()),
    holders: { ann: ['tx_1'] },
  },
  {
    name: 'a transfer of a line whose first events were never announced',
    before: async (fixture) => {
      (fixture.deps.log as CrashingLog).failAt(3, 'before');
      await fixture.submit('ann', monthly()).catch(unavailable);
    },
    cut: (fixture) => fixture.submit('ben', monthly()),
    holders: { ben: ['tx_1'] },
  },
];

function unavailable(err: unknown): void {
  if (!(err instanceof Unavailable)) throw err;
}

/** Plays the history cut at every append in turn, then lets `finish` go on. */
async function cutEverywhere(
  history: History,
  moment: Moment,
  finish: (fixture: ProjectFixture) => Promise<unknown>,
): Promise<number> {
  for (let n = 1; ; n++) {
    const fixture = await createProjectFixture({ wrapLog: crashingLog });
    const log = fixture.deps.log as CrashingLog;
    log.failAt(0, moment);
    await history.before(fixture);
    log.failAt(n, moment);
    await history.cut(fixture).catch(unavailable);
    const isCut = log.appends() >= n;
    log.failAt(0, moment);
    await finish(fixture);
    expect(await fixture.holders('tx_1'), `cut at append ${n}`).to.deep.equal(history.holders);
    await boughtOnce(fixture);
    if (!isCut) return n - 1;
  }
}

describe('purchase line cut at every append', () => {
  for (const history of histories) {
    for (const moment of ['before', 'after'] as const) {
      it(`${history.name}, cut ${moment} storing, is finished by a retry`, async () => {
        expect(await cutEverywhere(history, moment, history.cut)).to.be.at.least(2);
      });

      it(`${history.name}, cut ${moment} storing, is finished by the reaction before the retry`, async () => {
        await cutEverywhere(history, moment, async (fixture) => {
          await finishTransfers(fixture);
          expect(Object.keys(await fixture.holders('tx_1')).length).to.be.lessThan(2);
          await history.cut(fixture);
          await finishTransfers(fixture);
        });
      });

      it(`${history.name}, cut ${moment} storing, is finished by the next notification`, async () => {
        for (let n = 1, isCut = true; isCut; n++) {
          const fixture = await createProjectFixture({ wrapLog: crashingLog });
          const log = fixture.deps.log as CrashingLog;
          await history.before(fixture);
          log.failAt(n, moment);
          await history.cut(fixture).catch(unavailable);
          isCut = log.appends() >= n;
          log.failAt(0, moment);
          await fixture.notify(
            notification('DID_RENEW', renewal({ ...chain, transactionId: 'tx_3', dayOfPurchase: 60 })),
          );
          expect(Object.keys(await fixture.holders('tx_1')), `cut at append ${n}`).to.have.length(1);
          await boughtOnce(fixture);
        }
      });
    }
  }
});
