// Segments of a chart: their selection and their names, and the limit of a response's size, which is checked before anything is computed.
import { intervals } from '../../domain/charts/calendar.js';
import type { Doc } from '../../adapters/documents/port.js';
import type { ChartQuery, Dimension } from '../../domain/charts/catalogue/chart-query.js';
import { placesOf } from '../../domain/charts/compare/places.js';
import { bucketedRangeOf } from '../../domain/charts/result/buckets.js';
import { addCounts, listSegments, type SegmentCounts } from '../../domain/charts/result/segment-counts.js';
import { products } from '../../projections/models/catalogue.js';
import { offerings } from '../../projections/models/offerings.js';
import { apps } from '../../projections/models/projects.js';
import { HttpError } from '../bodies/errors.js';
import type { Services } from '../dispatch/services.js';
import type { ChartRequest } from './chart-request.js';

/** Counts the segments of all sides together; empty without a segment. */
export async function countSegments(
  { chartLedger }: Pick<Services, 'chartLedger'>,
  projectId: string,
  sides: readonly ChartRequest[],
): Promise<SegmentCounts> {
  const segmented = sides.filter(({ chartQuery }) => chartQuery.segment !== null);
  const counts = segmented.map(({ chartQuery }) => chartLedger.ask('segments', projectId, { query: chartQuery }));
  return addCounts(await Promise.all(counts));
}

export function withSegments<A extends ChartRequest>(request: A, counts: SegmentCounts, limit: number): A {
  const { chartQuery } = request;
  if (chartQuery.segment === null) return request;
  return { ...request, chartQuery: { ...chartQuery, segments: listSegments(counts, limit) } };
}

/** Returns the display names of the objects with these IDs. Deleted objects have none. */
export async function readDisplayNames(
  { readModels }: Services,
  segment: Dimension | null,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const named = <D extends Doc>(found: ReadonlyMap<string, D>, nameOf: (doc: D) => string) =>
    new Map([...found].map(([id, doc]) => [id, nameOf(doc)]));
  if (segment === 'productId') return named(await readModels.getMany(products, ids), (p) => p.displayName);
  if (segment === 'offeringId') return named(await readModels.getMany(offerings, ids), (o) => o.displayName);
  if (segment === 'appId') return named(await readModels.getMany(apps, ids), (a) => a.name);
  return new Map();
}

/** Values of one JSON response: more would take hundreds of megabytes to generate and send. */
const MAX_VALUES = 250_000;

/** Throws {@link HttpError} 400 with alternatives that fit. */
export function expectFits(q: ChartQuery): void {
  const values = placesOf(q);
  // The total is one more table.
  const tables = q.segments ? q.segments.length + 1 : 1;
  if (values * tables <= MAX_VALUES) return;
  const { range } = q;
  const longer = intervals
    .slice(intervals.indexOf(range.interval) + 1)
    .find((interval) => placesOf({ ...q, range: bucketedRangeOf({ ...range, interval }) }) * tables <= MAX_VALUES);
  // The total and the segment `other` are two more tables.
  const fitting = q.segments ? Math.floor(MAX_VALUES / values) - 2 : 0;
  const ways = [
    ...(longer ? [`interval=${longer}`] : []),
    ...(fitting > 0 ? [`segmentLimit=${fitting}`] : []),
    ...['a shorter period', 'a table (Accept: text/csv)'],
  ];
  const [most, found] = [MAX_VALUES, values * tables].map((n) => n.toLocaleString('en'));
  throw new HttpError(400, `this chart has ${found} values, but JSON is limited to ${most}: use ${ways.join(', or ')}`);
}
