// Contributions of a customer's history to the sums of a chart.
import type { CohortChart, SeriesChart } from '../catalogue/chart.js';
import { renewalsOf, worthByAge, type Member } from './cohorts.js';
import { contributeGroup, type Emit } from '../contribution.js';
import { bucketAt, type BucketSums } from './buckets.js';
import type { KnownHistory, LiveLine } from '../history/known-history.js';
import type { ChartQuery } from '../catalogue/chart-query.js';

/** Creates an `emit` that ignores values at or after `asOf`; an outcome that takes effect later is pending. */
export function emitInto(bucketSums: Pick<BucketSums, 'add'>, asOf: number): Emit {
  return (measure, at, value, effective = at) => {
    if (at >= asOf) return;
    bucketSums.add(effective >= asOf ? 'outcome.pending' : measure, at, value);
  };
}

/** Emits the contributions of a customer's history and selected purchases to the sums of a chart. */
export function contributeTo(
  { needs }: SeriesChart,
  { range, selectors }: Pick<ChartQuery, 'range' | 'selectors'>,
  history: KnownHistory,
  lines: readonly LiveLine[],
  emit: Emit,
): void {
  if (needs !== 'activity') return contributeGroup(needs, history, lines, selectors, emit);
  const buckets = new Set(history.active.map((at) => bucketAt(range, at) ?? -1));
  for (const b of buckets) if (b >= 0) emit('customers.active', range.buckets[b]?.start ?? 0, 1);
}

/** Returns the contributions of a customer to the rows of a cohort chart: 1 for a paid renewal, else 0. */
export function membersOf(
  { of }: Pick<CohortChart, 'of'>,
  { range: { interval, asOf }, selectors }: Pick<ChartQuery, 'range' | 'selectors'>,
  history: KnownHistory,
  lines: readonly LiveLine[],
): readonly Member<number>[] {
  if (of === 'customers') {
    const member = worthByAge(history, lines, { ...selectors, interval, asOf });
    return member ? [member] : [];
  }
  return lines.flatMap((line) => {
    const member = renewalsOf(line, selectors.productDuration, asOf);
    return member ? [{ at: member.at, columns: member.columns.map((c) => Number(c.isRetained)) }] : [];
  });
}
