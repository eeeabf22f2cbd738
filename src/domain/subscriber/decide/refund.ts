// Rules for refunds and revocations. The event stores the app's refund policy at the time the refund became known.
import type { Money } from '../../money.js';
import { accessEndsAt, isOver, lasts, ownedUntil, stateAt } from '../access.js';
import { subscriberEvents as e, type SubscriberEvent } from '../events/events.js';
import { payerOf } from '../state/payer.js';
import type { Subscriber, Subscription, Transaction } from '../state/state.js';
import type { RecordRefund, RecordRefundReversal, RecordRevocation } from './store-commands.js';

/**
 * Revokes access only under `revoke_immediately`, for the latest transaction of its chain at that time, before its access ends; otherwise
 * only money moves. A transaction is refunded once: in full, in parts, or in parts and then the rest; again only after a reversal, at
 * another time. A reversal that arrived earlier takes effect at once.
 */
export function recordRefund(c: RecordRefund, state: Subscriber): SubscriberEvent[] {
  const found = state.transactions.get(c.transactionId);
  if (!found || (!c.refund.isTotal && found.refundedAts.includes(c.refundedAt))) return [];
  const undoneAt = found.deferredReversals.find((at) => at >= c.refundedAt);
  const s = subscriptionOf(found, state);
  const isLatest = isLatestOfChain(found, c.refundedAt, state);
  const mayCut = c.policy === 'revoke_immediately' && c.refund.kind !== 'partial_quantity' && undoneAt === undefined;
  const accessRevoked = mayCut && isLatest && takesAccess(found, s, state, c.refundedAt);
  // A purchase whose parts were all refunded before may still lose its access.
  const share = newShareOf(c.refund, found);
  const takesMore = share >= MIN_SHARE || (accessRevoked && found.refund?.accessRevoked === false);
  const isRepeat = found.refund !== null && c.refund.kind === 'prorated' && !c.refund.isTotal;
  if (isRepeat || (!takesMore && (found.refund !== null || c.refund.isTotal))) return [];
  const refund = { kind: c.refund.kind, share, money: shareOf(found.money, share) };
  const { purchase, transactionId, subscriptionId } = found;
  const ids = { purchase, transactionId, subscriptionId, ...payerOf(found) };
  const { refundedAt, policy, storeTime } = c;
  const refunded = { ...ids, refundedAt, refund, isLatest, accessRevoked, policy };
  const events: SubscriberEvent[] = [e.TransactionRefunded.of(refunded, { at: refundedAt })];
  if (accessRevoked && s && s.ended === null && s.revokedAt === null) {
    const over = { purchase: s.purchase, storeTime, reason: 'customer_support' as const, by: 'store' as const };
    events.push(e.SubscriptionExpired.of(over, { at: refundedAt }));
  }
  if (undoneAt !== undefined)
    events.push(e.TransactionRefundReversed.of({ ...ids, refund, accessRestored: false }, { at: undoneAt }));
  return events;
}

/** Returns the share that was not refunded before. */
function newShareOf({ share, isTotal, amount }: RecordRefund['refund'], { refund, money }: Transaction): number {
  const known = refund?.share ?? 0;
  if (!isTotal) return Math.min(share, Math.max(0, 1 - known));
  const { amountMicros, currency } = money;
  const isComparable =
    amount !== undefined && amountMicros !== null && amountMicros > 0 && amount.currency === currency;
  const total = isComparable ? amount.amountMicros / amountMicros : share;
  return Math.max(0, Math.min(1, total) - known);
}

/** Minimum share that is not a rounding error of adding fractions. */
const MIN_SHARE = 1e-7;

/** Restores the money, and the access if the refund revoked it and the paid time is not over. The gap remains. */
export function recordRefundReversal(c: RecordRefundReversal, state: Subscriber): SubscriberEvent[] {
  const found = state.transactions.get(c.transactionId);
  if (!found || [...found.reversedAts, ...found.deferredReversals].includes(c.reversedAt)) return [];
  const { purchase, transactionId, subscriptionId, refund: earlierRefund } = found;
  const ids = { purchase, transactionId, subscriptionId, ...payerOf(found) };
  if (earlierRefund === null || earlierRefund.at > c.reversedAt) {
    const deferred = { purchase, transactionId, reversedAt: c.reversedAt };
    return [e.RefundReversalDeferred.of(deferred, { at: c.reversedAt })];
  }
  const s = subscriptionOf(found, state);
  const isCurrent = s?.purchase.transactionId === c.transactionId && c.reversedAt < s.contractEndsAt;
  const owned = state.profile.owned.some((o) => o.purchase.transactionId === c.transactionId);
  const refund = {
    kind: 'full' as const,
    share: earlierRefund.share,
    money: shareOf(found.money, earlierRefund.share),
  };
  const accessRestored = earlierRefund.accessRevoked && (isCurrent || owned);
  return [e.TransactionRefundReversed.of({ ...ids, refund, accessRestored }, { at: c.reversedAt })];
}

/** Revokes the latest period or a one-time purchase; no effect if access has already ended. */
export function recordRevocation(c: RecordRevocation, state: Subscriber): SubscriberEvent[] {
  const found = state.transactions.get(c.transactionId);
  if (!found) return [];
  const { reason, storeTime, revokedAt: at } = c;
  const s = subscriptionOf(found, state);
  if (!s) {
    const owned = state.profile.owned.find((o) => o.purchase.transactionId === c.transactionId);
    if (!owned || owned.refundedAt !== null || owned.revokedAt !== null) return [];
    return [e.OneTimePurchaseRevoked.of({ purchase: owned.purchase, reason }, { at })];
  }
  if (s.purchase.transactionId !== c.transactionId || isOver(s) || stateAt(s, at) === 'expired') return [];
  return [e.SubscriptionRevoked.of({ purchase: s.purchase, storeTime, reason }, { at })];
}

function takesAccess(t: Transaction, s: Subscription | undefined, { profile }: Subscriber, at: string): boolean {
  if (t.subscriptionId !== null)
    return s !== undefined && s.purchase.transactionId === t.transactionId && at < accessEndsAt(s);
  const owned = profile.owned.find((o) => o.purchase.transactionId === t.transactionId);
  return owned !== undefined && lasts(ownedUntil(owned), at);
}

/** Ignores purchases after the refund, independent of the order of arrival. */
function isLatestOfChain(t: Transaction, refundedAt: string, { transactions }: Subscriber): boolean {
  const { storeChainId } = t.purchase;
  return ![...transactions.values()].some(
    (o) => o.purchase.storeChainId === storeChainId && o.purchasedAt > t.purchasedAt && o.purchasedAt <= refundedAt,
  );
}

function subscriptionOf(t: Transaction, { profile }: Subscriber): Subscription | undefined {
  return profile.subscriptions.find((s) => s.purchase.subscriptionId === t.subscriptionId);
}

function shareOf(money: Money, share: number): Money {
  const part = (micros: number | null) => (micros === null ? null : Math.round(micros * share));
  return { ...money, amountMicros: part(money.amountMicros), usdMicros: part(money.usdMicros) };
}
