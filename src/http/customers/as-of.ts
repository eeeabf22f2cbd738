// `asOf` on reads of a customer: what was known at that instant, with the access of that instant.
import { isoFromMs } from '../../domain/time.js';
import { readCustomerAsOf, readRulesAsOf, type CustomerAsOf } from '../../projections/queries/as-of.js';
import { projects } from '../../projections/models/projects.js';
import type { EntitlementRules } from '../../domain/subscriber/entitlements.js';
import { HttpError } from '../bodies/errors.js';
import type { Services } from '../dispatch/services.js';

/** Throws {@link HttpError} 400 for an instant ahead or before the project was made. */
export async function checkAsOf({ runtime, readModels }: Services, projectId: string, asOf: string): Promise<void> {
  if (asOf > isoFromMs(runtime.now())) throw new HttpError(400, 'asOf lies in the future; leave it out for now');
  const project = await readModels.get(projects, projectId);
  if (project && asOf < project.createdAt) {
    throw new HttpError(400, `asOf lies before the project was made (${project.createdAt})`);
  }
}

/** Throws {@link HttpError} 400 as above, and 404 when the customer was not known then. */
export async function customerAsOf(
  services: Services,
  projectId: string,
  customerId: string,
  asOf: string,
): Promise<CustomerAsOf & { readonly rules: EntitlementRules }> {
  await checkAsOf(services, projectId, asOf);
  const { log } = services.deps;
  const found = await readCustomerAsOf(log, projectId, customerId, asOf);
  if (!found) throw new HttpError(404, 'no such customer was known at that instant');
  return { ...found, rules: await readRulesAsOf(log, projectId, asOf) };
}
