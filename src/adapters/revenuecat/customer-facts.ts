// Customers of RevenueCat's API v2 as facts of an import: names, attributes, first-seen dates, grants and purchases. The API has no prices,
// no refunds with a time, and neither first transactions of the ios-store nor purchase tokens of the android-store: what cannot be recorded
// without them is a fact that names what is missing.
import type { z } from 'zod';
import type { importedLine } from '../../domain/imports/facts.js';
import { rulesOfStore } from '../../domain/store-kinds.js';
import { isoFromMs } from '../../domain/time.js';
import { appUserId } from '../../domain/values/user-text.js';
import { isCountry } from '../../domain/values/iso-codes.js';
import { storeKindNamed } from './configuration.js';
import {
  listAliases,
  listAttributes,
  listPurchases,
  listSubscriptions,
  type V2Customer,
  type V2Subscription,
  listSubscriptionTransactions,
  type V2Purchase,
  type V2SubscriptionTransaction,
} from './customers.js';
import type { RevenueCatRequests } from './requests.js';

const GRANTS = 'promotional';

/**
 * Reads all that the API knows about a customer with four requests, and one for each subscription of the android-store; the line of the
 * customer is the last. Returns none for a name that is not
 * allowed here. Throws `RevenueCatRefusal` and `Unavailable`.
 */
export async function readCustomerFacts(
  project: ReadProject,
  customer: V2Customer,
  signal: AbortSignal,
): Promise<readonly FactLine[]> {
  const { requests, projectId, productIds } = project;
  if (!isName(customer.id)) return [];
  const subject = { projectId, customerId: customer.id };
  const [aliases, attributes, subscriptions, purchases] = await Promise.all([
    listAliases(requests, subject, signal),
    listAttributes(requests, subject, signal),
    listSubscriptions(requests, subject, signal),
    listPurchases(requests, subject, signal),
  ]);
  const names = aliases.toSorted((a, b) => b.created_at - a.created_at).map(({ id }) => id);
  const { last_seen_country: country, last_seen_platform: platform } = customer;
  const values = attributes.filter(({ value }) => value !== null && value !== '');
  const periods = subscriptions.map((one) => readSubscriptionFacts(project, customer.id, one, signal));
  return [
    ...subscriptions.flatMap((one) => grantsOf(customer.id, one)),
    ...(await Promise.all(periods)).flat(),
    ...purchases.flatMap((one) => purchaseFactOf(customer.id, one, productIds) ?? []),
    {
      type: 'customer',
      appUserId: customer.id,
      aliases: names.filter((name) => name !== customer.id && isName(name)),
      firstSeenAt: instantOf(customer.first_seen_at),
      lastSeenAt: instantOf(customer.last_seen_at),
      country: country && isCountry(country.toUpperCase()) ? country.toUpperCase() : null,
      platform: platform ? platform.slice(0, MAX_PLATFORM) : null,
      attributes: Object.fromEntries(
        values.map(({ name, value, updated_at }) => [name, { value: value ?? '', updatedAt: isoFromMs(updated_at) }]),
      ),
    },
  ];
}

const MAX_PLATFORM = 50;

/** Returns whether a customer of that ID can be recorded here. */
export function isName(name: string): boolean {
  return appUserId.safeParse(name).success;
}

function instantOf(ms: number | null | undefined): string | null {
  return ms === null || ms === undefined ? null : isoFromMs(ms);
}

/** A grant is a subscription of the store `promotional`; one that ended is history. */
function grantsOf(owner: string, { store, starts_at, ends_at, entitlements }: V2Subscription): readonly FactLine[] {
  const startsAt = instantOf(starts_at);
  if (store !== GRANTS || startsAt === null) return [];
  const expiresAt = instantOf(ends_at);
  return (entitlements?.items ?? []).map(({ lookup_key: entitlement }) => {
    return { type: 'grant', appUserId: owner, entitlement, startsAt, expiresAt };
  });
}

/** Line of the neutral form, before defaults. */
export type FactLine = z.input<typeof importedLine>;

export type ReadProject = {
  readonly requests: RevenueCatRequests;
  readonly projectId: string;
  /** The stores' product IDs by RevenueCat's. */
  readonly productIds: ReadonlyMap<string, string>;
};

/**
 * Reads a subscription of a store; none of a grant or of another store. Orders of the android-store name their subscription. A transaction of
 * the ios-store does not: after a lapse or a change of product the API starts another subscription, and the store continues the first one, so
 * that its next message would open a second subscription here. Throws `RevenueCatRefusal` and `Unavailable`.
 */
async function readSubscriptionFacts(
  { requests, projectId, productIds }: ReadProject,
  owner: string,
  one: V2Subscription,
  signal: AbortSignal,
): Promise<readonly FactLine[]> {
  const store = storeKindNamed(one.store);
  if (!store) return [];
  const storeProductId = productIds.get(one.product_id ?? '') ?? null;
  const shared = { type: 'purchase' as const, appUserId: owner, store, ...placeOf(one) };
  if (rulesOfStore(store).namesChainBy === 'originalTransactionId') {
    const [transactionId, startedAt] = [
      one.store_subscription_identifier,
      one.current_period_starts_at ?? one.starts_at,
    ];
    if (!transactionId || !startedAt || !storeProductId) return [];
    const purchasedAt = isoFromMs(startedAt);
    const missing = 'first_transaction' as const;
    return [{ ...shared, storeProductId, transactionId, kind: 'normal', purchasedAt, missing }];
  }
  const periods = await listSubscriptionTransactions(requests, { projectId, subscriptionId: one.id }, signal);
  const latest = periods.reduce((last, { purchased_at }) => Math.max(last, purchased_at), 0);
  return periods.flatMap((period) => {
    const product = period.product_store_identifier ?? storeProductId;
    if (!product) return [];
    const isTrial = one.status === 'trialing' && period.purchased_at === latest;
    const entitlements = period.purchased_at === latest ? keysOf(one) : [];
    const kind = isTrial ? ('trial' as const) : ('normal' as const);
    return [{ ...shared, storeProductId: product, transactionId: period.id, kind, ...timesOf(period), entitlements }];
  });
}

/** An access that ended before the period did was taken back, for a reason that the API does not state. */
function timesOf({
  purchased_at,
  expiration_date: end,
  effective_expiration_date: effectiveEnd,
}: V2SubscriptionTransaction) {
  const hasGrace = end != null && effectiveEnd != null && effectiveEnd > end;
  const expiresAt = hasGrace ? end : (effectiveEnd ?? end ?? null);
  return {
    purchasedAt: isoFromMs(purchased_at),
    expiresAt: expiresAt === null ? null : isoFromMs(expiresAt),
    graceExpiresAt: hasGrace ? isoFromMs(effectiveEnd) : null,
  };
}

/** Returns null for a purchase that names no transaction or product, or is of another store. */
function purchaseFactOf(owner: string, one: V2Purchase, productIds: ReadProject['productIds']): FactLine | null {
  const store = storeKindNamed(one.store);
  const storeProductId = productIds.get(one.product_id ?? '');
  const { store_purchase_identifier: transactionId, purchased_at: purchasedAt } = one;
  if (!store || !storeProductId || !transactionId || purchasedAt == null) return null;
  return {
    ...{ type: 'purchase', appUserId: owner, store, storeProductId, transactionId, kind: 'one_time' },
    purchasedAt: isoFromMs(purchasedAt),
    ...placeOf(one),
    ...(one.status !== 'owned' && { missing: 'refund_time' }),
    entitlements: keysOf(one),
  };
}

function placeOf({ environment, ownership, country }: V2Subscription | V2Purchase) {
  const code = country?.toUpperCase();
  return {
    environment: environment === 'sandbox' ? ('sandbox' as const) : ('production' as const),
    ownership: ownership === 'family_shared' ? ('family_shared' as const) : ('purchased' as const),
    country: code !== undefined && isCountry(code) ? code : null,
  };
}

function keysOf({ entitlements }: V2Subscription | V2Purchase): string[] {
  return (entitlements?.items ?? []).map(({ lookup_key }) => lookup_key);
}
