// Rules for a period whose end the store moved to a later time.
import { isSameInstant } from '../../time.js';
import { subscriberEvents as e, type SubscriberEvent } from '../events/events.js';
import { chainOf } from '../state/line.js';
import type { Subscriber, Subscription } from '../state/state.js';
import type { RecordPeriod } from './store-commands.js';

/** Extends the transaction's period independent of the order of arrival: a store only moves an end to a later time. */
export function extendPeriod(c: RecordPeriod, { profile }: Subscriber): SubscriberEvent[] {
  const { transactionId } = c.purchase;
  const current = chainOf(profile, c.storeChainId).find((s) => s.purchase.transactionId === transactionId);
  const { storeTime, expiresAt } = c;
  const at = storeTime ?? c.signedAt;
  if (!current || at === undefined || c.keepsEnd) return [];
  return extendSubscription(current, { storeTime, at, expiresAt, inferred: c.inferred || storeTime === null });
}

/** Ignores subscriptions that the store ended early: later messages still contain the longer end. */
export function extendSubscription(
  s: Subscription,
  o: {
    readonly storeTime: string | null;
    readonly at: string;
    readonly expiresAt: string;
    readonly inferred: boolean;
  },
): SubscriberEvent[] {
  const isCut = s.ended?.by === 'store' || s.refundedAt !== null || s.revokedAt !== null;
  if (isCut || o.expiresAt <= s.contractEndsAt || isSameInstant(o.expiresAt, s.contractEndsAt)) return [];
  const { purchase, contractEndsAt: previousExpiresAt } = s;
  const data = { purchase, storeTime: o.storeTime, previousExpiresAt, expiresAt: o.expiresAt };
  return [e.SubscriptionExtended.of(data, { at: o.at, inferred: o.inferred })];
}
