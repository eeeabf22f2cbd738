// Metrics of the dashboard's start page: current values and those of the last 28 times 24 hours, each with the value of the 28 days before.
import { seriesResult, type ChartResult } from '../../domain/charts/result/result.js';
import { startOfDay } from '../../domain/charts/calendar.js';
import { findChart } from '../../domain/charts/catalogue/catalogue.js';
import { defaultSelectors, type SeriesChart } from '../../domain/charts/catalogue/chart.js';
import { createBucketSums, type BucketedRange, type BucketSums } from '../../domain/charts/result/buckets.js';
import type { Environment } from '../../domain/charts/history/known-history.js';
import type { ChartQuery } from '../../domain/charts/catalogue/chart-query.js';
import { scopeOf } from './sums/chart-sums.js';
import { RECENT_MS } from './sums/contribute.js';
import { addSums, changingCustomers, correct, hourEnd } from './from-sums.js';
import { chartDocuments, type ChartDocuments } from './chart-documents.js';
import type { ChartSources } from './query-chart.js';

const WINDOW_MS = RECENT_MS;

type Metric = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly unit: 'count' | 'usd';
  readonly period: 'P0D' | 'P28D';
  readonly chart: string;
  readonly measure: string;
};

const now = (id: string, name: string, unit: Metric['unit'], chart: string, measure: string): Metric => {
  return { id, name, description: `${name} at this moment`, unit, period: 'P0D', chart, measure };
};
const recent = (id: string, name: string, unit: Metric['unit'], chart: string, measure: string): Metric => {
  return { id, name, description: `${name} of the last 28 days`, unit, period: 'P28D', chart, measure };
};

const metrics: readonly Metric[] = [
  now('active_trials', 'Active trials', 'count', 'trials', 'active_trials'),
  now('active_subscriptions', 'Active subscriptions', 'count', 'actives', 'active_subscriptions'),
  now('mrr', 'Monthly recurring revenue', 'usd', 'mrr', 'mrr'),
  recent('revenue', 'Revenue', 'usd', 'revenue', 'revenue'),
  recent('new_customers', 'New customers', 'count', 'customers_new', 'new_customers'),
  recent('active_users', 'Active customers', 'count', 'customers_active', 'active_customers'),
  recent('transactions', 'Transactions', 'count', 'revenue', 'transactions'),
  recent('refunds', 'Refunds', 'usd', 'revenue', 'refunds'),
];

export type OverviewMetric = Omit<Metric, 'chart' | 'measure'> & {
  readonly value: number | null;
  readonly previousValue: number | null;
};

/**
 * Query of the overview. Nothing at or after `asOf` (UTC ms) counts. `isLive` means that `asOf` is now, so that everything in the read
 * model may count.
 */
export type OverviewRequest = Pick<ChartQuery, 'environment' | 'whatIf'> & {
  readonly asOf: number;
  readonly isLive: boolean;
};

export async function readOverview(
  { readModels, chartLedger }: ChartSources,
  projectId: string,
  request: OverviewRequest,
): Promise<readonly OverviewMetric[]> {
  const ids = [...new Set(metrics.map(({ chart }) => chart))];
  const { environment, asOf, isLive } = request;
  const queries = new Map(ids.map((id) => [id, queryFor(id, request)]));
  const results = isLive
    ? await fromSums(chartDocuments(readModels), projectId, environment, asOf, queries)
    : await queryLedger(chartLedger, projectId, queries);
  return metrics.map(({ chart, measure, ...metric }) => {
    const result = results.get(chart);
    const [before, last] = result?.kind === 'series' ? result.buckets : [];
    return { ...metric, value: last?.values[measure] ?? null, previousValue: before?.values[measure] ?? null };
  });
}

type Results = ReadonlyMap<string, ChartResult>;
type ChartQueries = ReadonlyMap<string, ChartQuery & { readonly chart: SeriesChart }>;

async function queryLedger(
  { ask }: ChartSources['chartLedger'],
  projectId: string,
  queries: ChartQueries,
): Promise<Results> {
  const results = new Map<string, ChartResult>();
  for (const [id, q] of queries) results.set(id, (await ask('chart', projectId, { query: q })).result);
  return results;
}

/** Computes the values of a window: everything before its end less everything before its start. */
async function fromSums(
  documents: ChartDocuments,
  projectId: string,
  environment: Environment,
  asOf: number,
  queries: ChartQueries,
): Promise<Results> {
  const instants = [asOf - 2 * WINDOW_MS, asOf - WINDOW_MS, asOf];
  const before = await Promise.all(
    instants.map((at) => allBefore(documents, projectId, { at, asOf, environment, queries })),
  );
  const results = new Map<string, ChartResult>();
  for (const [id, { chart, selectors, range }] of queries) {
    const bucketSums = createBucketSums(range);
    const measures = new Set(before.flatMap((stocks) => [...stocks.sums.keys()]));
    for (const measure of measures) {
      const stocks = before.map((stocksBefore) => stocksBefore.stock(measure, 0));
      for (const [i, stock] of stocks.entries()) bucketSums.addTo(measure, i - 1, stock - (stocks[i - 1] ?? 0));
    }
    for (const i of range.buckets.keys())
      bucketSums.addTo('customers.active', i, bucketSums.stock('customers.recent', i));
    results.set(id, seriesResult(chart, selectors, range, bucketSums));
  }
  return results;
}

/** Returns the sums of everything before `at`, by what is known at `asOf`. */
async function allBefore(
  documents: ChartDocuments,
  projectId: string,
  o: {
    readonly at: number;
    readonly asOf: number;
    readonly environment: Environment;
    readonly queries: ChartQueries;
  },
): Promise<BucketSums> {
  const { at, asOf, environment } = o;
  const start = startOfDay(at);
  const range: BucketedRange = {
    start,
    end: at,
    interval: 'day',
    asOf: at,
    buckets: [{ start, end: at, horizon: at }],
  };
  const bucketSums = createBucketSums(range);
  const [changing, falling] = await Promise.all([
    changingCustomers(documents, projectId, at, asOf),
    documents.lastSeen(projectId, at - RECENT_MS, hourEnd(at) - RECENT_MS),
  ]);
  const customerIds = new Set(changing.map((p) => p.customerId));
  const customers = [...changing, ...(await documents.byIds(falling.filter((id) => !customerIds.has(id))))];
  for (const group of new Set([...o.queries.values()].map((q) => q.chart.needs))) {
    await addSums(documents, scopeOf(projectId, environment, group), range, bucketSums);
    correct(customers, group, environment, { range, bucketSums, asOf });
  }
  return bucketSums;
}

/** Creates a query with two windows that end at an instant rather than at a day boundary. */
function queryFor(
  id: string,
  { environment, asOf, whatIf }: OverviewRequest,
): ChartQuery & { readonly chart: SeriesChart } {
  const chart = findChart(id);
  if (chart?.kind !== 'series') throw new Error(`no series chart ${id}`);
  const [start, middle] = [asOf - 2 * WINDOW_MS, asOf - WINDOW_MS];
  const buckets = [
    { start, end: middle, horizon: middle },
    { start: middle, end: asOf, horizon: asOf },
  ];
  const range = { start, end: asOf, interval: 'day' as const, asOf, buckets };
  const plain = { chart, range, environment, filters: new Map(), segment: null, selectors: defaultSelectors };
  return { ...plain, ...(whatIf && { whatIf }) };
}
