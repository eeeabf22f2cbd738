// Rows of RevenueCat's scheduled export of transactions, by column name, whatever its version or selection of columns. A row is a snapshot
// of a transaction: a refund or a failed payment changes it later. Columns: RevenueCat's page "Scheduled Data Exports".
import { importedPurchase, type ImportedPurchase } from '../../../domain/imports/facts.js';
import type { FileRow, ReadRow } from '../../../domain/imports/problems.js';
import { isAnonymous } from '../../../domain/ids.js';
import { rulesOfStore, storeOfRevenueCatName, type StoreKind } from '../../../domain/store-kinds.js';
import { addDuration, isStoreDuration } from '../../../domain/time.js';
import { isCountry } from '../../../domain/values/iso-codes.js';
import { appUserId } from '../../../domain/values/user-text.js';
import {
  attributesOf,
  orProblem,
  booleanIn,
  listIn,
  microsIn,
  numberIn,
  requiredText,
  textIn,
  timeIn,
} from './cells.js';
import { readOtherStore, readPromotional, requiredTime, type TransactionNeeds } from './granted-rows.js';

/** Without these a file cannot be imported. */
export const requiredTransactionColumns = [
  'rc_original_app_user_id',
  'store',
  'product_identifier',
  'start_time',
  'store_transaction_id',
] as const;

/** Columns whose lack changes the result, with what follows from it. */
export const optionalTransactionColumns: Readonly<Record<string, string>> = {
  rc_last_seen_app_user_id_alias: 'customers keep the first of their names, which may be an anonymous one',
  end_time: 'purchases end by the duration of their product in the catalogue',
  is_auto_renewable: 'subscriptions cannot be told from one-time purchases by it; a purchase with an end counts as one',
  purchase_price_in_purchased_currency: 'refunded purchases have no price, and refunds no amount',
  purchased_currency: 'prices are unknown',
  first_seen_time: 'customers are first seen with their first purchase',
  refunded_at: 'refunds are not imported',
  unsubscribe_detected_at: 'it is unknown who turned auto-renewal off',
  billing_issues_detected_at: 'a renewal after a failed payment counts as a new subscription',
  tax_percentage: 'taxes count as 0',
  commission_percentage: 'the usual commission of the store counts',
  original_store_transaction_id: 'every transaction counts as a subscription of its own',
};

const otherTransactionColumns = [
  ...['country', 'product_duration', 'grace_period_end_time', 'effective_end_time', 'is_trial_period', 'platform'],
  ...['is_in_intro_offer_period', 'is_sandbox', 'price_in_usd', 'price_in_purchased_currency', 'purchase_price_in_usd'],
  ...['auto_resume_time', 'entitlement_identifiers', 'renewal_number', 'presented_offering', 'offer', 'offer_type'],
  ...['ownership_type', 'reserved_subscriber_attributes', 'custom_subscriber_attributes', 'updated_at'],
];

export const knownTransactionColumns: ReadonlySet<string> = new Set([
  ...requiredTransactionColumns,
  ...Object.keys(optionalTransactionColumns),
  ...otherTransactionColumns,
]);

/** Converts a row. A row that cannot be read becomes a problem that says which column and why. */
export function readTransaction(row: FileRow, needs: TransactionNeeds): ReadRow {
  return orProblem(row.from, () => readCells(row, needs));
}

function readCells({ from, values }: FileRow, needs: TransactionNeeds): ReadRow {
  const original = appUserId.parse(requiredText(values, 'rc_original_app_user_id'));
  const lastSeen = appUserId.parse(textIn(values, 'rc_last_seen_app_user_id_alias') ?? original);
  const country = countryIn(values);
  const [main, other] = isAnonymous(lastSeen) ? [original, lastSeen] : [lastSeen, original];
  const customer = {
    appUserId: main,
    aliases: main === other ? [] : [other],
    firstSeenAt: timeIn(values, 'first_seen_time'),
    lastSeenAt: null,
    country,
    platform: textIn(values, 'platform'),
    attributes: {
      ...attributesOf(values, 'reserved_subscriber_attributes'),
      ...attributesOf(values, 'custom_subscriber_attributes'),
    },
  };
  const updatedAt = timeIn(values, 'updated_at') ?? '';
  const about = {
    customerKey: original,
    isOriginal: true,
    updatedAt,
    from,
    customer,
    purchase: null,
    grant: null,
    token: null,
  };
  const storeName = requiredText(values, 'store');
  if (storeName === 'promotional') return readPromotional({ from, values }, about);
  const store = storeOfRevenueCatName(storeName);
  if (store === null) return readOtherStore({ from, values }, storeName, about, needs);
  return { facts: [{ ...about, purchase: readPurchase(values, store, original, country) }], problems: [] };
}

function countryIn(values: FileRow['values']): string | null {
  const country = textIn(values, 'country')?.toUpperCase() ?? null;
  return country !== null && isCountry(country) ? country : null;
}

function readPurchase(
  values: FileRow['values'],
  store: StoreKind,
  owner: string,
  country: string | null,
): ImportedPurchase {
  const renewal = numberIn(values, 'renewal_number');
  const duration = textIn(values, 'product_duration');
  const { type: _type, ...purchase } = importedPurchase.parse({
    type: 'purchase',
    appUserId: owner,
    store,
    storeProductId: requiredText(values, 'product_identifier'),
    transactionId: requiredText(values, 'store_transaction_id'),
    originalTransactionId: textIn(values, 'original_store_transaction_id'),
    ...endsIn(values, store),
    currency: textIn(values, 'purchased_currency')?.toUpperCase() ?? null,
    ...pricesIn(values),
    taxRate: numberIn(values, 'tax_percentage'),
    commissionRate: numberIn(values, 'commission_percentage'),
    refundedAt: timeIn(values, 'refunded_at'),
    autoRenewOffAt: timeIn(values, 'unsubscribe_detected_at'),
    autoResumeAt: timeIn(values, 'auto_resume_time'),
    environment: booleanIn(values, 'is_sandbox') ? 'sandbox' : 'production',
    ownership: textIn(values, 'ownership_type') === 'FAMILY_SHARED' ? 'family_shared' : 'purchased',
    country,
    offering: textIn(values, 'presented_offering'),
    ...offerIn(values),
    productDuration: duration !== null && isStoreDuration(duration) ? duration : null,
    renewals: renewal === null ? null : Math.max(0, renewal - 1),
    entitlements: listIn(values, 'entitlement_identifiers'),
  });
  return purchase.expiresAt === null && !isForEver(values) ? { ...purchase, missing: 'end' } : purchase;
}

/** Durations of products that do not end are hundreds of years. */
const FOR_EVER = /^P\d{3,}Y$/;

function isForEver(values: FileRow['values']): boolean {
  return FOR_EVER.test(textIn(values, 'product_duration') ?? '');
}

/** The effective end is that of access: after the period in grace, before it after a refund or a revocation. */
function endsIn(values: FileRow['values'], store: StoreKind) {
  const purchasedAt = requiredTime(values, 'start_time');
  const effective = timeIn(values, 'effective_end_time');
  const expiresAt = timeIn(values, 'end_time') ?? endWithoutRenewal(values, purchasedAt, effective);
  const grace = timeIn(values, 'grace_period_end_time');
  const hasEnded = expiresAt !== null && effective !== null && effective < expiresAt;
  const isAfter = expiresAt !== null && effective !== null && effective > expiresAt;
  const graceExpiresAt = isAfter && (grace === null || grace < effective) ? effective : grace;
  const isGrace = expiresAt !== null && graceExpiresAt !== null && graceExpiresAt > expiresAt;
  return {
    kind: kindOf(values, store, expiresAt !== null),
    purchasedAt,
    expiresAt,
    graceExpiresAt,
    accessEndsAt: hasEnded && effective >= purchasedAt ? effective : null,
    billingIssueAt: timeIn(values, 'billing_issues_detected_at') ?? (isGrace ? expiresAt : null),
  };
}

/** A purchase that does not renew has no end in the file, also if it lasts for a period. */
function endWithoutRenewal(values: FileRow['values'], startsAt: string, effective: string | null): string | null {
  if (textIn(values, 'is_auto_renewable') === null || booleanIn(values, 'is_auto_renewable')) return effective;
  const duration = textIn(values, 'product_duration');
  if (duration === null || !isStoreDuration(duration)) return effective;
  return isForEver(values) ? null : (effective ?? addDuration(startsAt, duration));
}

function kindOf(values: FileRow['values'], store: StoreKind, hasEnd: boolean): ImportedPurchase['kind'] {
  if (booleanIn(values, 'is_trial_period')) return 'trial';
  if (booleanIn(values, 'is_in_intro_offer_period')) return 'intro';
  if (textIn(values, 'is_auto_renewable') === null) return hasEnd ? 'normal' : 'one_time';
  if (booleanIn(values, 'is_auto_renewable')) return hasEnd ? 'normal' : 'one_time';
  return hasEnd && rulesOfStore(store).namesChainBy === 'purchaseToken' ? 'prepaid' : 'one_time';
}

/** Prices are before refunds. Older versions have only the price after refunds, which is the same if there was none. */
function pricesIn(values: FileRow['values']) {
  const isRefunded = textIn(values, 'refunded_at') !== null;
  const [gross, grossUsd] = ['purchase_price_in_purchased_currency', 'purchase_price_in_usd'].map((column) =>
    microsIn(values, column),
  );
  const [net, netUsd] = ['price_in_purchased_currency', 'price_in_usd'].map((column) => microsIn(values, column));
  const hasCurrency = textIn(values, 'purchased_currency') !== null;
  const amountMicros = hasCurrency ? (gross ?? (isRefunded ? null : net) ?? null) : null;
  return {
    amountMicros: amountMicros === null ? null : Math.max(0, amountMicros),
    usdMicros: amountMicros === null ? null : (grossUsd ?? (isRefunded ? null : netUsd) ?? null),
    refundShare: refundShareIn(values),
  };
}

/** Returns the refunded share of the price: all of it, unless a part of the price remains. */
export function refundShareIn(values: FileRow['values']): number {
  if (textIn(values, 'refunded_at') === null) return 1;
  const gross = microsIn(values, 'purchase_price_in_purchased_currency');
  const net = microsIn(values, 'price_in_purchased_currency');
  const netShare = gross === null || gross === 0 || net === null ? 0 : net / gross;
  return netShare > 0 && netShare < 1 ? Number((1 - netShare).toFixed(6)) : 1;
}

const OFFER_TYPES: ReadonlyMap<string, ImportedPurchase['offerType']> = new Map([
  ['introductory', 'introductory'],
  ['free_trial', 'introductory'],
  ['promotional', 'promotional'],
  ['offer_code', 'offer_code'],
  ['promo_code', 'offer_code'],
  ['win_back', 'win_back'],
]);

function offerIn(values: FileRow['values']): Pick<ImportedPurchase, 'offerId' | 'offerType'> {
  const type = textIn(values, 'offer_type')?.toLowerCase() ?? null;
  return {
    offerId: textIn(values, 'offer'),
    offerType: type === null ? null : (OFFER_TYPES.get(type) ?? 'unspecified'),
  };
}
