// Formats numbers, money and times. Times are in the time zone of the project; local time is shown in addition on request.
import { timeZone } from '../context/time-zone';

const styles = {
  day: { dateStyle: 'medium' },
  longDay: { dateStyle: 'long' },
  minutes: { timeStyle: 'short' },
  seconds: { timeStyle: 'medium' },
  dayAndMinutes: { dateStyle: 'medium', timeStyle: 'short' },
  dayAndSeconds: { dateStyle: 'medium', timeStyle: 'medium' },
  zone: { timeZoneName: 'short' },
} as const;
const timeFormats = new Map<string, Intl.DateTimeFormat>();

function timeFormat(style: keyof typeof styles, timeZone: string): Intl.DateTimeFormat {
  const key = `${style} ${timeZone}`;
  const format = timeFormats.get(key) ?? new Intl.DateTimeFormat('en-GB', { ...styles[style], timeZone });
  timeFormats.set(key, format);
  return format;
}

const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Formats an instant as `20 Nov 2026, 10:00 UTC`, in the time zone of the project. */
export function dateTime(at: string | number, { seconds = false } = {}): string {
  const zoneParts = timeFormat('zone', timeZone.value).formatToParts(new Date(at));
  const name = zoneParts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return `${timeFormat(seconds ? 'dayAndSeconds' : 'dayAndMinutes', timeZone.value).format(new Date(at))} ${name}`;
}

/** Returns the day of an instant in the time zone of the project. */
export function day(at: string | number, style: 'day' | 'longDay' = 'day'): string {
  return timeFormat(style, timeZone.value).format(new Date(at));
}

/** Formats a day that is the same in all time zones, such as one of a chart: `2026-11-20` as `20 Nov 2026`. */
export function calendarDay(date: string): string {
  return timeFormat('day', 'UTC').format(new Date(date));
}

/** Formats the time of the day: `10:00` or `10:00:05`. */
export function clock(at: string | number, precision: 'minutes' | 'seconds'): string {
  return timeFormat(precision, timeZone.value).format(new Date(at));
}

const TIME_IN_TEXT = /\b(?:\d{1,2} [A-Z][a-z]{2} \d{4}|\d{4}-\d\d-\d\d) \d\d:\d\d UTC\b/g;

/** Puts the times in a sentence of the server (`4 Nov 2026 23:50 UTC`, `2026-11-04 23:50 UTC`) into the time zone of the project. */
export function withTimesInZone(sentence: string): string {
  return sentence.replaceAll(TIME_IN_TEXT, (time) => dateTime(time));
}

export function localTime(at: string | number): string {
  return `${local.format(new Date(at))} (${zone})`;
}

export function count(value: number): string {
  return numberFormat({}).format(value);
}

export function money(value: number, currency = 'USD'): string {
  return numberFormat({ style: 'currency', currency }).format(value);
}

const formatters = new Map<string, Intl.NumberFormat>();

/** Caches formatters: a table has hundreds of numbers, and creating a formatter takes longer than rendering a cell. */
function numberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options);
  const format = formatters.get(key) ?? new Intl.NumberFormat(undefined, options);
  formatters.set(key, format);
  return format;
}

/** Formats a value in the unit of a chart: a count, a percentage, or a currency code in lower case. */
export function formatInUnit(value: number | null | undefined, unit: string, { short = false } = {}): string {
  if (value === null || value === undefined) return '–';
  const notation = short ? ({ notation: 'compact', maximumFractionDigits: 1 } as const) : {};
  if (unit === 'count') return numberFormat({ maximumFractionDigits: 2, ...notation }).format(value);
  // The unit is per cent and not a share of one.
  if (unit === 'percent') return numberFormat({ style: 'percent', maximumFractionDigits: 2 }).format(value / 100);
  return numberFormat({ style: 'currency', currency: unit.toUpperCase(), ...notation }).format(value);
}

const SPANS = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** Returns a relative time: `3 days ago`, `in 2 months`. */
export function relativeTime(at: string | number, now = Date.now()): string {
  const seconds = (new Date(at).getTime() - now) / 1000;
  const [unit, size] = SPANS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  return relative.format(Math.round(seconds / size), unit);
}

/** Converts `in_grace_period` to `in grace period`. */
export function wordsOf(id: string): string {
  return id.replaceAll(/[_-]/g, ' ');
}

/** Converts `productDuration` to `Product duration`. */
export function nameOf(id: string): string {
  return sentenceCase(id.replace(/Id$/, '').replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`));
}

/** Converts `last 28 days` to `Last 28 days`. */
export function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const DURATION = /^P(\d+)([DWMY])$/;
const UNITS: Readonly<Record<string, string>> = { D: 'day', W: 'week', M: 'month', Y: 'year' };

/** Converts `P3M` to `3 months`. */
export function spanName(span: string): string {
  const [, count = '', letter = ''] = DURATION.exec(span) ?? [];
  const unit = UNITS[letter];
  return unit === undefined ? span : `${count} ${unit}${count === '1' ? '' : 's'}`;
}
