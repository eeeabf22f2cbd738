// Values as the stores print them in their reports: decimal amounts, days and times. Amounts become integer micros; floating point never
// touches them.
import { isoFromMs } from '../time.js';
import { createDayOf } from './time-zone.js';

/** The largest amount of one line: a billion units of a currency, so that sums of a million lines stay exact with rounding to micros. */
const MAX_UNITS = 1_000_000_000;
const MICROS = 1_000_000;
const AMOUNT = /^([+-]?)(\d{1,3}(?:,\d{3})+|\d+)?(?:\.(\d*))?$/;

/** Reads a decimal amount in micros; null for a text that is none. Digits after the sixth are rounded half up, away from zero. */
export function readAmount(text: string): number | null {
  const found = AMOUNT.exec(text);
  if (!found || (found[2] === undefined && !found[3])) return null;
  const [, sign = '', units = '0', decimals = ''] = found;
  const whole = Number(units.replaceAll(',', ''));
  if (whole > MAX_UNITS) return null;
  const fraction = Number(decimals.slice(0, 6).padEnd(6, '0')) + (Number(decimals[6] ?? 0) >= 5 ? 1 : 0);
  const micros = whole * MICROS + fraction;
  return sign === '-' && micros !== 0 ? -micros : micros;
}

/** Writes micros as a decimal text, with at least the fraction digits of the currency: `9.99`, `-120`, `0.5005`. */
export function printAmount(micros: number, currency: string): string {
  const absolute = Math.abs(micros);
  const fraction = String(absolute % MICROS).padStart(6, '0');
  let digits = 6;
  while (digits > fractionDigitsOf(currency) && fraction[digits - 1] === '0') digits--;
  const point = digits === 0 ? '' : `.${fraction.slice(0, digits)}`;
  return `${micros < 0 ? '-' : ''}${Math.floor(absolute / MICROS)}${point}`;
}

const digitsByCurrency = new Map<string, number>();

/** Returns the number of fraction digits that a currency is printed with: 2 for USD, 0 for JPY. Unknown currencies have 2. */
function fractionDigitsOf(currency: string): number {
  let digits = digitsByCurrency.get(currency);
  if (digits === undefined) {
    const isCode = /^[A-Z]{3}$/.test(currency);
    const format = isCode ? new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions() : null;
    digits = format?.maximumFractionDigits ?? 2;
    digitsByCurrency.set(currency, digits);
  }
  return digits;
}

/** Returns the smallest unit of a currency in micros: 10,000 for USD, 1,000,000 for JPY. */
export function smallestUnit(currency: string): number {
  return 10 ** (6 - fractionDigitsOf(currency));
}

/** Rounds micros half up to the smallest unit of the currency, away from zero, as the reports print amounts. */
export function roundToUnit(micros: number, currency: string): number {
  const unit = smallestUnit(currency);
  return Math.sign(micros) * Math.floor((Math.abs(micros) + unit / 2) / unit) * unit || 0;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const ENGLISH_DAY = /^([a-z]{3})[a-z]*\.? (\d{1,2}),? (\d{4})$/i;
const AMERICAN_DAY = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;
const ISO_DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Days by their text: the lines of a report have some thirty. */
const daysByText = new Map<string, string | null>();
const MAX_REMEMBERED_DAYS = 1000;

/** Reads `Nov 1, 2019`, `11/01/2019` (month first) or `2019-11-01` as `2019-11-01`; null for a day that does not exist. */
export function readDay(text: string): string | null {
  const remembered = daysByText.get(text);
  if (remembered !== undefined) return remembered;
  const day = parseDay(text);
  if (daysByText.size >= MAX_REMEMBERED_DAYS) daysByText.clear();
  daysByText.set(text, day);
  return day;
}

function parseDay(text: string): string | null {
  const english = ENGLISH_DAY.exec(text);
  if (english) return dayOf(english[3], MONTHS.indexOf((english[1] ?? '').toLowerCase()) + 1, english[2]);
  const american = AMERICAN_DAY.exec(text);
  if (american) return dayOf(american[3], american[1], american[2]);
  const iso = ISO_DAY.exec(text);
  return iso ? dayOf(iso[1], iso[2], iso[3]) : null;
}

/** Reads `July, 2026` as `2026-07`; null for a month that is none. */
export function readMonthName(text: string): string | null {
  const [, name = '', year = ''] = /^([a-z]{3,9}),? (\d{4})$/i.exec(text.trim()) ?? [];
  return dayOf(year, MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1, 1)?.slice(0, 7) ?? null;
}

function dayOf(
  year: string | undefined,
  month: string | number | undefined,
  day: string | number | undefined,
): string | null {
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  const date = new Date(Date.UTC(y, m - 1, d));
  const isReal = date.getUTCFullYear() === y && date.getUTCMonth() === m - 1 && date.getUTCDate() === d;
  return isReal && y >= 2000 && y < 2200 ? isoFromMs(date.getTime()).slice(0, 10) : null;
}

/** Returns the day of an instant in Pacific time, in which both stores date their reports. */
export const pacificDay: (ms: number) => string = createDayOf('America/Los_Angeles');

const DAY_MS = 86_400_000;

/** Returns the whole days from the first to the second, negative if the second is earlier. */
export function daysBetween(first: string, second: string): number {
  return Math.round((Date.parse(second) - Date.parse(first)) / DAY_MS);
}

/** Returns the day that is `days` after a day. */
export function addDays(day: string, days: number): string {
  return isoFromMs(Date.parse(day) + days * DAY_MS).slice(0, 10);
}

/** Days of a period, both included. */
export type DayRange = { readonly startDate: string; readonly endDate: string };

/** Form of a month of the books: `yyyy-mm`. */
export const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/;

/** Returns the calendar month as days. `month` is `yyyy-mm`. */
export function daysOfMonth(month: string): DayRange {
  const [year, index] = [Number(month.slice(0, 4)), Number(month.slice(5, 7))];
  const last = isoFromMs(Date.UTC(year, index, 0)).slice(0, 10);
  return { startDate: `${month}-01`, endDate: last };
}

/** Returns the calendar month in which most days of the period lie: the name of a fiscal month in the books. */
export function monthOf({ startDate, endDate }: DayRange): string {
  return addDays(startDate, Math.floor(daysBetween(startDate, endDate) / 2)).slice(0, 7);
}

/** Returns the month that is `count` months after a month. */
export function addMonths(month: string, count: number): string {
  const date = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)) - 1 + count, 1));
  return isoFromMs(date.getTime()).slice(0, 7);
}
