// The usual band of a daily figure: what the same weekdays of the last weeks make likely. Method: the median of those days, and four times
// their spread on either side. The spread is the median absolute deviation, scaled to a standard deviation, and at least what chance alone
// does: the median divided by the root of the number of purchases, customers or subscriptions that usually make it.
import type { Unit } from './catalogue/display-values.js';

/** Weeks before the day whose same weekdays are compared, and the least number of them with data. */
export const WEEKS = 12;
export const MIN_DAYS = 8;
/** Least usual number of what the figure is made of, a day. With fewer, one more or less would leave the band. */
export const MIN_COUNT = 20;
/** Half the width of the band, in spreads. */
const WIDTH = 4;
/** Ratio of standard deviation to median absolute deviation of a normal distribution. */
const MAD_SCALE = 1.4826;

/** A figure of a day, and the number of purchases, customers or churned subscriptions that it is made of. `value` null: nothing to divide by. */
export type DailyFigure = { readonly value: number | null; readonly count: number };

/** `days`: the number of days that made it; `usualCount`: the median of their counts. */
export type Band = {
  readonly low: number;
  readonly high: number;
  readonly median: number;
  readonly spread: number;
  readonly days: number;
  readonly usualCount: number;
};

/** `too_few_days`, `too_small`: there is no band to leave. */
export type Verdict = 'usual' | 'low' | 'high' | 'too_few_days' | 'too_small';
export type JudgedFigure = { readonly verdict: Verdict; readonly band: Band | null };

/** `earlier`: the same weekdays before the day, in any order, without days before the project had data. */
export function judgeFigure(figure: DailyFigure, earlier: readonly DailyFigure[], unit: Unit): JudgedFigure {
  const values = earlier.flatMap(({ value }) => (value === null ? [] : [value]));
  if (values.length < MIN_DAYS) return { verdict: 'too_few_days', band: null };
  const usualCount = medianOf(earlier.map(({ count }) => count));
  if (usualCount < MIN_COUNT) return { verdict: 'too_small', band: null };
  const median = medianOf(values);
  const deviation = MAD_SCALE * medianOf(values.map((value) => Math.abs(value - median)));
  const spread = Math.max(deviation, Math.abs(median) / Math.sqrt(usualCount));
  const band = bandOf(median, spread, unit, values.length, usualCount);
  return { verdict: verdictOf(figure.value, band), band };
}

/** A number and a share are not below zero, and a share is not above 100 per cent. */
function bandOf(median: number, spread: number, unit: Unit, days: number, usualCount: number): Band {
  const [low, high] = [median - WIDTH * spread, median + WIDTH * spread];
  return {
    low: round(unit === 'usd' ? low : Math.max(0, low)),
    high: round(unit === 'percent' ? Math.min(100, high) : high),
    median: round(median),
    spread: round(spread),
    days,
    usualCount: round(usualCount),
  };
}

function verdictOf(value: number | null, { low, high }: Band): Verdict {
  if (value === null) return 'usual';
  return value < low ? 'low' : value > high ? 'high' : 'usual';
}

function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? 0) + upper) / 2;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
