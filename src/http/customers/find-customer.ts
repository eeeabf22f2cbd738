// Lookup of customers by customer ID or app user ID.
import { customerId, isCustomerId } from '../../domain/ids.js';
import { customers, type CustomerDoc } from '../../projections/models/customers.js';
import type { ReadModels } from '../../projections/queries/read-models.js';
import type { Services } from '../dispatch/services.js';

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
