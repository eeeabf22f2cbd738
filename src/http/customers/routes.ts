// Reads of customers: search, details, timeline, and explanations of access.
import { z } from 'zod';
import type { RecordedEvent } from '../../domain/envelope.js';
import { isoFromMs } from '../../domain/time.js';
import { timelineWithActivity } from '../../projections/queries/timeline.js';
import { customerDetail, timelineEntry, accessExplanation } from './responses.js';
import {
  requireCustomerAsOf,
  readCustomerHistory,
  requireCustomer,
  readEntitlementRules,
  customerIdFrom,
  readTransactions,
} from './read-customer.js';
import { customerListRoutes } from './list-routes.js';
import { pageAfter } from '../bodies/paging.js';
import { withSettlements } from './entry-settlements.js';
import { presentCustomerDetail, presentEntries } from './present.js';
import { defineListRoute, defineRoute, type Route } from '../dispatch/route.js';
import { text } from '../../domain/values/user-text.js';
import { id, instant, limit } from '../bodies/request-schemas.js';
import type { Catalog } from '../../domain/catalog/catalog.js';
import { findEntitlement } from '../../domain/catalog/entitlements.js';
import type { UnlockedEntitlement } from '../../domain/subscriber/entitlements.js';
import { explainAccess } from '../../projections/queries/access-explanation.js';
import { HttpError } from '../bodies/errors.js';
import type { BodyOf } from '../bodies/response-schemas.js';

export const customerParams = z.object({ id, cid: text(255) });

export const customerRoutes: readonly Route[] = [
  ...customerListRoutes,
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/customers/:cid',
    permission: 'readCustomers',
    summary: 'Get customer details, including subscriptions and entitlements',
    params: customerParams,
    query: z.strictObject({ asOf: instant.optional() }),
    response: customerDetail,
    handle: async ({ params, scope, query: { asOf } }, services) => {
      if (asOf !== undefined) {
        const customerId = customerIdFrom(services, scope.projectId, params.cid);
        const then = await requireCustomerAsOf(services, scope.projectId, customerId, asOf);
        return { body: presentCustomerDetail(then.doc, then.transactions, asOf, then.rules) };
      }
      const doc = await requireCustomer(services, scope.projectId, params.cid);
      const rules = await readEntitlementRules(services, scope.projectId, [doc.profile]);
      const all = await readTransactions(services.readModels, doc.customerId);
      return { body: presentCustomerDetail(doc, all, isoFromMs(services.runtime.now()), rules) };
    },
  }),
  defineListRoute({
    path: '/v1/projects/:id/customers/:cid/timeline',
    permission: 'readCustomers',
    summary: "Get a customer's timeline, with the reason for every state",
    params: customerParams,
    query: z.strictObject({
      limit,
      startingAfter: z.uuid().optional(),
      order: z.enum(['newest', 'oldest']).default('newest'),
      asOf: instant.optional(),
    }),
    item: timelineEntry,
    list: async ({ params, scope, caller, query }, services) => {
      const { order, asOf } = query;
      const { histories, rules } = await readCustomerHistory(services, scope.projectId, params.cid, asOf);
      let lastId: string | null = null;
      const pick = (all: readonly RecordedEvent[]): readonly RecordedEvent[] => {
        const page = pageAfter(order === 'newest' ? all.toReversed() : all, query);
        ({ lastId } = page);
        return page.items;
      };
      const { deps } = services;
      const eventsUntil = asOf ?? isoFromMs(deps.runtime.now());
      const timeline = await timelineWithActivity(deps.log, scope.projectId, histories, rules, { pick, eventsUntil });
      const items = await presentEntries(services, { projectId: scope.projectId, caller }, timeline);
      if (asOf !== undefined) return { items, lastId };
      return { items: await withSettlements(services, scope.projectId, timeline, items), lastId };
    },
  }),
];

/** Throws {@link HttpError} 400 for an entitlement that the project does not have, and for a missing one if it has several. */
function requireEntitlement(catalog: Catalog, lookupKey: string | undefined): UnlockedEntitlement {
  const { entitlements } = catalog;
  const [only, another] = entitlements;
  const found = lookupKey === undefined ? (another ? undefined : only) : findEntitlement(catalog, lookupKey);
  if (found) return found;
  const all = entitlements.map((e) => e.lookupKey).join(', ');
  throw new HttpError(400, all === '' ? 'the project has no entitlements' : `entitlement must be one of ${all}`);
}

export const accessRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/customers/:cid/access',
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
      const body: BodyOf<typeof accessExplanation> = {
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
