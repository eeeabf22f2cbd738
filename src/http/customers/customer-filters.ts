// Filters of the customer list. What changes with time alone (status, access) is evaluated at the time of the request.
import { z } from 'zod';
import { appStore } from '../../domain/store-kinds.js';
import { customerStatus, customerStatuses, entitlementsAt } from '../../domain/subscriber/entitlements.js';
import type { Profile } from '../../domain/subscriber/state/state.js';
import { isoFromMs } from '../../domain/time.js';
import type { FieldVisibility } from '../../domain/values/field-groups.js';
import { entitlements, products, type ProductDoc } from '../../projections/models/catalogue.js';
import type { Facet } from '../../projections/models/customer-facets.js';
import type { CustomerDoc } from '../../projections/models/customers.js';
import { HttpError } from '../bodies/errors.js';
import { findByKey } from '../bodies/find-document.js';
import { environment } from '../bodies/response-schemas.js';
import { allowsSandbox, readEntitlementRules, readTransactions } from './read-customer.js';
import { countryOf } from '../../domain/subscriber/state/country.js';
import { text } from '../../domain/values/user-text.js';
import { country, id, instant } from '../bodies/request-schemas.js';
import type { ReadMembers } from '../charts/chart-value.js';
import type { Services } from '../dispatch/services.js';

const amountUsd = z
  .string()
  .regex(/^-?\d{1,9}(\.\d{1,6})?$/, 'must be an amount in USD such as 50 or 9.99')
  .transform(Number);
const attribute = z
  .string()
  .max(600)
  .regex(/^[^:]+(:|$)/, 'must be the name of an attribute, or name:value');
const MAX_ATTRIBUTES = 5;

/** `…After` and amounts are inclusive, `…Before` exclusive. */
export const customerFilters = {
  status: z.enum(customerStatuses).optional(),
  entitlement: text(200).optional(),
  productId: id.optional(),
  store: appStore.optional(),
  country: country.optional(),
  environment: environment.optional(),
  createdAfter: instant.optional(),
  createdBefore: instant.optional(),
  lastSeenAfter: instant.optional(),
  lastSeenBefore: instant.optional(),
  minSpentUsd: amountUsd.optional(),
  maxSpentUsd: amountUsd.optional(),
  attribute: z.union([attribute, z.array(attribute).max(MAX_ATTRIBUTES)]).optional(),
};
const schema = z.object(customerFilters);
export type CustomerFilters = z.output<typeof schema>;

/**
 * `narrow` returns the customers that match, in their order; null without filters. `facets`: each has all that match. `members` reads those of
 * a chart's value; null without one.
 */
export type CustomerFilter = {
  readonly narrow: ((docs: readonly CustomerDoc[]) => Promise<readonly CustomerDoc[]>) | null;
  readonly facets: readonly Facet[];
  readonly members: ReadMembers | null;
};

/**
 * Throws {@link HttpError} 400 for a product or an entitlement that the project does not have, and 403 for a filter by what the caller may
 * not see.
 */
export async function createCustomerFilter(
  services: Services,
  projectId: string,
  f: CustomerFilters,
  visibility: FieldVisibility,
): Promise<Omit<CustomerFilter, 'members'>> {
  const isSent = ([name, value]: [string, unknown]) => value !== undefined && Object.hasOwn(customerFilters, name);
  if (!Object.entries(f).some(isSent)) return { narrow: null, facets: [] };
  const { runtime, readModels } = services;
  expectFilterable(f, visibility);
  const product = f.productId === undefined ? undefined : await readModels.get(products, f.productId);
  if (f.productId !== undefined && product?.projectId !== projectId) {
    throw new HttpError(400, 'productId: no product with this ID in this project');
  }
  const entitlementId =
    f.entitlement === undefined ? undefined : await requireEntitlementId(services, projectId, f.entitlement);
  const fits = (p: PurchaseFields) =>
    (!product || (p.appId === product.appId && p.storeProductId === product.storeProductId)) &&
    (f.store === undefined || p.store === f.store) &&
    (f.environment === undefined || p.environment === f.environment);
  const filtersPurchases = product !== undefined || f.store !== undefined || f.environment !== undefined;
  const hasMatchingPurchase = async (doc: CustomerDoc) =>
    !filtersPurchases || purchasesOf(doc.profile).some(fits) || (await readOneTimePurchases(services, doc)).some(fits);
  const settings = { allowsSandbox: f.status === undefined || (await allowsSandbox(services, projectId)) };
  const fields = fieldChecksOf(f);
  const narrow = async (docs: readonly CustomerDoc[]) => {
    const now = isoFromMs(runtime.now());
    const cheap = docs.filter(
      (doc) =>
        fields.every((isMatch) => isMatch(doc)) &&
        (f.status === undefined || customerStatus(doc.profile, now, settings) === f.status),
    );
    const bought = await Promise.all(cheap.map(hasMatchingPurchase));
    const buyers = cheap.filter((_, i) => bought[i]);
    if (entitlementId === undefined) return buyers;
    const profiles = buyers.map((d) => d.profile);
    const rules = await readEntitlementRules(services, projectId, profiles);
    const matches = (profile: Profile) =>
      entitlementsAt(profile, now, rules).some((h) => h.isActive && h.entitlementId === entitlementId);
    return buyers.filter((doc) => matches(doc.profile));
  };
  return { narrow, facets: facetsFor(f, product) };
}

/** Returns the facets that contain every customer of the filters. */
function facetsFor(f: CustomerFilters, product: ProductDoc | undefined): readonly Facet[] {
  const hasBought = product ?? f.store ?? f.environment ?? f.entitlement;
  const isHolder = hasBought !== undefined || (f.minSpentUsd ?? 0) > 0 || (f.status ?? 'never') !== 'never';
  const isBilling = f.status === 'billing_retry' || f.status === 'grace_period';
  const isSubscription = product?.type === 'subscription';
  return [
    ...(isBilling ? [{ kind: 'billing' } as const] : []),
    ...(isSubscription
      ? [{ kind: 'product', appId: product.appId, storeProductId: product.storeProductId } as const]
      : []),
    ...(f.country === undefined ? [] : [{ kind: 'country', country: f.country } as const]),
    ...(isHolder && !isBilling && !isSubscription ? [{ kind: 'holder' } as const] : []),
  ];
}

function expectFilterable(f: CustomerFilters, visibility: FieldVisibility): void {
  const ranges = [
    ['createdAfter', f.createdAfter, 'createdBefore', f.createdBefore],
    ['lastSeenAfter', f.lastSeenAfter, 'lastSeenBefore', f.lastSeenBefore],
  ] as const;
  for (const [first, from, second, to] of ranges) {
    if (from !== undefined && to !== undefined && from >= to) {
      throw new HttpError(400, `${first} must be before ${second}`);
    }
  }
  const { minSpentUsd: min, maxSpentUsd: max } = f;
  if (min !== undefined && max !== undefined && min > max) {
    throw new HttpError(400, 'minSpentUsd must not be more than maxSpentUsd');
  }
  if ((min ?? max) !== undefined && !visibility.money) {
    throw new HttpError(403, 'not allowed: your role sees no amounts; omit minSpentUsd and maxSpentUsd');
  }
  if (f.attribute !== undefined && !visibility.personal) {
    throw new HttpError(403, 'not allowed: your role or key sees no attributes; omit attribute');
  }
}

type FieldCheck = (doc: CustomerDoc) => boolean;

/** Returns the checks that need the document alone. */
function fieldChecksOf(f: CustomerFilters): readonly FieldCheck[] {
  const { country, minSpentUsd: min, maxSpentUsd: max } = f;
  const checks: readonly (FieldCheck | false)[] = [
    (doc) => isWithin(doc.firstSeenAt, f.createdAfter, f.createdBefore),
    (doc) => isWithin(doc.lastSeenAt, f.lastSeenAfter, f.lastSeenBefore),
    country !== undefined && ((doc) => countryOf(doc.profile) === country),
    min !== undefined && ((doc) => doc.spentMicros >= toMicros(min)),
    max !== undefined && ((doc) => doc.spentMicros <= toMicros(max)),
    ...[f.attribute ?? []].flat().map(attributeCheck),
  ];
  return checks.filter((check) => check !== false);
}

/** `name` alone matches any value. */
function attributeCheck(text: string): FieldCheck {
  const [name = ''] = text.split(':', 1);
  const value = text === name ? null : text.slice(name.length + 1);
  return ({ profile }) => profile.attributes.some(({ k, v }) => k === name && (value === null || v === value));
}

export function toMicros(usd: number): number {
  return Math.round(usd * 1_000_000);
}

type PurchaseFields = {
  readonly appId: string;
  readonly storeProductId: string;
  readonly store: string;
  readonly environment: string;
};

function purchasesOf({ subscriptions, owned }: Profile): readonly PurchaseFields[] {
  return [...subscriptions, ...owned].map((p) => p.purchase);
}

/** Reads the transactions of one-time purchases: profiles contain no consumables. */
async function readOneTimePurchases({ readModels }: Services, doc: CustomerDoc): Promise<readonly PurchaseFields[]> {
  if (!doc.hasOneTimePurchases) return [];
  return (await readTransactions(readModels, doc.customerId)).filter((t) => t.subscriptionId === null);
}

function isWithin(at: string, from: string | undefined, to: string | undefined): boolean {
  return (from === undefined || at >= from) && (to === undefined || at < to);
}

async function requireEntitlementId({ readModels }: Services, projectId: string, key: string): Promise<string> {
  const found = await findByKey(readModels, entitlements, projectId, key);
  if (!found) throw new HttpError(400, 'entitlement: no entitlement with this ID or lookupKey in this project');
  return found.entitlementId;
}
