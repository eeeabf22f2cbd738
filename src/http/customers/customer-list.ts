// Pages of customers: all of a project or those of a search, reduced by filters. Filters have no index: a page scans a limited number of
// customers, and the next page continues after the last one scanned.
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
import type { CustomerFilters, FilterCustomers } from './customer-filters.js';
import { unknownCursorError } from '../bodies/paging.js';
import type { Services } from '../dispatch/services.js';

/** `lastId` is the customer after whom the next page begins; null on the last page. */
export type CustomerPage = { readonly docs: readonly CustomerDoc[]; readonly lastId: string | null };

export type CustomerQuery = CustomerFilters & {
  readonly limit: number;
  readonly startingAfter?: string | undefined;
  readonly search?: string | undefined;
  /** False if email and other personal terms find no customer. */
  readonly searchesPersonal: boolean;
};

const PROJECT_INDEX = ['listedIn', 'firstSeenAt'];
const TERM_INDEX = ['projectId', 'kind', 'term'];
/** Sorts after every text that begins with the prefix before it. */
const LAST_CHARACTER = '\u{10ffff}';
/** Limit of the customers that a filtered page scans. */
const MAX_SCANNED = 2000;
const STEP_SIZE = 100;

/** Some customers in list order, the number of rows read for them, and the cursor after them. */
type ListStep = { readonly docs: readonly CustomerDoc[]; readonly rows: number; readonly next: string | undefined };
/** A list with its starting position. */
type ListStart = {
  readonly source: (size: number, after: string | undefined) => Promise<ListStep>;
  readonly after: string | undefined;
};

export async function listCustomers(
  services: Services,
  projectId: string,
  q: CustomerQuery,
  narrow: FilterCustomers | null,
): Promise<CustomerPage> {
  const { search } = q;
  if (search === undefined) return fillPage(q.limit, narrow, await listAll(services, projectId, q));
  const all = await findByTerm(services, projectId, search);
  const exact = q.searchesPersonal ? all.docs : all.docs.filter((doc) => matchesPublicTerm(doc, search, all.buyer));
  if (exact.length > 0) return { docs: narrow ? await narrow(exact) : exact, lastId: null };
  return fillPage(q.limit, narrow, await listByPrefix(services, projectId, normalizeTerm(search), q));
}

async function fillPage(
  limit: number,
  narrow: FilterCustomers | null,
  { source, after: first }: ListStart,
): Promise<CustomerPage> {
  const found: CustomerDoc[] = [];
  let after = first;
  let last: CustomerDoc | undefined;
  for (let scanned = 0; ;) {
    const step = await source(narrow ? STEP_SIZE : limit - found.length, after);
    const fitting = narrow && new Set(await narrow(step.docs));
    for (const [i, doc] of step.docs.entries()) {
      last = doc;
      if (fitting?.has(doc) ?? true) found.push(doc);
      const isEnd = i === step.docs.length - 1 && step.next === undefined;
      if (found.length === limit) return { docs: found, lastId: isEnd ? null : doc.customerId };
    }
    scanned += step.rows;
    after = step.next;
    if (after === undefined) return { docs: found, lastId: null };
    if (scanned >= MAX_SCANNED && last) return { docs: found, lastId: last.customerId };
  }
}

/** Lists all customers, newest first. A cursor stays valid if its customer was merged or erased since. */
async function listAll({ readModels }: Services, projectId: string, q: CustomerQuery): Promise<ListStart> {
  const { startingAfter, createdAfter: from, createdBefore: to } = q;
  const last = startingAfter === undefined ? undefined : await readModels.get(customers, startingAfter);
  if (startingAfter !== undefined && last?.projectId !== projectId) throw unknownCursorError();
  const place = last && { id: last.customerId, guard: '', doc: { ...last, listedIn: projectId } };
  const bounds = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  const source: ListStart['source'] = async (limit, after) => {
    const found = await readModels.scan(customers, {
      index: 'project',
      eq: [projectId],
      ...bounds,
      limit,
      reverse: true,
      ...(after !== undefined && { after }),
    });
    return { docs: found.rows.map((r) => r.doc), rows: found.rows.length, next: found.next };
  };
  return { source, after: place && encodeCursor('project', PROJECT_INDEX, place) };
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
  return { source, after: row && encodeCursor('term', TERM_INDEX, row) };
}

/** Returns the first matching term, at which a customer with several matching names is listed once. */
function firstTerm(doc: CustomerDoc, prefix: string): TermDoc | undefined {
  const { projectId, customerId, profile } = doc;
  const names = [profile.appUserId, ...profile.aliases].map(normalizeTerm).filter((t) => t.startsWith(prefix));
  const [term] = names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return term === undefined ? undefined : { projectId, kind: 'appUserId', term, customerId };
}
