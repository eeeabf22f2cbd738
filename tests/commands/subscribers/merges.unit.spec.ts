// Anonymous customers who log in: whatever they owned is there once, with the customer they became, in whichever way it happens.
import { expect } from 'chai';
import type { EventLog } from '../../../src/adapters/event-log/port.js';
import { mergeAnonymous } from '../../../src/commands/subscribers/merge.js';
import { grantPromotional, registerSubscriber, setAttributes } from '../../../src/commands/subscribers/subscribers.js';
import { Rejection, Unavailable } from '../../../src/domain/errors.js';
import { anonymousAppUserId } from '../../../src/domain/ids.js';
import type { RecordedEvent } from '../../../src/domain/envelope.js';
import { streams } from '../../../src/domain/streams.js';
import { chainsOf } from '../../../src/domain/subscriber/state/line.js';
import { customers, type CustomerDoc } from '../../../src/projections/models/customers.js';
import { mergesReaction } from '../../../src/workers/reactions/merges.js';
import { ownershipReaction } from '../../../src/workers/reactions/ownership.js';
import { chance, withSeed } from '../../projections/support/seeded.js';
import { crashingLog, type CrashingLog } from '../support/crashing-log.js';
import { eventsOf } from '../support/memory-deps.js';
import { monthly, notification, renewal } from '../support/store-data.js';
import { createWorld, type World } from '../support/world.js';

const ANON = '$anon:7e3fb20b-4cdb-47cc-936d-99d65f608138';
const HISTORIES = Number(process.env['MERGE_HISTORIES'] ?? 60);

const chain = (id: string) => ({ transactionId: id, originalTransactionId: id });
const rejected = (err: unknown) => (err instanceof Rejection ? err.code : err);
const unavailable = (err: unknown) => {
  if (!(err instanceof Unavailable || err instanceof Rejection)) throw err;
};

const merge = ({ deps, by, projectId }: World, previous: string, appUserId: string) =>
  mergeAnonymous(deps, by(), projectId, { previous, appUserId });
const grant = ({ deps, by, projectId }: World, appUserId: string) =>
  grantPromotional(deps, by(), projectId, appUserId, {
    entitlement: 'pro',
    duration: 'lifetime',
    expiresAt: null,
    startsAt: null,
  });
const label = ({ deps, by, projectId, clock }: World, appUserId: string, key: string, value: string) =>
  setAttributes(deps, by(), projectId, appUserId, {
    source: 'sdk',
    changes: [{ key, value, updatedAt: clock.iso(), receivedAt: clock.iso() }],
  });

async function finish({ deps }: World): Promise<void> {
  for (const reaction of [ownershipReaction(deps), mergesReaction(deps)]) {
    for (const event of await eventsOf(deps.log))
      if (reaction.serialKeyOf(event) !== null) await reaction.handle(event);
  }
}

const shownOf = async (world: World) => {
  const all = await world.subscribers();
  return all.filter(({ state }) => state.profile.status === 'known');
};

/** USD micros over all customers that a list shows, as the read model counts them. */
async function spent({ deps }: World): Promise<number> {
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
async function expectWhole(world: World, granted: ReadonlySet<string>, about: string): Promise<void> {
  const shown = await shownOf(world);
  const charges = bought(await eventsOf(world.deps.log));
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
  expect(await spent(world), `${about}: money`).to.equal(paid);
}

describe('an anonymous customer', () => {
  const furnished = async (wrapLog?: (log: EventLog) => EventLog) => {
    const world = await createWorld(wrapLog && { wrapLog });
    await registerSubscriber(world.deps, world.by(), world.projectId, 'ann', { source: 'sdk' });
    await label(world, ANON, 'colour', 'red');
    await world.submit(ANON, monthly(chain('tx_1')));
    await world.submit(ANON, monthly(chain('tx_2')));
    const { grantId } = await grant(world, ANON);
    return { world, granted: new Set([grantId]) };
  };

  it('becomes whom it logs in as, with all that it held', async () => {
    const { world, granted } = await furnished();
    await merge(world, ANON, 'ann');
    await expectWhole(world, granted, 'merged');
    const [ann] = await shownOf(world);
    expect(ann?.state.profile).to.deep.include({ appUserId: 'ann', aliases: [ANON] });
    expect(ann?.state.profile.attributes.map((a) => [a.k, a.v])).to.deep.equal([['colour', 'red']]);
    expect(ann?.state.profile.subscriptions).to.have.length(2);
  });

  it('becomes whom it logs in as, also if that one is new', async () => {
    const { world } = await furnished();
    await merge(world, ANON, 'ben');
    const shown = await shownOf(world);
    expect(shown.map(({ state }) => state.profile.appUserId).sort()).to.deep.equal(['ann', 'ben']);
  });

  it('becomes an identified customer with all its purchases when one of its receipts is presented', async () => {
    const { world, granted } = await furnished();
    await world.submit('ann', monthly(chain('tx_2')));
    await expectWhole(world, granted, 'receipt');
    expect((await shownOf(world)).map(({ state }) => state.profile.appUserId)).to.deep.equal(['ann']);
  });

  it('is merged once', async () => {
    const { world, granted } = await furnished();
    await merge(world, ANON, 'ann');
    const before = (await eventsOf(world.deps.log)).length;
    for (const who of ['ann', 'ben']) await merge(world, ANON, who);
    await merge(world, '$anon:never-seen', 'ann');
    expect(await eventsOf(world.deps.log)).to.have.length(before);
    await expectWhole(world, granted, 'again');
  });

  it('passes what was sent to it late to whom it became, through several merges', async () => {
    const { world, granted } = await furnished();
    await merge(world, ANON, '$anon:second');
    await merge(world, '$anon:second', 'ann');
    await world.submit(ANON, monthly(chain('tx_3')));
    await world.notify(notification('DID_RENEW', renewal({ originalTransactionId: 'tx_1', transactionId: 'tx_11' })));
    await label(world, ANON, 'size', 'M');
    await expectWhole(world, granted, 'chain of merges');
    const [ann] = await shownOf(world);
    expect(ann?.state.profile.aliases).to.have.members([ANON, '$anon:second']);
  });

  it('is not merged into itself', async () => {
    const { world } = await furnished();
    await merge(world, ANON, ANON);
    await merge(world, '$anon:second', ANON);
    expect((await shownOf(world)).map(({ state }) => state.profile.appUserId)).to.include(ANON);
  });

  it('that becomes another anonymous one, while that one becomes it, is one customer with it', async () => {
    const { world, granted } = await furnished();
    await label(world, '$anon:second', 'size', 'M');
    await Promise.all([merge(world, ANON, '$anon:second'), merge(world, '$anon:second', ANON)]);
    await finish(world);
    await expectWhole(world, granted, 'each into the other');
    await merge(world, '$anon:second', 'ann');
    expect((await shownOf(world)).map(({ state }) => state.profile.appUserId)).to.deep.equal(['ann']);
    await expectWhole(world, granted, 'into somebody');
  });

  it('whose line was on its way to another when that one became it, is one customer with it', async () => {
    for (const [of, to] of [
      [ANON, '$anon:second'],
      ['$anon:second', ANON],
    ] as const) {
      for (let n = 1, isCut = true; isCut; n++) {
        const world = await createWorld({ wrapLog: crashingLog });
        const log = world.deps.log as CrashingLog;
        for (const who of [of, to]) await label(world, who, 'colour', 'red');
        await world.submit(of, monthly(chain('tx_1')));
        log.failAt(n, 'after');
        await world.submit(to, monthly(chain('tx_1'))).catch(unavailable);
        isCut = log.appends() >= n;
        log.failAt(0, 'after');
        await merge(world, to, of);
        await finish(world);
        await expectWhole(world, new Set(), `${of} to ${to}, cut at append ${n}`);
        expect(await shownOf(world), `${of} to ${to}, cut at append ${n}`).to.have.length(1);
      }
    }
  });

  it('is the only one that is merged', async () => {
    const { world } = await furnished();
    expect(await merge(world, 'ann', 'ben').catch(rejected)).to.equal('not-anonymous');
  });

  it('that a store created is merged by a request with its ID', async () => {
    const world = await createWorld();
    await world.notify(notification('SUBSCRIBED', monthly()));
    await merge(world, anonymousAppUserId(world.deps.hash, world.projectId, 'tx_1'), 'ann');
    expect(await world.holders('tx_1')).to.deep.equal({ ann: ['tx_1'] });
  });

  for (const moment of ['before', 'after'] as const) {
    it(`is merged in the end, wherever that is cut ${moment} storing`, async () => {
      for (let n = 1, isCut = true; isCut; n++) {
        const { world, granted } = await furnished(crashingLog);
        const log = world.deps.log as CrashingLog;
        log.failAt(n, moment);
        await merge(world, ANON, 'ann').catch(unavailable);
        isCut = log.appends() >= n;
        log.failAt(0, moment);
        // The store sends a notification before the merge that was cut is finished.
        await world.notify(
          notification('DID_RENEW', renewal({ originalTransactionId: 'tx_2', transactionId: 'tx_22' })),
        );
        await finish(world);
        await merge(world, ANON, 'ann');
        await expectWhole(world, granted, `cut at append ${n}`);
      }
    });
  }
});

describe('random histories', () => {
  const random = chance();
  const pick = <T>(all: readonly T[]): T => all[random.below(all.length)] as T;

  async function live(behaviour: 'transfer' | 'transfer_if_no_active' | 'keep', crashes: boolean): Promise<void> {
    const world = await createWorld({ transferBehavior: behaviour, wrapLog: crashingLog });
    const log = world.deps.log as CrashingLog;
    const names = ['ann', 'ben', '$anon:one', '$anon:two', '$anon:three'];
    const chains = ['tx_a', 'tx_b', 'tx_c'];
    const granted = new Set<string>();
    let renewals = 0;
    const steps: readonly (() => Promise<unknown>)[] = [
      () => world.submit(pick(names), monthly(chain(pick(chains))), random.below(2) === 0),
      () => merge(world, pick(names), pick(names)),
      () => world.notify(notification('SUBSCRIBED', monthly(chain(pick(chains))))),
      () => {
        const of = pick(chains);
        const n = ++renewals;
        const transaction = renewal({ originalTransactionId: of, transactionId: `${of}_${n}`, dayOfPurchase: 30 * n });
        return world.notify(notification('DID_RENEW', transaction));
      },
      async () => granted.add((await grant(world, pick(names))).grantId),
      () => label(world, pick(names), pick(['a', 'b']), String(random.below(9))),
    ];
    for (let i = 0; i < 14; i++) {
      if (crashes && random.below(3) === 0) log.failAt(1 + random.below(6), pick(['before', 'after'] as const));
      const step = pick(crashes ? steps.filter((_, index) => index !== 4) : steps);
      await step().catch(unavailable);
      log.failAt(0, 'before');
      if (!crashes) await expectWhole(world, granted, `step ${i}`);
    }
    await world.processAll();
    await finish(world);
    await expectWhole(world, granted, 'in the end');
    for (const { stream, state } of await world.subscribers()) {
      const { mergedInto } = state.profile;
      if (mergedInto) expect(streams.subscriber(world.projectId, mergedInto.customerId)).not.to.equal(stream);
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
