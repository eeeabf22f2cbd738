// Customers of RevenueCat's API v2 as facts of an import: names, attributes, first-seen dates, grants and one-time purchases. Subscriptions of
// stores are left to the export of transactions: the API names only the latest transaction of one, and no refunds.
import type { z } from 'zod';
import type { importedLine } from '../../domain/imports/facts.js';
import { isoFromMs } from '../../domain/time.js';
import { appUserId } from '../../domain/values/app-user-id.js';
import { isCountry } from '../../domain/values/countries.js';
import {
  listAliases,
  listAttributes,
  listPurchases,
  listSubscriptions,
  type V2Customer,
  type V2Purchase,
  type V2Subscription,
} from './customers.js';
import type { RevenueCatRequests } from './requests.js';
import { storeKindNamed } from './store-names.js';

/** Line of the neutral form, before defaults. */
export type FactLine = z.input<typeof importedLine>;

type Project = {
  readonly requests: RevenueCatRequests;
  readonly projectId: string;
  /** The stores' product IDs by RevenueCat's. */
  readonly productIds: ReadonlyMap<string, string>;
};

const GRANTS = 'promotional';

/**
 * Reads all that the API knows about a customer with four requests; the line of the customer is the last. Returns none for a name that is not
 * allowed here. Throws `RevenueCatRefusal` and `Unavailable`.
 */
export async function readCustomerFacts(
  { requests, projectId, productIds }: Project,
  customer: V2Customer,
  signal: AbortSignal,
): Promise<readonly FactLine[]> {
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
  return [
    ...subscriptions.flatMap((one) => grantsOf(customer.id, one)),
    ...purchases.flatMap((one) => purchaseOf(customer.id, one, productIds) ?? []),
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

function isName(name: string): boolean {
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

/** Returns null for a purchase that is refunded, since the API does not state when, or that names no transaction or product. */
function purchaseOf(owner: string, one: V2Purchase, productIds: Project['productIds']): FactLine | null {
  const store = storeKindNamed(one.store);
  const storeProductId = productIds.get(one.product_id ?? '');
  const purchasedAt = instantOf(one.purchased_at);
  const transactionId = one.store_purchase_identifier;
  if (one.status !== 'owned' || !store || !storeProductId || !transactionId || purchasedAt === null) return null;
  return {
    ...{ type: 'purchase', appUserId: owner, store, storeProductId, transactionId, kind: 'one_time', purchasedAt },
    environment: one.environment === 'sandbox' ? 'sandbox' : 'production',
    entitlements: (one.entitlements?.items ?? []).map(({ lookup_key }) => lookup_key),
  };
}
