// Rules for what was bought: which period starts a subscription, renews one, or changes its product.
import type { SubscriptionPurchaseRef } from './blocks.js';
import type { RecordOneTimePurchase, RecordPeriod } from './commands.js';
import { subscriberEvents as e, type SubscriberEvent } from './events.js';
import { stateAt } from './access.js';
import { chainOf, storeTimeOf, type Subscriber, type Subscription } from './state.js';

/** A transaction that is known already only moves its end (an extension); any other is recorded whenever it arrives. */
export function recordPeriod(c: RecordPeriod, state: Subscriber): SubscriberEvent[] {
  const chain = chainOf(state.profile, c.storeChainId);
  const current = chain.at(-1);
  if (state.transactions.has(c.purchase.transactionId)) return extend(c, current, state);
  if (!current) return [started(c, c.reason === 'purchase' ? 'first_purchase' : 'imported', null)];
  if (c.purchasedAt < current.period.purchasedAt) return [renewed(c, owningPeriod(chain, c.purchasedAt), false)];
  if (c.reason === 'purchase' && lapsed(current, c.purchasedAt)) return resubscribe(c, current);
  if (c.purchase.storeProductId !== current.purchase.storeProductId) return changeProduct(c, current);
  return [renewed(c, current, true)];
}

export function recordOneTimePurchase(c: RecordOneTimePurchase, state: Subscriber): SubscriberEvent[] {
  if (state.transactions.has(c.purchase.transactionId)) return [];
  const { purchase, productType, quantity, purchasedAt, expiresAt, money, offer } = c;
  const data = { purchase, productType, quantity, purchasedAt, expiresAt, money, offer };
  return [e.OneTimePurchaseCompleted.of(data, { at: purchasedAt })];
}

/** What the store was still trying to charge is over once the customer has bought anew. */
function resubscribe(c: RecordPeriod, current: Subscription): SubscriberEvent[] {
  const begun = started(c, 'resubscribe', current);
  if (stateAt(current, c.purchasedAt) !== 'billing_retry') return [begun];
  const over = {
    purchase: current.purchase,
    storeTime: c.storeTime,
    reason: 'billing_error' as const,
    by: 'store' as const,
  };
  return [e.SubscriptionExpired.of(over, { at: c.purchasedAt, inferred: true }), begun];
}

/** The customer bought anew after the contract was over, cut, or only being retried by the store. */
function lapsed(s: Subscription, at: string): boolean {
  const state = stateAt(s, at);
  return state === 'expired' || state === 'refunded' || state === 'billing_retry';
}

/** A product change of a paid subscription ends it and starts another; in a trial the same subscription goes on. */
function changeProduct(c: RecordPeriod, current: Subscription): SubscriberEvent[] {
  const inTrial = current.period.type === 'trial';
  const mode = c.reason === 'renewal' ? ('at_renewal' as const) : ('immediate' as const);
  const change = {
    fromStoreProductId: current.purchase.storeProductId,
    toStoreProductId: c.purchase.storeProductId,
    fromProductId: current.purchase.productId,
    toProductId: c.purchase.productId,
    mode,
  };
  const meta = { at: c.purchasedAt, inferred: c.inferred };
  const { storeTime } = c;
  if (inTrial) {
    const { subscriptionId } = current.purchase;
    const purchase = { ...c.purchase, subscriptionId };
    const changed = e.SubscriptionProductChanged.of(
      { purchase, storeTime, ...change, toSubscriptionId: subscriptionId },
      meta,
    );
    return [changed, renewed(c, current, true)];
  }
  const { purchase } = current;
  return [
    e.SubscriptionProductChanged.of({ purchase, storeTime, ...change, toSubscriptionId: c.newSubscriptionId }, meta),
    e.SubscriptionExpired.of({ purchase, storeTime, reason: 'product_change', by: 'store' }, meta),
    started(c, 'product_change', current),
  ];
}

function extend(c: RecordPeriod, current: Subscription | undefined, { profile }: Subscriber): SubscriberEvent[] {
  if (current?.purchase.transactionId !== c.purchase.transactionId || c.expiresAt <= current.contractEndsAt) return [];
  // What the store ended before its time keeps the longer end in every later message about it.
  if (current.ended?.by === 'store') return [];
  const applied = storeTimeOf(profile, c.storeChainId);
  if (current.refundedAt !== null || c.storeTime === null || (applied !== null && c.storeTime < applied)) return [];
  const { purchase, contractEndsAt: previousExpiresAt } = current;
  const data = { purchase, storeTime: c.storeTime, previousExpiresAt, expiresAt: c.expiresAt };
  return [e.SubscriptionExtended.of(data, { at: c.storeTime, inferred: true })];
}

type StartReason = 'first_purchase' | 'resubscribe' | 'product_change' | 'imported';

function started(c: RecordPeriod, reason: StartReason, previous: Subscription | null): SubscriberEvent {
  const shared = c.purchase.ownership === 'family_shared' && reason !== 'product_change';
  const data = {
    purchase: { ...c.purchase, subscriptionId: c.newSubscriptionId },
    storeTime: c.storeTime,
    startReason: shared ? ('family_share' as const) : reason,
    previousSubscriptionId: previous?.purchase.subscriptionId ?? null,
    ...period(c),
  };
  return e.SubscriptionStarted.of(data, { at: c.purchasedAt, inferred: c.inferred });
}

function renewed(c: RecordPeriod, s: Subscription, isLatest: boolean): SubscriberEvent {
  const purchase: SubscriptionPurchaseRef = { ...c.purchase, subscriptionId: s.purchase.subscriptionId };
  const data = {
    purchase,
    storeTime: c.storeTime,
    isTrialConversion: isLatest && s.period.type === 'trial' && c.periodType !== 'trial',
    renewalNumber: s.renewalNumber + 1,
    recoveredFrom: isLatest ? recoveredFrom(s) : null,
    ...period(c),
  };
  return e.SubscriptionRenewed.of(data, { at: c.purchasedAt, inferred: c.inferred });
}

function recoveredFrom(s: Subscription): 'grace_period' | 'billing_retry' | null {
  if (s.retrySince !== null) return 'billing_retry';
  return s.graceEndsAt === null ? null : 'grace_period';
}

/** The subscription of the chain that an older period belongs to: the last one begun by then, else the first. */
function owningPeriod(chain: readonly Subscription[], purchasedAt: string): Subscription {
  const owner = chain.findLast((s) => s.startedAt <= purchasedAt) ?? chain[0];
  if (!owner) throw new Error('an older period needs a chain');
  return owner;
}

function period(c: RecordPeriod) {
  const { periodType, periodDuration, productDuration, purchasedAt, expiresAt, money, offer } = c;
  return { periodType, periodDuration, productDuration, purchasedAt, expiresAt, money, offer };
}
