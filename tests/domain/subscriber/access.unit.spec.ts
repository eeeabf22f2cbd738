// Access at an instant: in each state, and the end of access to the millisecond.
import { expect } from 'chai';
import { foldEvents } from '../../../src/domain/decider.js';
import {
  accessEndsAt,
  givesAccess,
  nextChangeAfter,
  nextDeadline,
  stateAt,
} from '../../../src/domain/subscriber/access.js';
import { subscriberDecider } from '../../../src/domain/subscriber/decide/decider.js';
import { subscriberEvents as e, type SubscriberEvent } from '../../../src/domain/subscriber/events/events.js';
import type { Subscription } from '../../../src/domain/subscriber/state/state.js';
import { isoFromMs, msFromIso } from '../../../src/domain/time.js';
import { disabled, expired, graceEntered, issueDetected, refunded, retryEntered, reversed } from './store-samples.js';
import { customer, day, first, renewed, second, started, subPurchaseOf, trial } from './samples.js';

function after(...events: readonly SubscriberEvent[]): Subscription {
  const [subscription] = foldEvents(subscriberDecider, [customer, ...events]).profile.subscriptions;
  if (!subscription) throw new Error('the events start no subscription');
  return subscription;
}

const justBefore = (n: number) => isoFromMs(msFromIso(day(n)) - 1);

const graceUntil37 = [started(first), issueDetected(first, 31, 37), graceEntered(first, 31, 37)];
const retrying = [started(first), issueDetected(first, 31, null), retryEntered(first, 31, 31)];
const takenBack = [
  started(first),
  refunded(first, 10, { isLatest: true, accessRevoked: true }),
  expired(first, 10, 'customer_support'),
];
const notTaken = { isLatest: true, accessRevoked: false, policy: 'keep_until_expiry' as const };
const extension = e.SubscriptionExtended.of(
  { purchase: subPurchaseOf(first), storeTime: day(20), previousExpiresAt: day(31), expiresAt: day(36) },
  { at: day(20) },
);

/** Facts, the state they lead to, from which day and until which; null: no end of it in sight. */
const states: readonly [string, readonly SubscriberEvent[], string, number, number | null][] = [
  ['a free period', [started(trial)], 'trial', 0, 7],
  ['a free period that was cancelled', [started(trial), disabled(trial, 2)], 'trial', 2, 7],
  ['an introductory period', [started({ ...first, type: 'intro' })], 'intro', 0, 31],
  ['a standard period', [started(first)], 'active', 0, 31],
  ['a prepaid period', [started({ ...first, type: 'prepaid' })], 'active', 0, 31],
  ['a cancelled period', [started(first), disabled(first, 3)], 'active', 3, 31],
  ['a renewal', [started(first), renewed(second)], 'active', 31, 62],
  ['an extended period', [started(first), extension], 'active', 31, 36],
  ['the days of grace', graceUntil37, 'grace_period', 31, 37],
  ['the paid days before a grace', graceUntil37, 'active', 0, 31],
  ['a retry', retrying, 'billing_retry', 31, 91],
  ['the paid days before a retry', retrying, 'active', 0, 31],
  ['a grace that became a retry', [...graceUntil37, retryEntered(first, 37, 37)], 'billing_retry', 37, 91],
  ['a period that nobody renewed', [started(first)], 'expired', 31, null],
  ['a retry that was given up', [...retrying, expired(first, 60, 'billing_error')], 'expired', 60, null],
  ['a period ended before its time', [started(first), expired(first, 20, 'price_increase')], 'expired', 20, null],
  ['a grace ended before its time', [...graceUntil37, expired(first, 33, 'unsubscribe')], 'expired', 33, null],
  ['a refund that took access', takenBack, 'refunded', 10, null],
  ['the days before such a refund', takenBack, 'active', 0, 10],
  ['a refund that took no access', [started(first), refunded(first, 10, notTaken)], 'active', 0, 31],
  ['a reversed refund', [...takenBack, reversed(first, 20, { accessRestored: true })], 'active', 20, 31],
  ['a refund reversed too late', [...takenBack, reversed(first, 40, { accessRestored: false })], 'expired', 40, null],
  ['a renewal after a refund', [...takenBack, renewed(second)], 'active', 31, 62],
];

describe('the state of a subscription', () => {
  for (const [what, events, state, from, until] of states) {
    it(`is ${state} in ${what}`, () => {
      const subscription = after(...events);
      expect(stateAt(subscription, day(from))).to.equal(state);
      if (until === null) return expect(stateAt(subscription, day(from + 3650))).to.equal(state);
      expect(stateAt(subscription, justBefore(until))).to.equal(state);
      return expect(stateAt(subscription, day(until))).to.not.equal(state);
    });
  }

  it('does not depend on a recorded expiry', () => {
    const swept = after(started(first), expired(first, 31, 'unknown', { signed: null }));
    for (const at of [day(30), justBefore(31), day(31), day(400)]) {
      expect(stateAt(after(started(first)), at)).to.equal(stateAt(swept, at));
    }
  });
});

describe('access', () => {
  const ends: readonly [string, readonly SubscriberEvent[], number][] = [
    ['the contract', [started(first)], 31],
    ['the latest contract', [started(first), renewed(second)], 62],
    ['an extension', [started(first), extension], 36],
    ['grace', graceUntil37, 37],
    ['the contract, while the store retries', retrying, 31],
    ['a refund that took it', takenBack, 10],
  ];
  for (const [what, events, end] of ends) {
    it(`ends to the millisecond with ${what}`, () => {
      const subscription = after(...events);
      expect(accessEndsAt(subscription)).to.equal(day(end));
      expect(givesAccess(subscription, justBefore(end))).to.equal(true);
      expect(givesAccess(subscription, day(end))).to.equal(false);
    });
  }

  it('agrees with the state at every hour', () => {
    const withAccess = ['trial', 'intro', 'active', 'grace_period'];
    for (const [, events] of states) {
      const subscription = after(...events);
      for (let hour = 0; hour < 24 * 100; hour++) {
        const now = day(hour / 24);
        expect(givesAccess(subscription, now)).to.equal(withAccess.includes(stateAt(subscription, now)));
      }
    }
  });
});

describe('the next deadline', () => {
  it('is the contract’s end', () =>
    expect(nextDeadline(after(started(first)))).to.deep.equal({ kind: 'periodEnd', at: day(31) }));

  it('is the grace’s end', () =>
    expect(nextDeadline(after(...graceUntil37))).to.deep.equal({ kind: 'graceEnd', at: day(37) }));

  it('is the end of retries', () =>
    expect(nextDeadline(after(...retrying))).to.deep.equal({ kind: 'retryStop', at: day(91) }));

  it('is null after the end', () =>
    expect(nextDeadline(after(started(first), expired(first, 31, 'unsubscribe')))).to.equal(null));

  it('is null after a refund', () => expect(nextDeadline(after(...takenBack))).to.equal(null));
});

describe('the next change of access', () => {
  it('leaves every state and access as it is until then', () => {
    for (const [, events] of states) {
      const { profile } = foldEvents(subscriberDecider, [customer, ...events]);
      const [subscription] = profile.subscriptions;
      const seenAt = (now: string) => subscription && [stateAt(subscription, now), givesAccess(subscription, now)];
      for (let hour = -24; hour < 24 * 100; hour += 6) {
        const now = day(hour / 24);
        const next = nextChangeAfter(now, profile) ?? day(4000);
        expect(next > now).to.equal(true);
        expect(seenAt(isoFromMs(msFromIso(next) - 1))).to.deep.equal(seenAt(now));
      }
    }
  });

  it('is the end of what is owned or granted', () => {
    const none = { subscriptions: [], owned: [], grants: [] };
    expect(nextChangeAfter(day(0), none)).to.equal(null);
    const grant = { grantId: 'g', entitlementId: 'e', lookupKey: 'pro', startsAt: day(0), endedAt: null };
    const grants = [5, 3, 9].map((end) => ({ ...grant, expiresAt: day(end) }));
    expect(nextChangeAfter(day(0), { ...none, grants })).to.equal(day(3));
    expect(nextChangeAfter(day(3), { ...none, grants })).to.equal(day(5));
    expect(nextChangeAfter(day(9), { ...none, grants })).to.equal(null);
  });
});
