// Anonymous customers who log in: whatever they owned is there once, with the customer they became, in whichever way it happens.
import { expect } from 'chai';
import type { EventLog } from '../../../src/adapters/event-log/port.js';
import { MAX_ALIASES, mergeAnonymous } from '../../../src/commands/subscribers/merge.js';
import { grantPromotional, registerSubscriber, setAttributes } from '../../../src/commands/subscribers/subscribers.js';
import { Rejection, Unavailable } from '../../../src/domain/errors.js';
import { anonymousAppUserId } from '../../../src/domain/ids.js';
import type { RecordedEvent } from '../../../src/domain/envelope.js';
import { streams } from '../../../src/domain/streams.js';
import { chainsOf } from '../../../src/domain/subscriber/state/line.js';
import { customers, type CustomerDoc } from '../../../src/projections/models/customers.js';
import { mergesReaction, ownershipReaction } from '../../../src/workers/reactions/completions.js';
import { chance, withSeed } from '../../projections/support/seeded-random.js';
import { crashingLog, type CrashingLog } from '../support/crashing-log.js';
import { eventsOf } from '../support/memory-deps.js';
import { monthly, notification, renewal } from '../support/store-data.js';
import { createProjectFixture, type ProjectFixture } from '../support/project-fixture.js';

const ANON = '$anon:7e3fb20b-4cdb-47cc-936d-99d65f608138';
const HISTORIES = Number(process.env['MERGE_HISTORIES'] ?? 60);

const chain = (id: string) => ({ transactionId: id, originalTransactionId: id });
const rejected = (err: unknown) => (err instanceof Rejection ? err.code : err);
const unavailable = (err: unknown) => {
  if (!(err instanceof Unavailable || err instanceof Rejection)) throw err;
};

const merge = ({ deps, by, projectId }: ProjectFixture, previous: string, appUserId: string) =>
  mergeAnonymous(deps, by(), projectId, { previous, appUserId });
const grant = ({ deps, by, projectId }: ProjectFixture, appUserId: string) =>
  grantPromotional(deps, by(), projectId, appUserId, {
    entitlement: 'pro',
    duration: 'lifetime',
    expiresAt: null,
    startsAt: null,
  });
const label = ({ deps, by, projectId, clock }: ProjectFixture, appUserId: string, key: string, value: string) =>
  setAttributes(deps, by(), projectId, appUserId, {
    source: 'sdk',
    changes: [{ key, value, updatedAt: clock.iso(), receivedAt: clock.iso() }],
  });

async function finish({ deps }: ProjectFixture): Promise<void> {
  for (const reaction of [ownershipReaction(deps), mergesReaction(deps)]) {
    for (const event of await eventsOf(deps.log))
      if (reaction.serialKeyOf(event) !== null) await reaction.handle(event);
  }
}

const shownOf = async (fixture: ProjectFixture) => {
  const all = await fixture.subscribers();
  return all.filter(({ state }) => state.profile.status === 'known');
};

/** USD micros over all customers that a list shows, as the read model counts them. */
async function spent({ deps }: ProjectFixture): Promise<number> {
  const docs = new Map<string, CustomerDoc>();
  for (const event of await eventsOf(deps.log)) {
    for (const id of event.stream.startsWith('subscriber-') ? customers.keys(event) : []) {
      const doc = customers.fold(docs.get(id), event, id, () => undefined);
      if (doc) docs.set(id, doc);
    }
  }
  return [...docs.values()].filter((d) => d.listedIn !== '').reduce((sum, d) => sum + d.spentMicros, 0);
}

const bought = (events: readonly RecordedEvent[]) => {
  const revisions = events.flatMap((e) =>
    e.type === 'PurchaseHistoryRevised' ? [e.data as { superseded: { eventId: string }[] }] : [],
  );
  const superseded = new Set(revisions.flatMap((r) => r.superseded.map((s) => s.eventId)));
  return events.flatMap((e) =>
    superseded.has(e.id)
      ? []
      : e.type === 'SubscriptionStarted' || e.type === 'SubscriptionRenewed'
        ? [e.data as { purchase: { transactionId: string; storeChainId: string }; money: { usdMicros: number } }]
        : [],
  );
};

/** Nothing twice, nothing lost. */
async function expectWhole(fixture: ProjectFixture, granted: ReadonlySet<string>, about: string): Promise<void> {
  const shown = await shownOf(fixture);
  const charges = bought(await eventsOf(fixture.deps.log));
  const ids = charges.map((c) => c.purchase.transactionId);
  expect(ids.sort(), `${about}: bought`).to.deep.equal([...new Set(ids)]);
  const transactionIds = shown.flatMap(({ state }) => [...state.transactions.keys()]);
  expect(transactionIds.sort(), `${about}: transactions held`).to.deep.equal(ids);
  const lines = shown.flatMap(({ state }) => chainsOf(state).map((c) => c.storeChainId));
  expect(lines.sort(), `${about}: lines held`).to.deep.equal(
    [...new Set(charges.map((c) => c.purchase.storeChainId))].sort(),
  );
  const subscriptions = shown.flatMap(({ state }) => state.profile.subscriptions.map((s) => s.purchase.storeChainId));
  expect(subscriptions.sort(), `${about}: subscriptions`).to.deep.equal(lines);
  const grants = shown.flatMap(({ state }) => state.profile.grants.map((g) => g.grantId));
  expect(grants.sort(), `${about}: grants`).to.deep.equal([...granted].sort());
  const paid = charges.reduce((sum, c) => sum + c.money.usdMicros, 0);
  expect(await spent(fixture), `${about}: money`).to.equal(paid);
}

describe('an anonymous customer', () => {
  const furnished = async (wrapLog?: (log: EventLog) => EventLog) => {
    const fixture = await createProjectFixture(wrapLog && { wrapLog });
    await registerSubscriber(fixture.deps, fixture.by(), fixture.projectId, 'ann', { source: 'sdk' });
    await label(fixture, ANON, 'colour', 'red');
    await fixture.submit(ANON, monthly(chain('tx_1')));
    await fixture.submit(ANON, monthly(chain('tx_2')));
    const { grantId } = await grant(fixture, ANON);
    return { fixture, granted: new Set([grantId]) };
  };

  it('gives its purchases, and not its name, to a customer who has a hundred names', async () => {
    const { fixture, granted } = await furnished();
    const { deps, by, projectId } = fixture;
    const other = (n: number) => `$anon:7e3fb20b-4cdb-47cc-936d-${String(n).padStart(12, '0')}`;
    for (let n = 0; n < MAX_ALIASES; n++) {
      await registerSubscriber(deps, by(), projectId, other(n), { source: 'sdk' });
      await merge(fixture, other(n), 'ann');
    }
    await merge(fixture, ANON, 'ann');
    await expectWhole(fixture, granted, 'moved');
    const [ann, anonymous] = (await shownOf(fixture)).map(({ state }) => state);
    expect(ann?.profile.aliases).to.have.length(MAX_ALIASES);
    expect([ann, anonymous].map((state) => state && chainsOf(state).length)).to.deep.equal([2, 0]);
    await merge(fixture, ANON, 'ann');
    expect((await shownOf(fixture))[0]?.state.profile.aliases).to.have.length(MAX_ALIASES);
  });

  it('becomes whom it logs in as, with all that it held', async () => {
    const { fixture, granted } = await furnished();
    await merge(fixture, ANON, 'ann');
    await expectWhole(fixture, granted, 'merged');
    const [ann] = await shownOf(fixture);
    expect(ann?.state.profile).to.deep.include({ appUserId: 'ann', aliases: [ANON] });
    expect(ann?.state.profile.attributes.map((a) => [a.k, a.v])).to.deep.equal([['colour', 'red']]);
    expect(ann?.state.profile.subscriptions).to.have.length(2);
  });

  it('becomes whom it logs in as, also if that one is new', async () => {
    const { fixture } = await furnished();
    await merge(fixture, ANON, 'ben');
    const shown = await shownOf(fixture);
    expect(shown.map(({ state }) => state.profile.appUserId).sort()).to.deep.equal(['ann', 'ben']);
  });

  it('becomes an identified customer with all its purchases when one of its receipts is presented', async () => {
    const { fixture, granted } = await furnished();
    await fixture.submit('ann', monthly(chain('tx_2')));
    await expectWhole(fixture, granted, 'receipt');
    expect((await shownOf(fixture)).map(({ state }) => state.profile.appUserId)).to.deep.equal(['ann']);
  });

  it('is merged once', async () => {
    const { fixture, granted } = await furnished();
    await merge(fixture, ANON, 'ann');
    const before = (await eventsOf(fixture.deps.log)).length;
    for (const who of ['ann', 'ben']) await merge(fixture, ANON, who);
    await merge(fixture, '$anon:never-seen', 'ann');
    expect(await eventsOf(fixture.deps.log)).to.have.length(before);
    await expectWhole(fixture, granted, 'again');
  });

  it('passes what was sent to it late to whom it became, through several merges', async () => {
    const { fixture, granted } = await furnished();
    await merge(fixture, ANON, '$anon:second');
    await merge(fixture, '$anon:second', 'ann');
    await fixture.submit(ANON, monthly(chain('tx_3')));
    await fixture.notify(notification('DID_RENEW', renewal({ originalTransactionId: 'tx_1', transactionId: 'tx_11' })));
    await label(fixture, ANON, 'size', 'M');
    await expectWhole(fixture, granted, 'chain of merges');
    const [ann] = await shownOf(fixture);
    expect(ann?.state.profile.aliases).to.have.members([ANON, '$anon:second']);
  });

  it('is not merged into itself', async () => {
    const { fixture } = await furnished();
    await merge(fixture, ANON, ANON);
    await merge(fixture, '$anon:second', ANON);
    expect((await shownOf(fixture)).map(({ state }) => state.profile.appUserId)).to.include(ANON);
  });

  it('that becomes another anonymous one, while that one becomes it, is one customer with it', async () => {
    const { fixture, granted } = await furnished();
    await label(fixture, '$anon:second', 'size', 'M');
    await Promise.all([merge(fixture, ANON, '$anon:second'), merge(fixture, '$anon:second', ANON)]);
    await finish(fixture);
    await expectWhole(fixture, granted, 'each into the other');
    await merge(fixture, '$anon:second', 'ann');
    expect((await shownOf(fixture)).map(({ state }) => state.profile.appUserId)).to.deep.equal(['ann']);
    await expectWhole(fixture, granted, 'into somebody');
  });

  it('whose line was on its way to another when that one became it, is one customer with it', async () => {
    for (const [of, to] of [
      [ANON, '$anon:second'],
      ['$anon:second', ANON],
    ] as const) {
      for (let n = 1, isCut = true; isCut; n++) {
        const fixture = await createProjectFixture({ wrapLog: crashingLog });
        const log = fixture.deps.log as CrashingLog;
        for (const who of [of, to]) await label(fixture, who, 'colour', 'red');
        await fixture.submit(of, monthly(chain('tx_1')));
        log.failAt(n, 'after');
        await fixture.submit(to, monthly(chain('tx_1'))).catch(unavailable);
        isCut = log.appends() >= n;
        log.failAt(0, 'after');
        await merge(fixture, to, of);
        await finish(fixture);
        await expectWhole(fixture, new Set(), `${of} to ${to}, cut at append ${n}`);
        expect(await shownOf(fixture), `${of} to ${to}, cut at append ${n}`).to.have.length(1);
      }
    }
  });

  it('is the only one that is merged', async () => {
    const { fixture } = await furnished();
    expect(await merge(fixture, 'ann', 'ben').catch(rejected)).to.equal('not-anonymous');
  });

  it('that a store created is merged by a request with its ID', async () => {
    const fixture = await createProjectFixture();
    await fixture.notify(notification('SUBSCRIBED', monthly()));
    await merge(fixture, anonymousAppUserId(fixture.deps.hash, fixture.projectId, 'tx_1'), 'ann');
    expect(await fixture.holders('tx_1')).to.deep.equal({ ann: ['tx_1'] });
  });

  for (const moment of ['before', 'after'] as const) {
    it(`is merged in the end, wherever that is cut ${moment} storing`, async () => {
      for (let n = 1, isCut = true; isCut; n++) {
        const { fixture, granted } = await furnished(crashingLog);
        const log = fixture.deps.log as CrashingLog;
        log.failAt(n, moment);
        await merge(fixture, ANON, 'ann').catch(unavailable);
        isCut = log.appends() >= n;
        log.failAt(0, moment);
        // The store sends a notification before the merge that was cut is finished.
        await fixture.notify(
          notification('DID_RENEW', renewal({ originalTransactionId: 'tx_2', transactionId: 'tx_22' })),
        );
        await finish(fixture);
        await merge(fixture, ANON, 'ann');
        await expectWhole(fixture, granted, `cut at append ${n}`);
      }
    });
  }
});

describe('random histories', () => {
  const random = chance();
  const pick = <T>(all: readonly T[]): T => all[random.below(all.length)] as T;

  async function live(behaviour: 'transfer' | 'transfer_if_no_active' | 'keep', crashes: boolean): Promise<void> {
    const fixture = await createProjectFixture({ transferBehavior: behaviour, wrapLog: crashingLog });
    const log = fixture.deps.log as CrashingLog;
    const names = ['ann', 'ben', '$anon:one', '$anon:two', '$anon:three'];
    const chains = ['tx_a', 'tx_b', 'tx_c'];
    const granted = new Set<string>();
    let renewals = 0;
    const steps: readonly (() => Promise<unknown>)[] = [
      () => fixture.submit(pick(names), monthly(chain(pick(chains))), random.below(2) === 0),
      () => merge(fixture, pick(names), pick(names)),
      () => fixture.notify(notification('SUBSCRIBED', monthly(chain(pick(chains))))),
      () => {
        const of = pick(chains);
        const n = ++renewals;
        const transaction = renewal({ originalTransactionId: of, transactionId: `${of}_${n}`, dayOfPurchase: 30 * n });
        return fixture.notify(notification('DID_RENEW', transaction));
      },
      async () => granted.add((await grant(fixture, pick(names))).grantId),
      () => label(fixture, pick(names), pick(['a', 'b']), String(random.below(9))),
    ];
    for (let i = 0; i < 14; i++) {
      if (crashes && random.below(3) === 0) log.failAt(1 + random.below(6), pick(['before', 'after'] as const));
      const step = pick(crashes ? steps.filter((_, index) => index !== 4) : steps);
      await step().catch(unavailable);
      log.failAt(0, 'before');
      if (!crashes) await expectWhole(fixture, granted, `step ${i}`);
    }
    await fixture.processAll();
    await finish(fixture);
    await expectWhole(fixture, granted, 'in the end');
    for (const { stream, state } of await fixture.subscribers()) {
      const { mergedInto } = state.profile;
      if (mergedInto) expect(streams.subscriber(fixture.projectId, mergedInto.customerId)).not.to.equal(stream);
    }
  }

  for (const behaviour of ['transfer', 'transfer_if_no_active', 'keep'] as const) {
    it(`keep everything once under ${behaviour} (seed ${random.seed})`, () =>
      withSeed(random, async () => {
        for (let i = 0; i < HISTORIES / 3; i++) await live(behaviour, false);
      }));

    it(`keep everything once under ${behaviour}, cut again and again (seed ${random.seed})`, () =>
      withSeed(random, async () => {
        for (let i = 0; i < HISTORIES / 3; i++) await live(behaviour, true);
      }));
  }
});
