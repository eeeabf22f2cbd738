// Contributions of one simulated customer to charts: the projection and the formulas of the real charts, over its events alone.
import type { RecordedEvent } from '../../domain/envelope.js';
import { addIntervals, startOf, type Interval } from '../../domain/charts/calendar.js';
import { charts } from '../../domain/charts/catalogue/catalogue.js';
import { defaultSelectors, type SeriesChart } from '../../domain/charts/catalogue/chart.js';
import { knownHistoryOf, type KnownHistory } from '../../domain/charts/history/known-history.js';
import { bucketedRangeOf, createBucketSums, type BucketedRange } from '../../domain/charts/result/buckets.js';
import { contributeTo, emitInto } from '../../domain/charts/result/contributions.js';
import { seriesResult } from '../../domain/charts/result/result.js';
import { SIMULATED_CUSTOMER } from '../../domain/simulation/life-script.js';
import { isoFromMs } from '../../domain/time.js';
import { customerHistories, type CustomerHistoryDoc } from '../../projections/charts/customer-histories.js';

const MAX_MONTHS = 24;

export const seriesCharts: readonly SeriesChart[] = charts.filter((chart) => chart.kind === 'series');

type Period = { readonly from: string; readonly until: string };

/** Returns the buckets of each chart in which it is not zero, by month, or by year for a long life. */
export function contributionsTo(wanted: readonly SeriesChart[], events: readonly RecordedEvent[], period: Period) {
  const doc = events.reduce<CustomerHistoryDoc | undefined>(
    (found, event) => customerHistories.fold(found, event, SIMULATED_CUSTOMER, () => undefined) ?? undefined,
    undefined,
  );
  const history = doc && knownHistoryOf(doc, 'production');
  if (!history) return [];
  const range = rangeOf(period);
  return wanted.map((chart) => {
    const { id, name } = chart;
    return { id, name, interval: range.interval, buckets: bucketsOf(chart, history, range) };
  });
}

function rangeOf({ from, until }: Period): BucketedRange {
  const [first, last] = [Date.parse(from), Date.parse(until)];
  const interval: Interval = addIntervals('month', first, MAX_MONTHS) > last ? 'month' : 'year';
  const end = addIntervals(interval, startOf(interval, last), 1);
  return bucketedRangeOf({ start: startOf(interval, first), end, interval, asOf: end });
}

function bucketsOf(chart: SeriesChart, history: KnownHistory, range: BucketedRange) {
  const sums = createBucketSums(range);
  contributeTo(chart, { range, selectors: defaultSelectors }, history, history.lines, emitInto(sums, range.asOf));
  return seriesResult(chart, defaultSelectors, range, sums)
    .buckets.filter(({ values }) => Object.values(values).some((value) => value !== null && value !== 0))
    .map(({ start, values }) => ({ start: isoFromMs(start), values }));
}
