// Filters of the customer list. What changes with time alone (status, access) is evaluated at the time of the request.
import { z } from 'zod';
import { appStore } from '../../domain/store-kinds.js';
import { customerStatus, customerStatuses, entitlementsAt } from '../../domain/subscriber/entitlements.js';
import type { Profile } from '../../domain/subscriber/state/state.js';
import { isoFromMs } from '../../domain/time.js';
import { entitlements, products } from '../../projections/models/catalogue.js';
import type { CustomerDoc } from '../../projections/models/customers.js';
import { HttpError } from '../bodies/errors.js';
import { findByKey } from '../bodies/find-document.js';
import { environment } from '../bodies/response-schemas.js';
import { allowsSandbox, readEntitlementRules, readTransactions } from './read-customer.js';
import { countryOf } from '../../domain/subscriber/state/country.js';
import { text } from '../../domain/values/user-text.js';
import { country, id, instant } from '../bodies/request-schemas.js';
import type { Services } from '../dispatch/services.js';

/** `createdAfter` is inclusive, `createdBefore` exclusive. */
export const customerFilters = {
  status: z.enum(customerStatuses).optional(),
  entitlement: text(200).optional(),
  productId: id.optional(),
  store: appStore.optional(),
  country: country.optional(),
  environment: environment.optional(),
  createdAfter: instant.optional(),
  createdBefore: instant.optional(),
};
const schema = z.object(customerFilters);
export type CustomerFilters = z.output<typeof schema>;

/** Returns the customers that match the filters, in their order. */
export type FilterCustomers = (docs: readonly CustomerDoc[]) => Promise<readonly CustomerDoc[]>;

/** Returns null without filters. Throws {@link HttpError} 400 for a product or an entitlement that the project does not have. */
export async function createCustomerFilter(
  services: Services,
  projectId: string,
  f: CustomerFilters,
): Promise<FilterCustomers | null> {
  const isSent = ([name, value]: [string, unknown]) => value !== undefined && Object.hasOwn(customerFilters, name);
  if (!Object.entries(f).some(isSent)) return null;
  const { runtime, readModels } = services;
  if (f.createdAfter !== undefined && f.createdBefore !== undefined && f.createdAfter >= f.createdBefore) {
    throw new HttpError(400, 'createdAfter must be before createdBefore');
  }
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
  return async (docs) => {
    const now = isoFromMs(runtime.now());
    const cheap = docs.filter(
      (doc) =>
        isWithin(doc.firstSeenAt, f) &&
        (f.country === undefined || countryOf(doc.profile) === f.country) &&
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
  return doc.hasOneTimePurchases ? readTransactions(readModels, doc.customerId) : [];
}

function isWithin(at: string, { createdAfter, createdBefore }: CustomerFilters): boolean {
  return (createdAfter === undefined || at >= createdAfter) && (createdBefore === undefined || at < createdBefore);
}

async function requireEntitlementId({ readModels }: Services, projectId: string, key: string): Promise<string> {
  const found = await findByKey(readModels, entitlements, projectId, key);
  if (!found) throw new HttpError(400, 'entitlement: no entitlement with this ID or lookupKey in this project');
  return found.entitlementId;
}
