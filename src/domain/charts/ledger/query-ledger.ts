// Query of a ledger: the partial result of each part, then the result of all parts. Tests compare it with results computed from single
// customer histories.
import { startOfDay } from '../calendar.js';
import type { SeriesChart } from '../catalogue/chart.js';
import { settle } from '../../books/settled-buckets.js';
import type { ChartQuery } from '../catalogue/chart-query.js';
import type { Measure } from '../measures.js';
import { createBucketSums, type BucketSums } from '../result/buckets.js';
import { seriesResult, type ChartResult, type SegmentedResult } from '../result/result.js';
import {
  selectRows,
  measuresOf,
  segmentCount,
  type RowSelection,
  createPlacedSums,
  NOT_SELECTED,
  placesOf,
  isKnown,
  selectEntries,
} from './row-selection.js';
import { UNCONVERTED, measureNumber } from './measure-codes.js';
import type { LedgerColumns } from './ledger.js';
import { cohortResults, queryCohorts } from './query-cohorts.js';
import { customerMeasures, queryActivity, queryCustomers } from './query-customers.js';
import { queryRenewals, renewalResults } from './query-retention.js';
import { unconvertedIn, type PartialResult, type PartialSeries } from './partial.js';

/**
 * Computes the partial result of one part. The ledger must have the currency of the query; ranges of cohorts begin and end at day
 * boundaries.
 */
export function queryLedgerPart(ledger: LedgerColumns, q: ChartQuery): PartialResult {
  const partial = queryPart(ledger, q, selectRows(q, ledger.attributes));
  return q.conversion ? { ...partial, missing: missingRates(ledger, q.range) } : partial;
}

/** Returns the result of a query from the merged parts. */
export function resultOf(q: ChartQuery, partial: PartialResult): SegmentedResult {
  const { chart, range, selectors, settled } = q;
  if (settled && chart.kind === 'series' && partial.kind === 'series') {
    const bucketSums = seriesOf({ ...q, chart }, partial)(segmentCount(q));
    const settledShare = settle(settled, range, bucketSums);
    return { result: seriesResult(chart, selectors, range, bucketSums), settledShare };
  }
  const tableOf = tablesOf(q, partial);
  const whole = { result: tableOf(segmentCount(q)), ...unconvertedIn(partial) };
  if (q.segment === null) return whole;
  const segments = (q.segments ?? []).map((value, number) => [value, tableOf(number)] as const);
  return { ...whole, segments: new Map(segments) };
}

export function queryLedger(ledger: LedgerColumns, q: ChartQuery): SegmentedResult {
  return resultOf(q, queryLedgerPart(ledger, q));
}

function tablesOf(q: ChartQuery, partial: PartialResult): (table: number) => ChartResult {
  const { chart, range, selectors } = q;
  if (partial.kind === 'cohorts') return cohortResults(q, partial);
  if (partial.kind === 'renewals') return renewalResults(q, partial);
  if (chart.kind === 'cohort') throw new Error(`${chart.id} is a cohort chart without a series`);
  const sumsOf = seriesOf({ chart, range, selectors }, partial);
  return (table) => seriesResult(chart, selectors, range, sumsOf(table));
}

function seriesOf(
  { chart, range, selectors }: Pick<ChartQuery, 'range' | 'selectors'> & { readonly chart: SeriesChart },
  partial: PartialSeries,
): (table: number) => BucketSums {
  const measures = measuresIn(chart, selectors);
  const places = range.buckets.length + 1;
  return (table) => {
    const bucketSums = createBucketSums(range);
    const sums = measures.map((measure, slot) => {
      const begins = (table * measures.length + slot) * places;
      return [measure, partial.sums.subarray(begins, begins + places)] as const;
    });
    bucketSums.addAll({ sums: new Map(sums) });
    return bucketSums;
  };
}

/** Returns the measures in the order of their slots. */
function measuresIn(chart: SeriesChart, selectors: ChartQuery['selectors']): readonly Measure[] {
  if (chart.needs === 'customers') return customerMeasures;
  return chart.needs === 'activity' ? ['customers.active'] : measuresOf(chart, selectors);
}

function queryPart(ledger: LedgerColumns, q: ChartQuery, selection: RowSelection): PartialResult {
  const { chart } = q;
  if (chart.kind === 'cohort')
    return chart.of === 'customers' ? queryCohorts(ledger, q, selection) : queryRenewals(ledger, q, selection);
  if (chart.needs === 'customers') return queryCustomers(ledger, { ...q, chart }, selection);
  return chart.needs === 'activity'
    ? queryActivity(ledger, { ...q, chart }, selection)
    : queryAdditive(ledger, { ...q, chart }, selection);
}

/** Returns the missing rates of all customers, regardless of filters. */
function missingRates(
  { rows, cells, customerIds }: LedgerColumns,
  { asOf, end }: ChartQuery['range'],
): NonNullable<PartialResult['missing']> {
  const selected = selectEntries(cells, new Map([[UNCONVERTED, 0]]));
  const days = new Set<number>();
  let transactions = 0;
  const { columns, kinds, starts, ends } = rows;
  for (let customer = 0; customer < customerIds.length && selected.values.length > 0; customer++) {
    const last = ends[customer] ?? 0;
    for (let i = starts[customer] ?? 0; i < last; i++) {
      const entry = selected.ends[kinds[i] ?? 0] ?? 0;
      const at = columns.at[i] ?? 0;
      if (entry === selected.ends[(kinds[i] ?? 0) + 1] || at >= end || !isKnown(columns, i, asOf)) continue;
      transactions += selected.values[entry] ?? 0;
      days.add(startOfDay(at));
    }
  }
  return { transactions, days: [...days] };
}

/**
 * Queries charts whose measures add up over purchases: one pass over the rows, each added to the sums of its segment. The customer of a row
 * does not matter, so entries are read in place.
 */
function queryAdditive(
  ledger: LedgerColumns,
  q: ChartQuery & { readonly chart: SeriesChart },
  selection: RowSelection,
): PartialSeries {
  const { range, selectors, chart } = q;
  const { asOf } = range;
  const measures = measuresOf(chart, selectors);
  const pending = measures.indexOf('outcome.pending');
  const slots = new Map(measures.map((measure, slot) => [measureNumber(measure, selectors.revenueType), slot]));
  const places = placesOf(range);
  const WHOLE = selection.segments;
  const { sums, add, addSlot } = createPlacedSums(places.count, measures.length, WHOLE + 1);
  const selected = selectEntries(ledger.cells, slots);
  const { columns, kinds, starts, ends } = ledger.rows;
  for (let customer = 0; customer < ledger.customerIds.length; customer++) {
    const end = ends[customer] ?? 0;
    for (let i = starts[customer] ?? 0; i < end; i++) {
      const kind = kinds[i] ?? 0;
      const [first, last] = [selected.ends[kind] ?? 0, selected.ends[kind + 1] ?? 0];
      if (first === last || !isKnown(columns, i, asOf)) continue;
      const segment = selection.purchases[columns.attributes[i] ?? 0] ?? NOT_SELECTED;
      const at = columns.at[i] ?? 0;
      const place = segment === NOT_SELECTED ? NOT_SELECTED : places.of(at);
      if (place === NOT_SELECTED) continue;
      for (let entry = first; entry < last; entry++) {
        const slot = at + (selected.lags[entry] ?? 0) >= asOf ? pending : (selected.slots[entry] ?? NOT_SELECTED);
        if (slot !== NOT_SELECTED) add(segment, slot, place, selected.values[entry] ?? 0);
      }
    }
  }
  for (let segment = 0; segment < WHOLE; segment++) {
    for (let slot = 0; slot < measures.length; slot++) addSlot(segment, WHOLE, slot);
  }
  return { kind: 'series', sums };
}
