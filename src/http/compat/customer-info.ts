// The subscriber as RevenueCat's SDKs decode it. An SDK drops an entitlement, or the whole answer, whose product it cannot find among the
// purchases: every entitlement here names one. Fields: the SDKs' own decoders (`CustomerInfo`, `SubscriberResponse`).
import { accessEndsAt, grantedUntil } from '../../domain/subscriber/access.js';
import {
  entitlementsAt,
  isAllowed,
  type EntitlementHolding,
  type EntitlementRules,
} from '../../domain/subscriber/entitlements.js';
import type { OneTimePurchaseRef } from '../../domain/subscriber/events/blocks.js';
import { grantProductId } from '../../domain/subscriber/grant-durations.js';
import { precedes } from '../../domain/subscriber/state/app-downloads.js';
import type { Grant, Subscription } from '../../domain/subscriber/state/state.js';
import { revenueCatStore, type AppStore } from '../../domain/store-kinds.js';
import { isoFromMs, msFromIso } from '../../domain/time.js';
import { amountOf } from '../../domain/values/iso-codes.js';
import { products } from '../../projections/models/catalogue.js';
import { customers, type CustomerDoc } from '../../projections/models/customers.js';
import { apps } from '../../projections/models/projects.js';
import { transactionDocId, transactions, type TransactionDoc } from '../../projections/models/transactions.js';
import { readEntitlementRules, readTransactions } from '../customers/read-customer.js';
import { ownAppIdOf, type Caller } from '../dispatch/caller.js';
import type { Services } from '../dispatch/services.js';
import { deviceOf } from './sdk-values.js';
import type { SubscriberFormat } from '../subscribers/cached-subscriber.js';
import { readWritten, appIdsInUrl, managementUrl } from '../subscribers/present-subscriber.js';

export const compatFormat: SubscriberFormat = {
  view: 'compat|',
  isOfApp: true,
  hasTag: true,
  startAt: (now) => `{"request_date":"${now}","request_date_ms":${msFromIso(now)},`,
  deviceOf,
  createdStatus: 201,
  read: readCustomerInfo,
  // Prices are read from the transactions, which must not be older than the customer.
  isCacheable: ({ progress }, doc) =>
    !doc.hasOneTimePurchases && (progress.at(transactions.name) ?? '') >= (progress.at(customers.name) ?? ''),
};

/** Returns the whole body; dispatch removes the attributes for callers who may not see personal data. */
async function readCustomerInfo(services: Services, caller: Caller, doc: CustomerDoc, now: string) {
  const { readModels, cached } = services;
  const { profile, projectId, firstSeenAt, lastSeenAt } = doc;
  const rules = await readEntitlementRules(services, projectId, [profile]);
  const oneTime = doc.hasOneTimePurchases ? await readTransactions(readModels, doc.customerId) : [];
  const started = profile.subscriptions.filter((s) => s.pending === null);
  const charges = await readModels.getMany(
    transactions,
    started.map((s) => transactionDocId(projectId, s.purchase.transactionId)),
  );
  const bought = [...started, ...profile.owned].flatMap(({ purchase }) => productIdOf(purchase, rules) ?? []);
  const [appsById, sold] = await Promise.all([
    cached.getMany(apps, appIdsInUrl(profile)),
    cached.getMany(products, [...new Set(bought)]),
  ]);
  const about: Describe = (purchase, charge) => ({
    ...priceOf(charge),
    ...displayNameOf(sold.get(productIdOf(purchase, rules) ?? '')?.displayName),
  });
  const subscriptions = started.map((s) => {
    const charge = charges.get(transactionDocId(projectId, s.purchase.transactionId));
    return [
      splitProductId(s.purchase.storeProductId).product,
      presentSubscription(s, now, rules, about(s.purchase, charge)),
    ] as const;
  });
  const grants = profile.grants.map((grant) => [grantProductId(grant), presentGrant(grant)] as const);
  const subscriber = {
    // The name before a log-in proves nothing afterwards: the merge has used it up.
    original_app_user_id: profile.first.appUserId,
    ...presentDownload(profile, caller, rules),
    first_seen: firstSeenAt,
    last_seen: lastSeenAt,
    management_url: managementUrl(profile, now, (appId) => appsById.get(appId)?.storeIdentifier),
    entitlements: Object.fromEntries(
      entitlementsAt(profile, now, rules)
        .filter(isPresentable)
        .map((h) => [h.lookupKey, presentEntitlement(h, now)]),
    ),
    subscriptions: longestOf([...subscriptions, ...grants]),
    non_subscriptions: presentOneTime(profile.owned, oneTime, about),
    other_purchases: {},
    subscriber_attributes: presentAttributes(doc),
  };
  return { request_date: now, request_date_ms: msFromIso(now), subscriber };
}

/** Presents the download of the key's app; for a server, of the app that was downloaded first. The sandbox names version 1.0 for everybody. */
function presentDownload({ downloads = [] }: CustomerDoc['profile'], caller: Caller, rules: EntitlementRules) {
  const ownId = ownAppIdOf(caller);
  const [first] = downloads
    .filter(
      ({ appId, environment }) => (ownId ?? appId) === appId && (environment === 'production' || rules.allowsSandbox),
    )
    .toSorted((a, b) => (precedes(a, b) ? -1 : 1));
  return {
    original_application_version: first?.version ?? null,
    original_purchase_date: first?.downloadedAt ?? null,
  };
}

/** Returns customer info after a write. Throws `RetryLater` while the read models do not have the customer. */
export async function currentInfo(services: Services, caller: Caller, projectId: string, appUserId: string) {
  const doc = await readWritten(services, projectId, appUserId);
  return readCustomerInfo(services, caller, doc, isoFromMs(services.runtime.now()));
}

type Describe = (purchase: Bought, charge: TransactionDoc | undefined) => object;
type Bought = Pick<OneTimePurchaseRef, 'appId' | 'storeProductId'>;

function productIdOf({ appId, storeProductId }: Bought, rules: EntitlementRules): string | null {
  return rules.productIdOf(appId, storeProductId);
}

/** A base plan of the android-store is a field of its own here: `product:plan` in the catalogue. */
export function splitProductId(storeProductId: string): { readonly product: string; readonly plan: string | null } {
  const [product = storeProductId, plan] = storeProductId.split(':');
  return { product, plan: plan ?? null };
}

function planField(storeProductId: string) {
  const { plan } = splitProductId(storeProductId);
  return plan === null ? {} : { product_plan_identifier: plan };
}

/** Price in the currency of the purchase; omitted while unknown. */
function priceOf(charge: TransactionDoc | undefined) {
  const { amountMicros = null, currency = null } = charge?.money ?? {};
  return amountMicros === null || currency === null ? {} : { price: { amount: amountOf(amountMicros), currency } };
}

function displayNameOf(name: string | undefined) {
  return name === undefined ? {} : { display_name: name };
}

type Lasting = { readonly expires_date: string | null };

/** Selects one purchase per product, since an SDK can read only one: the one that gives access longest. */
function longestOf(entries: readonly (readonly [string, Lasting])[]): Readonly<Record<string, Lasting>> {
  const longest = new Map<string, Lasting>();
  for (const [key, one] of entries) {
    const other = longest.get(key);
    if (!other || (other.expires_date !== null && (one.expires_date ?? '9999') > other.expires_date))
      longest.set(key, one);
  }
  return Object.fromEntries(longest);
}

function presentSubscription(s: Subscription, now: string, rules: EntitlementRules, about: object) {
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

function presentGrant(grant: Grant) {
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

/** The web SDK takes every entitlement of a one-time purchase for active, also after a refund: its end is not read. */
function isPresentable({ source, isActive }: EntitlementHolding): boolean {
  return isActive || source.kind !== 'purchase';
}

function presentEntitlement({ source, expiresAt, isActive }: EntitlementHolding, now: string) {
  const isOver = !isActive && (expiresAt === null || expiresAt > now);
  const dated = (purchasedAt: string, graceEndsAt: string | null) => ({
    expires_date: isOver ? purchasedAt : expiresAt,
    grace_period_expires_date: graceEndsAt,
    purchase_date: purchasedAt,
  });
  switch (source.kind) {
    case 'subscription': {
      const { purchase, period, graceEndsAt } = source.subscription;
      return { ...dated(period.purchasedAt, graceEndsAt), ...productFields(purchase) };
    }
    case 'purchase':
      return { ...dated(source.owned.purchasedAt, null), ...productFields(source.owned.purchase) };
    case 'promotional':
      return { ...dated(source.grant.startsAt, null), product_identifier: grantProductId(source.grant) };
  }
}

function productFields({ storeProductId }: Bought) {
  return { product_identifier: splitProductId(storeProductId).product, ...planField(storeProductId) };
}

/** Oldest first. Owned purchases are listed even if their charge is another customer's, such as after a transfer. */
function presentOneTime(owned: CustomerDoc['profile']['owned'], all: readonly TransactionDoc[], about: Describe) {
  const charges = new Map(all.filter((t) => t.subscriptionId === null).map((t) => [t.transactionId, t]));
  const entries = [
    ...[...charges.values()].map((t) => ({ ...t, store: t.store as AppStore, charge: t })),
    ...owned
      .filter(({ purchase }) => !charges.has(purchase.transactionId))
      .map(({ purchase, purchasedAt }) => ({ ...purchase, purchasedAt, charge: undefined })),
  ].toSorted((a, b) => (a.purchasedAt < b.purchasedAt ? -1 : 1));
  const byProduct = new Map<string, object[]>();
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

function presentAttributes({ profile }: CustomerDoc) {
  return Object.fromEntries(profile.attributes.map(({ k, v, t }) => [k, { value: v, updated_at_ms: msFromIso(t) }]));
}
