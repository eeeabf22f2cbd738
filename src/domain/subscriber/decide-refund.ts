// Rules for money given back. The app's refund policy is frozen into the event when the refund is learned.
import type { RecordRefund, RecordRefundReversal } from './commands.js';
import { subscriberEvents as e, type SubscriberEvent } from './events.js';
import { accessEndsAt, ownedUntil } from './access.js';
import type { Money } from '../money.js';
import type { Subscriber, Subscription, Transaction } from './state.js';

/**
 * Takes access only under `revoke_immediately`, for the latest transaction of its chain, and before that period's access end;
 * otherwise only money moves. A transaction is refunded once; again only after a reversal, at another time.
 */
export function recordRefund(c: RecordRefund, state: Subscriber): SubscriberEvent[] {
  const found = state.transactions.get(c.transactionId);
  if (!found || found.refund !== null || found.reversedRefunds.includes(c.refundedAt)) return [];
  const s = subscriptionOf(found, state);
  const isLatest = isLatestOfChain(found, state);
  const accessRevoked = c.policy === 'revoke_immediately' && isLatest && takesAccess(found, s, state, c.refundedAt);
  const events: SubscriberEvent[] = [
    e.TransactionRefunded.of(
      {
        purchase: found.purchase,
        transactionId: found.transactionId,
        subscriptionId: found.subscriptionId,
        refundedAt: c.refundedAt,
        refund: { ...c.refund, money: shareOf(found.money, c.refund.share) },
        isLatest,
        accessRevoked,
        policy: c.policy,
      },
      { at: c.refundedAt },
    ),
  ];
  if (accessRevoked && s && s.ended === null) {
    const data = {
      purchase: s.purchase,
      storeTime: c.storeTime,
      reason: 'customer_support' as const,
      by: 'store' as const,
    };
    events.push(e.SubscriptionExpired.of(data, { at: c.refundedAt }));
  }
  return events;
}

/** Money returns; access too, if the refund had taken it and the paid time is not over. The gap stays a gap. */
export function recordRefundReversal(c: RecordRefundReversal, state: Subscriber): SubscriberEvent[] {
  const found = state.transactions.get(c.transactionId);
  if (!found?.refund) return [];
  const s = subscriptionOf(found, state);
  const isCurrent = s?.purchase.transactionId === c.transactionId && c.reversedAt < s.contractEndsAt;
  const owned = state.profile.owned.some((o) => o.purchase.transactionId === c.transactionId);
  return [
    e.TransactionRefundReversed.of(
      {
        purchase: found.purchase,
        transactionId: found.transactionId,
        subscriptionId: found.subscriptionId,
        refund: { kind: 'full', share: found.refund.share, money: shareOf(found.money, found.refund.share) },
        accessRestored: found.refund.accessRevoked && (isCurrent || owned),
      },
      { at: c.reversedAt },
    ),
  ];
}

function takesAccess(t: Transaction, s: Subscription | undefined, { profile }: Subscriber, at: string): boolean {
  if (t.subscriptionId !== null)
    return s !== undefined && s.purchase.transactionId === t.transactionId && at < accessEndsAt(s);
  const owned = profile.owned.find((o) => o.purchase.transactionId === t.transactionId);
  if (!owned) return false;
  const until = ownedUntil(owned);
  return until === null || at < until;
}

function isLatestOfChain(t: Transaction, { transactions }: Subscriber): boolean {
  const { storeChainId } = t.purchase;
  return ![...transactions.values()].some(
    (o) => o.purchase.storeChainId === storeChainId && o.purchasedAt > t.purchasedAt,
  );
}

function subscriptionOf(t: Transaction, { profile }: Subscriber): Subscription | undefined {
  return profile.subscriptions.find((s) => s.purchase.subscriptionId === t.subscriptionId);
}

function shareOf(money: Money, share: number): Money {
  const part = (micros: number | null) => (micros === null ? null : Math.round(micros * share));
  return { ...money, amountMicros: part(money.amountMicros), usdMicros: part(money.usdMicros) };
}
