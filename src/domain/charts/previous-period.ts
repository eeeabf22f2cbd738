// The period that a period is compared with: the one before it, the same of the year before, or any other, and which bucket of one belongs to
// which bucket of the other.
import { addIntervals, addSpan, DAY_MS, startOf, type Interval, type Span } from './calendar.js';
import type { BucketedRange } from './result/buckets.js';

export const previousNames = ['period', 'year', 'year_weekdays'] as const;
/** A named period, or its first and its last day, UTC ms. */
export type PreviousChoice = (typeof previousNames)[number] | Period;

/** Half-open, UTC ms, from midnight to midnight. */
type Period = { readonly start: number; readonly end: number };

/** Form of a requested period: by the name of calendar units, by a number of days before today, or by its days. */
export type PeriodForm = 'calendarYear' | 'calendarMonths' | 'rollingDays' | 'days';

type Request = Period & { readonly interval: Interval; readonly form: PeriodForm };

const YEAR: Span = { months: 12, days: 0 };
/** The number of whole weeks closest to a year. */
const YEAR_OF_WEEKS: Span = { months: 0, days: 364 };
const WEEK: Span = { months: 0, days: 7 };
const MONTH: Span = { months: 1, days: 0 };
const spans: Readonly<Record<Interval, Span>> = {
  day: { months: 0, days: 1 },
  week: WEEK,
  month: MONTH,
  quarter: { months: 3, days: 0 },
  year: YEAR,
};

/**
 * Returns the period to compare with. The previous period is as many calendar units earlier as it takes not to overlap: whole months by
 * months, the part of a month that is over by the same part. By week it is whole weeks earlier, so that weekdays match.
 */
export function previousPeriodOf(request: Request, choice: PreviousChoice): Period {
  if (typeof choice === 'object') return { start: choice.start, end: choice.end };
  return moveBack(request, spanBack(request, choice));
}

function spanBack(request: Request, choice: (typeof previousNames)[number]): Span {
  const { interval, form } = request;
  if (choice !== 'period' || form === 'calendarYear') {
    const isByWeeks = interval === 'week' || (choice === 'year_weekdays' && interval === 'day');
    return isByWeeks ? YEAR_OF_WEEKS : YEAR;
  }
  return leastSpan(request, interval === 'day' && isOfMonths(request) ? MONTH : spans[interval]);
}

/** Returns whether a period by day consists of months, of which the last one may not be over. */
function isOfMonths({ start, end, form }: Request): boolean {
  return form === 'calendarMonths' || (form === 'days' && isMonthStart(start) && isMonthStart(end));
}

/** Returns the least multiple of the unit by which the period moves back without overlapping itself. */
function leastSpan(period: Period, unit: Span): Span {
  const times = (count: number): Span => ({ months: unit.months * count, days: unit.days * count });
  if (unit.months === 0) return times(Math.ceil((period.end - period.start) / (unit.days * DAY_MS)));
  let count = Math.max(1, Math.floor(monthsBetween(period.start, period.end) / unit.months));
  while (moveBack(period, times(count)).end > period.start) count++;
  return times(count);
}

/** Moves a period back. A period that ends with a month ends with a month there. */
function moveBack({ start, end }: Period, span: Span): Period {
  const back = (at: number) => addSpan(at, span, -1);
  return { start: back(start), end: isMonthStart(end) ? back(end) : back(end - DAY_MS) + DAY_MS };
}

/**
 * Returns, for each bucket of a period, the index of its counterpart; null if it has none. Days of the same number in the month belong
 * together if the period moved by months: then the 31st has no counterpart in a month of 30 days. All others belong together in their order.
 */
export function pairBuckets(
  now: Pick<BucketedRange, 'start' | 'interval' | 'buckets'>,
  then: Pick<BucketedRange, 'start' | 'buckets'>,
): readonly (number | null)[] {
  const inOrder = now.buckets.map((_, i) => (i < then.buckets.length ? i : null));
  if (now.interval !== 'day' || !isSameDayOfMonth(now.start, then.start)) return inOrder;
  const months = monthsBetween(then.start, now.start);
  const indexes = new Map(then.buckets.map(({ start }, i) => [start, i]));
  return now.buckets.map(({ start }) => {
    const counterpart = addIntervals('month', start, -months);
    return isSameDayOfMonth(start, counterpart) ? (indexes.get(counterpart) ?? null) : null;
  });
}

/**
 * Change of a figure: for rates the difference in percentage points, for others the difference in per cent of the earlier figure. Null
 * without one of the figures, and in per cent of nothing.
 */
export function changeOf(now: number | null, then: number | null, unit: string): number | null {
  if (now === null || then === null) return null;
  if (unit === 'percent') return round(now - then);
  return then === 0 ? null : round((100 * (now - then)) / Math.abs(then));
}

function round(value: number): number {
  // The sum with 0 is 0 for −0.
  return Math.round(value * 100) / 100 + 0;
}

function isMonthStart(ms: number): boolean {
  return startOf('month', ms) === ms;
}

function isSameDayOfMonth(a: number, b: number): boolean {
  return new Date(a).getUTCDate() === new Date(b).getUTCDate();
}

/** Returns the number of months between the months of two instants. */
function monthsBetween(from: number, to: number): number {
  const [a, b] = [new Date(from), new Date(to)];
  return (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth();
}
