// Two results of one question, with the reasons of every difference between them, from the histories of the customers one by one.
import { spanOf, spansUntil, startOfDay } from '../calendar.js';
import type { ChartQuery } from '../catalogue/chart-query.js';
import type { CustomerHistory } from '../history/history.js';
import type { BucketedRange } from '../result/buckets.js';
import { createCalculator } from '../result/calculator.js';
import { ageOf } from '../result/cohorts.js';
import type { ChartResult } from '../result/result.js';
import { createCellReader, EVERY_SEGMENT, WHOLE } from './cells.js';
import { changesBetween, type Changed } from './changes.js';
import { formsOf } from './forms.js';
import { numberListed, type PackedReasons, type ReasonsOf } from './packed.js';
import { createTally } from './tally.js';

/** Segments of both sides, in their order; none where none are asked for. */
export type Results = { readonly result: ChartResult; readonly segments: ReadonlyMap<string, ChartResult> };

export type Reasons = {
  /** A customer as the two sides know it, undefined where one does not; returns how either shows it. */
  add(
    customerId: string,
    then: CustomerHistory | undefined,
    now: CustomerHistory | undefined,
  ): Omit<Changed, 'changes'>;
  readonly reasonsOf: ReasonsOf;
  /** The same in columns. */
  packed(segments: readonly string[]): PackedReasons;
};

export type Comparison = {
  add(customerId: string, then: CustomerHistory | undefined, now: CustomerHistory | undefined): void;
  results(): { readonly then: Results; readonly now: Results };
} & Pick<Reasons, 'reasonsOf' | 'packed'>;

/** Of each reason so many customers are named. */
export const MOST_LISTED = 20;

/** The queries differ in the instant, the rates and the catalogue alone. Customers for whom nothing has changed need not be added. */
export function createReasons(then: ChartQuery, now: ChartQuery, mostListed = MOST_LISTED): Reasons {
  const [earlier, frame] = then.range.asOf <= now.range.asOf ? [then, now] : [now, then];
  const shown = Math.min(then.range.buckets.length, now.range.buckets.length);
  const reader = createCellReader(frame, shown);
  const between = changesBetween(then, now, reader);
  const tally = createTally(formsOf(now.chart, now.selectors), lengthOf(earlier, shown), mostListed);
  const partOf = (segment: string | null): number =>
    segment === null ? WHOLE : EVERY_SEGMENT + 1 + reader.segments.indexOf(segment);
  return {
    add: (customerId, thenCustomer, nowCustomer) => {
      const { changes, ...states } = between(thenCustomer, nowCustomer);
      if (changes.length > 0) tally.add(customerId, changes);
      return states;
    },
    reasonsOf: (segment, measure, track, index) => tally.reasons(partOf(segment), measure, track, index),
    packed: (segments) => {
      const { customerIds, numberOf } = numberListed();
      const groups = [null, ...segments].flatMap((segment, i) => tally.groups(partOf(segment), i, numberOf));
      return { segments, customerIds, groups };
    },
  };
}

/** Both results and their reasons from one reading of all customers. */
export function createComparison(then: ChartQuery, now: ChartQuery, mostListed = MOST_LISTED): Comparison {
  const reasons = createReasons(then, now, mostListed);
  const [thenSums, nowSums] = [createCalculator(then), createCalculator(now)];
  return {
    add: (customerId, thenCustomer, nowCustomer) => {
      const states = reasons.add(customerId, thenCustomer, nowCustomer);
      if (states.then.history) thenSums.addShares(states.then.history, states.then.shares);
      if (states.now.history) nowSums.addShares(states.now.history, states.now.shares);
    },
    results: () => {
      const [thenValues, nowValues] = [thenSums.segments().keys(), nowSums.segments().keys()];
      return {
        then: { result: thenSums.result(), segments: thenSums.segments(nowValues) },
        now: { result: nowSums.result(), segments: nowSums.segments(thenValues) },
      };
    },
    reasonsOf: reasons.reasonsOf,
    packed: reasons.packed,
  };
}

/**
 * Whether time alone changes nothing but where something begins or ends for a customer. Cohorts by renewals, and by subscriptions that are
 * live, go on with every day.
 */
export function changesAtTurnsAlone({ chart, selectors }: ChartQuery): boolean {
  if (chart.kind === 'series') return true;
  return chart.of === 'customers' && selectors.cohortMeasure !== 'retained_subscriptions';
}

/** No track of the side has more places than this one; of renewals no value goes on from one column to the next. */
export function lengthOf(
  { chart, range }: Pick<ChartQuery, 'chart' | 'range'>,
  shown: number,
): (track: number) => number {
  if (chart.kind === 'series') return () => shown;
  if (chart.of === 'subscriptions') return () => Infinity;
  const known: number[] = [];
  return (row) => (known[row] ??= mostColumns(range, row));
}

/** Values beside each other, at most: of a chart without segments. */
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
