// Schemas shared by several subscriber events: purchases, offers, periods, prices, grants.
import { z } from 'zod';
import { moneySchema } from '../../money.js';
import { appStore } from '../../store-kinds.js';
import { inGroups } from '../../values/field-groups.js';

export const instant = z.iso.datetime({ precision: 3 });
export const environment = z.enum(['production', 'sandbox']);
export type Environment = z.output<typeof environment>;

/** `storeChainId`: all transactions of one subscription in the store. `productId` is null while the product is not in the catalogue. */
const purchaseFields = {
  transactionId: z.string(),
  originalTransactionId: z.string(),
  storeChainId: z.string(),
  store: appStore,
  appId: z.string(),
  productId: z.string().nullable(),
  storeProductId: z.string(),
  environment,
  ownership: z.enum(['purchased', 'family_shared']),
  country: z.string().length(2).nullable(),
  offeringId: z.string().nullable(),
  placementId: z.string().nullable(),
};
export const oneTimePurchase = z.strictObject(purchaseFields);
export const subscriptionPurchase = z.strictObject({ subscriptionId: z.string(), ...purchaseFields });
export type OneTimePurchaseRef = z.output<typeof oneTimePurchase>;
export type SubscriptionPurchaseRef = z.output<typeof subscriptionPurchase>;

export const offerTypes = ['introductory', 'promotional', 'offer_code', 'win_back', 'unspecified'] as const;
export const startReasons = [
  ...(['first_purchase', 'resubscribe', 'product_change'] as const),
  ...(['family_share', 'transfer', 'imported'] as const),
] as const;

export const offer = z.strictObject({
  offerType: z.enum(offerTypes).nullable(),
  offerId: z.string().nullable(),
  discountType: z.enum(['free_trial', 'pay_as_you_go', 'pay_up_front', 'one_time']).nullable(),
});
export type Offer = z.output<typeof offer>;

export const periodType = z.enum(['trial', 'intro', 'normal', 'prepaid']);
export type PeriodType = z.output<typeof periodType>;
const periodTypes: ReadonlySet<string> = new Set(periodType.options);
export function isPeriodType(type: string): type is PeriodType {
  return periodTypes.has(type);
}

/** One paid or free period. Durations are ISO 8601; null where neither store nor catalogue has one. */
export const periodFields = {
  periodType,
  periodDuration: z.string().nullable(),
  productDuration: z.string().nullable(),
  purchasedAt: instant,
  expiresAt: instant,
  /** End of the commitment that is paid in periods such as this one. */
  commitmentEndsAt: instant.optional(),
  money: moneySchema,
  offer,
};

export const expirationReason = z.enum([
  'unsubscribe',
  'billing_error',
  'price_increase',
  'product_not_for_sale',
  'developer_initiated',
  'subscription_paused',
  'customer_support',
  'product_change',
  'unknown',
]);
export type ExpirationReason = z.output<typeof expirationReason>;

export const cancelReason = z.enum([
  'unsubscribe',
  'billing_error',
  'developer_initiated',
  'price_increase',
  'customer_support',
  'unknown',
]);
export type CancelReason = z.output<typeof cancelReason>;

export const refundPolicy = z.enum(['revoke_immediately', 'keep_until_expiry']);
export type RefundPolicy = z.output<typeof refundPolicy>;

/** Wish of the app about a refund that a customer requested; the store decides. */
export const refundPreference = z.enum(['decline', 'grant_full', 'grant_prorated']);
export type RefundPreference = z.output<typeof refundPreference>;

/** Refunded money, split by the rates of its charge. */
export const refund = z.strictObject({
  kind: z.enum(['full', 'prorated', 'partial_quantity']),
  share: inGroups(z.number().min(0).max(1), 'money'),
  money: moneySchema,
});

/** Price of a future renewal, in micros of its currency. */
export const price = inGroups(z.strictObject({ currency: z.string().length(3), amountMicros: z.int() }), 'money');
export type Price = z.output<typeof price>;

export const revocationReason = z.enum(['family_sharing', 'store']);
export type RevocationReason = z.output<typeof revocationReason>;

export const grantTerms = {
  grantId: z.string(),
  entitlementId: z.string(),
  lookupKey: z.string(),
  startsAt: instant,
  expiresAt: instant.nullable(),
};

/** First download of an app by an account of its store. `version`: of the app, as the store names it. */
export const appDownload = {
  appId: z.string(),
  environment,
  version: z.string(),
  downloadedAt: instant,
};

export const enrolment = {
  experimentId: z.string(),
  variantId: z.string(),
  variantName: z.string(),
  offeringId: z.string(),
};
