// Periods of chart requests: named ones, those between two days, and the one that a chart is compared with.
import { z } from 'zod';
import { addIntervals, DAY_MS, startOf, startOfDay } from '../../domain/charts/calendar.js';
import type { ChartQuery } from '../../domain/charts/catalogue/chart-query.js';
import {
  pairBuckets,
  previousNames,
  previousPeriodOf,
  type PeriodForm,
  type PreviousChoice,
} from '../../domain/charts/previous-period.js';
import { bucketedRangeOf, hasMoreBuckets } from '../../domain/charts/result/buckets.js';
import { HttpError } from '../bodies/errors.js';

export const periods = [
  ...(['last_7_days', 'last_28_days', 'last_90_days', 'last_12_months', 'last_24_months'] as const),
  ...(['this_month', 'last_month', 'this_year', 'all_time'] as const),
] as const;
export const MAX_BUCKETS = 2000;
export const RANGE = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/;
export const day = z.iso.date({ error: 'must be a UTC day such as 2026-11-20' });

/** The period that a chart is compared with, by the same knowledge. */
export type PreviousQuery = {
  readonly choice: string;
  readonly chartQuery: ChartQuery;
  /** For each bucket of the chart, the index of its counterpart; null if it has none. */
  readonly pairs: readonly (number | null)[];
};

type RequestedDays = {
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
  readonly period?: string | undefined;
};
type Period = { readonly start: number; readonly end: number };
type RequestedPeriod = Period & { readonly form: PeriodForm };

/** Throws {@link HttpError} 400. `now`, UTC ms, is the first instant without data; `begins` is the start of `all_time`. */
export function parsePeriod(
  { startDate, endDate, period }: RequestedDays,
  now: number,
  begins: number,
): RequestedPeriod {
  if (period !== undefined && (startDate !== undefined || endDate !== undefined)) {
    throw new HttpError(400, 'send either period, or startDate and endDate');
  }
  if ((startDate === undefined) !== (endDate === undefined)) {
    throw new HttpError(400, 'send startDate and endDate together');
  }
  const range = RANGE.exec(period ?? '');
  const [from, to] = range ? [range[1], range[2]] : [startDate, endDate];
  if (from !== undefined && to !== undefined) {
    return { ...parseRange('period', [from, to]), form: 'days' };
  }
  const name = period ?? 'last_28_days';
  return { ...namedPeriod(name, startOfDay(now - 1) + DAY_MS, begins), form: forms[name] ?? 'rollingDays' };
}

const forms: Readonly<Record<string, PeriodForm>> = {
  last_12_months: 'calendarMonths',
  last_24_months: 'calendarMonths',
  this_month: 'calendarMonths',
  last_month: 'calendarMonths',
  this_year: 'calendarYear',
};

function parseRange(name: string, days: readonly string[]): Period {
  // Otherwise February 30 would become March 2.
  if (!days.every((text) => day.safeParse(text).success)) {
    throw new HttpError(400, `${name}: must be two calendar days such as 2026-01-01..2026-04-30`);
  }
  const [from = '', to = ''] = days;
  return { start: Date.parse(from), end: Date.parse(to) + DAY_MS };
}

/** Returns a named period, which ends with the current day. */
function namedPeriod(name: string, end: number, begins: number): Period {
  const today = end - DAY_MS;
  const month = startOf('month', today);
  switch (name) {
    case 'last_7_days':
      return { start: end - 7 * DAY_MS, end };
    case 'last_90_days':
      return { start: end - 90 * DAY_MS, end };
    case 'last_12_months':
      return { start: addIntervals('month', month, -11), end };
    case 'last_24_months':
      return { start: addIntervals('month', month, -23), end };
    case 'this_month':
      return { start: month, end };
    case 'last_month':
      return { start: addIntervals('month', month, -1), end: month };
    case 'this_year':
      return { start: startOf('year', today), end };
    case 'all_time':
      return { start: Math.min(startOfDay(begins), today), end };
    default:
      return { start: end - 28 * DAY_MS, end };
  }
}

/** First midnight of the year 1, UTC ms. */
const FIRST_DAY = Date.parse('0001-01-01');

/** Throws {@link HttpError} 400. `form` is the form of the chart's own period. */
export function parsePrevious(choice: string, chartQuery: ChartQuery, form: PeriodForm): PreviousQuery {
  const { start, end, interval, asOf } = chartQuery.range;
  const then = previousPeriodOf({ start, end, interval, form }, previousChoiceOf(choice));
  if (then.start < FIRST_DAY) throw new HttpError(400, 'previous: there is no such period before this one');
  if (then.start >= then.end) throw new HttpError(400, 'previous: its first day must not be after its last day');
  if (hasMoreBuckets({ ...then, interval }, MAX_BUCKETS)) {
    throw new HttpError(400, `previous: the period has more than ${MAX_BUCKETS} buckets; use a longer interval`);
  }
  const range = bucketedRangeOf({ ...then, interval, asOf });
  return { choice, chartQuery: { ...chartQuery, range }, pairs: pairBuckets(chartQuery.range, range) };
}

function previousChoiceOf(choice: string): PreviousChoice {
  return previousNames.find((name) => name === choice) ?? parseRange('previous', RANGE.exec(choice)?.slice(1) ?? []);
}
