// What support reads: customers by search, one in full, and its timeline.
import { z } from 'zod';
import { encodeCursor } from '../../adapters/documents/cursor.js';
import { rulesOf } from '../../domain/catalog/catalog.js';
import { streams } from '../../domain/streams.js';
import type { EntitlementRules } from '../../domain/subscriber/entitlements.js';
import { isoFromMs } from '../../domain/time.js';
import { customers, normalizeTerm, type CustomerDoc, type TermDoc } from '../../projections/customers.js';
import { projects } from '../../projections/projects.js';
import { readCause, readTimeline } from '../../projections/timeline.js';
import { transactionDocId, transactions } from '../../projections/transactions.js';
import { HttpError } from '../errors.js';
import { findCustomer, rulesFor, transactionsOf } from '../holdings.js';
import { listBody, unknownCursor } from '../paging.js';
import { presentCustomer, presentCustomerDetail, presentTimelineEntry } from '../present/customer.js';
import { defineRoute, type Route } from '../route.js';
import { id, limit, page, projectParams, text } from '../schemas.js';
import type { Services } from '../services.js';

const PROJECT_INDEX = ['listedIn', 'firstSeenAt'];
const TERM_INDEX = ['projectId', 'kind', 'term'];
/** Sorts after every text that begins with the prefix before it. */
const LAST = '\u{10ffff}';

type ListQuery = {
  readonly limit: number;
  readonly startingAfter?: string | undefined;
  readonly search?: string | undefined;
};
type Found = { readonly docs: readonly CustomerDoc[]; readonly hasMore: boolean };

async function listAll(
  { views }: Services,
  projectId: string,
  { limit: size, startingAfter }: ListQuery,
): Promise<Found> {
  const last = startingAfter === undefined ? undefined : await views.get(customers, startingAfter);
  if (startingAfter !== undefined && last?.listedIn !== projectId) throw unknownCursor();
  const after = last && {
    after: encodeCursor('project', PROJECT_INDEX, { id: last.customerId, guard: '', doc: last }),
  };
  const found = await views.scan(customers, {
    index: 'project',
    eq: [projectId],
    limit: size,
    reverse: true,
    ...after,
  });
  return { docs: found.rows.map((r) => r.doc), hasMore: found.next !== undefined };
}

/** Whole terms first (ids, transactions, email, app user ids); only if there is none, app user ids that begin so. */
async function search(
  services: Services,
  projectId: string,
  q: ListQuery & { readonly search: string },
): Promise<Found> {
  const { views } = services;
  const term = normalizeTerm(q.search);
  const exact = await Promise.all(
    (['exact', 'appUserId'] as const).map((kind) =>
      views.scanDerived<TermDoc>(customers, 'customer_terms', {
        index: 'term',
        eq: [projectId, kind, term],
        limit: 100,
      }),
    ),
  );
  const bought = await views.get(transactions, transactionDocId(projectId, q.search));
  const found = exact.flatMap((p) => p.rows.map((r) => r.doc.customerId));
  const ids = [...new Set(bought ? [...found, bought.customerId] : found)];
  if (ids.length > 0) return { docs: await inOrder(services, ids), hasMore: false };
  return searchPrefix(services, projectId, term, q);
}

async function searchPrefix(services: Services, projectId: string, prefix: string, q: ListQuery): Promise<Found> {
  const { views } = services;
  const last = q.startingAfter === undefined ? undefined : await views.get(customers, q.startingAfter);
  const lastTerm = last?.listedIn === projectId ? firstTerm(last, prefix) : undefined;
  if (q.startingAfter !== undefined && lastTerm === undefined) throw unknownCursor();
  const row = lastTerm && {
    id: `${lastTerm.customerId}|appUserId|${lastTerm.term}`,
    guard: '',
    doc: lastTerm,
  };
  const ids = new Set<string>();
  let after = row && encodeCursor('term', TERM_INDEX, row);
  let hasMore = true;
  while (ids.size < q.limit && hasMore) {
    const bounds = { eq: [projectId, 'appUserId'], from: prefix, to: prefix + LAST };
    const scan = { index: 'term', ...bounds, limit: q.limit - ids.size, ...(after !== undefined && { after }) };
    const found = await views.scanDerived<TermDoc>(customers, 'customer_terms', scan);
    const docs = await views.getMany(
      customers,
      found.rows.map((r) => r.doc.customerId),
    );
    for (const { doc } of found.rows) {
      const customer = docs.get(doc.customerId);
      if (customer && firstTerm(customer, prefix)?.term === doc.term) ids.add(doc.customerId);
    }
    after = found.next;
    hasMore = after !== undefined;
  }
  return { docs: await inOrder(services, [...ids]), hasMore };
}

/** A customer with several matching names is listed once, at the first of them. */
function firstTerm(doc: CustomerDoc, prefix: string): TermDoc | undefined {
  const { projectId, customerId, profile } = doc;
  const names = [profile.appUserId, ...profile.aliases].map(normalizeTerm).filter((t) => t.startsWith(prefix));
  const [term] = names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return term === undefined ? undefined : { projectId, kind: 'appUserId', term, customerId };
}

async function inOrder({ views }: Services, ids: readonly string[]): Promise<CustomerDoc[]> {
  const docs = await views.getMany(customers, ids);
  return ids.flatMap((one) => docs.get(one) ?? []);
}

async function requireCustomer(services: Services, projectId: string, cid: string): Promise<CustomerDoc> {
  const doc = await findCustomer(services, projectId, cid);
  if (!doc || doc.profile.status === 'unknown') throw new HttpError(404, 'no such customer in this project');
  return doc;
}

/** What the catalogue says now: the timeline explains access as the customer has it today. */
async function rulesFromLog({ deps, views }: Services, projectId: string): Promise<EntitlementRules> {
  const catalog = await deps.catalogs.get(streams.catalog(projectId));
  const project = await views.get(projects, projectId);
  return rulesOf(catalog, project?.sandboxAccess !== 'nobody');
}

const customerParams = z.object({ id, cid: text(255) });

export const customerRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/customers',
    access: 'project',
    summary: 'List customers, with search and pagination',
    params: projectParams,
    query: page.extend({ search: text(255).optional() }),
    handle: async ({ scope, query }, services) => {
      const { search: term } = query;
      const { docs, hasMore } =
        term === undefined
          ? await listAll(services, scope.projectId, query)
          : await search(services, scope.projectId, { ...query, search: term });
      const rules = await rulesFor(
        services,
        scope.projectId,
        docs.map((d) => d.profile),
      );
      const now = isoFromMs(services.runtime.now());
      const items = docs.map((doc) => presentCustomer(doc, now, rules));
      const lastId = hasMore ? (docs.at(-1)?.customerId ?? null) : null;
      const url = `/v1/projects/${scope.projectId}/customers`;
      return { body: listBody(url, items, { lastId, limit: query.limit, extra: { search: term } }) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/customers/:cid',
    access: 'project',
    summary: 'Get customer details, including subscriptions and entitlements',
    params: customerParams,
    handle: async ({ params, scope }, services) => {
      const doc = await requireCustomer(services, scope.projectId, params.cid);
      const rules = await rulesFor(services, scope.projectId, [doc.profile]);
      const all = await transactionsOf(services.views, doc.customerId);
      return { body: presentCustomerDetail(doc, all, isoFromMs(services.runtime.now()), rules) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/customers/:cid/timeline',
    access: 'project',
    summary: "A customer's whole timeline, with the reason for every state",
    params: customerParams,
    query: z.strictObject({
      limit,
      startingAfter: z.uuid().optional(),
      order: z.enum(['newest', 'oldest']).default('newest'),
    }),
    handle: async ({ params, scope, query }, services) => {
      const doc = await requireCustomer(services, scope.projectId, params.cid);
      const rules = await rulesFromLog(services, scope.projectId);
      const all = [...(await readTimeline(services.deps.log, scope.projectId, doc.customerId, rules))];
      if (query.order === 'newest') all.reverse();
      const at = query.startingAfter === undefined ? -1 : all.findIndex((e) => e.id === query.startingAfter);
      if (query.startingAfter !== undefined && at < 0) throw unknownCursor();
      const shown = all.slice(at + 1, at + 1 + query.limit);
      const causes = await Promise.all(shown.map((e) => readCause(services.deps.log, e.correlationId)));
      const items = shown.map((e, i) => presentTimelineEntry(e, causes[i] ?? null));
      const lastId = at + 1 + shown.length < all.length ? (shown.at(-1)?.id ?? null) : null;
      const url = `/v1/projects/${scope.projectId}/customers/${encodeURIComponent(params.cid)}/timeline`;
      return { body: listBody(url, items, { lastId, limit: query.limit, extra: { order: query.order } }) };
    },
  }),
];
