// The computed path: the result of any query, from the histories of the customers one after the other.
import type { ChartResult } from './result.js';
import type { CustomerHistory } from '../history/history.js';
import { knownHistoryOf, type KnownHistory, type LiveLine } from '../history/known-history.js';
import { createPartialSums, type PartialSums } from './partial-sums.js';
import { asksCustomer, valueOf, type Dimension, type ChartQuery } from '../catalogue/chart-query.js';

export type Calculator = {
  add(customer: CustomerHistory): void;
  /** The same for a history that is already cut at the query's instant, and converted. */
  addKnown(history: KnownHistory): void;
  /** Of everything asked about, also beside segments. */
  result(): ChartResult;
  /** By the segment's values, in their order. A segment is what the filter for its value would give. */
  segments(): ReadonlyMap<string, ChartResult>;
};

export function createCalculator(q: ChartQuery): Calculator {
  const whole = createPartialSums(q);
  /** What counts in every segment alike. */
  const shared = createPartialSums(q);
  const parts = new Map<string, PartialSums>();
  const partOf = (value: string): PartialSums => {
    const part = parts.get(value) ?? createPartialSums(q);
    parts.set(value, part);
    return part;
  };
  const addKnown = (history: KnownHistory): void => {
    if (!isAskedCustomer(q, history)) return;
    const lines = askedLines(q, history);
    const { segment } = q;
    whole.add(history, lines, 1);
    if (segment && asksCustomer(q.chart, segment)) {
      partOf(valueOf(q, segment, history, null)).add(history, lines, 1);
    } else if (segment) {
      for (const [value, own] of byValue(q, segment, history, lines)) {
        partOf(value).add(history, own, 1);
        if (q.chart.subject === 'customers') partOf(value).add(history, [], -1);
      }
      if (q.chart.subject === 'customers') shared.add(history, [], 1);
    }
  };
  return {
    addKnown,
    add: (customer) => {
      const history = knownHistoryOf(customer, q.environment, q.range.asOf);
      if (history) addKnown(q.conversion?.convert(history) ?? history);
    },
    result: () => whole.result(),
    segments: () => {
      const values = [...parts].sort(([a], [b]) => (a < b ? -1 : 1));
      return new Map(values.map(([value, part]) => [value, joined(q, part, shared).result()]));
    },
  };
}

/** Nothing is shared unless customers count in every segment. */
function joined(q: ChartQuery, part: PartialSums, shared: PartialSums): PartialSums {
  const sum = createPartialSums(q);
  sum.addAll(part);
  sum.addAll(shared);
  return sum;
}

function isAskedCustomer(q: ChartQuery, history: KnownHistory): boolean {
  for (const [dimension, wanted] of q.filters) {
    if (asksCustomer(q.chart, dimension) && !wanted.has(valueOf(q, dimension, history, null))) return false;
  }
  return true;
}

function askedLines(q: ChartQuery, history: KnownHistory): readonly LiveLine[] {
  const asked = [...q.filters].filter(([dimension]) => !asksCustomer(q.chart, dimension));
  if (asked.length === 0) return history.lines;
  const fits = ({ about }: LiveLine) => asked.every(([d, wanted]) => wanted.has(valueOf(q, d, history, about)));
  return history.lines.filter(fits);
}

function byValue(q: ChartQuery, segment: Dimension, history: KnownHistory, lines: readonly LiveLine[]) {
  const found = new Map<string, LiveLine[]>();
  for (const line of lines) {
    const value = valueOf(q, segment, history, line.about);
    const ofValue = found.get(value) ?? [];
    found.set(value, ofValue);
    ofValue.push(line);
  }
  return found;
}
