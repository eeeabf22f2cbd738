// Zod schemas of the android-store's API responses. Names and formats are the wire's: Play Developer API v3, resources
// "SubscriptionPurchaseV2", "ProductPurchase", "Order" and "VoidedPurchase". Unknown fields are dropped; new values of string fields are
// accepted.
import { z } from 'zod';

export const text = z.string().max(4096);
export const name = z.string().min(1).max(2048);
/** RFC 3339 with any number of decimals, converted to ISO 8601 with milliseconds. Dates after the year 9999 do not sort as text. */
export const instant = z
  .string()
  .max(40)
  .refine((s) => /^\d{4}-\d\d-\d\dT/.test(s) && !Number.isNaN(Date.parse(s)), 'must be an RFC 3339 instant')
  .transform((s) => new Date(Date.parse(s)).toISOString())
  .refine((s) => s.length === 24, 'must be before the year 10000');
/** Milliseconds since the epoch, in the API's format of 64-bit integers: a quoted string. */
const ms = z
  .union([z.string().regex(/^\d{1,15}$/), z.int().min(0)])
  .transform(Number)
  .refine((n) => n <= 253_402_300_799_999, 'must be before the year 10000');
const count = z.union([z.string().regex(/^\d{1,9}$/), z.int().min(0).max(999_999_999)]).transform(Number);

/** Amount of money: `units` are whole units of the currency, `nanos` billionths of one. */
export const price = z.object({
  currencyCode: z.string().length(3),
  units: z
    .union([z.string().regex(/^-?\d{1,12}$/), z.int().min(-1e12).max(1e12)])
    .transform(Number)
    .optional(),
  nanos: z.int().min(-999_999_999).max(999_999_999).optional(),
});

export const anyObject = z.looseObject({});

const offerPhaseSchema = z.object({
  freeTrial: anyObject.optional(),
  introductoryPrice: anyObject.optional(),
  basePrice: anyObject.optional(),
  prorationPeriod: anyObject.optional(),
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
      /** Present for a plan with a commitment: cancelled once all committed payments are made. */
      installmentDetails: z
        .object({
          remainingCommittedPaymentsCount: z.int().min(0).max(1000).optional(),
          pendingCancellation: anyObject.optional(),
        })
        .optional(),
      priceStepUpConsentDetails: z
        .object({ state: text.optional(), consentDeadlineTime: instant.optional(), newPrice: price.optional() })
        .optional(),
    })
    .optional(),
  prepaidPlan: anyObject.optional(),
  offerDetails: z.object({ basePlanId: text.optional(), offerId: text.optional() }).optional(),
  offerPhase: offerPhaseSchema.optional(),
  /** Present for a purchase with a promotional code. */
  signupPromotion: anyObject.optional(),
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
  /** Present for purchases by licence testers. */
  testPurchase: anyObject.optional(),
  externalAccountIdentifiers: z
    .object({ obfuscatedExternalAccountId: text.optional(), obfuscatedExternalProfileId: text.optional() })
    .optional(),
  /** Present for a purchase in the store's own app, after the purchase identified here had ended: the buyer is the same. */
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
      systemInitiatedCancellation: anyObject.optional(),
      developerInitiatedCancellation: anyObject.optional(),
      replacementCancellation: anyObject.optional(),
    })
    .optional(),
  lineItems: z.array(lineItemSchema).min(1).max(100),
});

/** Part of a one-time purchase: a product with the option and the offer by which it was bought. */
type ProductLine = {
  readonly productId: string;
  readonly purchaseOptionId?: string | undefined;
  readonly offerId?: string | undefined;
  readonly quantity: number;
  /** Quantity that was not refunded. */
  readonly refundableQuantity?: number | undefined;
  readonly isRental: boolean;
  readonly isPreorder: boolean;
};

const productLineSchema = z
  .object({
    productId: name,
    productOfferDetails: z
      .object({
        purchaseOptionId: text.optional(),
        offerId: text.optional(),
        quantity: z.int().min(1).max(1_000_000).optional(),
        refundableQuantity: z.int().min(0).max(1_000_000).optional(),
        rentOfferDetails: anyObject.optional(),
        preorderOfferDetails: anyObject.optional(),
      })
      .default({}),
  })
  .transform(({ productId, productOfferDetails: o }): ProductLine => {
    const { purchaseOptionId, offerId, quantity = 1, refundableQuantity } = o;
    const terms = { purchaseOptionId, offerId, quantity, refundableQuantity };
    return { productId, ...terms, isRental: 'rentOfferDetails' in o, isPreorder: 'preorderOfferDetails' in o };
  });

const PRODUCT_STATES: ReadonlyMap<string, number> = new Map([
  ['PURCHASED', 0],
  ['CANCELLED', 1],
  ['PENDING', 2],
]);

/** Resource "ProductPurchaseV2", with the names and numbers of "ProductPurchase" where both have a field. */
export const productV2Schema = z
  .object({
    productLineItem: z.array(productLineSchema).min(1).max(100),
    purchaseStateContext: z.object({ purchaseState: text.optional() }).default({}),
    /** Present for purchases by licence testers. */
    testPurchaseContext: anyObject.optional(),
    orderId: name.optional(),
    obfuscatedExternalAccountId: text.optional(),
    regionCode: text.optional(),
    /** Absent while the payment is pending. */
    purchaseCompletionTime: instant.optional(),
    acknowledgementState: text.optional(),
  })
  .transform(
    ({ productLineItem: lines, purchaseStateContext, testPurchaseContext, purchaseCompletionTime: at, ...p }) => ({
      lines,
      purchaseState: PRODUCT_STATES.get(purchaseStateContext.purchaseState ?? '') ?? UNKNOWN_STATE,
      purchaseTimeMillis: at === undefined ? undefined : Date.parse(at),
      acknowledgementState: p.acknowledgementState === 'ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED' ? 1 : 0,
      orderId: p.orderId,
      quantity: lines[0]?.quantity,
      purchaseType: testPurchaseContext === undefined ? undefined : 0,
      regionCode: p.regionCode,
      obfuscatedExternalAccountId: p.obfuscatedExternalAccountId,
    }),
  );

/** A state of later versions gives nothing. */
const UNKNOWN_STATE = -1;

export const productSchema = z.object({
  /** 0 purchased, 1 cancelled, 2 pending. */
  purchaseState: z.int().optional(),
  /** May be absent while the payment is pending. */
  purchaseTimeMillis: ms.optional(),
  /** 0 not yet acknowledged, 1 acknowledged. */
  acknowledgementState: z.int().optional(),
  orderId: name.optional(),
  quantity: z.int().min(1).max(1_000_000).optional(),
  refundableQuantity: z.int().min(0).max(1_000_000).optional(),
  /** 0 test, 1 promotional, 2 rewarded; absent for paid purchases. */
  purchaseType: z.int().optional(),
  regionCode: text.optional(),
  obfuscatedExternalAccountId: text.optional(),
});

/** Row of the list of voided purchases. Purchases without an order (promotional codes) are identified by their token. */
export const voidedPurchaseSchema = z
  .object({
    purchaseToken: name,
    orderId: name.optional(),
    voidedTimeMillis: ms,
    /** Refunded quantity of a purchase of several items. */
    voidedQuantity: count.optional(),
  })
  .transform((row) => ({ ...row, orderId: row.orderId ?? row.purchaseToken }));

/** Page of the list. Rows are parsed one by one: a malformed one must not prevent the refunds of the others. */
export const voidedPurchasesSchema = z.object({
  voidedPurchases: z.array(z.unknown()).default([]),
  tokenPagination: z.object({ nextPageToken: name.optional() }).optional(),
});

export const accessTokenSchema = z.object({
  access_token: z.string().min(1).max(8192),
  expires_in: z.number().min(0).max(86_400).default(3600),
});
