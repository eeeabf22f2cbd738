// Customers of RevenueCat's API v2 as facts of an import: names, attributes, first-seen dates and grants. What it knows of purchases is in
// `purchase-facts.ts`.
import { isoFromMs } from '../../domain/time.js';
import { appUserId } from '../../domain/values/app-user-id.js';
import { isCountry } from '../../domain/values/countries.js';
import {
  listAliases,
  listAttributes,
  listPurchases,
  listSubscriptions,
  type V2Customer,
  type V2Subscription,
} from './customers.js';
import { purchaseFactOf, readSubscriptionFacts, type FactLine, type ReadProject } from './purchase-facts.js';

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
