// Segments of a chart: their selection and their names, and the limit of a response's size, which is checked before anything is computed.
// The route lists the values of a dimension that occur in a chart, with counts, from which filters are chosen.
import { z } from 'zod';
import type { Doc } from '../../adapters/documents/port.js';
import { intervals } from '../../domain/charts/calendar.js';
import { type ChartQuery, type Dimension, dimensions } from '../../domain/charts/catalogue/chart-query.js';
import { placesOf } from '../../domain/charts/compare/places.js';
import { rankByMeasure, rankingMeasureOf } from '../../domain/charts/result/segment-ranks.js';
import { bucketedRangeOf, wholeRangeOf } from '../../domain/charts/result/buckets.js';
import type { ChartResult } from '../../domain/charts/result/result.js';
import { addCounts, listSegments, type SegmentCounts } from '../../domain/charts/result/segment-counts.js';
import { products, type ProductDoc } from '../../projections/models/catalogue.js';
import { offerings } from '../../projections/models/offerings.js';
import { apps } from '../../projections/models/projects.js';
import { HttpError } from '../bodies/errors.js';
import { listBody } from '../bodies/paging.js';
import { listOf, type BodyOf } from '../bodies/response-schemas.js';
import { defineRoute, type Route } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';
import { chartParameters, MAX_SEGMENTS } from './chart-parameters.js';
import { type ChartRequest, chartParams, expectFresh, requireChart, resolveChartRequest } from './chart-request.js';

/** Counts the segments of all sides together; empty without a segment. */
async function countSegments(
  { chartLedger }: Pick<Services, 'chartLedger'>,
  projectId: string,
  sides: readonly ChartRequest[],
): Promise<SegmentCounts> {
  const segmented = sides.filter(({ chartQuery }) => chartQuery.segment !== null);
  const counts = segmented.map(({ chartQuery }) => chartLedger.ask('segments', projectId, { query: chartQuery }));
  return addCounts(await Promise.all(counts));
}

/**
 * Ranks the segments of all sides together by a measure over the whole period. Values beyond the thousand with the most purchases have
 * rank 0. Cohorts are ranked by the number of purchases or customers. Empty without a segment.
 */
export async function rankSegments(
  services: Pick<Services, 'chartLedger'>,
  projectId: string,
  sides: readonly ChartRequest[],
): Promise<SegmentCounts> {
  const counts = await countSegments(services, projectId, sides);
  if (counts.size === 0) return counts;
  const segments = listSegments(counts, MAX_SEGMENTS);
  const ranked = await Promise.all(
    sides.map(async ({ chartQuery, measure }) => {
      const { chart, range, selectors } = chartQuery;
      if (chart.kind === 'cohort' || range.buckets.length === 0) return counts;
      const query = { ...chartQuery, range: wholeRangeOf(range), segments };
      const { segments: found = new Map<string, ChartResult>(), release } = await services.chartLedger.ask(
        'chart',
        projectId,
        { query },
      );
      const ranks = rankByMeasure(found, rankingMeasureOf(chart, selectors, measure));
      release?.();
      return ranks;
    }),
  );
  const ranks = addCounts(ranked);
  return new Map([...counts.keys()].map((value) => [value, ranks.get(value) ?? 0]));
}

/** Lists the segments with the highest ranks, for the compared period too. */
export function withSegments<A extends ChartRequest>(request: A, ranks: SegmentCounts, limit: number): A {
  const { chartQuery, previous } = request;
  if (chartQuery.segment === null) return request;
  const segments = listSegments(ranks, limit);
  return {
    ...request,
    chartQuery: { ...chartQuery, segments },
    ...(previous && { previous: { ...previous, chartQuery: { ...previous.chartQuery, segments } } }),
  };
}

/** Returns the display names of the objects with these IDs. Deleted objects have none. */
export async function readDisplayNames(
  { readModels }: Services,
  segment: Dimension | null,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const namesById = <D extends Doc>(found: ReadonlyMap<string, D>, nameOf: (doc: D) => string) =>
    new Map([...found].map(([id, doc]) => [id, nameOf(doc)]));
  if (segment === 'productId') {
    const found = await readModels.getMany(products, ids);
    return namesById(found, (product) => distinctNameOf(product, [...found.values()]));
  }
  if (segment === 'offeringId') return namesById(await readModels.getMany(offerings, ids), (o) => o.displayName);
  if (segment === 'appId') return namesById(await readModels.getMany(apps, ids), (a) => a.name);
  return new Map();
}

type NamedProduct = Pick<ProductDoc, 'displayName' | 'store' | 'storeProductId'>;

/** Returns the display name, with the store or the store's ID where another of the products has the same: both stores often do. */
export function distinctNameOf(product: NamedProduct, listed: readonly NamedProduct[]): string {
  const { displayName, store, storeProductId } = product;
  const alike = listed.filter((one) => one !== product && one.displayName === displayName);
  if (alike.length === 0) return displayName;
  return `${displayName} (${alike.some((one) => one.store === store) ? storeProductId : store})`;
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
  const remedies = [
    ...(longer ? [`interval=${longer}`] : []),
    ...(fitting > 0 ? [`segmentLimit=${fitting}`] : []),
    ...['a shorter period', 'a table (Accept: text/csv)'],
  ];
  const [maxValues, found] = [MAX_VALUES, values * tables].map((n) => n.toLocaleString('en'));
  throw new HttpError(
    400,
    `this chart has ${found} values, but JSON is limited to ${maxValues}: use ${remedies.join(', or ')}`,
  );
}

const chartSegment = z
  .strictObject({
    object: z.literal('chartSegment'),
    value: z.string().meta({ description: 'Value for `filter`; `null` if it is unknown.' }),
    name: z.string().nullable().meta({ description: 'Display name of the product, app or offering with this ID.' }),
    count: z.int().meta({ description: 'Number of purchases, or of customers for the dimensions of customers.' }),
  })
  .meta({ id: 'ChartSegment' });

export const segmentRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/metrics/charts/:chartId/segments',
    access: 'project',
    permission: 'readCharts',
    summary: 'List the values of a segment, with counts',
    description: `Takes the parameters of the chart; \`segment\` is required. Lists at most ${MAX_SEGMENTS} values, the most frequent first. Counts are of all purchases or customers that match the filters of other dimensions, in whatever period; filters of the segment itself do not apply.`,
    params: chartParams,
    query: chartParameters.extend({ segment: z.enum(dimensions, { error: 'must be a dimension of the chart' }) }),
    response: listOf(chartSegment),
    handle: async ({ params: { chartId }, scope: { projectId }, query }, services) => {
      const chart = requireChart(chartId);
      const { segment } = query;
      const request = await resolveChartRequest(services, projectId, chart, withoutFilter(query, segment));
      expectFresh(request);
      const counts = await countSegments(services, projectId, [request]);
      const largest = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, MAX_SEGMENTS);
      const names = await readDisplayNames(
        services,
        segment,
        largest.map(([value]) => value),
      );
      const items = largest.map(([value, count]): BodyOf<typeof chartSegment> => {
        return { object: 'chartSegment', value, name: names.get(value) ?? null, count };
      });
      const url = `/v1/projects/${projectId}/metrics/charts/${chart.id}/segments`;
      return { body: listBody(url, items, { lastId: null, limit: items.length }) };
    },
  }),
];

function withoutFilter<Q extends { readonly filter?: string | string[] | undefined }>(query: Q, own: Dimension): Q {
  const others = [query.filter ?? []].flat().filter((text) => !text.startsWith(`${own}:`));
  return { ...query, filter: others.length > 0 ? others : undefined };
}
