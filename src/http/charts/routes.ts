// Metrics of a project: the overview, the 21 charts, and who is behind a value.
import { stringify } from 'csv-stringify/sync';
import { z } from 'zod';
import { DAY_MS } from '../../domain/charts/calendar.js';
import { csvRules } from '../../adapters/csv.js';
import { charts } from '../../domain/charts/catalogue/catalogue.js';
import type { Chart } from '../../domain/charts/catalogue/chart.js';
import { bucketedRangeOf } from '../../domain/charts/result/buckets.js';
import type { ChartQuery } from '../../domain/charts/catalogue/chart-query.js';
import { isoFromMs, utcDay } from '../../domain/time.js';
import { readOverview } from '../../projections/charts/overview.js';
import { readChart } from '../../projections/charts/read.js';
import { customerBehindValue, chartData, chartDescription, overview } from './responses.js';
import { listOf } from '../bodies/responses.js';
import { chartParameters, environmentQuery, ignoredFilters } from './chart-parameters.js';
import { chartsAsked, expectFresh } from './charts-asked.js';
import { HttpError } from '../bodies/errors.js';
import { listBody, unknownCursor } from '../bodies/paging.js';
import { presentChart, presentChartData, tableOf } from './present.js';
import { defineRoute, type Route } from '../dispatch/route.js';
import { id, limit, projectParams } from '../bodies/schemas.js';
import { Csv } from '../bodies/send-json.js';
import {
  askChart,
  bucketStart,
  chartParams,
  converted,
  namesOf,
  presentBehind,
  repeatable,
  requireChart,
} from './question.js';

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
      const { source, until, now, isLive, staleSince, whatIf } = await chartsAsked(services, scope.projectId, query);
      const { environment } = query;
      const request = { environment, asOf: until, isLive, ...(whatIf && { whatIf }) };
      const found = await readOverview(source, scope.projectId, request);
      const lastUpdatedAt = isoFromMs(staleSince ?? now);
      const metrics = found.map((metric) => ({ object: 'overviewMetric', ...metric, lastUpdatedAt }));
      const stale = staleSince !== undefined && { staleSince: isoFromMs(staleSince) };
      return { body: { object: 'overviewMetrics', metrics, ...stale } };
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
      'With `Accept: text/csv` the same as a table: a line per bucket, or per column of a cohort. `filter` may be repeated.',
    params: chartParams,
    query: chartParameters,
    response: chartData,
    handle: async ({ params, scope, query, accepts }, services) => {
      const chart = requireChart(params.chartId);
      const asked = await askChart(services, scope.projectId, chart, query);
      const { source, shown, now, isLive, staleSince, replay } = asked;
      const read = await readChart(source, scope.projectId, asked.chartQuery, isLive);
      const chartQuery = converted(asked.chartQuery, read);
      const { currency } = query;
      if (accepts(['application/json', 'text/csv']) !== 'text/csv') {
        const ignored = ignoredFilters(chart, query.filter);
        const context = { asOf: shown, askedAt: now, staleSince, currency, ignored, replay };
        const names = await namesOf(services, chartQuery.segment, [...(read.segments?.keys() ?? [])]);
        return { body: presentChartData(chartQuery, read, context, names) };
      }
      expectFresh(asked);
      const { header: columns, lines } = tableOf(chartQuery, read);
      const text = stringify([columns, ...lines], csvRules);
      read.release?.();
      return { body: new Csv(text, fileNameOf(chartQuery, currency)) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/metrics/charts/:chartId/customers',
    access: 'project',
    permission: 'readCharts',
    summary: 'List the customers behind a figure of a chart',
    description:
      '`bucket` is required: the start of a bucket (or of a cohort’s row) of the chart as asked with the same parameters. `measure` is one that adds up from customers; of a cohort its `size`.',
    params: chartParams,
    query: chartParameters.extend({
      bucket: bucketStart,
      measure: id.optional(),
      limit,
      startingAfter: id.optional(),
    }),
    response: listOf(customerBehindValue),
    handle: async ({ params, scope, query }, services) => {
      const chart = requireChart(params.chartId);
      const { bucket, measure, limit: size, startingAfter, ...asked } = query;
      const read = await askChart(services, scope.projectId, chart, asked);
      expectFresh(read);
      const { chartQuery } = read;
      const { range } = chartQuery;
      const shownMeasure = measureOf(chart, measure);
      const found = bucket === undefined ? undefined : range.buckets.find((b) => b.start === Date.parse(bucket));
      if (bucket === undefined)
        throw new HttpError(400, 'bucket is required: send the start of a bucket of this chart');
      if (!found) throw new HttpError(400, 'bucket must be the start of a bucket of this chart');
      const own = bucketedRangeOf({ ...range, start: found.start, end: found.end });
      const only = { ...chartQuery, range: own, segment: null };
      const page = { after: startingAfter, limit: size };
      const behind = await services.chartLedger.ask('behind', scope.projectId, {
        query: only,
        measure: shownMeasure,
        page,
      });
      if (!behind) throw unknownCursor();
      const items = await presentBehind(services, behind.found);
      const lastId = behind.isLast ? null : (behind.found.at(-1)?.customerId ?? null);
      const url = `/v1/projects/${scope.projectId}/metrics/charts/${chart.id}/customers`;
      return { body: listBody(url, items, { lastId, limit: size, extra: repeatable(query) }) };
    },
  }),
];

/** Such as `mrr_2026-01-01_2026-04-30_month_by_store.csv`; days are those that were asked about. */
function fileNameOf({ chart, range, segment }: ChartQuery, currency: string): string {
  const days = [range.start, range.end - DAY_MS].map((at) => utcDay(isoFromMs(at)));
  const parts = [chart.id, ...days, range.interval, ...(segment ? ['by', segment] : [])];
  return `${[...parts, ...(currency === 'USD' ? [] : [currency])].join('_')}.csv`;
}

/** Customers can be listed for what a rate is made of, not for the rate; for a row of a cohort its members. */
function measureOf(chart: Chart, asked: string | undefined): string {
  const allowed =
    chart.kind === 'cohort' ? ['size'] : chart.measures.filter((m) => m.unit !== 'percent').map((m) => m.id);
  const measure = asked ?? allowed[0] ?? '';
  if (!allowed.includes(measure)) throw new HttpError(400, `measure must be one of ${allowed.join(', ')}`);
  return measure;
}
