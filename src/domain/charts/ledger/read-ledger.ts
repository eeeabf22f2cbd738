// Query of a ledger: the partial result of each part, then the result of all parts. Tests compare it with results computed from single
// customer histories.
import { startOfDay } from '../calendar.js';
import type { SeriesChart } from '../catalogue/chart.js';
import type { ChartQuery } from '../catalogue/chart-query.js';
import type { Measure } from '../measures.js';
import { createBucketSums } from '../result/buckets.js';
import { seriesResult, type ChartResult, type SegmentedResult } from '../result/result.js';
import { readAdditive } from './additive.js';
import { askedOf, measuresOf, segmentCount, type Asked } from './asked.js';
import { UNCONVERTED } from './entries.js';
import type { LedgerColumns } from './ledger.js';
import { cohortResults, readCohorts } from './of-cohorts.js';
import { customerMeasures, readActivity, readCustomers } from './of-customers.js';
import { readRenewals, renewalResults } from './of-renewals.js';
import { unconvertedIn, type PartialResult } from './partial.js';
import { isKnown, pick } from './picked.js';

/**
 * Computes the partial result of one part. The ledger must have the currency of the query; ranges of cohorts begin and end at day
 * boundaries.
 */
export function readPart(ledger: LedgerColumns, q: ChartQuery): PartialResult {
  const found = read(ledger, q, askedOf(q, ledger.attributes));
  return q.conversion ? { ...found, missing: missingRates(ledger, q.range.asOf, q.conversion.end) } : found;
}

/** Returns the result of a query from the merged parts. */
export function resultOf(q: ChartQuery, partial: PartialResult): SegmentedResult {
  const tableOf = tablesOf(q, partial);
  const whole = { result: tableOf(segmentCount(q)), ...unconvertedIn(partial) };
  if (q.segment === null) return whole;
  const segments = (q.segments ?? []).map((value, number) => [value, tableOf(number)] as const);
  return { ...whole, segments: new Map(segments) };
}

export function readLedger(ledger: LedgerColumns, q: ChartQuery): SegmentedResult {
  return resultOf(q, readPart(ledger, q));
}

function tablesOf(q: ChartQuery, partial: PartialResult): (table: number) => ChartResult {
  const { chart, range, selectors } = q;
  if (partial.kind === 'cohorts') return cohortResults(q, partial);
  if (partial.kind === 'renewals') return renewalResults(q, partial);
  if (chart.kind === 'cohort') throw new Error(`${chart.id} is a cohort chart without a series`);
  const measures = measuresIn(chart, selectors);
  const places = range.buckets.length + 1;
  return (table) => {
    const bucketSums = createBucketSums(range);
    const sums = measures.map((measure, slot) => {
      const begins = (table * measures.length + slot) * places;
      return [measure, partial.sums.subarray(begins, begins + places)] as const;
    });
    bucketSums.addAll({ sums: new Map(sums) });
    return seriesResult(chart, selectors, range, bucketSums);
  };
}

/** Returns the measures in the order of their slots. */
function measuresIn(chart: SeriesChart, selectors: ChartQuery['selectors']): readonly Measure[] {
  if (chart.needs === 'customers') return customerMeasures;
  return chart.needs === 'activity' ? ['customers.active'] : measuresOf(chart, selectors);
}

function read(ledger: LedgerColumns, q: ChartQuery, asked: Asked): PartialResult {
  const { chart } = q;
  if (chart.kind === 'cohort')
    return chart.of === 'customers' ? readCohorts(ledger, q, asked) : readRenewals(ledger, q, asked);
  if (chart.needs === 'customers') return readCustomers(ledger, { ...q, chart }, asked);
  return chart.needs === 'activity'
    ? readActivity(ledger, { ...q, chart }, asked)
    : readAdditive(ledger, { ...q, chart }, asked);
}

/** Returns the missing rates of all customers, regardless of filters. `end` and `asOf` in UTC ms. */
function missingRates(
  { rows, cells, customerIds }: LedgerColumns,
  asOf: number,
  end: number,
): NonNullable<PartialResult['missing']> {
  const picked = pick(cells, new Map([[UNCONVERTED, 0]]));
  const days = new Set<number>();
  let transactions = 0;
  const { columns, kinds, starts, ends } = rows;
  for (let customer = 0; customer < customerIds.length && picked.values.length > 0; customer++) {
    const last = ends[customer] ?? 0;
    for (let i = starts[customer] ?? 0; i < last; i++) {
      const entry = picked.ends[kinds[i] ?? 0] ?? 0;
      const at = columns.at[i] ?? 0;
      if (entry === picked.ends[(kinds[i] ?? 0) + 1] || at >= end || !isKnown(columns, i, asOf)) continue;
      transactions += picked.values[entry] ?? 0;
      days.add(startOfDay(at));
    }
  }
  return { transactions, days: [...days] };
}
