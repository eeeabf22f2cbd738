// Formats numbers, money and times. Times are in UTC; local time is shown in addition on request.
const utcMinute = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});
const utcSecond = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });
const utcDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const clocks = {
  minutes: new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' }),
  seconds: new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'UTC' }),
};
const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Formats a time as `20 Nov 2026, 10:00 UTC`. */
export function utc(at: string | number, { seconds = false } = {}): string {
  return `${(seconds ? utcSecond : utcMinute).format(new Date(at))} UTC`;
}

export function day(at: string | number): string {
  return utcDay.format(new Date(at));
}

/** Formats the time of the day in UTC: `10:00` or `10:00:05`. */
export function clock(at: string | number, precision: keyof typeof clocks): string {
  return clocks[precision].format(new Date(at));
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
