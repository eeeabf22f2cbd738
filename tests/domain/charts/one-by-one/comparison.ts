// The reference for comparisons: two results of one question, with the reasons of every difference between them, from the histories of the
// customers one by one.
import type { ChartQuery } from '../../../../src/domain/charts/catalogue/chart-query.js';
import type { CustomerHistory } from '../../../../src/domain/charts/history/history.js';
import { createCellReader, EVERY_SEGMENT, WHOLE } from '../../../../src/domain/charts/compare/cells.js';
import { changesBetween, type CustomerChanges } from '../../../../src/domain/charts/compare/history-changes.js';
import { measureWeightsOf } from '../../../../src/domain/charts/compare/measure-weights.js';
import { MAX_LISTED, numberListed, type PackedReasons } from '../../../../src/domain/charts/compare/packed-reasons.js';
import { lengthOf } from '../../../../src/domain/charts/compare/places.js';
import type { ChartResult } from '../../../../src/domain/charts/result/result.js';
import type { ReasonsOf } from '../reasons-of.js';
import { createCalculator } from './calculator.js';
import { createReasonTotals } from './reason-totals.js';

export type Reasons = {
  /** A customer as the two sides know it, undefined where one does not; returns how either shows it. */
  add(
    customerId: string,
    then: CustomerHistory | undefined,
    now: CustomerHistory | undefined,
  ): Omit<CustomerChanges, 'changes'>;
  readonly reasonsOf: ReasonsOf;
  /** The same in columns. */
  packed(segments: readonly string[]): PackedReasons;
};

type Results = { readonly result: ChartResult; readonly segments: ReadonlyMap<string, ChartResult> };

export type Comparison = {
  add(customerId: string, then: CustomerHistory | undefined, now: CustomerHistory | undefined): void;
  results(): { readonly then: Results; readonly now: Results };
} & Pick<Reasons, 'reasonsOf' | 'packed'>;

/** The queries differ in the instant, the rates and the catalogue alone. Customers for whom nothing has changed need not be added. */
export function createReasons(then: ChartQuery, now: ChartQuery, mostListed = MAX_LISTED): Reasons {
  const [earlier, frame] = then.range.asOf <= now.range.asOf ? [then, now] : [now, then];
  const shown = Math.min(then.range.buckets.length, now.range.buckets.length);
  const reader = createCellReader(frame, shown);
  const between = changesBetween(then, now, reader);
  const tally = createReasonTotals(measureWeightsOf(now.chart, now.selectors), lengthOf(earlier, shown), mostListed);
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
export function createComparison(then: ChartQuery, now: ChartQuery, mostListed = MAX_LISTED): Comparison {
  const reasons = createReasons(then, now, mostListed);
  const [thenSums, nowSums] = [createCalculator(then), createCalculator(now)];
  return {
    add: (customerId, thenCustomer, nowCustomer) => {
      const states = reasons.add(customerId, thenCustomer, nowCustomer);
      if (states.then.history) thenSums.addKnown(states.then.history);
      if (states.now.history) nowSums.addKnown(states.now.history);
    },
    results: () => ({
      then: { result: thenSums.result(), segments: thenSums.segments() },
      now: { result: nowSums.result(), segments: nowSums.segments() },
    }),
    reasonsOf: reasons.reasonsOf,
    packed: reasons.packed,
  };
}
