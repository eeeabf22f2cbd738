// Reads of a customer by customer ID or app user ID: the document after merges, the entitlement rules, and both as of an instant.
import { collectRows } from '../../adapters/documents/records.js';
import { customerId, isCustomerId } from '../../domain/ids.js';
import { customers, type CustomerDoc } from '../../projections/models/customers.js';
import { transactions, type TransactionDoc } from '../../projections/models/transactions.js';
import type { ReadModels } from '../../projections/queries/read-models.js';
import type { Services } from '../dispatch/services.js';
import { withRetired, type EntitlementRules } from '../../domain/subscriber/entitlements.js';
import type { Profile } from '../../domain/subscriber/state/state.js';
import { entitlements, unlockId, unlocks } from '../../projections/models/catalogue.js';
import { projects } from '../../projections/models/projects.js';
import { rulesOf, type Catalog } from '../../domain/catalog/catalog.js';
import { streams } from '../../domain/streams.js';
import { isoFromMs } from '../../domain/time.js';
import { readCustomerAsOf, readRulesAsOf, type CustomerAsOf } from '../../projections/queries/as-of.js';
import {
  readCustomerEvents,
  readCustomerEventsAsOf,
  type CustomerEvents,
} from '../../projections/queries/customer-events.js';
import { HttpError } from '../bodies/errors.js';

/** Returns the document of an app user ID, or that of the customer it was merged into. */
export async function findSubscriber(
  { deps, readModels }: Services,
  projectId: string,
  appUserId: string,
): Promise<CustomerDoc | undefined> {
  const doc = await readModels.get(customers, customerId(deps.hash, projectId, appUserId));
  return followMerges(readModels, doc);
}

/** Returns the document itself, or that of the customer it was merged into. */
export async function followMerges(
  readModels: ReadModels,
  doc: CustomerDoc | undefined,
): Promise<CustomerDoc | undefined> {
  const merged = doc?.profile.mergedInto;
  return merged ? followMerges(readModels, await readModels.get(customers, merged.customerId)) : doc;
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
  if (byId?.projectId === projectId) return followMerges(services.readModels, byId);
  return findSubscriber(services, projectId, cid);
}

/** Reads all transactions of a customer, oldest first. */
export async function readTransactions(readModels: ReadModels, id: string): Promise<readonly TransactionDoc[]> {
  const ofCustomer = { index: 'customer', eq: [id], limit: 500 };
  const rows = await collectRows(ofCustomer, (scan) => readModels.scan(transactions, scan));
  return rows.map((r) => r.doc);
}

/** Reads the entitlement rules for the purchases of these profiles at once. */
export async function readEntitlementRules(
  services: Services,
  projectId: string,
  profiles: readonly Profile[],
): Promise<EntitlementRules> {
  const { cached } = services;
  const { sold, granted, hasSandbox } = referencesOf(profiles);
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
function referencesOf(profiles: readonly Profile[]) {
  const sold = new Set<string>();
  const granted = new Set<string>();
  let hasSandbox = false;
  for (const { subscriptions, owned, grants, downloads = [] } of profiles) {
    hasSandbox ||= downloads.some(({ environment }) => environment === 'sandbox');
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

/** Throws {@link HttpError} 400 for an instant in the future or before the project was created. `name` is the parameter's name. */
export async function expectAsOf(
  { runtime, readModels }: Services,
  projectId: string,
  asOf: string,
  name = 'asOf',
): Promise<void> {
  if (asOf > isoFromMs(runtime.now())) throw new HttpError(400, `${name} is in the future; omit it for now`);
  const project = await readModels.get(projects, projectId);
  if (project && asOf < project.createdAt) {
    throw new HttpError(400, `${name} is before the project was created (${project.createdAt})`);
  }
}

/** Throws {@link HttpError} 400 as above, and 404 if the customer was not known then. */
export async function requireCustomerAsOf(
  services: Services,
  projectId: string,
  customerId: string,
  asOf: string,
): Promise<CustomerAsOf & { readonly rules: EntitlementRules }> {
  await expectAsOf(services, projectId, asOf);
  const { log } = services.deps;
  const found = await readCustomerAsOf(log, projectId, customerId, asOf);
  if (!found) throw customerNotFoundError();
  return { ...found, rules: (await readRulesAsOf(log, projectId, asOf)).rules };
}

/** Throws {@link HttpError} 404. */
export async function requireCustomer(services: Services, projectId: string, cid: string): Promise<CustomerDoc> {
  const doc = await findCustomer(services, projectId, cid);
  if (doc?.profile.status !== 'known') throw new HttpError(404, 'customer not found in this project');
  return doc;
}

/** Events of a customer, oldest first, with the catalogue and the rules that explain them. */
export type CustomerHistory = {
  readonly histories: CustomerEvents;
  readonly catalog: Catalog;
  readonly rules: EntitlementRules;
};

/**
 * Reads a customer as of now or of an instant; each stream is read once. The catalogue is that of the same instant: a timeline explains
 * access as the customer has it then. Throws {@link HttpError} 400 and 404.
 */
export async function readCustomerHistory(
  services: Services,
  projectId: string,
  cid: string,
  asOf?: string,
): Promise<CustomerHistory> {
  const { deps, readModels } = services;
  if (asOf !== undefined) {
    await expectAsOf(services, projectId, asOf);
    const id = customerIdFrom(services, projectId, cid);
    const histories = await readCustomerEventsAsOf(deps.log, projectId, id, asOf);
    if (!histories) throw customerNotFoundError();
    return { histories, ...(await readRulesAsOf(deps.log, projectId, asOf)) };
  }
  const { customerId } = await requireCustomer(services, projectId, cid);
  const catalog = await deps.catalogs.get(streams.catalog(projectId));
  const project = await readModels.get(projects, projectId);
  const rules = rulesOf(catalog, project?.sandboxAccess !== 'nobody');
  return { histories: await readCustomerEvents(deps.log, projectId, customerId), catalog, rules };
}

function customerNotFoundError(): HttpError {
  return new HttpError(404, 'customer not found at that instant');
}
