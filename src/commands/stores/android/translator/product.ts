// The android-store's responses about one-time purchases and refunds, as store commands. Pure.
import type { AndroidProduct } from '../../../../adapters/android-store/port.js';
import { assumedCharge } from '../../../../domain/catalog/products.js';
import type { StoreCommand } from '../../../../domain/subscriber/decide/store-commands.js';
import { addDuration, isoFromMs } from '../../../../domain/time.js';
import { androidMoney, chargeOf } from './money.js';
import { countryOf, isUncharged, orderPriceOf, productOf, purchaseOf, type AndroidContext } from './purchase.js';
import type { LineUpdate } from '../../line-update.js';

export type ProductReading = {
  readonly purchaseToken: string;
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

/** Returns true for a purchase that is not paid yet: it has no owner, but its future owner is known. */
export function isPendingPayment({ purchaseState }: AndroidProduct): boolean {
  return purchaseState === PENDING;
}

/** Has no commands while the payment is pending. A cancellation counts only with its own notification. */
export function translateAndroidProduct(r: ProductReading, ctx: AndroidContext): LineUpdate {
  const { purchaseToken, product } = r;
  const { purchaseTimeMillis: ms, orderId = '' } = product;
  const purchasedAt = ms === undefined ? (ctx.orders.get(orderId)?.createTime ?? r.storeTime) : isoFromMs(ms);
  return {
    storeChainId: purchaseToken,
    commands: commandsOf(r, purchasedAt, ctx),
    accountToken: product.obfuscatedExternalAccountId ?? null,
    firstAt: purchasedAt,
  };
}

function commandsOf(r: ProductReading, purchasedAt: string, ctx: AndroidContext): StoreCommand[] {
  const state = r.product.purchaseState ?? STATE_PURCHASED;
  if (state === STATE_PURCHASED) return [purchaseCommand(r, purchasedAt, ctx)];
  if (state !== STATE_CANCELLED || r.type !== 'ONE_TIME_PRODUCT_CANCELED') return [];
  const { purchaseToken: storeChainId, storeTime } = r;
  return [{ kind: 'recordPendingCancelled', storeChainId, storeTime, purchase: refOf(r, ctx), reason: 'cancelled' }];
}

function refOf({ purchaseToken, storeProductId, product }: ProductReading, ctx: AndroidContext) {
  const transactionId = product.orderId ?? purchaseToken;
  const isTest = product.purchaseType === TEST;
  const country = countryOf(product);
  const names = { transactionId, purchaseToken, storeChainId: purchaseToken, storeProductId, isTest, country };
  return purchaseOf(names, ctx);
}

function purchaseCommand(r: ProductReading, purchasedAt: string, ctx: AndroidContext): StoreCommand {
  const { purchaseToken, storeProductId, product, storeTime } = r;
  const known = productOf(storeProductId, ctx);
  const type = known?.type ?? UNTIL_KNOWN_BETTER;
  // A product that is a subscription in the catalogue only has the wrong type there.
  const productType = type === 'subscription' ? UNTIL_KNOWN_BETTER : type;
  const lasts = productType === 'non_renewing_subscription' ? (known?.duration ?? null) : null;
  return {
    kind: 'recordOneTimePurchase',
    storeChainId: purchaseToken,
    storeTime,
    purchase: refOf(r, ctx),
    productType,
    quantity: product.quantity ?? 1,
    purchasedAt,
    expiresAt: lasts === null ? null : addDuration(purchasedAt, lasts),
    money: priceOf(r, known?.productId ?? null, purchasedAt, ctx),
    offer: { offerType: null, offerId: null, discountType: null },
  };
}

/** Returns the amount paid by the order; else the device's price; else the configured price for each piece. */
function priceOf(
  { product, storeProductId }: ProductReading,
  productId: string | null,
  at: string,
  ctx: AndroidContext,
) {
  if (FREE_PURCHASE_TYPES.has(product.purchaseType)) return androidMoney({ amountMicros: 0, currency: null }, false);
  const order = ctx.orders.get(product.orderId ?? '');
  if (isUncharged(order)) return androidMoney(null, false);
  const ordered = orderPriceOf(storeProductId, order);
  if (ordered) return androidMoney(chargeOf(ordered), false);
  if (ctx.claimed) return androidMoney(ctx.claimed, false);
  const each = assumedCharge(ctx.catalog, { productId, country: countryOf(product), at });
  return androidMoney(each && { ...each, amountMicros: each.amountMicros * (product.quantity ?? 1) }, false);
}
