// What support reads: customers by search, one in full, and its timeline.
import { z } from 'zod';
import { rulesOf } from '../../domain/catalog/catalog.js';
import { deliveriesOf } from '../../commands/webhooks/deliveries.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import { streams } from '../../domain/streams.js';
import type { EntitlementRules } from '../../domain/subscriber/entitlements.js';
import { isoFromMs } from '../../domain/time.js';
import type { CustomerDoc } from '../../projections/models/customers.js';
import { projects } from '../../projections/models/projects.js';
import { readCause, readTimeline } from '../../projections/queries/timeline.js';
import { customer, customerDetail, timelineEntry } from './responses.js';
import { listOf } from '../bodies/responses.js';
import { customerAsOf } from './as-of.js';
import { customerFilters, narrowing } from './customer-filters.js';
import { listCustomers } from './customer-list.js';
import { HttpError } from '../bodies/errors.js';
import { customerIdFrom, findCustomer, rulesFor, transactionsOf } from './holdings.js';
import { listBody, unknownCursor } from '../bodies/paging.js';
import { presentCustomer, presentCustomerDetail, presentTimelineEntry } from './present.js';
import { defineRoute, type Route } from '../dispatch/route.js';
import { text } from '../../domain/people-text.js';
import { id, instant, limit, page, projectParams } from '../bodies/schemas.js';
import type { Services } from '../dispatch/services.js';

async function requireCustomer(services: Services, projectId: string, cid: string): Promise<CustomerDoc> {
  const doc = await findCustomer(services, projectId, cid);
  if (doc?.profile.status !== 'known') throw new HttpError(404, 'no such customer in this project');
  return doc;
}

/** What the catalogue says now: the timeline explains access as the customer has it today. */
async function rulesFromLog({ deps, readModels }: Services, projectId: string): Promise<EntitlementRules> {
  const catalog = await deps.catalogs.get(streams.catalog(projectId));
  const project = await readModels.get(projects, projectId);
  return rulesOf(catalog, project?.sandboxAccess !== 'nobody');
}

/** As the customer is now, or was known at an instant. */
async function whoseTimeline(services: Services, projectId: string, cid: string, asOf: string | undefined) {
  if (asOf !== undefined) {
    const then = await customerAsOf(services, projectId, customerIdFrom(services, projectId, cid), asOf);
    return { customerId: then.doc.customerId, rules: then.rules };
  }
  const { customerId } = await requireCustomer(services, projectId, cid);
  return { customerId, rules: await rulesFromLog(services, projectId) };
}

const customerParams = z.object({ id, cid: text(255) });

export const customerRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/customers',
    access: 'project',
    summary: 'List customers, with search and pagination',
    params: projectParams,
    query: page.extend({ search: text(255).optional(), ...customerFilters }),
    response: listOf(customer),
    handle: async ({ scope, query }, services) => {
      const { limit: _limit, startingAfter: _cursor, ...asked } = query;
      const narrow = await narrowing(services, scope.projectId, query);
      const { docs, lastId } = await listCustomers(services, scope.projectId, query, narrow);
      const rules = await rulesFor(
        services,
        scope.projectId,
        docs.map((d) => d.profile),
      );
      const now = isoFromMs(services.runtime.now());
      const items = docs.map((doc) => presentCustomer(doc, now, rules));
      const url = `/v1/projects/${scope.projectId}/customers`;
      return { body: listBody(url, items, { lastId, limit: query.limit, extra: asked }) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/customers/:cid',
    access: 'project',
    summary: 'Get customer details, including subscriptions and entitlements',
    params: customerParams,
    query: z.strictObject({ asOf: instant.optional() }),
    response: customerDetail,
    handle: async ({ params, scope, query: { asOf } }, services) => {
      if (asOf !== undefined) {
        const customerId = customerIdFrom(services, scope.projectId, params.cid);
        const then = await customerAsOf(services, scope.projectId, customerId, asOf);
        return { body: presentCustomerDetail(then.doc, then.transactions, asOf, then.rules) };
      }
      const doc = await requireCustomer(services, scope.projectId, params.cid);
      const rules = await rulesFor(services, scope.projectId, [doc.profile]);
      const all = await transactionsOf(services.readModels, doc.customerId);
      return { body: presentCustomerDetail(doc, all, isoFromMs(services.runtime.now()), rules) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/customers/:cid/timeline',
    access: 'project',
    summary: "Get a customer's timeline, with the reason for every state",
    params: customerParams,
    query: z.strictObject({
      limit,
      startingAfter: z.uuid().optional(),
      order: z.enum(['newest', 'oldest']).default('newest'),
      asOf: instant.optional(),
    }),
    response: listOf(timelineEntry),
    handle: async ({ params, scope, query }, services) => {
      const { order, asOf, limit: size } = query;
      const { customerId, rules } = await whoseTimeline(services, scope.projectId, params.cid, asOf);
      let lastId: string | null = null;
      const pick = (all: readonly RecordedEvent[]): readonly RecordedEvent[] => {
        const ordered = order === 'newest' ? all.toReversed() : all;
        const at = query.startingAfter === undefined ? -1 : ordered.findIndex((e) => e.id === query.startingAfter);
        if (query.startingAfter !== undefined && at < 0) throw unknownCursor();
        const page = ordered.slice(at + 1, at + 1 + size);
        lastId = at + 1 + page.length < ordered.length ? (page.at(-1)?.id ?? null) : null;
        return page;
      };
      const { deps } = services;
      const eventsUntil = asOf ?? isoFromMs(deps.runtime.now());
      const options = { pick, eventsUntil, ...(asOf !== undefined && { asOf }) };
      const shown = await readTimeline(deps.log, scope.projectId, customerId, rules, options);
      const items = await Promise.all(
        shown.map(async (e) => {
          const cause = await readCause(deps.log, e.correlationId);
          return presentTimelineEntry(e, cause, await deliveriesOf(deps, e.id));
        }),
      );
      const url = `/v1/projects/${scope.projectId}/customers/${encodeURIComponent(params.cid)}/timeline`;
      return { body: listBody(url, items, { lastId, limit: size, extra: { order, asOf } }) };
    },
  }),
];
