// Purchases of a customer as RevenueCat's SDKs decode them: subscriptions and grants, one per product, and one-time purchases.
import { accessEndsAt, grantedUntil } from '../../domain/subscriber/access.js';
import { isAllowed, type EntitlementRules } from '../../domain/subscriber/entitlements.js';
import type { OneTimePurchaseRef } from '../../domain/subscriber/events/blocks.js';
import type { Grant, Subscription } from '../../domain/subscriber/state/state.js';
import { revenueCatStore } from '../../domain/store-kinds.js';
import { amountOf } from '../../domain/values/iso-codes.js';
import type { CustomerDoc } from '../../projections/models/customers.js';
import type { TransactionDoc } from '../../projections/models/transactions.js';
import type { BodyOf } from '../bodies/response-schemas.js';
import type { oneTimePurchase, subscription } from './responses.js';

type Description = Pick<LastingPurchase, 'price' | 'display_name'>;
export type Describe = (purchase: Bought, charge: TransactionDoc | undefined) => Description;
export type Bought = Pick<OneTimePurchaseRef, 'appId' | 'storeProductId'>;

export function productIdOf({ appId, storeProductId }: Bought, rules: EntitlementRules): string | null {
  return rules.productIdOf(appId, storeProductId);
}

/** A base plan of the android-store is a field of its own here: `product:plan` in the catalogue. */
export function splitProductId(storeProductId: string): { readonly product: string; readonly plan: string | null } {
  const [product = storeProductId, plan] = storeProductId.split(':');
  return { product, plan: plan ?? null };
}

export function planField(storeProductId: string) {
  const { plan } = splitProductId(storeProductId);
  return plan === null ? {} : { product_plan_identifier: plan };
}

/** Price in the currency of the purchase; omitted while unknown. */
export function priceOf(charge: TransactionDoc | undefined) {
  const { amountMicros = null, currency = null } = charge?.money ?? {};
  return amountMicros === null || currency === null ? {} : { price: { amount: amountOf(amountMicros), currency } };
}

export function displayNameOf(name: string | undefined) {
  return name === undefined ? {} : { display_name: name };
}

type LastingPurchase = BodyOf<typeof subscription>;

/** Selects one purchase per product, since an SDK can read only one: the one that gives access longest. */
export function longestOf(
  entries: readonly (readonly [string, LastingPurchase])[],
): Readonly<Record<string, LastingPurchase>> {
  const longest = new Map<string, LastingPurchase>();
  for (const [key, one] of entries) {
    const other = longest.get(key);
    if (!other || (other.expires_date !== null && (one.expires_date ?? '9999') > other.expires_date))
      longest.set(key, one);
  }
  return Object.fromEntries(longest);
}

export function presentSubscription(
  s: Subscription,
  now: string,
  rules: EntitlementRules,
  about: Description,
): LastingPurchase {
  const { purchase, period } = s;
  const endsAt = accessEndsAt(s);
  const isRefused = !isAllowed(purchase, rules) && endsAt > now;
  return {
    // An SDK concludes access from the end alone: of what gives none here it must be over.
    expires_date: isRefused ? period.purchasedAt : endsAt,
    purchase_date: period.purchasedAt,
    original_purchase_date: s.startedAt,
    store: revenueCatStore(purchase.store),
    is_sandbox: purchase.environment === 'sandbox',
    period_type: period.type,
    ownership_type: purchase.ownership === 'family_shared' ? 'FAMILY_SHARED' : 'PURCHASED',
    unsubscribe_detected_at: s.autoRenew.since,
    billing_issues_detected_at: s.billingIssueAt,
    grace_period_expires_date: s.graceEndsAt,
    refunded_at: s.refundedAt,
    auto_resume_date: s.pause?.autoResumeAt ?? null,
    store_transaction_id: purchase.transactionId,
    ...planField(purchase.storeProductId),
    ...about,
  };
}

export function presentGrant(grant: Grant): LastingPurchase {
  return {
    expires_date: grantedUntil(grant),
    purchase_date: grant.startsAt,
    original_purchase_date: grant.startsAt,
    store: 'promotional',
    is_sandbox: false,
    period_type: 'normal',
    ownership_type: 'PURCHASED',
    unsubscribe_detected_at: null,
    billing_issues_detected_at: null,
    grace_period_expires_date: null,
    refunded_at: null,
    auto_resume_date: null,
    store_transaction_id: grant.grantId,
  };
}

/** Oldest first. Owned purchases are listed even if their charge is another customer's, such as after a transfer. */
export function presentOneTime(
  owned: CustomerDoc['profile']['owned'],
  all: readonly TransactionDoc[],
  about: Describe,
) {
  const charges = new Map(all.filter((t) => t.subscriptionId === null).map((t) => [t.transactionId, t]));
  const entries = [
    ...[...charges.values()].map((t) => ({ ...t, charge: t })),
    ...owned
      .filter(({ purchase }) => !charges.has(purchase.transactionId))
      .map(({ purchase, purchasedAt }) => ({ ...purchase, purchasedAt, charge: undefined })),
  ].toSorted((a, b) => (a.purchasedAt < b.purchasedAt ? -1 : 1));
  const byProduct = new Map<string, BodyOf<typeof oneTimePurchase>[]>();
  for (const one of entries) {
    const { product } = splitProductId(one.storeProductId);
    const entry = {
      id: one.transactionId,
      purchase_date: one.purchasedAt,
      original_purchase_date: one.purchasedAt,
      is_sandbox: one.environment === 'sandbox',
      store: revenueCatStore(one.store),
      store_transaction_id: one.transactionId,
      ...about(one, one.charge),
    };
    byProduct.set(product, [...(byProduct.get(product) ?? []), entry]);
  }
  return Object.fromEntries(byProduct);
}
