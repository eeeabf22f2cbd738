// Computes a chart query: from the sums if they contain what is needed, else from the ledger. Both give the same values.
import { seriesResult, type SegmentedResult } from '../../domain/charts/result/result.js';
import { startOf } from '../../domain/charts/calendar.js';
import { defaultSelectors, type SeriesChart } from '../../domain/charts/catalogue/chart.js';
import { createBucketSums, type BucketedRange, type BucketSums } from '../../domain/charts/result/buckets.js';
import type { ChartQuery } from '../../domain/charts/catalogue/chart-query.js';
import { scopeOf } from './sums/chart-sums.js';
import { cohortsFromSums, isCohortSummed, addSums, changingCustomers, correct, movePending } from './from-sums.js';
import { areRenewalsSummed, renewalsFromSums } from './renewal-rows.js';
import { settle } from '../../domain/books/settled-buckets.js';
import type { ReadModels } from '../queries/read-models.js';
import { chartDocuments, type ChartDocuments } from './chart-documents.js';
import type { ChartResponses, QueryCharts } from './requests/chart-queries.js';

/** The read models contain the sums, the ledgers in the chart threads all of the customers. */
export type ChartSources = { readonly readModels: ReadModels; readonly chartLedger: { readonly ask: QueryCharts } };

/**
 * Computes the query; `isLive` means as of now, so that everything in the read model may count. Throws `Unavailable` if the ledger is not
 * available now.
 */
export async function readChart(
  { readModels, chartLedger }: ChartSources,
  projectId: string,
  q: ChartQuery,
  isLive: boolean,
): Promise<ChartResponses['chart']> {
  const documents = chartDocuments(readModels);
  if (isLive && isSummed(q)) return fromSums(documents, projectId, q, q.chart);
  if (isLive && areRenewalsSummed(q)) return { result: await renewalsFromSums(documents, projectId, q) };
  if (isLive && isCohortSummed(q)) return { result: await cohortsFromSums(documents, projectId, q) };
  return chartLedger.ask('chart', projectId, { query: q });
}

/** Returns whether the sums contain the query: all purchases, by the default terms, in US dollars. */
export function isSummed(q: ChartQuery): q is ChartQuery & { readonly chart: SeriesChart } {
  const { chart, selectors, range } = q;
  if (chart.kind !== 'series' || q.filters.size > 0 || q.segment !== null || q.conversion) return false;
  const ownSelectors = chart.selectors.filter((name) => name !== 'statusMeasure');
  if (ownSelectors.some((name) => selectors[name] !== defaultSelectors[name])) return false;
  return chart.needs !== 'activity' || range.buckets.every((_, i) => edgeOf(range, i) !== null);
}

/** Returns which activity of an interval identifies the bucket; null for a bucket clipped at both ends, where neither does. */
function edgeOf({ buckets, interval, end }: BucketedRange, i: number): 'first' | 'last' | null {
  const bucket = buckets[i];
  if (!bucket || startOf(interval, bucket.start) === bucket.start) return 'first';
  const isClippedAtEnd = bucket.horizon < bucket.end || (bucket.end === end && startOf(interval, end) !== end);
  return isClippedAtEnd ? null : 'last';
}

async function fromSums(
  documents: ChartDocuments,
  projectId: string,
  q: ChartQuery,
  chart: SeriesChart,
): Promise<SegmentedResult> {
  const { range, environment, selectors, settled } = q;
  const { asOf } = range;
  const scope = scopeOf(projectId, environment, chart.needs);
  const bucketSums = createBucketSums(range);
  await addSums(documents, scope, range, bucketSums);
  if (chart.needs === 'outcomes') await movePending(documents, scope, asOf, bucketSums);
  const customers = await changingCustomers(documents, projectId, asOf, asOf);
  correct(customers, chart.needs, environment, { range, bucketSums, asOf });
  if (chart.needs === 'activity') chooseEdges(range, bucketSums);
  const settledShare = settled && settle(settled, range, bucketSums);
  const result = seriesResult(chart, selectors, range, bucketSums);
  return { result, ...(settledShare && { settledShare }) };
}

function chooseEdges(range: BucketedRange, bucketSums: BucketSums): void {
  for (const i of range.buckets.keys()) {
    const edge = edgeOf(range, i) ?? 'first';
    bucketSums.addTo('customers.active', i, bucketSums.flow(`customers.${edge}_${range.interval}`, i));
  }
}
