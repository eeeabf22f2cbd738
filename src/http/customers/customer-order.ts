// Orders of the customer list, each over an index: all customers of a project by a sort, or those of a facet by the time first seen.
import { encodeCursor } from '../../adapters/documents/index-keys.js';
import type { Scalar } from '../../adapters/documents/port.js';
import { isCustomerId } from '../../domain/ids.js';
import {
  FACET_INDEX,
  facetKey,
  facetRowId,
  type Facet,
  type FacetDoc,
} from '../../projections/models/customer-facets.js';
import { customers, type CustomerDoc } from '../../projections/models/customers.js';
import { unknownCursorError } from '../bodies/paging.js';
import type { Services } from '../dispatch/services.js';
import { toMicros, type CustomerFilters } from './customer-filters.js';

export const customerSorts = ['firstSeenAt', 'lastSeenAt', 'totalSpentUsd'] as const;

export type CustomerOrder = CustomerFilters & {
  readonly sort?: (typeof customerSorts)[number] | undefined;
  /** Default: the highest first. */
  readonly order?: 'asc' | 'desc' | undefined;
  readonly startingAfter?: string | undefined;
};

/** Some customers in list order, the number of rows read for them, and the cursor after them. */
type ListStep = { readonly docs: readonly CustomerDoc[]; readonly rows: number; readonly next: string | undefined };
/** A list with its starting position. `cursorOf`: the cursor after a customer. */
export type ListStart = {
  readonly source: (size: number, after: string | undefined) => Promise<ListStep>;
  readonly after: string | undefined;
  readonly cursorOf: (doc: CustomerDoc) => string;
};

type Bounds = { readonly from?: Scalar; readonly to?: Scalar };
type Sort = {
  readonly index: string;
  readonly field: 'firstSeenAt' | 'lastSeenAt' | 'spentMicros';
  readonly bounds: (f: CustomerFilters) => Bounds;
};

const sorts: Readonly<Record<(typeof customerSorts)[number], Sort>> = {
  firstSeenAt: {
    index: 'project',
    field: 'firstSeenAt',
    bounds: ({ createdAfter: from, createdBefore: to }) => boundsOf(from, to),
  },
  lastSeenAt: {
    index: 'seen',
    field: 'lastSeenAt',
    bounds: ({ lastSeenAfter: from, lastSeenBefore: to }) => boundsOf(from, to),
  },
  totalSpentUsd: {
    index: 'spent',
    field: 'spentMicros',
    bounds: ({ minSpentUsd: min, maxSpentUsd: max }) =>
      boundsOf(min === undefined ? min : toMicros(min), max === undefined ? max : toMicros(max) + 1),
  },
};

function boundsOf(from: Scalar | undefined, to: Scalar | undefined): Bounds {
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

/**
 * Lists the customers of a project in the order. By the time first seen, the list is that of the facet with the fewest customers around the
 * position; all facets have the same order, so that the next page may follow another. A cursor stays valid if its customer was merged,
 * erased or seen again since.
 */
export async function listInOrder(
  services: Services,
  projectId: string,
  q: CustomerOrder,
  facets: readonly Facet[],
): Promise<ListStart> {
  const isReverse = q.order !== 'asc';
  if (q.sort !== undefined && q.sort !== 'firstSeenAt') return listBySort(services, projectId, q, sorts[q.sort]);
  const { readModels, deps } = services;
  const last = q.startingAfter === undefined ? undefined : await readModels.get(customers, q.startingAfter);
  if (q.startingAfter !== undefined && last?.projectId !== projectId) throw unknownCursorError();
  const all = listAll(services, projectId, q, last);
  if (facets.length === 0) return all;
  const bounds = sorts.firstSeenAt.bounds(q);
  const probes = await Promise.all(
    facets.map(async (facet) => {
      const key = facetKey(deps.hash, projectId, facet);
      const after = last && facetCursor(projectId, key, last);
      const start = { ...all, source: facetSource(services, projectId, key, { bounds, isReverse }), after };
      return { start, reach: await reachOf(services, projectId, key, { bounds, isReverse, after }) };
    }),
  );
  const farther = (a: string, b: string) => (isReverse ? a < b : a > b);
  const narrowest = probes.reduce((best, one) => {
    if (best.reach === null || one.reach === null) return best.reach === null ? best : one;
    return farther(one.reach, best.reach) ? one : best;
  });
  return narrowest.start;
}

/** Lists all, by the time first seen. `last`: the customer before the first. */
function listAll(
  { readModels }: Services,
  projectId: string,
  q: CustomerOrder,
  last: CustomerDoc | undefined,
): ListStart {
  const { index, field, bounds } = sorts.firstSeenAt;
  const source = allSource({ readModels }, projectId, { index, bounds: bounds(q), isReverse: q.order !== 'asc' });
  const place = last && { id: last.customerId, guard: '', doc: { ...last, listedIn: projectId } };
  const after = place && encodeCursor(index, ['listedIn', field], place);
  return { source, after, cursorOf: (doc) => doc.customerId };
}

/** The cursor contains the sorted value, which may change between two pages. */
function listBySort(
  services: Services,
  projectId: string,
  q: CustomerOrder,
  { index, field, bounds }: Sort,
): ListStart {
  const source = allSource(services, projectId, { index, bounds: bounds(q), isReverse: q.order !== 'asc' });
  const cursorOf = (doc: CustomerDoc) => `${doc[field]}~${doc.customerId}`;
  if (q.startingAfter === undefined) return { source, after: undefined, cursorOf };
  const [text = '', id = ''] = q.startingAfter.split('~');
  const isValue = field === 'spentMicros' ? /^-?\d{1,15}$/.test(text) : /^\d{4}-[\d:.TZ-]{1,30}$/.test(text);
  if (!isValue || !isCustomerId(id)) throw unknownCursorError();
  const doc = { listedIn: projectId, [field]: field === 'spentMicros' ? Number(text) : text };
  return { source, after: encodeCursor(index, ['listedIn', field], { id, guard: '', doc }), cursorOf };
}

type Direction = { readonly bounds: Bounds; readonly isReverse: boolean };

function allSource(
  { readModels }: Pick<Services, 'readModels'>,
  projectId: string,
  { index, bounds, isReverse: reverse }: Direction & { readonly index: string },
): ListStart['source'] {
  return async (limit, after) => {
    const scan = { index, eq: [projectId], ...bounds, limit, reverse, ...(after !== undefined && { after }) };
    const found = await readModels.scan(customers, scan);
    return { docs: found.rows.map((r) => r.doc), rows: found.rows.length, next: found.next };
  };
}

function scanFacet(
  { readModels }: Services,
  projectId: string,
  key: string,
  {
    bounds,
    isReverse: reverse,
    after,
    limit,
  }: Direction & { readonly after: string | undefined; readonly limit: number },
) {
  const scan = { index: FACET_INDEX.name, eq: [projectId, key], ...bounds, limit, reverse };
  return readModels.scanDerived<FacetDoc>(customers, 'customer_facets', {
    ...scan,
    ...(after !== undefined && { after }),
  });
}

function facetSource(services: Services, projectId: string, key: string, direction: Direction): ListStart['source'] {
  return async (limit, after) => {
    const found = await scanFacet(services, projectId, key, { ...direction, after, limit });
    const ids = found.rows.map(({ doc }) => doc.customerId);
    const docs = await services.readModels.getMany(customers, ids);
    const listed = ids.flatMap((one) => docs.get(one) ?? []).filter((doc) => doc.listedIn === projectId);
    return { docs: listed, rows: ids.length, next: found.next };
  };
}

/** Rows that are read to compare the density of facets. */
const PROBE_SIZE = 100;

/** Returns the time of the last of the next customers of a facet, or null if these are all: of two facets the one that reaches farther
 * has fewer customers. */
async function reachOf(
  services: Services,
  projectId: string,
  key: string,
  direction: Direction & { readonly after: string | undefined },
): Promise<string | null> {
  const { rows, next } = await scanFacet(services, projectId, key, { ...direction, limit: PROBE_SIZE });
  return next === undefined ? null : (rows.at(-1)?.doc.firstSeenAt ?? null);
}

function facetCursor(projectId: string, facet: string, { customerId, firstSeenAt }: CustomerDoc): string {
  const doc = { projectId, facet, firstSeenAt };
  return encodeCursor(FACET_INDEX.name, FACET_INDEX.fields, { id: facetRowId(customerId, facet), guard: '', doc });
}
