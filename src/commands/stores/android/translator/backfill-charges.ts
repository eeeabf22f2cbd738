// Backfill of charges of an android subscription that were not read when they were made. The store shows only the latest; the order
// numbers show how many preceded it, and each order its time and amount. Pure.
import type { AndroidLineItem, AndroidOrder } from '../../../../adapters/android-store/port.js';
import { assumedCharge } from '../../../../domain/catalog/products.js';
import { subscriptionId } from '../../../../domain/ids.js';
import type { Money } from '../../../../domain/money.js';
import type { PeriodType } from '../../../../domain/subscriber/events/blocks.js';
import type { RecordPeriod } from '../../../../domain/subscriber/decide/store-commands.js';
import { addDuration, isoFromMs, msFromIso } from '../../../../domain/time.js';
import { bareNameOf, type SubscriptionReading } from './subscription-reading.js';
import { androidMoney, chargeOf } from './money.js';
import {
  isCharged,
  isUncharged,
  offerOf,
  orderPriceOf,
  productOf,
  renewalOf,
  MAX_DEVIATION_MS,
  storeProductIdOf,
  type AndroidContext,
} from './purchase.js';

/** Bound on missed charges (five years of weeks); the oldest beyond it stay unknown. */
const MAX_BACKFILLED = 260;

/** Returns the number of orders up to this one; an unknown order ID format counts as the first. */
export function chargesUpTo(orderId: string): number {
  return (renewalOf(orderId) ?? -1) + 2;
}

/** Returns the earlier orders that are not recorded, oldest first. `charges`: number of recorded ones. */
function ordersToBackfill(orderId: string, charges: number): readonly string[] {
  const before = chargesUpTo(orderId) - 1;
  const from = Math.max(charges, before - MAX_BACKFILLED);
  const first = orderId.replace(/\.\.\d+$/, '');
  return Array.from({ length: Math.max(0, before - from) }, (_, i) => {
    const n = from + i;
    return n === 0 ? first : `${first}..${n - 1}`;
  });
}

/**
 * Returns the missed orders and the latest one, which shows the start of the current period or the end of its contract. `needsTimes`: the
 * response and its message do not show them.
 */
export function orderIdsToRead(orderId: string, charges: number, needsTimes: boolean): readonly string[] {
  const orderIds = ordersToBackfill(orderId, charges);
  const isNew = chargesUpTo(orderId) > charges;
  return orderIds.length > 0 || (isNew && needsTimes) ? [...orderIds, orderId] : [];
}

type Span = { readonly from?: string | undefined; readonly to?: string | undefined };

/** Returns the paid time of an order, as far as the order contains it. */
export function servicePeriodOf(order: AndroidOrder | undefined, productId: string): Span {
  const { servicePeriodStartTime: from, servicePeriodEndTime: to } =
    lineOf(order, productId)?.subscriptionDetails ?? {};
  return { from: from ?? order?.createTime, to };
}

/** Falls back to the first line, because orders before a planned product change are of another product. */
function lineOf(order: AndroidOrder | undefined, productId: string) {
  return order?.lineItems.find((line) => line.productId === productId) ?? order?.lineItems[0];
}

/** Returns the start of a span that ends at `end`. Months differ in length, so that the result is approximate. */
export function shortenSpan(end: string, duration: string): string {
  const lengthMs = msFromIso(addDuration(end, duration)) - msFromIso(end);
  return isoFromMs(Math.max(0, msFromIso(end) - lengthMs));
}

/**
 * Returns the missed periods, oldest first. Data that the store does not show is computed backwards from the following period, but not
 * before the start of the purchase; the price is then the configured one, or unknown.
 */
export function backfillPeriods(
  latest: RecordPeriod,
  item: AndroidLineItem,
  r: SubscriptionReading,
  ctx: AndroidContext,
): readonly RecordPeriod[] {
  const found: RecordPeriod[] = [];
  for (const orderId of [...ordersToBackfill(latest.purchase.transactionId, r.charges)].reverse()) {
    const order = ctx.orders.get(orderId);
    if (isUncharged(order)) continue;
    const period = backfillPeriod({ orderId, order, next: found[0] ?? latest, item, r, ctx });
    if (period) found.unshift(period);
  }
  return found;
}

type MissedCharge = {
  readonly orderId: string;
  readonly order: AndroidOrder | undefined;
  /** The following period. */
  readonly next: RecordPeriod;
  readonly item: AndroidLineItem;
  readonly r: SubscriptionReading;
  readonly ctx: AndroidContext;
};

function backfillPeriod(o: MissedCharge): RecordPeriod | null {
  const { orderId, order, next, item, r, ctx } = o;
  const line = lineOf(order, item.productId);
  const { basePlanId, offerId } = line?.subscriptionDetails ?? {};
  const productName = line?.productId;
  // A line of the same product without a base plan is not a change to a product without one.
  const isSameProduct = basePlanId === undefined && productName === bareNameOf(next.purchase.storeProductId);
  const lineItem =
    productName === undefined || isSameProduct ? null : { productId: productName, offerDetails: { basePlanId } };
  const storeProductId = lineItem ? storeProductIdOf(lineItem, ctx) : next.purchase.storeProductId;
  const isFirst = renewalOf(orderId) === null;
  const replaced = isFirst ? r.replacedProductId : null;
  const product = productOf(storeProductId, ctx);
  const { duration = null, trialDuration = null } = product ?? {};
  const span = knownSpan(o, duration) ?? estimateSpan(o, duration);
  if (!span) return null;
  const isSameAgain = replaced !== null && bareNameOf(replaced) === item.productId;
  const durations = { duration, trialDuration };
  const periodType = order ? typeOf(order, item) : estimateType(span, { isFirst, isSameAgain }, item, durations);
  if (!periodType) return null;
  const { storeChainId, storeTime } = r;
  const { productId = null } = product ?? {};
  return {
    kind: 'recordPeriod',
    storeChainId,
    storeTime,
    purchase: { ...next.purchase, transactionId: orderId, storeProductId, productId },
    newSubscriptionId: subscriptionId(ctx.hash, ctx.projectId, storeChainId, orderId),
    reason: isFirst ? 'purchase' : 'renewal',
    periodType,
    periodDuration: periodType === 'trial' ? trialDuration : duration,
    productDuration: duration,
    ...span,
    money: moneyOf(o, { periodType, productId, at: span.purchasedAt }),
    offer: offerOf({ offerDetails: { offerId } }, periodType),
    inferred: true,
    keepsEnd: true,
    ...(replaced !== null && { replacesRunning: true }),
    ...(replaced !== null && !isCharged(line?.productId ?? item.productId, order) && { isChargeUnproven: true }),
  };
}

type Bounds = { readonly purchasedAt: string; readonly expiresAt: string };

function knownSpan({ order, item, next }: MissedCharge, duration: string | null): Bounds | null {
  const { from: served, to } = servicePeriodOf(order, item.productId);
  const from = item.prepaidPlan ? (order?.createTime ?? served) : served;
  if (from === undefined) return null;
  const expiresAt = to ?? (duration === null ? next.purchasedAt : addDuration(from, duration));
  return from < expiresAt ? { purchasedAt: from, expiresAt } : null;
}

/** Estimates the span: the first period begins with the purchase; any other has the duration of the product. */
function estimateSpan({ orderId, next, r }: MissedCharge, duration: string | null): Bounds | null {
  const { startTime } = r.subscription;
  const expiresAt = next.purchasedAt;
  const isFirst = renewalOf(orderId) === null;
  const purchasedAt = isFirst ? startTime : duration === null ? undefined : shortenSpan(expiresAt, duration);
  if (purchasedAt === undefined || purchasedAt >= expiresAt) return null;
  if (startTime === undefined || purchasedAt >= startTime) return { purchasedAt, expiresAt };
  const isBefore = msFromIso(purchasedAt) < msFromIso(startTime) - MAX_DEVIATION_MS;
  return isBefore || startTime >= expiresAt ? null : { purchasedAt: startTime, expiresAt };
}

function typeOf(order: AndroidOrder, item: AndroidLineItem): PeriodType {
  const { offerPhase, offerPhaseDetails } = lineOf(order, item.productId)?.subscriptionDetails ?? {};
  if (item.prepaidPlan) return 'prepaid';
  if (offerPhaseDetails?.freeTrialDetails ?? offerPhase === 'FREE_TRIAL') return 'trial';
  return (offerPhaseDetails?.introductoryPriceDetails ?? offerPhase === 'INTRODUCTORY') ? 'intro' : 'normal';
}

/**
 * Estimates the type by the length. A first period that is neither as long as the product nor as its trial is omitted, because its type is
 * unknown. A repeated purchase of the same product additionally contains the remaining time.
 */
function estimateType(
  { purchasedAt, expiresAt }: Bounds,
  { isFirst, isSameAgain }: { readonly isFirst: boolean; readonly isSameAgain: boolean },
  item: AndroidLineItem,
  o: { readonly duration: string | null; readonly trialDuration: string | null },
): PeriodType | null {
  if (item.prepaidPlan) return 'prepaid';
  if (!isFirst) return 'normal';
  const lasts = (duration: string | null) =>
    duration !== null &&
    Math.abs(msFromIso(expiresAt) - msFromIso(addDuration(purchasedAt, duration))) <= MAX_DEVIATION_MS;
  if (lasts(o.duration)) return 'normal';
  if (isSameAgain && o.duration !== null && expiresAt > addDuration(purchasedAt, o.duration)) return 'normal';
  return lasts(o.trialDuration) ? 'trial' : null;
}

/** Does not use the price of the next renewal, because an earlier one may have had another price. */
function moneyOf(
  { order, item, next, ctx }: MissedCharge,
  o: { readonly periodType: PeriodType; readonly productId: string | null; readonly at: string },
): Money {
  if (o.periodType === 'trial') return androidMoney({ amountMicros: 0, currency: next.money.currency }, true);
  const paid = orderPriceOf(lineOf(order, item.productId)?.productId ?? item.productId, order);
  if (paid) return androidMoney(chargeOf(paid), true);
  const { country } = next.purchase;
  return androidMoney(assumedCharge(ctx.catalog, { productId: o.productId, country, at: o.at }), true);
}
