// The reference for everything that the service computes about charts: the result of any query, from the histories of the customers one by
// one.
import type { ChartResult, UnconvertedCharges } from '../../../../src/domain/charts/result/result.js';
import type { CustomerHistory } from '../../../../src/domain/charts/history/history.js';
import { knownHistoryOf, type KnownHistory } from '../../../../src/domain/charts/history/known-history.js';
import { countingConversion } from './conversion.js';
import { createPartialSums, type PartialSums } from './partial-sums.js';
import { sharesOf } from '../../../../src/domain/charts/result/shares.js';
import type { ChartQuery } from '../../../../src/domain/charts/catalogue/chart-query.js';

export type Calculator = {
  add(customer: CustomerHistory): void;
  /** The same for a history that is already cut at the query's instant, and converted. */
  addKnown(history: KnownHistory): void;
  /** Returns the result of the whole query, in addition to segments. */
  result(): ChartResult;
  /** Those that the query lists. A segment is what the filter for its values would give. */
  segments(): ReadonlyMap<string, ChartResult>;
  /** Returns what had no rate so far; undefined for a query in US dollars. */
  unconverted(): UnconvertedCharges | undefined;
};

export function createCalculator(q: ChartQuery): Calculator {
  const conversion = countingConversion(q);
  const whole = createPartialSums(q);
  /** Sums that count in each segment. */
  const shared = createPartialSums(q);
  const parts = new Map<string, PartialSums>();
  const partOf = (value: string): PartialSums => {
    const part = parts.get(value) ?? createPartialSums(q);
    parts.set(value, part);
    return part;
  };
  const addKnown = (history: KnownHistory): void => {
    for (const { to, lines, sign } of sharesOf(q, history)) {
      const part = to === 'whole' ? whole : to === 'every segment' ? shared : partOf(to.segment);
      part.add(history, lines, sign);
    }
  };
  return {
    addKnown,
    add: (customer) => {
      const history = knownHistoryOf(customer, q.environment, q.range.asOf);
      if (history) addKnown(conversion?.convert(history) ?? history);
    },
    result: () => whole.result(),
    segments: () => new Map((q.segments ?? []).map((value) => [value, joined(q, parts.get(value), shared).result()])),
    unconverted: () => conversion?.unconverted(),
  };
}

/** Nothing is shared unless customers count in every segment. */
function joined(q: ChartQuery, part: PartialSums | undefined, shared: PartialSums): PartialSums {
  const sum = createPartialSums(q);
  if (part) sum.addAll(part);
  sum.addAll(shared);
  return sum;
}
