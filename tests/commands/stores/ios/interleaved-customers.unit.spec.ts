// Many customers at once: their messages interleaved, doubled and mixed with receipts make of each what its own history makes of it.
// `CROWDS` sets how many crowds are tried, `SEED` which.
import { expect } from 'chai';
import fc from 'fast-check';
import type { IosNotification, IosTransaction } from '../../../../src/adapters/ios-store/port.js';
import type { StoredNotification } from '../../../../src/commands/stores/store-integration.js';
import { processNotification } from '../../../../src/commands/stores/inbox/inbox.js';
import type { RecordedEvent } from '../../../../src/domain/envelope.js';
import type { SubscriberEvent } from '../../../../src/domain/subscriber/events/events.js';
import { figuresOf } from '../../support/chart-figures.js';
import { eventsOf } from '../../support/memory-deps.js';
import { chainPlans, notificationsOf } from './random-chain.js';
import { createProjectFixture } from '../../support/project-fixture.js';

const RUNS = {
  numRuns: Number(process.env['CROWDS'] ?? 6),
  seed: Number(process.env['SEED'] ?? 7),
};

type Message = { readonly customer: number; readonly n: IosNotification; readonly isRepeated: boolean };

function ofCustomer(n: IosNotification, customer: number): IosNotification {
  const own = <T extends { originalTransactionId: string }>(part: T): T => ({
    ...part,
    originalTransactionId: `${customer}-${part.originalTransactionId}`,
  });
  const { data } = n;
  const transaction = data?.transaction && {
    ...own(data.transaction),
    transactionId: `${customer}-${data.transaction.transactionId}`,
  };
  const renewal = data?.renewal && own(data.renewal);
  return {
    ...n,
    notificationUUID: `${customer}-${n.notificationUUID}`,
    ...(data && { data: { ...data, ...(transaction && { transaction }), ...(renewal && { renewal }) } }),
  };
}

/** Returns the state of all customers after the messages. */
async function crowdAfter(messages: readonly Message[]) {
  const { deps, receive, subscribers, submit } = await createProjectFixture();
  for (const { n, customer, isRepeated } of messages) {
    for (const message of isRepeated ? [n, { ...n, notificationUUID: `${n.notificationUUID}-again` }] : [n])
      await receive(message);
    const all = await eventsOf(deps.log);
    const done = new Set(all.filter((e) => e.type === 'StoreNotificationProcessed').map((e) => e.stream));
    const open = all.filter(
      (e): e is StoredNotification => e.type === 'StoreNotificationReceived' && !done.has(e.stream),
    );
    for (const event of open) await processNotification(deps, event);
    const transaction: IosTransaction | undefined = n.data?.transaction;
    if (isRepeated && transaction) await submit(`user-${customer}`, transaction);
  }
  const states = await subscribers();
  const known = states.filter(({ state }) => state.profile.status === 'known');
  const all = await eventsOf(deps.log);
  return known.map(({ state, stream }) => {
    const own = all.filter((e): e is RecordedEvent<SubscriberEvent> => e.stream === stream);
    const charts = figuresOf(own.map((e) => ({ ...e, at: e.meta.at })));
    return { ...state, profile: { ...state.profile, clocks: [] }, charts };
  });
}

describe(`customers whose ios notifications are interleaved (${RUNS.numRuns} groups, seed ${RUNS.seed})`, function () {
  this.timeout(600_000);
  it('end as each of them does separately', () => {
    const crowds = fc.array(chainPlans(), { minLength: 2, maxLength: 4 }).chain((plans) => {
      const customers = plans.map((plan, customer) => notificationsOf(plan).map((n) => ofCustomer(n, customer)));
      const turns = customers.flatMap((messages, customer) => messages.map(() => customer));
      const order = fc.shuffledSubarray([...turns.keys()], { minLength: turns.length });
      const repeats = fc.array(fc.boolean(), { minLength: turns.length, maxLength: turns.length });
      return fc.record({
        customers: fc.constant(customers),
        turns: order.map((o) => o.map((i) => turns[i] ?? 0)),
        repeats,
      });
    });
    return fc.assert(
      fc.asyncProperty(crowds, async ({ customers, turns, repeats }) => {
        const remaining = customers.map((all) => [...all]);
        const messages = turns.flatMap((customer, i): Message[] => {
          const n = remaining[customer]?.shift();
          return n ? [{ customer, n, isRepeated: repeats[i] ?? false }] : [];
        });
        const together = await crowdAfter(messages);
        const separately = await Promise.all(
          customers.map((_, customer) => crowdAfter(messages.filter((m) => m.customer === customer))),
        );
        const byName = (a: { profile: { appUserId: string } }, b: typeof a) =>
          a.profile.appUserId < b.profile.appUserId ? -1 : 1;
        expect(together.sort(byName)).to.deep.equal(separately.flat().sort(byName));
      }),
      RUNS,
    );
  });
});
