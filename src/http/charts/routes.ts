// Metrics of a project: the overview, the 21 charts, and the customers of a value.
import { z } from 'zod';
import { charts } from '../../domain/charts/catalogue/catalogue.js';
import { isoFromMs } from '../../domain/time.js';
import { readOverview } from '../../projections/charts/overview.js';
import { readChart } from '../../projections/charts/query-chart.js';
import { customerBehindValue, chartData, chartDescription, overview } from './responses.js';
import { listOf } from '../bodies/response-schemas.js';
import { chartParameters, environmentQuery } from './chart-parameters.js';
import { HttpError } from '../bodies/errors.js';
import { listBody, unknownCursorError } from '../bodies/paging.js';
import { chartCsv } from './csv.js';
import { presentChart, presentChartData, type PreviousRead } from './present.js';
import { defineRoute, type Route } from '../dispatch/route.js';
import { id, limit, projectParams } from '../bodies/request-schemas.js';
import type { Services } from '../dispatch/services.js';
import {
  chartParams,
  expectFresh,
  requireChart,
  resolveChartRequest,
  resolveKnowledge,
  type ChartRequest,
} from './chart-request.js';
import { nextPageParameters, presentChartCustomers } from './chart-customers.js';
import { chartValueParameters, resolveChartValue } from './chart-value.js';
import { proceedsBases, withSettlement } from './settlement.js';
import { expectFits, rankSegments, readDisplayNames, withSegments } from './segments.js';

export const metricRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/metrics/overview',
    access: 'project',
    permission: 'readCharts',
    summary: 'Get dashboard overview metrics',
    params: projectParams,
    query: z.strictObject(environmentQuery),
    response: overview,
    handle: async ({ scope, query }, services) => {
      const { until, now, isLive, staleSince, whatIf } = await resolveKnowledge(services, scope.projectId, query);
      const { environment } = query;
      const request = { environment, asOf: until, isLive, ...(whatIf && { whatIf }) };
      const found = await readOverview(services, scope.projectId, request);
      const lastUpdatedAt = isoFromMs(staleSince ?? now);
      const stale = staleSince !== undefined && { staleSince: isoFromMs(staleSince) };
      return {
        body: {
          object: 'overviewMetrics',
          metrics: found.map((metric) => ({ object: 'overviewMetric' as const, ...metric, lastUpdatedAt })),
          ...stale,
        },
      };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/metrics/charts',
    access: 'project',
    permission: 'readCharts',
    summary: 'List available chart types',
    params: projectParams,
    response: listOf(chartDescription),
    handle: ({ scope }) => {
      const url = `/v1/projects/${scope.projectId}/metrics/charts`;
      const items = charts.map(presentChart);
      return Promise.resolve({ body: listBody(url, items, { lastId: null, limit: items.length }) });
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/metrics/charts/:chartId',
    access: 'project',
    permission: 'readCharts',
    summary: 'Get chart data',
    description:
      'With `Accept: text/csv` the chart is a table of any length: one line per bucket, or per column of a cohort. JSON is limited to 250,000 values; a longer chart returns 400. `filter` may be repeated. `segment` shows the `segmentLimit` values (1 to 1000) with the highest `measure` over the period, and all others together as `other`: a flow by its sum, a snapshot by its value at the end, a rate by what it is a part of. Cohorts are ranked by purchases or customers. `measure` is the measure of the chart’s name unless given. A value that is itself `other` is part of it. `previous` adds the figures of another period: `period`, the one before, in whole calendar units where the period or the interval has them; `year`, the same of the year before (by week 52 weeks earlier); `year_weekdays`, 52 weeks earlier by day and week, so that weekdays match; or two days such as `2025-01-01..2025-04-30`. The table has them too, with the change in per cent (of rates in percentage points).',
    params: chartParams,
    query: chartParameters.extend({
      proceedsBasis: z
        .enum(proceedsBases, { error: `must be one of ${proceedsBases.join(', ')}` })
        .optional()
        .meta({
          description:
            'Of the charts `revenue`, `ltv_per_customer` and `ltv_per_paying_customer`: `settled` takes the amounts of the stores’ reports where they have a charge or refund, which is the default where it is possible (production, USD, no filter, segment, `asOf` and replay); `estimated` takes none.',
        }),
    }),
    response: chartData,
    handle: async ({ params, scope, query, accepts }, services) => {
      const chart = requireChart(params.chartId);
      const { projectId } = scope;
      const { proceedsBasis, ...parameters } = query;
      const { currency, segmentLimit } = parameters;
      if (chart.kind === 'cohort' && query.previous !== undefined) {
        throw new HttpError(400, `previous: compare the cohorts of ${chart.id} with …/compare`);
      }
      const resolved = await resolveChartRequest(services, projectId, chart, parameters);
      const all = await withSettlement(services, projectId, resolved, proceedsBasis);
      const isTable = accepts(['application/json', 'text/csv']) === 'text/csv';
      if (isTable) expectFresh(all);
      const ranks = await rankSegments(services, projectId, [all]);
      const request = withSegments(all, ranks, segmentLimit);
      if (isTable) return { body: await chartCsv(services, projectId, request, ranks, currency) };
      expectFits(request.chartQuery);
      if (request.previous) expectFits(request.previous.chartQuery);
      const { chartQuery, ignoredFilters: ignored, asOf, now, isLive, staleSince, replay } = request;
      const names = await readDisplayNames(services, chartQuery.segment, chartQuery.segments ?? []);
      const previous = await readPrevious(services, projectId, request);
      const read = await readChart(services, projectId, chartQuery, isLive);
      const context = { asOf, requestedAt: now, staleSince, currency, ignored, replay };
      return { body: presentChartData(chartQuery, read, context, names, previous) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/metrics/charts/:chartId/customers',
    access: 'project',
    permission: 'readCharts',
    summary: 'List the customers behind a figure of a chart',
    description:
      '`bucket` is required: the start of a bucket (or of a cohort row) of the chart with the same parameters. `measure` must be one that adds up from customers. For cohorts it is `size`, or another measure with the index of the `column`.',
    params: chartParams,
    query: chartValueParameters.extend({ limit, startingAfter: id.optional() }),
    response: listOf(customerBehindValue),
    handle: async ({ params, scope, query }, services) => {
      const chart = requireChart(params.chartId);
      const { limit: size, startingAfter, ...parameters } = query;
      const value = await resolveChartValue(services, scope.projectId, chart, parameters);
      const page = { after: startingAfter, limit: size };
      const customers = await services.chartLedger.ask('behind', scope.projectId, { ...value, page });
      if (!customers) throw unknownCursorError();
      const items = await presentChartCustomers(services, customers.found);
      const lastId = customers.isLast ? null : (customers.found.at(-1)?.customerId ?? null);
      const url = `/v1/projects/${scope.projectId}/metrics/charts/${chart.id}/customers`;
      return { body: listBody(url, items, { lastId, limit: size, extra: nextPageParameters(query) }) };
    },
  }),
];

async function readPrevious(
  services: Services,
  projectId: string,
  { previous, isBeforeData = false, isLive }: ChartRequest,
): Promise<PreviousRead | undefined> {
  if (!previous) return undefined;
  return { query: previous, isBeforeData, read: await readChart(services, projectId, previous.chartQuery, isLive) };
}
