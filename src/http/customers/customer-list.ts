// Pages of customers: all of a project or those of a search, reduced by filters. Each customer of an index or a facet is checked, so a page
// scans a limited number of customers, and the next page continues after the last one scanned.
import { encodeCursor } from '../../adapters/documents/index-keys.js';
import {
  customers,
  exactNamesOf,
  exactTerm,
  normalizeTerm,
  termId,
  type CustomerDoc,
  type TermDoc,
} from '../../projections/models/customers.js';
import { transactionDocId, transactions } from '../../projections/models/transactions.js';
import type { ReadMembers } from '../charts/chart-value.js';
import type { CustomerFilter } from './customer-filters.js';
import { listInOrder, type CustomerOrder, type ListStart } from './customer-order.js';
import { HttpError } from '../bodies/errors.js';
import { unknownCursorError } from '../bodies/paging.js';
import type { Services } from '../dispatch/services.js';

/** `lastId`: cursor of the next page; null on the last page. `scanned`: number of customers that were looked at. */
export type CustomerPage = {
  readonly docs: readonly CustomerDoc[];
  readonly lastId: string | null;
  readonly scanned: number;
};

export type CustomerQuery = CustomerOrder & {
  readonly limit: number;
  /** Limit of the customers that are looked at. */
  readonly maxScanned?: number;
  readonly search?: string | undefined;
  /** False if email and other personal terms find no customer. */
  readonly searchesPersonal: boolean;
};

const TERM_INDEX = ['projectId', 'kind', 'term'];
/** Sorts after every text that begins with the prefix before it. */
const LAST_CHARACTER = '\u{10ffff}';
/** Limit of the customers that a filtered page scans. */
const MAX_SCANNED = 2000;
const STEP_SIZE = 200;

export async function listCustomers(
  services: Services,
  projectId: string,
  q: CustomerQuery,
  { narrow, facets, members }: CustomerFilter,
): Promise<CustomerPage> {
  const { search } = q;
  if (members) return fillPage(q, narrow, listMembers(services, projectId, q, members));
  if (search === undefined) return fillPage(q, narrow, await listInOrder(services, projectId, q, facets));
  if (q.sort !== undefined || q.order !== undefined) {
    throw new HttpError(400, 'search has an order of its own: omit sort and order, or search');
  }
  const all = await findByTerm(services, projectId, search);
  const exact = q.searchesPersonal ? all.docs : all.docs.filter((doc) => matchesPublicTerm(doc, search, all.buyer));
  if (exact.length > 0) {
    return { docs: narrow ? await narrow(exact) : exact, lastId: null, scanned: exact.length };
  }
  return fillPage(q, narrow, await listByPrefix(services, projectId, normalizeTerm(search), q));
}

async function fillPage(
  { limit, maxScanned = MAX_SCANNED }: CustomerQuery,
  narrow: CustomerFilter['narrow'],
  { source, after: first, cursorOf }: ListStart,
): Promise<CustomerPage> {
  const found: CustomerDoc[] = [];
  let after = first;
  let last: CustomerDoc | undefined;
  for (let scanned = 0; ;) {
    const size = narrow ? STEP_SIZE : Math.min(STEP_SIZE, limit - found.length);
    const step = await source(size, after);
    const fitting = narrow && new Set(await narrow(step.docs));
    for (const [i, doc] of step.docs.entries()) {
      last = doc;
      if (fitting?.has(doc) ?? true) found.push(doc);
      const isEnd = i === step.docs.length - 1 && step.next === undefined;
      if (found.length === limit) {
        return { docs: found, lastId: isEnd ? null : cursorOf(doc), scanned: scanned + i + 1 };
      }
    }
    scanned += step.rows;
    after = step.next;
    if (after === undefined) return { docs: found, lastId: null, scanned };
    if (scanned >= maxScanned && last) return { docs: found, lastId: cursorOf(last), scanned };
  }
}

/** Lists the customers of a chart's value by ID. Those that were erased count in the chart, but are not listed. */
function listMembers(
  { readModels }: Services,
  projectId: string,
  { startingAfter, sort, order, search }: CustomerQuery,
  members: ReadMembers,
): ListStart {
  if ((sort ?? order ?? search) !== undefined) {
    throw new HttpError(400, 'chartValue lists customers by ID: omit sort, order and search, or chartValue');
  }
  const source: ListStart['source'] = async (size, after) => {
    const read = await members(size, after);
    if (!read) throw unknownCursorError();
    const docs = await readModels.getMany(customers, read.ids);
    const listed = read.ids.flatMap((one) => docs.get(one) ?? []).filter((doc) => doc.listedIn === projectId);
    return { docs: listed, rows: read.ids.length, next: read.isLast ? undefined : read.ids.at(-1) };
  };
  return { source, after: startingAfter, cursorOf: (doc) => doc.customerId };
}

/** Finds customers by a complete term: ID, alias, transaction, email, account token. */
async function findByTerm(
  { readModels, deps }: Services,
  projectId: string,
  search: string,
): Promise<{ readonly docs: readonly CustomerDoc[]; readonly buyer: string | undefined }> {
  const terms = [
    ['exact', exactTerm(deps.hash, projectId, search)],
    ['appUserId', normalizeTerm(search)],
  ] as const;
  const exact = await Promise.all(
    terms.map(([kind, term]) =>
      readModels.scanDerived<TermDoc>(customers, 'customer_terms', {
        index: 'term',
        eq: [projectId, kind, term],
        limit: 100,
      }),
    ),
  );
  const bought = await readModels.get(transactions, transactionDocId(projectId, search));
  const found = exact.flatMap((p) => p.rows.map((r) => r.doc.customerId));
  const ids = [...new Set(bought ? [...found, bought.customerId] : found)];
  const docs = await readModels.getMany(customers, ids);
  const docsOfProject = ids.flatMap((one) => docs.get(one) ?? []).filter((doc) => doc.listedIn === projectId);
  return { docs: docsOfProject, buyer: bought?.customerId };
}

/** Returns whether the search matches a term that is not personal. */
function matchesPublicTerm(doc: CustomerDoc, search: string, buyer: string | undefined): boolean {
  const { appUserId, aliases } = doc.profile;
  const names = [appUserId, ...aliases, ...exactNamesOf(doc).open].map(normalizeTerm);
  return doc.customerId === buyer || names.includes(normalizeTerm(search));
}

/** Lists customers by prefix of an app user ID or an alias. */
async function listByPrefix(
  services: Services,
  projectId: string,
  prefix: string,
  q: CustomerQuery,
): Promise<ListStart> {
  const { readModels, deps } = services;
  const last = q.startingAfter === undefined ? undefined : await readModels.get(customers, q.startingAfter);
  const place = last?.projectId === projectId ? firstTerm(last, prefix) : undefined;
  if (q.startingAfter !== undefined && !place) throw unknownCursorError();
  const row = place && { id: termId(deps.hash, place), guard: '', doc: place };
  const source: ListStart['source'] = async (limit, after) => {
    const found = await readModels.scanDerived<TermDoc>(customers, 'customer_terms', {
      index: 'term',
      eq: [projectId, 'appUserId'],
      from: prefix,
      to: prefix + LAST_CHARACTER,
      limit,
      ...(after !== undefined && { after }),
    });
    const docs = await readModels.getMany(
      customers,
      found.rows.map((r) => r.doc.customerId),
    );
    const docsOfProject = found.rows.flatMap(({ doc }) => {
      const customer = docs.get(doc.customerId);
      return customer && firstTerm(customer, prefix)?.term === doc.term ? [customer] : [];
    });
    return { docs: docsOfProject, rows: found.rows.length, next: found.next };
  };
  return { source, after: row && encodeCursor('term', TERM_INDEX, row), cursorOf: (doc) => doc.customerId };
}

/** Returns the first matching term, at which a customer with several matching names is listed once. */
function firstTerm(doc: CustomerDoc, prefix: string): TermDoc | undefined {
  const { projectId, customerId, profile } = doc;
  const names = [profile.appUserId, ...profile.aliases].map(normalizeTerm).filter((t) => t.startsWith(prefix));
  const [term] = names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return term === undefined ? undefined : { projectId, kind: 'appUserId', term, customerId };
}
