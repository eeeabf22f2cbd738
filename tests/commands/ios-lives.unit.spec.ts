// Whole lives, told by the store in any order and any number of times.
// Told in order, a message counts once. Told in any order, money, transactions and the access at the end are the same. Left out there:
// - Reversed refunds: a reversal that comes before its refund finds nothing to take back, and the refund then stands.
// - A refund while grace runs: told before the grace it comes after all the access that is known, so it moves money only.
// - A purchase anew within a refunded period: told first it makes the refunded transaction not the latest of its chain.
// - Which subscription of the chain a period belongs to, its state of auto-renewal and its history: those follow the order of arrival.
import { expect } from 'chai';
import fc from 'fast-check';
import type { IosNotification } from '../../src/adapters/ios-store/port.js';
import { translateIosNotification } from '../../src/commands/notifications/ios-store.js';
import { decideAll } from '../../src/domain/decider.js';
import { givesAccess } from '../../src/domain/subscriber/access.js';
import type { RefundPolicy } from '../../src/domain/subscriber/blocks.js';
import { subscriberDecider } from '../../src/domain/subscriber/decide.js';
import { noSubscriber, type Subscriber } from '../../src/domain/subscriber/state.js';
import { isoFromMs } from '../../src/domain/time.js';
import { lifePlans, notificationsOf } from './ios-life.js';
import { contextOf, DAY_MS } from './ios-samples.js';

const policies = fc.constantFrom<RefundPolicy>('revoke_immediately', 'keep_until_expiry');
const RUNS = { numRuns: 400 };

function deliver(notifications: readonly IosNotification[], refundPolicy: RefundPolicy): Subscriber {
  const ctx = contextOf({ refundPolicy });
  return notifications.reduce((state: Subscriber, notification) => {
    const told = translateIosNotification(notification, ctx);
    const introduce = { kind: 'registerCustomer' as const, appUserId: 'alice', source: 'store' as const };
    const events = decideAll(subscriberDecider, [introduce, ...(told?.facts ?? [])], state);
    return events.reduce(subscriberDecider.evolve, state);
  }, noSubscriber);
}

/** What no order of arrival may change. */
function sum({ profile, transactions }: Subscriber, endMs: number) {
  const gross = profile.subscriptions.reduce((all, s) => all + s.revenue.gross, 0);
  const known = [...transactions.values()].map((t) => [t.transactionId, t.purchasedAt, t.money, t.refund?.at ?? null]);
  const instants = [0, 1, 10, 40, 100].map((days) => isoFromMs(endMs + days * DAY_MS));
  const access = instants.map((at) => profile.subscriptions.some((s) => givesAccess(s, at)));
  return { gross, known: known.sort(([a], [b]) => (`${a}` < `${b}` ? -1 : 1)), access };
}

describe('a life told by the ios-store', () => {
  it('in order, each message up to three times, is what it is when told once', () => {
    const lives = lifePlans({ reversals: true }).chain((plan) => {
      const once = notificationsOf(plan);
      const times = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: once.length, maxLength: once.length });
      return fc.record({ once: fc.constant(once), times, policy: policies });
    });
    fc.assert(
      fc.property(lives, ({ once, times, policy }) => {
        const repeated = once.flatMap((n, i) => Array.from({ length: times[i] ?? 1 }, () => n));
        expect(deliver(repeated, policy)).to.deep.equal(deliver(once, policy));
      }),
      RUNS,
    );
  });

  it('in order, then all over again, is what it is when told once', () =>
    fc.assert(
      fc.property(lifePlans({ reversals: true }), policies, (plan, policy) => {
        const once = notificationsOf(plan);
        expect(deliver([...once, ...once], policy)).to.deep.equal(deliver(once, policy));
      }),
      RUNS,
    ));

  it('in any order has the same transactions, the same money and the same access at the end', () => {
    const lives = lifePlans({ reversals: false }).chain((plan) => {
      const once = notificationsOf(plan);
      const twice = [...once, ...once];
      const cut = fc.integer({ min: 1, max: once.length });
      return fc.record({
        once: fc.constant(once),
        cut,
        order: fc.shuffledSubarray([...twice.keys()], { minLength: twice.length }),
        policy: policies,
      });
    });
    fc.assert(
      fc.property(lives, ({ once, cut, order, policy }) => {
        const told = once.slice(0, cut);
        const shuffled = order.flatMap((i) => told[i % once.length] ?? []);
        const endMs = (told.at(-1)?.signedDate ?? 0) + 1;
        expect(sum(deliver(shuffled, policy), endMs)).to.deep.equal(sum(deliver(told, policy), endMs));
      }),
      RUNS,
    );
  });
});
