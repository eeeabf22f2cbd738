// Backfill of charges of an android subscription that were not read when they were made. The store shows only the latest; the numbers of
// its orders show how many came before, and each order when and how much. Pure.
import type { AndroidLineItem, AndroidOrder } from '../../../../adapters/android-store/port.js';
import { assumedCharge } from '../../../../domain/catalog/assumed-price.js';
import { subscriptionId } from '../../../../domain/ids.js';
import type { Money } from '../../../../domain/money.js';
import type { PeriodType } from '../../../../domain/subscriber/events/blocks.js';
import type { RecordPeriod } from '../../../../domain/subscriber/decide/store-commands.js';
import { addDuration, isoFromMs, msFromIso } from '../../../../domain/time.js';
import { bareNameOf } from './items.js';
import { androidMoney, chargeOf } from './money.js';
import {
  isCharged,
  offerOf,
  orderPriceOf,
  productOf,
  renewalOf,
  MAX_DEVIATION_MS,
  storeProductIdOf,
  type AndroidContext,
} from './purchase.js';
import type { SubscriptionReading } from './subscription-reading.js';

/** Bound on missed charges (five years of weeks); the oldest beyond it stay unknown. */
const MAX_BACKFILLED = 260;

/** Returns the number of orders up to this one; an unknown order ID format counts as the first. */
export function chargesUpTo(orderId: string): number {
  return (renewalOf(orderId) ?? -1) + 2;
}

/** Orders before this one that have not been recorded, oldest first; `charges`: how many have. */
function ordersToBackfill(orderId: string, charges: number): readonly string[] {
  const before = chargesUpTo(orderId) - 1;
  const from = Math.max(charges, before - MAX_BACKFILLED);
  const first = orderId.replace(/\.\.\d+$/, '');
  return Array.from({ length: Math.max(0, before - from) }, (_, i) => {
    const n = from + i;
    return n === 0 ? first : `${first}..${n - 1}`;
  });
}

/** The missed orders, and the latest with them: it shows when the current period began, or where its contract ends. */
export function orderIdsToRead(orderId: string, charges: number, endIsHidden: boolean): readonly string[] {
  const missed = ordersToBackfill(orderId, charges);
  const isNew = chargesUpTo(orderId) > charges;
  return missed.length > 0 || (isNew && endIsHidden) ? [...missed, orderId] : [];
}

type Span = { readonly from?: string | undefined; readonly to?: string | undefined };

/** The time that an order paid for, as far as the order shows it. */
export function servicePeriodOf(order: AndroidOrder | undefined, productId: string): Span {
  const { servicePeriodStartTime: from, servicePeriodEndTime: to } =
    lineOf(order, productId)?.subscriptionDetails ?? {};
  return { from: from ?? order?.createTime, to };
}

/** After a planned change of the product the earlier orders belong to another one. */
function lineOf(order: AndroidOrder | undefined, productId: string) {
  return order?.lineItems.find((line) => line.productId === productId) ?? order?.lineItems[0];
}

/** Months are of different length: the beginning from which the duration leads to the end, or the nearest one before it. */
export function shortenSpan(end: string, duration: string): string {
  const lengthMs = msFromIso(addDuration(end, duration)) - msFromIso(end);
  return isoFromMs(Math.max(0, msFromIso(end) - lengthMs));
}

/** Not charged after all. */
const UNCHARGED = new Set(['PENDING', 'CANCELED']);

/**
 * Oldest first. What the store does not show of an order is computed back from the period after it, as long as that is not before the
 * start of the purchase; its price is then the configured one, or unknown.
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
    if (UNCHARGED.has(order?.state ?? '')) continue;
    const period = backfillPeriod({ orderId, order, next: found[0] ?? latest, item, r, ctx });
    if (period) found.unshift(period);
  }
  return found;
}

type MissedCharge = {
  readonly orderId: string;
  readonly order: AndroidOrder | undefined;
  /** The period after it. */
  readonly next: RecordPeriod;
  readonly item: AndroidLineItem;
  readonly r: SubscriptionReading;
  readonly ctx: AndroidContext;
};

function backfillPeriod(o: MissedCharge): RecordPeriod | null {
  const { orderId, order, next, item, r, ctx } = o;
  const line = lineOf(order, item.productId);
  const { basePlanId, offerId } = line?.subscriptionDetails ?? {};
  const named = line?.productId === undefined ? null : { productId: line.productId, offerDetails: { basePlanId } };
  const storeProductId = named ? storeProductIdOf(named, ctx) : next.purchase.storeProductId;
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

/** The first period begins with the purchase; another one lasts as long as the product does. */
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
 * A first period that is neither as long as the product nor as its trial may have been anything: it is left out. The same product bought
 * again has the time in addition that was left.
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

/** The price of the next renewal is not used: an earlier one may have cost something else. */
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
