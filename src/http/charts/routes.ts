// Metrics of a project: the overview, the 21 charts, and who is behind a value.
import { stringify } from 'csv-stringify/sync';
import { z } from 'zod';
import type { Doc } from '../../adapters/documents/port.js';
import { DAY_MS } from '../../domain/charts/calendar.js';
import { csvRules } from '../../adapters/csv.js';
import { charts, findChart } from '../../domain/charts/catalogue/catalogue.js';
import type { Chart } from '../../domain/charts/catalogue/chart.js';
import { bucketedRangeOf } from '../../domain/charts/result/buckets.js';
import type { Dimension, ChartQuery } from '../../domain/charts/catalogue/chart-query.js';
import { isoFromMs, utcDay } from '../../domain/time.js';
import { products } from '../../projections/models/catalogue.js';
import { customersBehind } from '../../projections/charts/customers-behind.js';
import { firstDay } from '../../projections/charts/from-sums.js';
import { readOverview } from '../../projections/charts/overview.js';
import { readChart } from '../../projections/charts/read.js';
import { customers } from '../../projections/models/customers.js';
import { offerings } from '../../projections/models/offerings.js';
import { apps, projects } from '../../projections/models/projects.js';
import { customerBehindValue, chartData, chartDescription, overview } from './responses.js';
import { listOf } from '../bodies/responses.js';
import {
  chartParameters,
  environmentQuery,
  ignoredFilters,
  chartQueryOf,
  type ChartParameters,
} from './chart-parameters.js';
import { chartsAsked, conversionFor, expectFresh, productsFor, type ChartsAsked } from './charts-asked.js';
import { HttpError } from '../bodies/errors.js';
import { listBody, unknownCursor } from '../bodies/paging.js';
import { presentChart, presentChartData, tableOf } from './present.js';
import { defineRoute, type Route } from '../dispatch/route.js';
import { id, limit, projectParams } from '../bodies/schemas.js';
import { Csv } from '../bodies/send-json.js';
import type { Services } from '../dispatch/services.js';

const chartParams = z.object({ id, chartId: id });

function requireChart(chartId: string): Chart {
  const chart = findChart(chartId);
  if (!chart) throw new HttpError(404, 'no such chart; GET …/metrics/charts lists them');
  return chart;
}

async function ask(services: Services, projectId: string, chart: Chart, query: ChartParameters) {
  const read = await chartsAsked(services, projectId, query);
  const begins = query.period === 'all_time' ? await beginOf(services, projectId, query, read) : read.now;
  const chartQuery = chartQueryOf(chart, query, read.until, begins);
  const conversion = await conversionFor(services, query.currency, chartQuery, read);
  const sold = await productsFor(services, projectId, chartQuery, read);
  return { ...read, chartQuery: { ...chartQuery, ...sold, ...(conversion && { conversion }) } };
}

/** UTC ms of all there is to show: since the project was made, or since its first customer came, whichever is earlier. */
async function beginOf(
  { readModels }: Services,
  projectId: string,
  { environment }: ChartParameters,
  { source, now }: ChartsAsked,
): Promise<number> {
  const project = await readModels.get(projects, projectId);
  return Math.min(project ? Date.parse(project.createdAt) : now, await firstDay(source, projectId, environment));
}

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
      const { source, until, now, isLive, staleSince } = await chartsAsked(services, scope.projectId, query);
      const found = await readOverview(source, scope.projectId, query.environment, until, isLive);
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
      const asked = await ask(services, scope.projectId, chart, query);
      const { chartQuery, source, shown, now, isLive, staleSince, replay } = asked;
      const read = await readChart(source, scope.projectId, chartQuery, isLive);
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
      bucket: z
        .string()
        .max(40)
        .refine((t) => !Number.isNaN(Date.parse(t)), 'must be the start of a bucket')
        .optional(),
      measure: id.optional(),
      limit,
      startingAfter: id.optional(),
    }),
    response: listOf(customerBehindValue),
    handle: async ({ params, scope, query }, services) => {
      const chart = requireChart(params.chartId);
      const { bucket, measure, limit: size, startingAfter, ...asked } = query;
      const read = await ask(services, scope.projectId, chart, asked);
      expectFresh(read);
      const { chartQuery, source } = read;
      const { range } = chartQuery;
      const shownMeasure = measureOf(chart, measure);
      const found = bucket === undefined ? undefined : range.buckets.find((b) => b.start === Date.parse(bucket));
      if (bucket === undefined)
        throw new HttpError(400, 'bucket is required: send the start of a bucket of this chart');
      if (!found) throw new HttpError(400, 'bucket must be the start of a bucket of this chart');
      const own = bucketedRangeOf({ ...range, start: found.start, end: found.end });
      const only = { ...chartQuery, range: own, segment: null };
      const all = await customersBehind(source, scope.projectId, only, shownMeasure);
      const at = startingAfter === undefined ? -1 : all.findIndex((c) => c.customerId === startingAfter);
      if (startingAfter !== undefined && at < 0) throw unknownCursor();
      const shown = all.slice(at + 1, at + 1 + size);
      const named = await services.readModels.getMany(
        customers,
        shown.map((c) => c.customerId),
      );
      const items = shown.map(({ customerId, value }) => {
        const appUserId = named.get(customerId)?.profile.appUserId ?? '';
        return { object: 'chartCustomer', customerId, appUserId: appUserId === '' ? null : appUserId, value };
      });
      const lastId = at + 1 + shown.length < all.length ? (shown.at(-1)?.customerId ?? null) : null;
      const url = `/v1/projects/${scope.projectId}/metrics/charts/${chart.id}/customers`;
      return { body: listBody(url, items, { lastId, limit: size, extra: repeatable(query) }) };
    },
  }),
];

/** Names, as their makers gave them, of the things with these ids; what is deleted has no name any more. */
async function namesOf(
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

/** Parameters of the next page; null is a timeframe without end. */
function repeatable(query: Readonly<Record<string, unknown>>): Record<string, string | string[] | undefined> {
  const asked = Object.entries(query).filter(([name]) => name !== 'limit' && name !== 'startingAfter');
  const boundText = (v: unknown) => (v === null ? 'unbounded' : String(v));
  return Object.fromEntries(
    asked.map(([name, v]) => [name, v === undefined ? v : Array.isArray(v) ? v.map(boundText) : boundText(v)]),
  );
}
