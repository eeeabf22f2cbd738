// The charges of an android subscription that the store shows, each with its paid time. Pure.
import type { AndroidLineItem, AndroidOrder, AndroidSubscription } from '../../../../adapters/android-store/port.js';
import type { Product } from '../../../../domain/catalog/products.js';
import { subscriptionId } from '../../../../domain/ids.js';
import type { RecordPeriod } from '../../../../domain/subscriber/decide/store-commands.js';
import { addDuration, latest } from '../../../../domain/time.js';
import { isUnpaid, stateOf, triesToCharge } from './intents.js';
import { mainItemOf, type SubscriptionReading } from './subscription-reading.js';
import { chargesUpTo, backfillPeriods, servicePeriodOf, shortenSpan, orderIdsToRead } from './backfill-charges.js';
import {
  chargeNameOf,
  countryOf,
  isCharged,
  needsOrder,
  offerOf,
  periodMoney,
  periodTypeOf,
  productOf,
  purchaseOf,
  renewalOf,
  storeProductIdOf,
  type AndroidContext,
} from './purchase.js';

/** States in which the reported end is not the end of the paid time. */
const STATES_WITH_OTHER_END = new Set(['IN_GRACE_PERIOD', 'ON_HOLD', 'PAUSED', 'EXPIRED']);
const ANNOUNCING = new Set([
  'SUBSCRIPTION_PURCHASED',
  'SUBSCRIPTION_RENEWED',
  'SUBSCRIPTION_RECOVERED',
  'SUBSCRIPTION_ITEMS_CHANGED',
]);

/** Types whose messages are sent at the time of the charge. */
const RENEWING: ReadonlySet<string> = new Set(['SUBSCRIPTION_RENEWED', 'SUBSCRIPTION_RECOVERED']);

export function orderOf(
  item: AndroidLineItem,
  { subscription, purchaseToken }: Pick<SubscriptionReading, 'subscription' | 'purchaseToken'>,
): string {
  return item.latestSuccessfulOrderId ?? subscription.latestOrderId ?? purchaseToken;
}

export function namedBy(transactionId: string, item: AndroidLineItem, r: SubscriptionReading, ctx: AndroidContext) {
  const { purchaseToken, storeChainId, subscription } = r;
  const storeProductId = storeProductIdOf(item, ctx);
  const isTest = subscription.testPurchase !== undefined;
  const country = countryOf(subscription);
  return {
    purchase: purchaseOf({ transactionId, purchaseToken, storeChainId, storeProductId, isTest, country }, ctx),
    newSubscriptionId: subscriptionId(ctx.hash, ctx.projectId, storeChainId, transactionId),
  };
}

export function periodCommands(item: AndroidLineItem, r: SubscriptionReading, ctx: AndroidContext): RecordPeriod[] {
  const { subscription, storeChainId, storeTime, type } = r;
  const state = stateOf(subscription);
  if (isUnpaid(subscription) || item.expiryTime === undefined) return [];
  // Without a paid order, the response contains only the declined one.
  if (triesToCharge(subscription) && item.latestSuccessfulOrderId === undefined) return [];
  const orderId = orderOf(item, r);
  const order = ctx.orders.get(orderId);
  const isFirst = renewalOf(orderId) === null && !r.isOtherProduct;
  const product = productOf(storeProductIdOf(item, ctx), ctx);
  const duration = product?.duration ?? null;
  const paid = servicePeriodOf(order, item.productId);
  const endsOtherwise = STATES_WITH_OTHER_END.has(state);
  const expiresAt = (endsOtherwise ? paid.to : undefined) ?? reportedEndOf(item, r, orderId, product);
  const reportedStart = isFirst ? topUpTime(item, order, expiresAt) : before(paid.from, expiresAt);
  const purchasedAt = reportedStart ?? startOf({ r, orderId, expiresAt, isFirst, duration });
  const country = countryOf(subscription);
  const periodType = periodTypeOf(item, isFirst, purchasedAt, ctx);
  const isTest = subscription.testPurchase !== undefined;
  const replaced = isFirst ? r.replacedProductId : null;
  const command: RecordPeriod = {
    kind: 'recordPeriod',
    storeChainId,
    storeTime,
    ...namedBy(chargeNameOf(orderId, item, r.isAddOn), item, r, ctx),
    reason: isFirst ? 'purchase' : 'renewal',
    periodType,
    periodDuration: periodType === 'trial' ? (product?.trialDuration ?? null) : duration,
    productDuration: duration,
    purchasedAt,
    expiresAt,
    money: periodMoney({ item, orderId, type: periodType, country, purchasedAt, expiresAt, replaced, isTest, ctx }),
    offer: offerOf(item, periodType),
    inferred: type !== null && !ANNOUNCING.has(type),
    ...(!isFirst && reportedStart === null && { followsOn: type === 'SUBSCRIPTION_RECOVERED' ? 'inGrace' : 'always' }),
    ...((endsOtherwise || type === 'SUBSCRIPTION_DEFERRED') && { keepsEnd: true }),
    ...(!endsOtherwise && !r.isReplaced && { isCurrentEnd: true }),
    ...cancelTimeOf(subscription),
    ...(r.replacedProductId !== null && { replacesRunning: true }),
    ...(replaced !== null && !isCharged(item.productId, order) && { isChargeUnproven: true }),
  };
  return [...backfillPeriods(command, item, r, ctx), command];
}

/** Returns the time at which the customer cancelled, if it is known that a running purchase was cancelled. */
function cancelTimeOf(subscription: AndroidSubscription): { readonly cancelledAt?: string } {
  if (stateOf(subscription) !== 'CANCELED') return {};
  return { cancelledAt: subscription.canceledStateContext?.userInitiatedCancellation?.cancelTime ?? '' };
}

function before(at: string | undefined, end: string): string | null {
  return at !== undefined && at < end ? at : null;
}

/** A top-up of a prepaid plan is paid before its time begins: it counts from the payment. */
function topUpTime({ prepaidPlan }: AndroidLineItem, order: AndroidOrder | undefined, end: string): string | null {
  return prepaidPlan ? before(order?.createTime, end) : null;
}

/** Returns the orders with data that the purchase lacks: prices, and charges that were not read when they were made. */
export function ordersToRead(
  r: Pick<SubscriptionReading, 'purchaseToken' | 'subscription' | 'charges' | 'known' | 'type'>,
): readonly string[] {
  const { lineItems, linkedPurchaseToken } = r.subscription;
  const priced = lineItems.filter(needsOrder).flatMap((item) => item.latestSuccessfulOrderId ?? []);
  const main = mainItemOf(r.subscription, r.known);
  if (!main || main.expiryTime === undefined || isUnpaid(r.subscription)) return priced;
  const orderId = orderOf(main, r);
  const isUnannouncedRenewal = renewalOf(orderId) !== null && !RENEWING.has(r.type ?? '');
  const needsTimes = isUnannouncedRenewal || STATES_WITH_OTHER_END.has(stateOf(r.subscription));
  const orderIds = orderIdsToRead(orderId, r.charges, needsTimes);
  // Replacing another purchase may have cost nothing.
  const replacing = linkedPurchaseToken !== undefined && r.charges === 0 ? [orderId] : [];
  return [...new Set([...priced, ...orderIds, ...replacing])];
}

/** Corrects the reported end: in grace it is the end of the grace period; for a replaced purchase, the time of the replacement. */
function reportedEndOf(
  { expiryTime = '', offerDetails }: AndroidLineItem,
  r: SubscriptionReading,
  orderId: string,
  product: Product | undefined,
): string {
  const { canceledStateContext, startTime } = r.subscription;
  const state = stateOf(r.subscription);
  if (state === 'IN_GRACE_PERIOD') {
    const grace = product?.gracePeriodDuration ?? null;
    const before = grace === null ? r.storeTime : shortenSpan(expiryTime, grace);
    return before < expiryTime ? before : expiryTime;
  }
  const duration = product?.duration ?? null;
  const isReplaced = state === 'EXPIRED' && canceledStateContext?.replacementCancellation !== undefined;
  // A purchase that replaced another, or began with an offer, was not paid for its own duration from the start.
  const isPlain = r.replacedProductId === null && offerDetails?.offerId === undefined;
  if (!isReplaced || !isPlain || duration === null || startTime === undefined) return expiryTime;
  const paidUntil = Array.from({ length: chargesUpTo(orderId) }).reduce<string>(
    (at) => addDuration(at, duration),
    startTime,
  );
  const isInLastPeriod = shortenSpan(paidUntil, duration) < expiryTime;
  return isInLastPeriod ? latest(expiryTime, paidUntil) : expiryTime;
}

/** The store shows the start of the purchase, not of its latest period, which is never earlier. */
function startOf(o: {
  readonly r: SubscriptionReading;
  readonly orderId: string;
  readonly expiresAt: string;
  readonly isFirst: boolean;
  readonly duration: string | null;
}): string {
  const { r, orderId, expiresAt, isFirst, duration } = o;
  const { startTime = '' } = r.subscription;
  const isOfRenewal = RENEWING.has(r.type ?? '');
  // The message may belong to an earlier renewal whose successor is recorded already.
  const isAnnouncedCharge = isOfRenewal && chargesUpTo(orderId) === r.charges + 1;
  const estimated = duration === null ? '' : latest(shortenSpan(expiresAt, duration), startTime);
  const chargedAt = isFirst ? startTime : isAnnouncedCharge ? latest(r.storeTime, startTime) : estimated || startTime;
  const begins = [chargedAt || r.storeTime, estimated, startTime];
  return begins.find((at) => at !== '' && at < expiresAt) ?? expiresAt;
}
