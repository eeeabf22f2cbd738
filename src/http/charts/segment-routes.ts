// Values of a dimension that occur in a chart, with counts, from which filters are chosen.
import { z } from 'zod';
import { dimensions, type Dimension } from '../../domain/charts/catalogue/chart-query.js';
import { listBody } from '../bodies/paging.js';
import { listOf } from '../bodies/response-schemas.js';
import { defineRoute, type Route } from '../dispatch/route.js';
import { chartParameters, MAX_SEGMENTS } from './chart-parameters.js';
import { chartParams, expectFresh, requireChart, resolveChartRequest } from './chart-request.js';
import { countSegments, readDisplayNames } from './segments.js';

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
      const listed = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, MAX_SEGMENTS);
      const names = await readDisplayNames(
        services,
        segment,
        listed.map(([value]) => value),
      );
      const items = listed.map(([value, count]) => {
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
