// Number of places that the values of a chart have.
import { spanOf, spansUntil, startOfDay } from '../calendar.js';
import type { ChartQuery } from '../catalogue/chart-query.js';
import type { BucketedRange } from '../result/buckets.js';
import { ageOf } from '../result/cohorts.js';

/** Returns the maximum number of places of a track. For renewals it is unlimited, because no value continues into the next column. */
export function lengthOf(
  { chart, range }: Pick<ChartQuery, 'chart' | 'range'>,
  visibleCount: number,
): (track: number) => number {
  if (chart.kind === 'series') return () => visibleCount;
  if (chart.of === 'subscriptions') return () => Infinity;
  const known: number[] = [];
  return (row) => (known[row] ??= mostColumns(range, row));
}

/** Returns the maximum number of compared values of a chart without segments. */
export function placesOf({ chart, range, selectors }: ChartQuery): number {
  if (chart.kind === 'series') return range.buckets.length * chart.measures.length;
  const span = spanOf(selectors.productDuration) ?? { months: 1, days: 0 };
  const columnsOf = (row: number) =>
    chart.of === 'customers'
      ? mostColumns(range, row)
      : spansUntil(range.buckets[row]?.start ?? range.asOf, span, range.asOf) + 1;
  return range.buckets.reduce((sum, _, row) => sum + columnsOf(row) * chart.measures.length, 0);
}

function mostColumns({ buckets, interval, asOf }: BucketedRange, row: number): number {
  return ageOf(interval, startOfDay(buckets[row]?.start ?? asOf), asOf) + 1;
}
