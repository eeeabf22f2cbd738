// Calendar arithmetic for the charts, on UTC milliseconds: it runs millions of times, where ISO strings would be too slow.

export const intervals = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type Interval = (typeof intervals)[number];

export const DAY_MS = 86_400_000;
const MONTHS: Readonly<Record<Interval, number>> = { day: 0, week: 0, month: 1, quarter: 3, year: 12 };
const DAYS: Readonly<Record<Interval, number>> = { day: 1, week: 7, month: 0, quarter: 0, year: 0 };
/** 1970-01-01 was a Thursday: three days after a Monday. */
const FIRST_MONDAY_MS = -3 * DAY_MS;
/** Average days per month over 400 years. */
const AVERAGE_MONTH = 30.436875;

export function startOfDay(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS;
}

/** The start of the calendar interval that holds the instant; weeks begin on Monday. */
export function startOf(interval: Interval, ms: number): number {
  if (interval === 'day') return startOfDay(ms);
  if (interval === 'week') {
    const week = 7 * DAY_MS;
    return Math.floor((ms - FIRST_MONDAY_MS) / week) * week + FIRST_MONDAY_MS;
  }
  const date = new Date(ms);
  const months = MONTHS[interval];
  return utc(date.getUTCFullYear(), Math.floor(date.getUTCMonth() / months) * months, 1);
}

/** Adds `count` intervals. Months clamp to the last day of the month; the time of day does not change. */
export function addIntervals(interval: Interval, ms: number, count: number): number {
  return addMonths(ms, MONTHS[interval] * count) + DAYS[interval] * count * DAY_MS;
}

export type Span = { readonly months: number; readonly days: number };

/** Parses an ISO 8601 duration without a time part; null if invalid. */
export function spanOf(duration: string): Span | null {
  const match = /^P(?=\d)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?$/.exec(duration);
  if (!match) return null;
  const [years, months, weeks, days] = match.slice(1).map((n) => Number(n ?? 0));
  return { months: (years ?? 0) * 12 + (months ?? 0), days: (weeks ?? 0) * 7 + (days ?? 0) };
}

/** Adds the span `count` times, always counted from the same start, so that a clamped month does not shorten the next one. */
export function addSpan(ms: number, span: Span, count: number): number {
  return addMonths(ms, span.months * count) + span.days * count * DAY_MS;
}

/** Returns the highest number of spans after `from` that is not later than `at`; -1 if `from` itself is later. UTC ms. */
export function spansUntil(from: number, span: Span, at: number): number {
  // One more than the average gives: no number of months is shorter than the average by a whole month.
  let count = Math.floor((at - from) / ((span.months * AVERAGE_MONTH + span.days) * DAY_MS)) + 1;
  while (count >= 0 && addSpan(from, span, count) > at) count--;
  return Math.max(-1, count);
}

function addMonths(ms: number, count: number): number {
  if (count === 0) return ms;
  const date = new Date(ms);
  const first = utc(date.getUTCFullYear(), date.getUTCMonth() + count, 1);
  const next = utc(date.getUTCFullYear(), date.getUTCMonth() + count + 1, 1);
  const day = Math.min(date.getUTCDate(), (next - first) / DAY_MS);
  return first + (day - 1) * DAY_MS + (ms - startOfDay(ms));
}

/** Like `Date.UTC`, but also correct for years below 100, which `Date.UTC` maps to the 20th century. */
function utc(year: number, month: number, day: number): number {
  return year >= 100 ? Date.UTC(year, month, day) : new Date(0).setUTCFullYear(year, month, day);
}
