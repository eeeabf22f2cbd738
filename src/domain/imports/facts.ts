// Facts of an import in the neutral form: customers, purchases and grants, each from one row of a file. Files of other services are
// converted to them. Times are ISO 8601 UTC with milliseconds, money is in micro-units.
import { z } from 'zod';
import type { ImportedRow } from '../envelope.js';
import { storeKind } from '../store-kinds.js';
import { expirationReason, refundPolicy, startReasons } from '../subscriber/events/blocks.js';
import { isoFromMs, isStoreDuration } from '../time.js';
import { appUserId, text } from '../values/user-text.js';
import { isCountry, decimalsOf } from '../values/iso-codes.js';

const instant = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2026-04-13T08:00:00Z' })
  .transform((time) => isoFromMs(Date.parse(time)));
const optionalInstant = instant.nullable().default(null);
const optionalText = (max: number) => text(max).nullable().default(null);
const micros = z.int().min(0).max(9_000_000_000_000_000).nullable().default(null);
const share = z.number().min(0).max(1).nullable().default(null);
const country = z.string().refine(isCountry, 'must be a country of ISO 3166-1 alpha-2').nullable().default(null);

/** Periods of subscriptions, and `one_time` for any other purchase. */
const importedKinds = ['trial', 'intro', 'normal', 'prepaid', 'one_time'] as const;

/** Change of a purchase after its transaction and before the next one of the subscription. `at`: when it took effect. */
const importedChange = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(['auto_renew_off', 'auto_renew_on', 'revoked']), at: instant }),
  /** A charge failed. `graceExpiresAt`: until then the customer keeps access. */
  z.strictObject({ kind: z.literal('billing_issue'), at: instant, graceExpiresAt: optionalInstant }),
  z.strictObject({ kind: z.literal('grace_expired'), at: instant }),
  z.strictObject({ kind: z.literal('extended'), at: instant, expiresAt: instant }),
  z.strictObject({ kind: z.literal('paused'), at: instant, autoResumeAt: optionalInstant }),
  /** `product_change`: replaced by the purchase of another product. */
  z.strictObject({ kind: z.literal('expired'), at: instant, reason: expirationReason.default('unknown') }),
  /** `share`: of the price, without earlier refunds; 0 for a refund that ended access after the whole price was given back in parts. */
  z.strictObject({ kind: z.literal('refunded'), at: instant, share: z.number().min(0).max(1), policy: refundPolicy }),
  z.strictObject({ kind: z.literal('refund_reversed'), at: instant }),
]);
export type ImportedChange = z.output<typeof importedChange>;

/** One transaction: a period of a subscription, or a one-time purchase. */
export const importedPurchase = z.strictObject({
  type: z.literal('purchase'),
  appUserId,
  store: storeKind,
  /** App of the project; null: the only app of the store, or the one that has the product. */
  appId: optionalText(100),
  storeProductId: text(255),
  /** Transaction ID of the ios-store, order ID of the android-store. */
  transactionId: text(255),
  /** First transaction of the subscription. */
  originalTransactionId: optionalText(255),
  /** Purchase token of the android-store. */
  purchaseToken: optionalText(2000),
  kind: z.enum(importedKinds),
  purchasedAt: instant,
  /** End of the period, without grace; null for a purchase that does not end. */
  expiresAt: optionalInstant,
  /** End of a grace period. */
  graceExpiresAt: optionalInstant,
  /** End of access, if the source says that it is before the end of the period. */
  accessEndsAt: optionalInstant,
  currency: z
    .string()
    .refine((code) => decimalsOf(code) !== undefined, 'must be a currency of ISO 4217')
    .nullable()
    .default(null),
  /** Price before refunds, tax included. */
  amountMicros: micros,
  /** The same in US dollars; null: converted at the rate of the day. */
  usdMicros: micros,
  /** Share of the price. */
  taxRate: share,
  /** Share of the price; null: the store's usual one. */
  commissionRate: share,
  refundedAt: optionalInstant,
  /** Refunded share of the price. */
  refundShare: z.number().gt(0).max(1).default(1),
  /** The customer turned auto-renewal off. */
  autoRenewOffAt: optionalInstant,
  /** The renewal could not be charged. */
  billingIssueAt: optionalInstant,
  /** End of a pause that begins with the end of the period. */
  autoResumeAt: optionalInstant,
  environment: z.enum(['production', 'sandbox']).default('production'),
  ownership: z.enum(['purchased', 'family_shared']).default('purchased'),
  country,
  /** Lookup key of the offering. */
  offering: optionalText(255),
  offerType: z.enum(['introductory', 'promotional', 'offer_code', 'win_back', 'unspecified']).nullable().default(null),
  offerId: optionalText(255),
  /** ISO 8601; null: as in the catalogue. */
  productDuration: z.string().refine(isStoreDuration, 'must be a duration such as P1M').nullable().default(null),
  /** Duration of this period, ISO 8601; null: that of the product or its trial. */
  periodDuration: z.string().refine(isStoreDuration, 'must be a duration such as P1M').nullable().default(null),
  /** Renewals before this period; 0: the first period of the subscription. Null: derived from the transaction IDs. */
  renewals: z.int().min(0).nullable().default(null),
  /** Why the subscription of a first period began; null: derived from its purchases. */
  startReason: z.enum(startReasons).nullable().default(null),
  /**
   * All changes in the order of their times. They replace `graceExpiresAt`, `accessEndsAt`, `refundedAt`, `refundShare`, `autoRenewOffAt`,
   * `billingIssueAt` and `autoResumeAt`, which contain only the last of each. Null: those fields count.
   */
  changes: z.array(importedChange).max(1000).nullable().default(null),
  /**
   * A fact that the source does not state. The purchase is left out and reported, unless another row about it is complete. An `end` follows
   * from the catalogue's duration; only what does not last for a period there may be without one.
   */
  missing: z.enum(['refund_time', 'first_transaction', 'end']).nullable().default(null),
  /** Lookup keys of what the purchase unlocked at the source. They are compared with the catalogue, and not recorded. */
  entitlements: z.array(text(255)).max(100).default([]),
});
export type ImportedPurchase = Omit<z.output<typeof importedPurchase>, 'type'>;

/** Customer with all names of the same person. */
const importedCustomer = z.strictObject({
  type: z.literal('customer'),
  appUserId,
  aliases: z.array(appUserId).max(1000).default([]),
  firstSeenAt: optionalInstant,
  lastSeenAt: optionalInstant,
  country,
  platform: optionalText(50),
  attributes: z.record(z.string(), z.strictObject({ value: z.string(), updatedAt: instant })).default({}),
});
export type ImportedCustomer = Omit<z.output<typeof importedCustomer>, 'type'>;

/** Access without a purchase. */
const importedGrant = z.strictObject({
  type: z.literal('grant'),
  appUserId,
  /** ID or lookup key. */
  entitlement: text(255),
  startsAt: instant,
  /** Null: permanent. */
  expiresAt: optionalInstant,
});
type ImportedGrant = Omit<z.output<typeof importedGrant>, 'type'>;

/** Purchase token of the android-store of a customer's product, for files that contain only orders. */
export const importedToken = z.strictObject({
  type: z.literal('token'),
  appUserId,
  storeProductId: text(255),
  purchaseToken: text(2000),
});
export type ImportedToken = Omit<z.output<typeof importedToken>, 'type'>;

/** First line of a history that another installation wrote. `writtenAt`: until then it knows what happened to its purchases. */
const exportedHistory = z.strictObject({ type: z.literal('export'), writtenAt: instant });

/** Line of a file in the neutral form. */
export const importedLine = z.discriminatedUnion('type', [
  exportedHistory,
  importedCustomer,
  importedPurchase,
  importedGrant,
  importedToken,
]);

/**
 * Facts of one row. `customerKey`: the same for all rows of a customer. `isOriginal`: the source tells its customers apart by it. `updatedAt`:
 * of two rows about one purchase line the newer counts (ISO 8601 UTC); empty if unknown. `customer`: null if the row is of a former owner.
 */
export type ImportedFact = {
  readonly customerKey: string;
  readonly isOriginal: boolean;
  readonly updatedAt: string;
  readonly from: ImportedRow;
  readonly customer: ImportedCustomer | null;
  readonly purchase: ImportedPurchase | null;
  readonly grant: ImportedGrant | null;
  readonly token: ImportedToken | null;
};
