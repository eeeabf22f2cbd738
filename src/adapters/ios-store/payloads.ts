// Zod schemas of the data that the ios-store signs. Names and units are the wire's (dates in ms since the epoch, prices in milliunits of
// their currency). Unknown fields are dropped; new values of string fields are accepted.
import { z } from 'zod';

/** Dates up to the end of the year 9999: later ones do not sort as text. */
const ms = z.int().min(0).max(253_402_300_799_999);
const name = z.string().min(1).max(256);
const text = z.string().max(4096);
const jws = z.string();

/** Accepted environments. Data of the test tools `Xcode` and `LocalTesting` is not signed by the store, so it is always rejected. */
export const environmentSchema = z.enum(['Production', 'Sandbox']);

const commitmentSchema = z.object({
  billingPeriodNumber: z.int().optional(),
  totalBillingPeriods: z.int().optional(),
  commitmentPrice: z.int().optional(),
  commitmentExpiresDate: ms.optional(),
});

const renewalCommitmentSchema = z.object({
  commitmentAutoRenewProductId: text.optional(),
  /** 1 on, 0 off: whether the commitment is renewed at its end; until then every month is charged. */
  commitmentAutoRenewStatus: z.int().optional(),
  commitmentRenewalBillingPlanType: text.optional(),
  commitmentRenewalDate: ms.optional(),
  /** Price of the whole commitment. */
  commitmentRenewalPrice: z.int().optional(),
});

/** Items of a purchase of the Advanced Commerce API, with what was given back for each. Amounts in milliunits. */
const advancedCommerceSchema = z.object({
  items: z
    .array(
      z.object({
        price: z.int().min(0).optional(),
        refunds: z.array(z.object({ refundAmount: z.int().min(0).optional(), refundDate: ms.optional() })).optional(),
        revocationDate: ms.optional(),
      }),
    )
    .optional(),
});

export const transactionSchema = z.object({
  transactionId: name,
  originalTransactionId: name,
  bundleId: name,
  productId: name,
  purchaseDate: ms,
  /** `Auto-Renewable Subscription`, `Non-Consumable`, `Consumable` or `Non-Renewing Subscription`. */
  type: name,
  environment: environmentSchema,
  webOrderLineItemId: text.optional(),
  appTransactionId: text.optional(),
  subscriptionGroupIdentifier: text.optional(),
  originalPurchaseDate: ms.optional(),
  expiresDate: ms.optional(),
  signedDate: ms.optional(),
  revocationDate: ms.optional(),
  /** 1 because of an issue with the app, 0 other. */
  revocationReason: z.int().optional(),
  /** `REFUND_FULL`, `REFUND_PRORATED` or `FAMILY_REVOKE`. */
  revocationType: text.optional(),
  /** Milliunits of percent: 50000 is 50 %. */
  revocationPercentage: z.int().optional(),
  quantity: z.int().optional(),
  /** `PURCHASED` or `FAMILY_SHARED`. */
  inAppOwnershipType: text.optional(),
  appAccountToken: text.optional(),
  price: z.int().optional(),
  currency: text.optional(),
  /** ISO 3166 alpha-3. */
  storefront: text.optional(),
  storefrontId: text.optional(),
  /** `PURCHASE` or `RENEWAL`. */
  transactionReason: text.optional(),
  /** 1 introductory, 2 promotional, 3 offer code, 4 win-back. */
  offerType: z.int().optional(),
  /** `FREE_TRIAL`, `PAY_AS_YOU_GO`, `PAY_UP_FRONT` or `ONE_TIME`. */
  offerDiscountType: text.optional(),
  offerIdentifier: text.optional(),
  /** ISO 8601 duration. */
  offerPeriod: text.optional(),
  isUpgraded: z.boolean().optional(),
  /** `MONTHLY` or `BILLED_UPFRONT`. */
  billingPlanType: text.optional(),
  commitmentInfo: commitmentSchema.optional().catch(undefined),
  /** An unreadable part must not reject the purchase. */
  advancedCommerceInfo: advancedCommerceSchema.optional().catch(undefined),
  previousOriginalTransactionId: text.optional(),
});

export const renewalInfoSchema = z.object({
  originalTransactionId: name,
  environment: environmentSchema,
  productId: text.optional(),
  autoRenewProductId: text.optional(),
  /** 1 on, 0 off. */
  autoRenewStatus: z.int().optional(),
  isInBillingRetryPeriod: z.boolean().optional(),
  /** 1 to 5: customer, billing error, price increase, not for sale, other. */
  expirationIntent: z.int().optional(),
  gracePeriodExpiresDate: ms.optional(),
  /** 0 not answered, 1 consented or only notified. */
  priceIncreaseStatus: z.int().optional(),
  renewalDate: ms.optional(),
  renewalPrice: z.int().optional(),
  /** `MONTHLY` or `BILLED_UPFRONT`, of the next renewal. */
  renewalBillingPlanType: text.optional(),
  commitmentInfo: renewalCommitmentSchema.optional().catch(undefined),
  currency: text.optional(),
  recentSubscriptionStartDate: ms.optional(),
  offerType: z.int().optional(),
  offerIdentifier: text.optional(),
  offerDiscountType: text.optional(),
  offerPeriod: text.optional(),
  eligibleWinBackOfferIds: z.array(text).optional(),
  appAccountToken: text.optional(),
  appTransactionId: text.optional(),
  signedDate: ms.optional(),
});

/** Proof that the device obtained the app; its environment field is `receiptType`. */
export const appTransactionSchema = z.object({
  bundleId: name,
  receiptType: environmentSchema,
  appAppleId: z.int().optional(),
  appTransactionId: text.optional(),
  /** Version and time of the first download; the version is `1.0` in the sandbox. */
  originalApplicationVersion: text.optional(),
  originalPurchaseDate: ms.optional(),
});

const dataSchema = z.object({
  environment: environmentSchema,
  bundleId: name,
  /** Absent in the sandbox. */
  appAppleId: z.int().optional(),
  bundleVersion: text.optional(),
  /** 1 active, 2 expired, 3 billing retry, 4 billing grace period, 5 revoked. */
  status: z.int().optional(),
  consumptionRequestReason: text.optional(),
  signedTransactionInfo: jws.optional(),
  signedRenewalInfo: jws.optional(),
});

const summarySchema = z.object({
  environment: environmentSchema,
  bundleId: name,
  appAppleId: z.int().optional(),
  productId: text.optional(),
  requestIdentifier: text.optional(),
  storefrontCountryCodes: z.array(text).optional(),
  succeededCount: z.int().optional(),
  failedCount: z.int().optional(),
});

const externalPurchaseTokenSchema = z.object({
  /** Starts with `SANDBOX` in the sandbox: the only indicator of the environment. */
  externalPurchaseId: name,
  bundleId: name,
  appAppleId: z.int().optional(),
  tokenCreationDate: ms.optional(),
  tokenType: text.optional(),
  tokenExpirationDate: ms.optional(),
});

const appDataSchema = z.object({
  environment: environmentSchema,
  bundleId: name,
  appAppleId: z.int().optional(),
  signedAppTransactionInfo: jws.optional(),
});

/** App identity in a container of a later version, as far as it has the format of the known ones. */
const otherContainerSchema = z.object({
  bundleId: name.optional().catch(undefined),
  environment: environmentSchema.optional().catch(undefined),
  appAppleId: z.int().optional().catch(undefined),
});

const containers = {
  data: dataSchema.optional(),
  summary: summarySchema.optional(),
  externalPurchaseToken: externalPurchaseTokenSchema.optional(),
  appData: appDataSchema.optional(),
};

/**
 * Schema of a notification. The store adds containers over time; an unknown one is accepted, and the raw notification is stored until a
 * version supports it.
 */
export const notificationSchema = z.preprocess(
  withOtherContainers,
  z
    .object({
      notificationType: name,
      subtype: text.optional(),
      notificationUUID: name,
      version: z.string().regex(/^2\./),
      signedDate: ms,
      ...containers,
      otherContainers: z.array(otherContainerSchema).exactOptional(),
    })
    .refine(
      (n) => [n.data, n.summary, n.externalPurchaseToken, n.appData].filter((part) => part !== undefined).length <= 1,
      'at most one of data, summary, externalPurchaseToken and appData is expected',
    ),
);

function withOtherContainers(payload: unknown): unknown {
  if (typeof payload !== 'object' || payload === null) return payload;
  const { otherContainers: _, ...fields } = payload as { readonly otherContainers?: unknown };
  const otherContainers = Object.entries(fields)
    .filter(([field, value]) => !Object.hasOwn(containers, field) && isContainer(value))
    .map(([, value]) => value);
  return otherContainers.length === 0 ? fields : { ...fields, otherContainers };
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
