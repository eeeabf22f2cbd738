// What the android-store's API returns, field by field, as zod schemas. Names and forms are the wire's: Play Developer API v3,
// resources "SubscriptionPurchaseV2", "ProductPurchase", "Order" and "VoidedPurchase". Fields we do not know are dropped; a new value
// of a string field passes.
import { z } from 'zod';

const text = z.string().max(4096);
const name = z.string().min(1).max(2048);
/** RFC 3339 with any number of decimals, as ISO 8601 with milliseconds. Beyond the year 9999 dates stop sorting as text. */
const instant = z
  .string()
  .max(40)
  .refine((s) => /^\d{4}-\d\d-\d\dT/.test(s) && !Number.isNaN(Date.parse(s)), 'must be an RFC 3339 instant')
  .transform((s) => new Date(Date.parse(s)).toISOString())
  .refine((s) => s.length === 24, 'must lie before the year 10000');
/** Milliseconds since the epoch, as the API writes whole numbers of 64 bits: in quotes. */
const ms = z
  .union([z.string().regex(/^\d{1,15}$/), z.int().min(0)])
  .transform(Number)
  .refine((n) => n <= 253_402_300_799_999, 'must lie before the year 10000');
const count = z.union([z.string().regex(/^\d{1,9}$/), z.int().min(0).max(999_999_999)]).transform(Number);

/** `units` are whole units of the currency, `nanos` thousand-millionths of one. */
const price = z.object({
  currencyCode: z.string().length(3),
  units: z
    .union([z.string().regex(/^-?\d{1,12}$/), z.int().min(-1e12).max(1e12)])
    .transform(Number)
    .optional(),
  nanos: z.int().min(-999_999_999).max(999_999_999).optional(),
});

const nothing = z.looseObject({});

const offerPhaseSchema = z.object({
  freeTrial: nothing.optional(),
  introductoryPrice: nothing.optional(),
  basePrice: nothing.optional(),
  prorationPeriod: nothing.optional(),
});

const priceChangeSchema = z.object({
  newPrice: price.optional(),
  /** `OUTSTANDING`, `CONFIRMED`, `APPLIED` or `CANCELED`. */
  priceChangeState: text.optional(),
  priceChangeMode: text.optional(),
  expectedNewPriceChargeTime: instant.optional(),
});

const lineItemSchema = z.object({
  productId: name,
  /** Absent while the payment is pending. */
  expiryTime: instant.optional(),
  latestSuccessfulOrderId: name.optional(),
  autoRenewingPlan: z
    .object({
      autoRenewEnabled: z.boolean().optional(),
      recurringPrice: price.optional(),
      priceChangeDetails: priceChangeSchema.optional(),
      /** Of a plan with a commitment: cancelled once all that was committed to is paid. */
      installmentDetails: z
        .object({
          remainingCommittedPaymentsCount: z.int().min(0).max(1000).optional(),
          pendingCancellation: nothing.optional(),
        })
        .optional(),
      priceStepUpConsentDetails: z
        .object({ state: text.optional(), consentDeadlineTime: instant.optional(), newPrice: price.optional() })
        .optional(),
    })
    .optional(),
  prepaidPlan: nothing.optional(),
  offerDetails: z.object({ basePlanId: text.optional(), offerId: text.optional() }).optional(),
  offerPhase: offerPhaseSchema.optional(),
  deferredItemReplacement: z.object({ productId: text.optional() }).optional(),
});

export const subscriptionSchema = z.object({
  /** `SUBSCRIPTION_STATE_` and `PENDING`, `ACTIVE`, `PAUSED`, `IN_GRACE_PERIOD`, `ON_HOLD`, `CANCELED`, `EXPIRED`, `PENDING_PURCHASE_CANCELED`. */
  subscriptionState: text,
  startTime: instant.optional(),
  regionCode: text.optional(),
  linkedPurchaseToken: name.optional(),
  latestOrderId: name.optional(),
  /** `ACKNOWLEDGEMENT_STATE_PENDING` or `ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED`. */
  acknowledgementState: text.optional(),
  /** There for purchases by licence testers. */
  testPurchase: nothing.optional(),
  externalAccountIdentifiers: z
    .object({ obfuscatedExternalAccountId: text.optional(), obfuscatedExternalProfileId: text.optional() })
    .optional(),
  /** Bought in the store's own app, after the purchase named here had ended: the buyer is the same. */
  outOfAppPurchaseContext: z
    .object({
      expiredPurchaseToken: name.optional(),
      expiredExternalAccountIdentifiers: z.object({ obfuscatedExternalAccountId: text.optional() }).optional(),
    })
    .optional(),
  pausedStateContext: z.object({ autoResumeTime: instant.optional() }).optional(),
  canceledStateContext: z
    .object({
      userInitiatedCancellation: z.object({ cancelTime: instant.optional() }).optional(),
      systemInitiatedCancellation: nothing.optional(),
      developerInitiatedCancellation: nothing.optional(),
      replacementCancellation: nothing.optional(),
    })
    .optional(),
  lineItems: z.array(lineItemSchema).min(1).max(100),
});

export const productSchema = z.object({
  /** 0 bought, 1 cancelled, 2 pending. */
  purchaseState: z.int().optional(),
  purchaseTimeMillis: ms,
  /** 0 to be acknowledged, 1 done. */
  acknowledgementState: z.int().optional(),
  orderId: name.optional(),
  quantity: z.int().min(1).max(1_000_000).optional(),
  /** 0 test, 1 promotional, 2 rewarded; absent for what was paid. */
  purchaseType: z.int().optional(),
  regionCode: text.optional(),
  obfuscatedExternalAccountId: text.optional(),
});

const orderLineSchema = z.object({
  productId: text.optional(),
  /** What was paid for this line, taxes included. */
  total: price.optional(),
  subscriptionDetails: z
    .object({
      basePlanId: text.optional(),
      offerId: text.optional(),
      /** `BASE`, `INTRODUCTORY` or `FREE_TRIAL`; deprecated for `offerPhaseDetails`. */
      offerPhase: text.optional(),
      offerPhaseDetails: z
        .object({ freeTrialDetails: nothing.optional(), introductoryPriceDetails: nothing.optional() })
        .optional(),
      /** As they were when the order was processed. */
      servicePeriodStartTime: instant.optional(),
      servicePeriodEndTime: instant.optional(),
    })
    .optional(),
});

export const orderSchema = z.object({
  orderId: name,
  purchaseToken: name.optional(),
  /** `PENDING`, `PROCESSED`, `CANCELED`, `PENDING_REFUND`, `PARTIALLY_REFUNDED` or `REFUNDED`. */
  state: text.optional(),
  createTime: instant.optional(),
  total: price.optional(),
  lineItems: z.array(orderLineSchema).max(100).default([]),
});

export const voidedPurchasesSchema = z.object({
  voidedPurchases: z
    .array(
      z.object({
        purchaseToken: name,
        orderId: name,
        voidedTimeMillis: ms,
        /** Of a purchase of several, how many were given back. */
        voidedQuantity: count.optional(),
      }),
    )
    .default([]),
  tokenPagination: z.object({ nextPageToken: name.optional() }).optional(),
});

export const accessTokenSchema = z.object({
  access_token: z.string().min(1).max(8192),
  expires_in: z.number().min(0).max(86_400).default(3600),
});
