// The android-store's responses about one-time purchases and refunds, as store commands. Pure.
import type { AndroidOrder, AndroidProduct, AndroidProductLine } from '../../../../adapters/android-store/port.js';
import { assumedCharge } from '../../../../domain/catalog/products.js';
import type { StoreCommand } from '../../../../domain/subscriber/decide/store-commands.js';
import { addDuration, isoFromMs } from '../../../../domain/time.js';
import { androidMoney, chargeOf } from './money.js';
import {
  chargeNameOf,
  countryOf,
  isUncharged,
  orderPriceOf,
  productOf,
  purchaseOf,
  type AndroidContext,
} from './purchase.js';
import type { LineUpdate } from '../../line-update.js';

export type ProductReading = {
  readonly purchaseToken: string;
  /** Its token, or the name that an import gave it. */
  readonly storeChainId: string;
  readonly storeProductId: string;
  readonly product: AndroidProduct;
  readonly type: string | null;
  readonly storeTime: string;
};

const STATE_PURCHASED = 0;
const TEST = 0;
/** Purchases by promotional code or by watching an advertisement. */
const FREE_PURCHASE_TYPES: ReadonlySet<number | undefined> = new Set([1, 2]);
const UNTIL_KNOWN_BETTER = 'non_consumable';

const STATE_CANCELLED = 1;
const PENDING = 2;

export function isUnpaidProduct({ purchaseState }: AndroidProduct): boolean {
  return purchaseState === PENDING;
}

/**
 * Returns true for a purchase that is not paid yet: it has no owner, but its future owner is known. A pre-order is charged when its product
 * is released.
 */
export function isPendingPayment(product: AndroidProduct, order: AndroidOrder | undefined): boolean {
  if (isUnpaidProduct(product)) return true;
  const isPreorder = product.lines?.some((line) => line.isPreorder) ?? false;
  return isPreorder && (isUncharged(order) || product.purchaseTimeMillis === undefined);
}

/** Product of a purchase; several of one name count as one line. */
export type BoughtProduct = AndroidProductLine & {
  /** Names the product as the catalogue does: with the purchase option only if the catalogue lists it. */
  readonly storeProductId: string;
  readonly isMain: boolean;
};

/** Returns the products of the purchase, the requested or first one as the main product. */
export function boughtProducts(
  { lines, quantity = 1 }: AndroidProduct,
  requested: string,
  ctx: AndroidContext,
): readonly BoughtProduct[] {
  const all: readonly AndroidProductLine[] = lines ?? [
    { productId: requested, quantity, isRental: false, isPreorder: false },
  ];
  const nameOf = ({ productId, purchaseOptionId }: AndroidProductLine) => {
    const whole = `${productId}:${purchaseOptionId ?? ''}`;
    return purchaseOptionId !== undefined && productOf(whole, ctx) ? whole : productId;
  };
  const main = all.find((line) => nameOf(line) === requested || line.productId === requested) ?? all[0];
  const products = new Map<string, BoughtProduct>();
  for (const line of [...(main ? [main] : []), ...all.filter((line) => line !== main)]) {
    const storeProductId = nameOf(line);
    const known = products.get(storeProductId);
    const sum = line.quantity + (known?.quantity ?? 0);
    products.set(storeProductId, { ...(known ?? { ...line, storeProductId, isMain: line === main }), quantity: sum });
  }
  return [...products.values()];
}

/** Has no commands while the payment is pending. A cancellation counts only with its own notification. */
export function translateAndroidProduct(r: ProductReading, ctx: AndroidContext): readonly LineUpdate[] {
  const { storeChainId, product } = r;
  const { purchaseTimeMillis: ms, orderId = '' } = product;
  const purchasedAt = ms === undefined ? (ctx.orders.get(orderId)?.createTime ?? r.storeTime) : isoFromMs(ms);
  return boughtProducts(product, r.storeProductId, ctx).map((bought) => ({
    storeChainId: chainOf(r, bought),
    commands: commandsOf(r, bought, purchasedAt, ctx),
    accountToken: product.obfuscatedExternalAccountId ?? null,
    firstAt: purchasedAt,
    ...(!bought.isMain && { ownedWith: storeChainId }),
  }));
}

/** Every other product of a purchase is a line of its own, as an add-on of a subscription is. */
function chainOf({ purchaseToken, storeChainId }: ProductReading, { storeProductId, isMain }: BoughtProduct): string {
  return isMain ? storeChainId : `${purchaseToken}#${storeProductId}`;
}

function commandsOf(
  r: ProductReading,
  bought: BoughtProduct,
  purchasedAt: string,
  ctx: AndroidContext,
): StoreCommand[] {
  const state = r.product.purchaseState ?? STATE_PURCHASED;
  if (isPendingPayment(r.product, ctx.orders.get(r.product.orderId ?? ''))) return [];
  if (state === STATE_PURCHASED) return [purchaseCommand(r, bought, purchasedAt, ctx)];
  if (state !== STATE_CANCELLED || r.type !== 'ONE_TIME_PRODUCT_CANCELED') return [];
  const purchase = refOf(r, bought, ctx);
  const { storeTime } = r;
  return [
    { kind: 'recordPendingCancelled', storeChainId: purchase.storeChainId, storeTime, purchase, reason: 'cancelled' },
  ];
}

function refOf(r: ProductReading, bought: BoughtProduct, ctx: AndroidContext) {
  const { purchaseToken, product } = r;
  const { storeProductId } = bought;
  const transactionId = chargeNameOf(product.orderId ?? purchaseToken, { productId: storeProductId }, !bought.isMain);
  const storeChainId = chainOf(r, bought);
  const isTest = product.purchaseType === TEST;
  const country = countryOf(product);
  const names = { transactionId, purchaseToken, storeChainId, storeProductId, isTest, country };
  return purchaseOf(names, ctx);
}

/** The store does not show the end of a rental: it is that of the catalogue, or of the longest rental that the store offers. */
const MAX_RENTAL = 'P30D';

function purchaseCommand(
  r: ProductReading,
  bought: BoughtProduct,
  purchasedAt: string,
  ctx: AndroidContext,
): StoreCommand {
  const { storeTime } = r;
  const { storeProductId, isRental, offerId = null, quantity } = bought;
  const known = productOf(storeProductId, ctx);
  const type = known?.type ?? UNTIL_KNOWN_BETTER;
  // A product that is a subscription in the catalogue only has the wrong type there.
  const sold = type === 'subscription' ? UNTIL_KNOWN_BETTER : type;
  const productType = isRental ? 'non_renewing_subscription' : sold;
  const longest = isRental ? MAX_RENTAL : null;
  const lasts = productType === 'non_renewing_subscription' ? (known?.duration ?? longest) : null;
  const purchase = refOf(r, bought, ctx);
  return {
    kind: 'recordOneTimePurchase',
    storeChainId: purchase.storeChainId,
    storeTime,
    purchase,
    productType,
    quantity,
    purchasedAt,
    expiresAt: lasts === null ? null : addDuration(purchasedAt, lasts),
    money: priceOf(r, bought, { productId: known?.productId ?? null, at: purchasedAt }, ctx),
    offer: { offerType: offerId === null ? null : 'unspecified', offerId, discountType: null },
  };
}

/** Returns the amount paid by the order; else the device's price; else the configured price for each piece. */
function priceOf(
  { product }: ProductReading,
  bought: BoughtProduct,
  { productId, at }: { readonly productId: string | null; readonly at: string },
  ctx: AndroidContext,
) {
  if (FREE_PURCHASE_TYPES.has(product.purchaseType)) return androidMoney({ amountMicros: 0, currency: null }, false);
  const order = ctx.orders.get(product.orderId ?? '');
  if (isUncharged(order)) return androidMoney(null, false);
  const ordered = orderPriceOf(bought.productId, order);
  if (ordered) return androidMoney(chargeOf(ordered), false);
  if (ctx.claimed && bought.isMain) return androidMoney(ctx.claimed, false);
  const each = assumedCharge(ctx.catalog, { productId, country: countryOf(product), at });
  return androidMoney(each && { ...each, amountMicros: each.amountMicros * bought.quantity }, false);
}
