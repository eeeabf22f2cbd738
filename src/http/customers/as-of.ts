// `asOf` on reads of a customer: the data and the access that were known at that instant.
import { rulesOf, type Catalog } from '../../domain/catalog/catalog.js';
import { streams } from '../../domain/streams.js';
import { isoFromMs } from '../../domain/time.js';
import type { CustomerDoc } from '../../projections/models/customers.js';
import { customerIdFrom, findCustomer } from './find-customer.js';
import { readCustomerAsOf, readRulesAsOf, type CustomerAsOf } from '../../projections/queries/as-of.js';
import {
  readCustomerEvents,
  readCustomerEventsAsOf,
  type CustomerEvents,
} from '../../projections/queries/customer-events.js';
import { projects } from '../../projections/models/projects.js';
import type { EntitlementRules } from '../../domain/subscriber/entitlements.js';
import { HttpError } from '../bodies/errors.js';
import type { Services } from '../dispatch/services.js';

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
