// Rules for purchases: decides which period starts a subscription, renews one or changes its product; and fills in missing prices.
import { isRunning, stateAt, type SubscriptionState } from '../access.js';
import type { ExpirationReason, OneTimePurchaseRef, SubscriptionPurchaseRef } from '../events/blocks.js';
import { subscriberEvents as e, type SubscriberEvent } from '../events/events.js';
import { completesMoney, type Money } from '../../money.js';
import { msFromIso } from '../../time.js';
import { chainOf } from '../state/line.js';
import { payerOf } from '../state/payer.js';
import type { Subscriber, Subscription, Transaction } from '../state/state.js';
import { extendSubscription, movePeriodEnd } from './extension.js';
import type { CorrectPrice } from './commands.js';
import type { RecordOneTimePurchase, RecordPeriod } from './store-commands.js';

/** Extends a known transaction or fills in its price; records any other independent of the order of arrival. */
export function recordPeriod(command: RecordPeriod, state: Subscriber): SubscriberEvent[] {
  const known = state.transactions.get(command.purchase.transactionId);
  if (known) return [...completePrice(command.money, known), ...movePeriodEnd(command, state)];
  const chain = chainOf(state.profile, command.storeChainId);
  const newSubscriptionId = pendingId(command, state) ?? command.newSubscriptionId;
  const c = { ...withDerivedStart(command, chain), newSubscriptionId };
  const former = chain.findLast((s) => s.startedAt <= c.purchasedAt);
  const next = chain.find((s) => s.startedAt > c.purchasedAt);
  if (!former) return next ? recordBefore(c, next) : [startedEvent(c, startReason(c), null)];
  // Without a proven charge the first decision holds; a real charge would be known by now.
  if (c.purchasedAt < former.period.purchasedAt) return c.isChargeUnproven ? [] : [renewedEvent(c, former, false)];
  const events = recordAfter(c, former);
  const begins = events.some((event) => event.type === 'SubscriptionStarted');
  const subscriptionId = begins ? c.newSubscriptionId : former.purchase.subscriptionId;
  return [...events, ...(next ? endForNext(c, subscriptionId, next) : [])];
}

export function recordOneTimePurchase(c: RecordOneTimePurchase, state: Subscriber): SubscriberEvent[] {
  const known = state.transactions.get(c.purchase.transactionId);
  if (known) return completePrice(c.money, known);
  const { purchase, productType, quantity, purchasedAt, expiresAt, money, offer } = c;
  const data = { purchase, productType, quantity, purchasedAt, expiresAt, money, offer };
  return [e.OneTimePurchaseCompleted.of(data, { at: purchasedAt })];
}

/** A purchase by the customer starts a new subscription unless it replaces the running one; anything else continues it. */
function recordAfter(c: RecordPeriod, current: Subscription): SubscriberEvent[] {
  const isSame = c.purchase.storeProductId === current.purchase.storeProductId;
  if (isSame && c.replacesRunning && isRunning(current, c.purchasedAt)) {
    const at = c.storeTime ?? c.purchasedAt;
    const { expiresAt, inferred } = c;
    return isPaidAlready(c, current)
      ? extendSubscription(current, { storeTime: at, at, expiresAt, inferred })
      : [renewedEvent(c, current, true)];
  }
  if (c.reason === 'purchase' && (isSame || hasLapsed(current, c))) return resubscribe(c, current);
  return isSame ? [renewedEvent(c, current, true)] : changeProduct(c, current);
}

/** Returns true if the customer signed up again before the end: the store charges only at the end. A charge would add a whole period. */
function isPaidAlready({ isChargeUnproven, purchasedAt, expiresAt }: RecordPeriod, current: Subscription): boolean {
  if (!isChargeUnproven) return false;
  const beyondMs = msFromIso(expiresAt) - msFromIso(current.contractEndsAt);
  const quarterMs = (msFromIso(expiresAt) - msFromIso(purchasedAt)) / 4;
  return beyondMs <= Math.min(MAX_DEVIATION_MS, quarterMs);
}

/** Maximum deviation between two reports of the same end; periods of test purchases last minutes. */
const MAX_DEVIATION_MS = 36 * 3_600_000;

/**
 * Records a period older than all known ones. It belongs to the next subscription if a renewal opened that, or if it was its free trial;
 * otherwise it becomes a subscription of its own.
 */
function recordBefore(c: RecordPeriod, next: Subscription): SubscriberEvent[] {
  const isSame = c.purchase.storeProductId === next.purchase.storeProductId;
  const isTrial = c.periodType === 'trial';
  const isOpening = next.startReason === 'imported' && (isSame || isTrial);
  if (isOpening || (isTrial && !isSame && next.startedAt < c.expiresAt)) return [renewedEvent(c, next, false)];
  return [startedEvent(c, startReason(c), null), ...endForNext(c, c.newSubscriptionId, next)];
}

/** Ends the period's subscription if the next one replaced it by another product. */
function endForNext(c: RecordPeriod, subscriptionId: string, next: Subscription): SubscriberEvent[] {
  const isSame = c.purchase.storeProductId === next.purchase.storeProductId;
  if (isSame || c.expiresAt < next.startedAt) return [];
  const purchase = { ...c.purchase, subscriptionId };
  const mode = next.startedAt < c.expiresAt ? ('immediate' as const) : ('at_renewal' as const);
  const meta = { at: next.startedAt, inferred: true };
  const toSubscriptionId = next.purchase.subscriptionId;
  const change = { ...changeOf(purchase, next.purchase), mode, toSubscriptionId };
  return [
    e.SubscriptionProductChanged.of({ purchase, storeTime: c.storeTime, ...change }, meta),
    e.SubscriptionExpired.of({ purchase, storeTime: c.storeTime, reason: 'product_change', by: 'store' }, meta),
  ];
}

/** Starts a new subscription and expires the previous one if it was paused or in billing retry. */
function resubscribe(c: RecordPeriod, current: Subscription): SubscriberEvent[] {
  const startEvent = startedEvent(c, 'resubscribe', current);
  const reason = END_REASON_BY_STATE.get(stateAt(current, c.purchasedAt));
  if (!reason) return [startEvent];
  const over = { purchase: current.purchase, storeTime: c.storeTime, reason, by: 'store' as const };
  return [e.SubscriptionExpired.of(over, { at: c.purchasedAt, inferred: true }), startEvent];
}

const END_REASON_BY_STATE: ReadonlyMap<SubscriptionState, ExpirationReason> = new Map([
  ['grace_period', 'billing_error'],
  ['billing_retry', 'billing_error'],
  ['paused', 'subscription_paused'],
]);

/**
 * Returns true if the subscription had expired, was cut, paused or in billing retry at the time of the new purchase. A replaced one was
 * running until then, regardless of the end that the store reports later.
 */
function hasLapsed(s: Subscription, { purchasedAt, replacesRunning }: RecordPeriod): boolean {
  const state = stateAt(s, purchasedAt);
  return LAPSED_STATES.has(state) && !(replacesRunning && state === 'expired' && s.ended?.by !== 'store');
}

const LAPSED_STATES: ReadonlySet<SubscriptionState> = new Set([
  'expired',
  'refunded',
  'revoked',
  'billing_retry',
  'paused',
]);

/** Ends a paid subscription and starts another; a trial continues as the same subscription. */
function changeProduct(c: RecordPeriod, current: Subscription): SubscriberEvent[] {
  const inTrial = current.period.type === 'trial';
  const mode = c.reason === 'renewal' ? ('at_renewal' as const) : ('immediate' as const);
  const change = { ...changeOf(current.purchase, c.purchase), mode };
  const meta = { at: c.purchasedAt, inferred: c.inferred };
  const { storeTime } = c;
  if (inTrial) {
    const { subscriptionId } = current.purchase;
    const purchase = { ...c.purchase, subscriptionId };
    const changed = e.SubscriptionProductChanged.of(
      { purchase, storeTime, ...change, toSubscriptionId: subscriptionId },
      meta,
    );
    return [changed, renewedEvent(c, current, true)];
  }
  const { purchase } = current;
  const expired = e.SubscriptionExpired.of({ purchase, storeTime, reason: 'product_change', by: 'store' }, meta);
  return [
    e.SubscriptionProductChanged.of({ purchase, storeTime, ...change, toSubscriptionId: c.newSubscriptionId }, meta),
    ...(current.ended?.reason === 'product_change' ? [] : [expired]),
    startedEvent(c, 'product_change', current),
  ];
}

type ProductNames = Pick<OneTimePurchaseRef, 'storeProductId' | 'productId'>;

function changeOf(from: ProductNames, to: ProductNames) {
  return {
    fromStoreProductId: from.storeProductId,
    toStoreProductId: to.storeProductId,
    fromProductId: from.productId,
    toProductId: to.productId,
  };
}

/** Returns the id of the pending subscription that this payment starts. */
function pendingId({ storeChainId, purchase }: RecordPeriod, { profile }: Subscriber): string | undefined {
  const isWaiting = (s: Subscription) =>
    s.pending === 'waiting' &&
    s.purchase.storeChainId === storeChainId &&
    s.purchase.storeProductId === purchase.storeProductId;
  return profile.subscriptions.find(isWaiting)?.purchase.subscriptionId;
}

function startReason({ reason }: RecordPeriod): StartReason {
  return reason === 'purchase' ? 'first_purchase' : 'imported';
}

type StartReason = 'first_purchase' | 'resubscribe' | 'product_change' | 'imported';

function startedEvent(c: RecordPeriod, reason: StartReason, previous: Subscription | null): SubscriberEvent {
  const shared = c.purchase.ownership === 'family_shared' && reason !== 'product_change';
  const data = {
    purchase: { ...c.purchase, subscriptionId: c.newSubscriptionId },
    storeTime: c.storeTime,
    startReason: shared ? ('family_share' as const) : reason,
    previousSubscriptionId: previous?.purchase.subscriptionId ?? null,
    ...(reason === 'product_change' && c.reason === 'renewal' && { atRenewal: true as const }),
    ...periodFieldsOf(c),
  };
  return e.SubscriptionStarted.of(data, { at: c.purchasedAt, inferred: c.inferred });
}

function renewedEvent(c: RecordPeriod, s: Subscription, isLatest: boolean): SubscriberEvent {
  const purchase: SubscriptionPurchaseRef = { ...c.purchase, subscriptionId: s.purchase.subscriptionId };
  const data = {
    purchase,
    storeTime: c.storeTime,
    isTrialConversion: isLatest && s.period.type === 'trial' && c.periodType !== 'trial',
    renewalNumber: s.renewalNumber + 1,
    recoveredFrom: isLatest ? recoveredFrom(s) : null,
    ...periodFieldsOf(c),
  };
  return e.SubscriptionRenewed.of(data, { at: c.purchasedAt, inferred: c.inferred });
}

function recoveredFrom(s: Subscription): 'grace_period' | 'billing_retry' | 'paused' | null {
  if (s.pause?.begun) return 'paused';
  if (s.retrySince !== null) return 'billing_retry';
  return s.graceEndsAt === null ? null : 'grace_period';
}

function periodFieldsOf(c: RecordPeriod) {
  const { periodType, periodDuration, productDuration, purchasedAt, expiresAt, commitmentEndsAt, money, offer } = c;
  const commitment = commitmentEndsAt === undefined ? {} : { commitmentEndsAt };
  return { periodType, periodDuration, productDuration, purchasedAt, expiresAt, ...commitment, money, offer };
}

/**
 * Derives the start of a period for which the store reports none: the end of the previous one, unless there is a gap. `chain`: the
 * subscriptions of its store chain, oldest first.
 */
function withDerivedStart(c: RecordPeriod, chain: readonly Subscription[]): RecordPeriod {
  const former = chain.at(-1);
  if (!c.followsOn || !former || !isContinuousWith(c, former)) return c;
  return { ...c, purchasedAt: former.contractEndsAt };
}

/** A pause, failed retries or an expiration reported by the store is a gap; time without any message is not. */
function isContinuousWith(c: RecordPeriod, former: Subscription): boolean {
  const hasGap = former.retrySince !== null || former.pause?.begun === true || former.ended?.by === 'store';
  const isCut = former.refundedAt !== null || former.revokedAt !== null;
  if (hasGap || isCut || former.contractEndsAt >= c.expiresAt) return false;
  return c.followsOn === 'always' || former.graceEndsAt !== null;
}

export function correctPrice({ transactionId, money }: CorrectPrice, { transactions }: Subscriber): SubscriberEvent[] {
  const known = transactions.get(transactionId);
  return known ? completePrice(money, known) : [];
}

/** Fills in an unknown price or rate; a known price never changes. */
function completePrice(money: Money, known: Transaction): SubscriberEvent[] {
  if (!completesMoney(money, known.money)) return [];
  const { purchase, transactionId, subscriptionId, refund } = known;
  const data = { purchase, transactionId, subscriptionId, ...payerOf(known), previous: known.money, money };
  return [e.TransactionPriceCorrected.of({ ...data, refundedShare: refund?.share ?? 0 }, { at: known.purchasedAt })];
}
