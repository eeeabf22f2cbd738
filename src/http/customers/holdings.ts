// Lookup of customers, and of the rules by which their purchases unlock entitlements.
import { allPages } from '../../adapters/documents/records.js';
import { customerId, isCustomerId } from '../../domain/ids.js';
import { withRetired, type EntitlementRules } from '../../domain/subscriber/entitlements.js';
import type { Profile } from '../../domain/subscriber/state/state.js';
import { entitlements, unlockId, unlocks } from '../../projections/models/catalogue.js';
import { customers, type CustomerDoc } from '../../projections/models/customers.js';
import { projects } from '../../projections/models/projects.js';
import { transactions, type TransactionDoc } from '../../projections/models/transactions.js';
import type { ReadModels } from '../../projections/queries/read-models.js';
import type { Services } from '../dispatch/services.js';

/** Returns the document of an app user ID, or that of the customer it was merged into. */
export async function findSubscriber(
  { deps, readModels }: Services,
  projectId: string,
  appUserId: string,
): Promise<CustomerDoc | undefined> {
  const doc = await readModels.get(customers, customerId(deps.hash, projectId, appUserId));
  return survivor(readModels, doc);
}

/** Returns the document itself, or that of the customer it was merged into. */
export async function survivor(readModels: ReadModels, doc: CustomerDoc | undefined): Promise<CustomerDoc | undefined> {
  const merged = doc?.profile.mergedInto;
  return merged ? survivor(readModels, await readModels.get(customers, merged.customerId)) : doc;
}

/** Returns the customer ID for a customer ID or an app user ID. The customer need not exist. */
export function customerIdFrom({ deps }: Services, projectId: string, cid: string): string {
  return isCustomerId(cid) ? cid : customerId(deps.hash, projectId, cid);
}

/** Finds a customer by customer ID or app user ID, also if the customer was merged into another. */
export async function findCustomer(
  services: Services,
  projectId: string,
  cid: string,
): Promise<CustomerDoc | undefined> {
  const byId = cid.startsWith('cus_') ? await services.readModels.get(customers, cid) : undefined;
  if (byId?.projectId === projectId) return survivor(services.readModels, byId);
  return findSubscriber(services, projectId, cid);
}

/** Reads the entitlement rules for the purchases of these profiles at once. */
export async function rulesFor(
  services: Services,
  projectId: string,
  profiles: readonly Profile[],
): Promise<EntitlementRules> {
  const { cached } = services;
  const { sold, granted, hasSandbox } = namedIn(profiles);
  const unlocking = await cached.getMany(unlocks, [...sold]);
  const retired = [...unlocking.values()].flatMap((u) => u.retired.map((r) => r.entitlementId));
  const existing = await cached.getMany(entitlements, [...granted, ...retired]);
  const exists = (entitlementId: string) => existing.has(entitlementId);
  return {
    unlocks: (appId, storeProductId, boughtAt) => {
      const doc = unlocking.get(unlockId(appId, storeProductId));
      if (!doc) return [];
      const retired = doc.retired.filter((r) => exists(r.entitlementId));
      return withRetired(doc.entitlements, retired, boughtAt);
    },
    productIdOf: (appId, storeProductId) => unlocking.get(unlockId(appId, storeProductId))?.productId ?? null,
    exists,
    allowsSandbox: !hasSandbox || (await allowsSandbox(services, projectId)),
  };
}

/** Returns the unlock IDs of products that were bought or that subscriptions change to, and the IDs of granted entitlements. */
function namedIn(profiles: readonly Profile[]) {
  const sold = new Set<string>();
  const granted = new Set<string>();
  let hasSandbox = false;
  for (const { subscriptions, owned, grants } of profiles) {
    for (const { purchase } of [...subscriptions, ...owned]) {
      sold.add(unlockId(purchase.appId, purchase.storeProductId));
      hasSandbox ||= purchase.environment === 'sandbox';
    }
    for (const { purchase, nextProduct } of subscriptions) {
      if (nextProduct) sold.add(unlockId(purchase.appId, nextProduct.storeProductId));
    }
    for (const { entitlementId } of grants) granted.add(entitlementId);
  }
  return { sold, granted, hasSandbox };
}

/** Returns whether sandbox purchases give access in the project. */
export async function allowsSandbox({ readModels }: Pick<Services, 'readModels'>, projectId: string): Promise<boolean> {
  return (await readModels.get(projects, projectId))?.sandboxAccess !== 'nobody';
}

/** Reads all transactions of a customer, oldest first. */
export async function transactionsOf(readModels: ReadModels, id: string): Promise<readonly TransactionDoc[]> {
  const all: TransactionDoc[] = [];
  const ofCustomer = { index: 'customer', eq: [id], limit: 500 };
  for await (const rows of allPages(ofCustomer, (scan) => readModels.scan(transactions, scan))) {
    all.push(...rows.map((r) => r.doc));
  }
  return all;
}
