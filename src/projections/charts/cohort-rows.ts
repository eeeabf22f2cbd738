// Computes the cohort explorer from the sums: the rows of each day of first sighting are added to the requested rows.
import { ageResult, unitOf, type ChartResult } from '../../domain/charts/result/result.js';
import { DAY_MS, startOfDay } from '../../domain/charts/calendar.js';
import { defaultSelectors, type CohortChart } from '../../domain/charts/catalogue/chart.js';
import { ageOf, type Member } from '../../domain/charts/result/cohorts.js';
import { bucketAt, type BucketedRange } from '../../domain/charts/result/buckets.js';
import { knownHistoryOf } from '../../domain/charts/history/known-history.js';
import type { ChartQuery } from '../../domain/charts/catalogue/chart-query.js';
import type { SumCells } from '../runtime/projection.js';
import { cohortScopeOf } from './sums/chart-sums.js';
import { memberOf, SIZE_CELL } from './sums/cohort-accumulator.js';
import { isoDay } from './sums/document-sums.js';
import type { ChartDocuments } from './chart-documents.js';

/** Returns whether the sums contain the query: money of all new customers, by first day, cumulative or not. */
export function isCohortSummed(q: ChartQuery): q is ChartQuery & { readonly chart: CohortChart } {
  const { chart, selectors } = q;
  if (chart.kind !== 'cohort' || chart.of !== 'customers' || q.conversion) return false;
  if (q.filters.size > 0 || q.segment !== null) return false;
  const isOfNew =
    selectors.cohort === defaultSelectors.cohort && selectors.revenueType === defaultSelectors.revenueType;
  return isOfNew && selectors.cohortMeasure !== 'retained_subscriptions';
}

export async function cohortsFromSums(
  documents: ChartDocuments,
  projectId: string,
  { chart, environment, range, selectors }: ChartQuery & { readonly chart: CohortChart },
): Promise<ChartResult> {
  const { interval, asOf } = range;
  const rows = range.buckets.map(({ start }) => rowFrom(start, range));
  const sizes = new Map<number, number>();
  const grow = (day: number, size: number) => sizes.set(day, (sizes.get(day) ?? 0) + size);
  const put = (member: Member<number> | null, sign: 1 | -1): void => {
    if (!member) return;
    const day = startOfDay(member.at);
    const row = rows[bucketAt(range, day) ?? -1];
    if (!row) return;
    grow(day, sign);
    for (const [k, value] of member.columns.entries()) row.sums[k] = (row.sums[k] ?? 0) + sign * value;
  };
  const [from, to] = [isoDay(range.start), isoDay(Math.min(range.end, asOf) + DAY_MS)];
  const scope = cohortScopeOf(projectId, environment, interval);
  for (const { period, cells } of await documents.sums('cohorts', scope, from, to)) {
    const day = Date.parse(String(period));
    const row = rows[bucketAt(range, day) ?? -1];
    if (!row) continue;
    grow(day, cells[SIZE_CELL] ?? 0);
    addCells(row.sums, cells);
  }
  // The sums also contain what takes effect later: each customer with such events is removed and added again as of now.
  for (const customer of await documents.byIds(
    await documents.moments(projectId, 'ahead', asOf, Number.MAX_SAFE_INTEGER),
  )) {
    const [whole, now] = [knownHistoryOf(customer, environment), knownHistoryOf(customer, environment, asOf)];
    if (whole) put(memberOf(whole, interval), -1);
    if (now) put(memberOf(now, interval, asOf), 1);
  }
  for (const [day, size] of sizes) {
    const row = rows[bucketAt(range, day) ?? -1];
    if (!row || size === 0) continue;
    row.size += size;
    row.earliest = Math.min(row.earliest, day);
  }
  return ageResult(range, selectors, unitOf(chart, selectors), rows);
}

/** Creates a row with the columns that a customer first seen at `start` has by now; later values are dropped. */
function rowFrom(start: number, { interval, asOf }: BucketedRange) {
  const columns = ageOf(interval, startOfDay(start), asOf) + 1;
  return { size: 0, earliest: Infinity, sums: new Float64Array(columns) };
}

/** Threshold of columns per value above which cells are read by name instead of by number: listing the names takes the most time. */
const SPARSE = 4;

function addCells(sums: Float64Array, cells: SumCells): void {
  const add = (k: number, value: number | undefined) => {
    if (value !== undefined && k < sums.length) sums[k] = (sums[k] ?? 0) + value;
  };
  const names = Object.keys(cells);
  if (names.length * SPARSE < sums.length) for (const name of names) add(Number(name), cells[name]);
  else for (let k = 0; k < sums.length; k++) add(k, cells[k]);
}
