// Amounts of a chart's buckets that were charged in other currencies than US dollars: only they can differ by exchange rates.
import type { Chart } from '../charts/catalogue/chart.js';

/** Charge or refund in another currency. Times in UTC ms; `until` null: no period. `usd`: US dollars, without sign. */
export type ConvertedAmount = { readonly at: number; readonly until: number | null; readonly usd: number };

/** Average length of a month. */
const MONTH_MS = 2_629_746_000;

/**
 * Returns the amount of a bucket in other currencies, in US dollars; Infinity if it cannot be told from the amounts and there are some.
 * `end`: of the bucket; null for a cohort, which counts everything from its start on.
 */
export function convertedIn(
  { id }: Chart,
  amounts: readonly ConvertedAmount[],
  { start, end }: { readonly start: number; readonly end: number | null },
): number {
  if (end === null) return amounts.some(({ at }) => at >= start) ? Infinity : 0;
  const isWithin = (time: number) => time >= start && time < end;
  switch (id) {
    case 'revenue':
      return sumOf(amounts, ({ at, usd }) => (isWithin(at) ? usd : 0));
    case 'mrr':
      return sumOf(amounts, (one) => (one.at < end && (one.until ?? 0) >= end ? monthlyOf(one) : 0));
    case 'arr':
      return 12 * sumOf(amounts, (one) => (one.at < end && (one.until ?? 0) >= end ? monthlyOf(one) : 0));
    case 'mrr_movement':
      return sumOf(amounts, (one) => (isWithin(one.at) || isWithin(one.until ?? Infinity) ? monthlyOf(one) : 0));
    default:
      return amounts.length > 0 ? Infinity : 0;
  }
}

function monthlyOf({ at, until, usd }: ConvertedAmount): number {
  return until === null || until <= at ? 0 : (usd * MONTH_MS) / (until - at);
}

function sumOf(amounts: readonly ConvertedAmount[], valueOf: (one: ConvertedAmount) => number): number {
  return amounts.reduce((sum, one) => sum + valueOf(one), 0);
}
