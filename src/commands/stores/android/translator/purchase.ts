// The android-store's data about one purchase as parts of store commands: product, terms, price. Pure.
// Fields: Play Developer API v3, resources "SubscriptionPurchaseV2" and "ProductPurchase".
import type {
  AndroidLineItem,
  AndroidOrder,
  AndroidPrice,
  AndroidProduct,
  AndroidSubscription,
} from '../../../../adapters/android-store/port.js';
import { assumedCharge, type Charge, storeProductOf, type Product } from '../../../../domain/catalog/products.js';
import type { Catalog } from '../../../../domain/catalog/catalog.js';
import type { KeyedHash } from '../../../../domain/ids.js';
import type { App } from '../../../../domain/project/events.js';
import type { Offer, OneTimePurchaseRef, PeriodType } from '../../../../domain/subscriber/events/blocks.js';
import { normalizeKosovo } from '../../../../domain/values/iso-codes.js';
import { addDuration, msFromIso } from '../../../../domain/time.js';
import { bareNameOf } from './subscription-reading.js';
import { androidMoney, chargeOf } from './money.js';

export type AndroidContext = {
  readonly projectId: string;
  readonly app: App;
  readonly catalog: Catalog;
  readonly hash: KeyedHash;
  readonly offeringId: string | null;
  /** Orders by ID, without those that could not be read. */
  readonly orders: ReadonlyMap<string, AndroidOrder>;
  /** Price reported by a device; used only where the store shows none. */
  readonly claimed: Charge | null;
};

/** Returns `productId:basePlanId`, or the bare product ID if the catalogue lists the product only without its base plan. */
export function storeProductIdOf(
  item: Pick<AndroidLineItem, 'productId' | 'offerDetails'>,
  ctx: AndroidContext,
): string {
  const { basePlanId } = item.offerDetails ?? {};
  if (basePlanId === undefined) return item.productId;
  const whole = `${item.productId}:${basePlanId}`;
  return !productOf(whole, ctx) && productOf(item.productId, ctx) ? item.productId : whole;
}

export function productOf(storeProductId: string, { catalog, app }: AndroidContext): Product | undefined {
  return storeProductOf(catalog, app.appId, storeProductId);
}

/** Returns the number of the renewal: `..3` at the end of an order ID names the fourth; the first order has none. */
export function renewalOf(orderId: string): number | null {
  const found = /\.\.(\d{1,6})$/.exec(orderId);
  return found ? Number(found[1]) : null;
}

export function periodTypeOf(
  item: AndroidLineItem,
  isFirst: boolean,
  startsAt: string,
  ctx: AndroidContext,
): PeriodType {
  if (item.prepaidPlan) return 'prepaid';
  const { offerPhase } = item;
  if (offerPhase?.freeTrial) return 'trial';
  if (offerPhase?.introductoryPrice) return 'intro';
  if (offerPhase) return 'normal';
  // The store's promotional codes for subscriptions are free trials.
  if (isFirst && item.signupPromotion) return 'trial';
  return isFirst && item.offerDetails?.offerId !== undefined && hasOfferPeriod(item, startsAt, ctx)
    ? 'trial'
    : 'normal';
}

/** Detects an offer whose period differs from the base plan's: the only mark of a trial where the store does not name the phase. */
function hasOfferPeriod(item: AndroidLineItem, startsAt: string, ctx: AndroidContext): boolean {
  const duration = productOf(storeProductIdOf(item, ctx), ctx)?.duration ?? null;
  if (duration === null || item.expiryTime === undefined) return false;
  return Math.abs(Date.parse(item.expiryTime) - Date.parse(addDuration(startsAt, duration))) > MAX_DEVIATION_MS;
}

/** Maximum difference between a period of months and its duration. */
export const MAX_DEVIATION_MS = 36 * 3_600_000;

type PaidPeriod = {
  readonly item: AndroidLineItem;
  readonly orderId: string;
  readonly type: PeriodType;
  readonly country: string | null;
  readonly purchasedAt: string;
  readonly expiresAt: string;
  /** Product of the purchase that is replaced with this period. */
  readonly replaced: string | null;
  readonly isTest: boolean;
  readonly ctx: AndroidContext;
};

/**
 * Returns the amount paid for a period. The store shows the price of the next standard renewal: so an order wins; without one the device's
 * price counts, then the price configured on the product.
 */
export function periodMoney(o: PaidPeriod) {
  const { item, orderId, type, country, purchasedAt: at, ctx } = o;
  const nothing = { amountMicros: 0, currency: recurringPrice(item)?.currencyCode ?? null };
  if (type === 'trial') return androidMoney(nothing, true);
  const order = ctx.orders.get(orderId);
  if (isUncharged(order)) return androidMoney({ ...nothing, amountMicros: null }, true);
  const ordered = orderPriceOf(item.productId, order);
  if (ordered) return androidMoney(chargeOf(ordered), true);
  const isReplacing = type === 'normal' && o.replaced !== null && !o.isTest;
  const paid = isReplacing ? replacementCost(o, o.replaced) : null;
  if (paid === 'nothing') return androidMoney(nothing, true);
  const isProrated = paid === 'unknown' || (paid === null && item.offerPhase?.prorationPeriod !== undefined);
  const recurring = type === 'normal' && !isProrated ? recurringPrice(item) : undefined;
  if (recurring) return androidMoney(chargeOf(recurring), true);
  // Prorated against the former plan: no configured price equals the remaining amount.
  if (isProrated) return androidMoney(ctx.claimed, true);
  const productId = productOf(storeProductIdOf(item, ctx), ctx)?.productId ?? null;
  return androidMoney(ctx.claimed ?? assumedCharge(ctx.catalog, { productId, country, at }), true);
}

/**
 * Returns the cost of replacing a purchase, derived from the time that it gives. For the same product, whatever its base plan, the store
 * charges the whole price and adds the time that is left, or nothing until that is over. Between products it may charge any part.
 */
function replacementCost(
  { item, purchasedAt, expiresAt, ctx }: Omit<PaidPeriod, 'replaced'>,
  replaced: string,
): 'whole' | 'nothing' | 'unknown' | null {
  const duration = productOf(storeProductIdOf(item, ctx), ctx)?.duration ?? null;
  if (duration === null) return null;
  const beyondMs = msFromIso(expiresAt) - msFromIso(addDuration(purchasedAt, duration));
  if (bareNameOf(replaced) === item.productId) return beyondMs >= -MAX_DEVIATION_MS ? 'whole' : 'nothing';
  return Math.abs(beyondMs) <= MAX_DEVIATION_MS && !item.offerPhase?.prorationPeriod ? 'whole' : 'unknown';
}

/** States of orders without a charge: their amounts are not paid (yet). */
const UNCHARGED: ReadonlySet<string> = new Set(['PENDING', 'CANCELED']);

export function isUncharged(order: AndroidOrder | undefined): boolean {
  return UNCHARGED.has(order?.state ?? '');
}

/** Returns true if the order shows a charge for the product. */
export function isCharged(productId: string, order: AndroidOrder | undefined): boolean {
  if (isUncharged(order)) return false;
  const paid = orderPriceOf(productId, order);
  return paid !== undefined && chargeOf(paid).amountMicros > 0;
}

/** Returns the price of one product; an order of several products has a price for each, its total belongs to none. */
export function orderPriceOf(productId: string, order: AndroidOrder | undefined): AndroidPrice | undefined {
  if (!order || order.lineItems.length < 2) return order?.total;
  return order.lineItems.find((line) => line.productId === productId)?.total;
}

/** One order pays for all parts of a purchase: the transaction ID of an add-on includes its product. */
export function chargeNameOf(
  orderId: string,
  { productId }: Pick<AndroidLineItem, 'productId'>,
  isAddOn: boolean,
): string {
  return isAddOn ? `${orderId}#${productId}` : orderId;
}

function recurringPrice(item: AndroidLineItem): AndroidPrice | undefined {
  return item.autoRenewingPlan?.recurringPrice;
}

/** Returns true if only an order shows the cost of this line item. */
export function needsOrder(item: AndroidLineItem): boolean {
  const { offerPhase } = item;
  return Boolean(offerPhase?.introductoryPrice ?? offerPhase?.prorationPeriod ?? item.prepaidPlan);
}

export function offerOf(item: Pick<AndroidLineItem, 'offerDetails'>, type: PeriodType): Offer {
  const offerId = item.offerDetails?.offerId ?? null;
  if (offerId === null) return { offerType: null, offerId: null, discountType: null };
  const introductory = type === 'trial' || type === 'intro';
  return {
    offerType: introductory ? 'introductory' : 'unspecified',
    offerId,
    discountType: type === 'trial' ? 'free_trial' : null,
  };
}

type PurchaseNames = {
  readonly transactionId: string;
  readonly purchaseToken: string;
  readonly storeChainId: string;
  readonly storeProductId: string;
  readonly isTest: boolean;
  readonly country: string | null;
};

/** Uses the token where other stores have the first transaction: it finds the purchase and identifies it to the store. */
export function purchaseOf(o: PurchaseNames, ctx: AndroidContext): OneTimePurchaseRef {
  return {
    transactionId: o.transactionId,
    originalTransactionId: o.purchaseToken,
    storeChainId: o.storeChainId,
    store: 'android-store',
    appId: ctx.app.appId,
    productId: productOf(o.storeProductId, ctx)?.productId ?? null,
    storeProductId: o.storeProductId,
    environment: o.isTest ? 'sandbox' : 'production',
    ownership: 'purchased',
    country: o.country,
    offeringId: ctx.offeringId,
    placementId: null,
  };
}

/** Returns the account ID that the app set; for a purchase made in the store's own app, that of the previous purchase. */
export function accountTokenOf({
  externalAccountIdentifiers,
  outOfAppPurchaseContext,
}: AndroidSubscription): string | null {
  const identifiers = externalAccountIdentifiers ?? outOfAppPurchaseContext?.expiredExternalAccountIdentifiers;
  return identifiers?.obfuscatedExternalAccountId ?? null;
}

export function countryOf({ regionCode }: Pick<AndroidSubscription | AndroidProduct, 'regionCode'>): string | null {
  const code = normalizeKosovo(regionCode ?? '');
  return /^[A-Z]{2}$/.test(code) ? code : null;
}
