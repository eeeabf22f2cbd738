// One signed transaction of the ios-store as store commands: a period of a subscription or a one-time purchase, and what happened to it
// since. Pure.
// Fields: the store's page "JWSTransactionDecodedPayload".
import type { IosTransaction } from '../../../../adapters/ios-store/port.js';
import { assumedCharge, type Charge, storeProductOf } from '../../../../domain/catalog/products.js';
import type { Catalog } from '../../../../domain/catalog/catalog.js';
import { subscriptionId, type KeyedHash } from '../../../../domain/ids.js';
import { iosStoreCommission, microsFromMilli, toUnconvertedMoney, type Money } from '../../../../domain/money.js';
import type { App } from '../../../../domain/project/events.js';
import type { Offer, OneTimePurchaseRef, PeriodType } from '../../../../domain/subscriber/events/blocks.js';
import type {
  RecordOneTimePurchase,
  RecordPeriod,
  StoreCommand,
} from '../../../../domain/subscriber/decide/store-commands.js';
import { addDuration, isoFromMs, isStoreDuration } from '../../../../domain/time.js';
import { countryOfCode } from '../../country-codes.js';
import type { LineUpdate } from '../../line-update.js';
import { commitmentEndOf, isCommitment } from './commitment.js';

export type IosContext = {
  readonly projectId: string;
  readonly app: App;
  readonly catalog: Catalog;
  readonly hash: KeyedHash;
  readonly offeringId: string | null;
  /** Price reported by the client, for a transaction without one; null if not reported. */
  readonly claimed: Charge | null;
};

/**
 * Context of a reported transaction. `storeTime`: null for a receipt. `inferred`: the notification was about something else. `reason`:
 * implied by the notification type.
 */
type PurchaseReport = {
  readonly storeTime: string | null;
  readonly inferred: boolean;
  readonly reason?: RecordPeriod['reason'] | undefined;
};

/** Fields of every command of a message. `storeTime`: null for a receipt. */
export type MessageFields = { readonly storeChainId: string; readonly storeTime: string | null };

/** Product type of a subscription that renews. */
export const SUBSCRIPTION = 'Auto-Renewable Subscription';

export function purchaseCommands(
  t: IosTransaction,
  { storeTime, inferred, reason }: PurchaseReport,
  ctx: IosContext,
): (RecordPeriod | RecordOneTimePurchase)[] {
  const product = storeProductOf(ctx.catalog, ctx.app.appId, t.productId);
  const shared = {
    storeChainId: t.originalTransactionId,
    storeTime,
    purchase: purchaseOf(t, product?.productId ?? null, ctx),
    purchasedAt: isoFromMs(t.purchaseDate),
    money: moneyOf(t, product?.productId ?? null, ctx),
    offer: offerOf(t),
  };
  if (t.type !== SUBSCRIPTION) {
    const productType = oneTimeTypes.get(t.type) ?? 'consumable';
    const lasts = productType === 'non_renewing_subscription' ? (product?.duration ?? null) : null;
    const expiresAt = lasts === null ? null : addDuration(shared.purchasedAt, lasts);
    return [
      { kind: 'recordOneTimePurchase', ...shared, productType, quantity: Math.max(1, t.quantity ?? 1), expiresAt },
    ];
  }
  const duration = isCommitment(t) ? 'P1M' : (product?.duration ?? null);
  const expiresAt = endOf(t, t.offerPeriod ?? duration);
  const commitmentEndsAt = commitmentEndOf(t, expiresAt);
  return [
    {
      kind: 'recordPeriod',
      ...shared,
      newSubscriptionId: subscriptionId(ctx.hash, ctx.projectId, t.originalTransactionId, t.transactionId),
      reason: reasonOf(t, reason),
      periodType: periodTypeOf(t),
      periodDuration: t.offerPeriod ?? duration,
      productDuration: duration,
      expiresAt,
      ...(commitmentEndsAt !== null && { commitmentEndsAt }),
      inferred,
    },
  ];
}

/** Devices from before 2023 send no reason: without a notification, only the first transaction of a chain is certainly a purchase. */
function reasonOf(
  { transactionReason, transactionId, originalTransactionId }: IosTransaction,
  stated: RecordPeriod['reason'] | undefined,
): RecordPeriod['reason'] {
  if (transactionReason === 'RENEWAL') return 'renewal';
  if (transactionReason !== undefined) return 'purchase';
  return stated ?? (transactionId === originalTransactionId ? 'purchase' : 'renewal');
}

/** A period without an end lasts as long as its offer or its product; without either it gives no access. */
function endOf({ expiresDate, purchaseDate }: IosTransaction, duration: string | null): string {
  const begin = isoFromMs(purchaseDate);
  if (expiresDate !== undefined) return isoFromMs(expiresDate);
  return duration !== null && isStoreDuration(duration) ? addDuration(begin, duration) : begin;
}

const oneTimeTypes = new Map<string, RecordOneTimePurchase['productType']>([
  ['Consumable', 'consumable'],
  ['Non-Consumable', 'non_consumable'],
  ['Non-Renewing Subscription', 'non_renewing_subscription'],
]);

/** A free period is a trial with any offer; of the paid ones only the introductory differs from the normal price. */
function periodTypeOf(t: IosTransaction): PeriodType {
  if (t.offerDiscountType === 'FREE_TRIAL') return 'trial';
  return t.offerType === 1 ? 'intro' : 'normal';
}

const OFFER_TYPES = [null, 'introductory', 'promotional', 'offer_code', 'win_back'] as const;
const DISCOUNTS = new Map<string, Offer['discountType']>([
  ['FREE_TRIAL', 'free_trial'],
  ['PAY_AS_YOU_GO', 'pay_as_you_go'],
  ['PAY_UP_FRONT', 'pay_up_front'],
  ['ONE_TIME', 'one_time'],
]);

/** Returns the offer of a transaction or of the upcoming renewal. */
export function offerOf(t: Pick<IosTransaction, 'offerType' | 'offerIdentifier' | 'offerDiscountType'>): Offer {
  return {
    offerType: OFFER_TYPES[t.offerType ?? 0] ?? (t.offerType === undefined ? null : 'unspecified'),
    offerId: t.offerIdentifier ?? null,
    discountType: DISCOUNTS.get(t.offerDiscountType ?? '') ?? null,
  };
}

function purchaseOf(t: IosTransaction, productId: string | null, { app, offeringId }: IosContext): OneTimePurchaseRef {
  return {
    transactionId: t.transactionId,
    originalTransactionId: t.originalTransactionId,
    storeChainId: t.originalTransactionId,
    store: 'ios-store',
    appId: app.appId,
    productId,
    storeProductId: t.productId,
    environment: t.environment === 'Sandbox' ? 'sandbox' : 'production',
    ownership: t.inAppOwnershipType === 'FAMILY_SHARED' ? 'family_shared' : 'purchased',
    country: countryOf(t),
    offeringId,
    placementId: null,
  };
}

/**
 * A family-shared purchase is free, because its buyer paid. Without a price from the store, the client's price counts, then the
 * catalogue's. USD values of other currencies are added later from the exchange rates.
 */
function moneyOf(t: IosTransaction, productId: string | null, { app, catalog, claimed }: IosContext): Money {
  const isFree = t.inAppOwnershipType === 'FAMILY_SHARED' || t.offerDiscountType === 'FREE_TRIAL';
  const currency = t.currency?.length === 3 ? t.currency : null;
  const purchaseTerms = { productId, country: countryOf(t), at: isoFromMs(t.purchaseDate) };
  const assumed = isFree || t.price !== undefined ? null : (claimed ?? assumedCharge(catalog, purchaseTerms));
  const amount = isFree
    ? { currency, amountMicros: 0 }
    : (assumed ?? { currency, amountMicros: t.price === undefined ? null : microsFromMilli(t.price) });
  const isSubscription = t.type === SUBSCRIPTION;
  return {
    ...toUnconvertedMoney(amount),
    taxRate: 0,
    commissionRate: iosStoreCommission({
      smallBusiness: app.iosStoreSmallBusiness,
      isSubscription,
      originallyPurchasedAt: isoFromMs(t.originalPurchaseDate ?? t.purchaseDate),
      purchasedAt: isoFromMs(t.purchaseDate),
    }),
  };
}

/** Accepts codes of three letters, as documented by the store, and codes of two. */
function countryOf({ storefront = '' }: IosTransaction): string | null {
  return countryOfCode(storefront);
}

/** After an upgrade, every payload about the transaction contains the mark. */
export function replacementOf(
  { isUpgraded, type, transactionId }: IosTransaction,
  shared: MessageFields,
): StoreCommand[] {
  if (!isUpgraded || type !== SUBSCRIPTION) return [];
  return [{ kind: 'recordReplacement', ...shared, transactionId }];
}

export function migrationOf(t: IosTransaction, shared: MessageFields): StoreCommand[] {
  const fromChainId = formerChainOf(t);
  return fromChainId === undefined ? [] : [{ kind: 'recordMigration', ...shared, fromChainId }];
}

function formerChainOf({ previousOriginalTransactionId: former, originalTransactionId }: IosTransaction) {
  return former === originalTransactionId ? undefined : former;
}

export function outline(t: IosTransaction): Omit<LineUpdate, 'commands'> {
  const formerChainId = formerChainOf(t);
  return {
    storeChainId: t.originalTransactionId,
    accountToken: t.appAccountToken ?? null,
    firstAt: isoFromMs(t.purchaseDate),
    ...(formerChainId !== undefined && { ownedWith: formerChainId }),
  };
}
