// Reads of customers: search, details, timeline, and explanations of access.
import { z } from 'zod';
import type { RecordedEvent } from '../../domain/envelope.js';
import { isoFromMs } from '../../domain/time.js';
import { timelineWithActivity } from '../../projections/queries/timeline.js';
import { customer, customerDetail, timelineEntry, accessExplanation } from './responses.js';
import { listOf } from '../bodies/response-schemas.js';
import {
  requireCustomerAsOf,
  readCustomerHistory,
  requireCustomer,
  readEntitlementRules,
  customerIdFrom,
  readTransactions,
} from './read-customer.js';
import { customerFilters, createCustomerFilter } from './customer-filters.js';
import { listCustomers } from './customer-list.js';
import { listBody, unknownCursorError } from '../bodies/paging.js';
import { presentCustomer, presentCustomerDetail, presentEntries } from './present.js';
import { defineRoute, type Route } from '../dispatch/route.js';
import { text } from '../../domain/values/user-text.js';
import { id, instant, limit, page, projectParams } from '../bodies/request-schemas.js';
import type { Catalog } from '../../domain/catalog/catalog.js';
import { findEntitlement } from '../../domain/catalog/entitlements.js';
import type { UnlockedEntitlement } from '../../domain/subscriber/entitlements.js';
import { explainAccess } from '../../projections/queries/access-explanation.js';
import { HttpError } from '../bodies/errors.js';

export const customerParams = z.object({ id, cid: text(255) });

export const customerRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/customers',
    access: 'project',
    permission: 'readCustomers',
    summary: 'List customers, with search and pagination',
    params: projectParams,
    query: page.extend({ search: text(255).optional(), ...customerFilters }),
    response: listOf(customer),
    handle: async ({ scope, query, sight }, services) => {
      const { limit: _limit, startingAfter: _cursor, ...filters } = query;
      const narrow = await createCustomerFilter(services, scope.projectId, query);
      const { docs, lastId } = await listCustomers(
        services,
        scope.projectId,
        { ...query, searchesPersonal: sight.personal },
        narrow,
      );
      const rules = await readEntitlementRules(
        services,
        scope.projectId,
        docs.map((d) => d.profile),
      );
      const now = isoFromMs(services.runtime.now());
      const items = docs.map((doc) => presentCustomer(doc, now, rules));
      const url = `/v1/projects/${scope.projectId}/customers`;
      return { body: listBody(url, items, { lastId, limit: query.limit, extra: filters }) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/customers/:cid',
    access: 'project',
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
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/customers/:cid/timeline',
    access: 'project',
    permission: 'readCustomers',
    summary: "Get a customer's timeline, with the reason for every state",
    params: customerParams,
    query: z.strictObject({
      limit,
      startingAfter: z.uuid().optional(),
      order: z.enum(['newest', 'oldest']).default('newest'),
      asOf: instant.optional(),
    }),
    response: listOf(timelineEntry),
    handle: async ({ params, scope, caller, query }, services) => {
      const { order, asOf, limit: size } = query;
      const { histories, rules } = await readCustomerHistory(services, scope.projectId, params.cid, asOf);
      let lastId: string | null = null;
      const pick = (all: readonly RecordedEvent[]): readonly RecordedEvent[] => {
        const ordered = order === 'newest' ? all.toReversed() : all;
        const at = query.startingAfter === undefined ? -1 : ordered.findIndex((e) => e.id === query.startingAfter);
        if (query.startingAfter !== undefined && at < 0) throw unknownCursorError();
        const page = ordered.slice(at + 1, at + 1 + size);
        lastId = at + 1 + page.length < ordered.length ? (page.at(-1)?.id ?? null) : null;
        return page;
      };
      const { deps } = services;
      const eventsUntil = asOf ?? isoFromMs(deps.runtime.now());
      const shown = await timelineWithActivity(deps.log, scope.projectId, histories, rules, { pick, eventsUntil });
      const items = await presentEntries(services, { projectId: scope.projectId, caller }, shown);
      const url = `/v1/projects/${scope.projectId}/customers/${encodeURIComponent(params.cid)}/timeline`;
      return { body: listBody(url, items, { lastId, limit: size, extra: { order, asOf } }) };
    },
  }),
];

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
