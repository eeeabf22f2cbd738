// Bodies of listed customers.
import { isoFromMs } from '../../domain/time.js';
import type { CustomerDoc } from '../../projections/models/customers.js';
import type { BodyOf } from '../bodies/response-schemas.js';
import type { Services } from '../dispatch/services.js';
import { presentCustomer } from './present.js';
import { readEntitlementRules } from './read-customer.js';
import type { customer } from './responses.js';

/** Presents customers of a list as they are now. */
export async function presentCustomers(
  services: Services,
  projectId: string,
  docs: readonly CustomerDoc[],
): Promise<readonly BodyOf<typeof customer>[]> {
  const profiles = docs.map((doc) => doc.profile);
  const rules = await readEntitlementRules(services, projectId, profiles);
  const now = isoFromMs(services.runtime.now());
  return docs.map((doc) => presentCustomer(doc, now, rules));
}
