// Calendar arithmetic, always in UTC, on ISO 8601 strings with milliseconds.
import { DateTime, Duration } from 'luxon';

const STORE_DURATION = /^P(?=\d)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?$/;

let lastConverted = { ms: 0, iso: '1970-01-01T00:00:00.000Z' };

/** Caches the last result, because many requests arrive within one millisecond. */
export function isoFromMs(ms: number): string {
  if (ms !== lastConverted.ms) lastConverted = { ms, iso: new Date(ms).toISOString() };
  return lastConverted.iso;
}

export function msFromIso(iso: string): number {
  return Date.parse(iso);
}

/** Returns the UTC day of an instant, such as `2026-11-20`. */
export function utcDay(iso: string): string {
  return iso.slice(0, 10);
}

/** Formats an instant for sentences, such as `4 Nov 2026 23:50 UTC`. */
export function dayAndTime(iso: string): string {
  return DateTime.fromISO(iso, { zone: 'utc' }).toFormat("d LLL yyyy HH:mm 'UTC'", { locale: 'en' });
}

/** Returns the month in the name of an `activity-` stream, such as `202611`. */
export function utcMonth(iso: string): string {
  return iso.slice(0, 4) + iso.slice(5, 7);
}

/** Store periods have no time part: `P1W`, `P1M`, `P1Y`, … */
export function isStoreDuration(text: string): boolean {
  return STORE_DURATION.test(text);
}

/** Adds an ISO 8601 duration; months clamp to the month's last day. */
export function addDuration(iso: string, duration: string): string {
  const end = DateTime.fromISO(iso, { zone: 'utc' }).plus(Duration.fromISO(duration));
  const text = end.toISO();
  if (text === null) throw new RangeError(`cannot add ${duration} to ${iso}`);
  return text;
}

/** Returns the later of two instants. */
export function latest(a: string, b: string): string {
  return a > b ? a : b;
}

/** Returns the earlier of two instants. */
export function earliest(a: string, b: string): string {
  return a < b ? a : b;
}

/** Yields the months as `yyyymm`, oldest first. */
export function* monthsBetween(oldest: string, newest: string): Generator<string> {
  for (let month = oldest; month <= newest;) {
    yield month;
    const [year, of] = [Number(month.slice(0, 4)), Number(month.slice(4))];
    month = of === 12 ? `${year + 1}01` : `${year}${String(of + 1).padStart(2, '0')}`;
  }
}

/** Returns true if two times (ISO 8601 UTC) are equal as far as both are precise: some sources have seconds, others milliseconds. */
export function isSameInstant(a: string, b: string): boolean {
  if (a === b) return true;
  const isWholeSecond = (time: string) => time.endsWith('.000Z');
  return (isWholeSecond(a) || isWholeSecond(b)) && Math.abs(Date.parse(a) - Date.parse(b)) < 1000;
}
