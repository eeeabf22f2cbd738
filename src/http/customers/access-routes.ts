// Explanations of a customer's access to an entitlement at an instant.
import { z } from 'zod';
import type { Catalog } from '../../domain/catalog/catalog.js';
import { findEntitlement } from '../../domain/catalog/entitlements.js';
import type { UnlockedEntitlement } from '../../domain/subscriber/entitlements.js';
import { isoFromMs } from '../../domain/time.js';
import { explainAccess } from '../../projections/queries/access-explanation.js';
import { accessExplanation } from './responses.js';
import { readCustomerHistory } from './as-of.js';
import { HttpError } from '../bodies/errors.js';
import { text } from '../../domain/values/user-text.js';
import { instant } from '../bodies/request-schemas.js';
import { defineRoute, type Route } from '../dispatch/route.js';
import { presentEntries } from './present.js';
import { customerParams } from './routes.js';

/** Throws {@link HttpError} 400 for an entitlement that the project does not have, and for a missing one if it has several. */
function requireEntitlement(catalog: Catalog, named: string | undefined): UnlockedEntitlement {
  const { entitlements } = catalog;
  const [only, another] = entitlements;
  const found = named === undefined ? (another ? undefined : only) : findEntitlement(catalog, named);
  if (found) return found;
  const all = entitlements.map((e) => e.lookupKey).join(', ');
  throw new HttpError(400, all === '' ? 'the project has no entitlements' : `entitlement must be one of ${all}`);
}

export const accessRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/customers/:cid/access',
    access: 'project',
    permission: 'readCustomers',
    summary: 'Explain a customer’s access to an entitlement',
    description:
      '`entitlement`: ID or `lookupKey`, required if the project has several. `asOf`: use only what was recorded by then, default now. `at`: the instant to explain, default `asOf`; it may be earlier (what is known about that time) or later (if nothing else happens).',
    params: customerParams,
    query: z.strictObject({ entitlement: text(200).optional(), at: instant.optional(), asOf: instant.optional() }),
    response: accessExplanation,
    handle: async ({ params, scope: { projectId }, caller, query }, services) => {
      const { histories, catalog, rules } = await readCustomerHistory(services, projectId, params.cid, query.asOf);
      const asOf = query.asOf ?? isoFromMs(services.runtime.now());
      const at = query.at ?? asOf;
      const { entitlementId, lookupKey } = requireEntitlement(catalog, query.entitlement);
      const entitlement = { entitlementId, lookupKey };
      const found = explainAccess(histories, entitlement, { at, asOf }, rules);
      const { has, since, until, sentence, sources } = found;
      const because = await presentEntries(services, { projectId, caller }, found.because);
      const body = {
        object: 'accessExplanation',
        entitlement: { id: entitlementId, lookupKey },
        at,
        asOf,
        ...{ has, since, until, sentence, because },
        sources: sources.map(({ next: _next, ...source }) => source),
        wouldChange: sources.flatMap(({ id: source, next }) => next.map((change) => ({ ...change, source }))),
      };
      return { body };
    },
  }),
];
