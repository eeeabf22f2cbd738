// Sums of a report's lines as they are read: its period, its totals by type and currency, and those by country.
import type { Rejection } from '../errors.js';
import { isGroupLine, isOrderLine, type ReadRow, type ReportLine, type ReportTotal } from './lines.js';
import { refused } from './refusal.js';
import type { CountrySum } from './report-footer.js';
import { daysBetween, daysOfMonth, type DayRange } from './report-values.js';

/** Days, or the month, that the rows before the header state. */
export type Preamble = { startDate: string | null; endDate: string | null; month: string | null };

/** The longest fiscal month of the ios-store has five weeks; sales of its last days may be dated a few days earlier. */
const MAX_FISCAL_DAYS = 36;
/** Types of lines in a report: the stores know about ten. */
const MAX_TYPES = 200;
/** Countries in a report, each with its currencies. */
const MAX_COUNTRIES = 1000;

/** Amounts of lines as they are printed, with and without a minus. */
type SignSum = { positive: number; negative: number };
type TypeSum = SignSum & { readonly type: string; readonly currency: string; lines: number };
type CountryTypeSum = SignSum & { readonly country: string; readonly currency: string; readonly type: string };

/** Sums of the lines as they are read, and the days on which they are. */
export function createSummary() {
  let count = 0;
  const byType = new Map<string, TypeSum>();
  const byCountry = new Map<string, CountryTypeSum>();
  const months = new Set<string>();
  const days = { first: '9999', last: '' };
  const addToType = (line: ReportLine): void => {
    const [type, currency] = [typeOf(line), line.paidCurrency];
    const key = `${currency}|${type}`;
    const sum = byType.get(key) ?? { type, currency, positive: 0, negative: 0, lines: 0 };
    sum[isNegative(line) ? 'negative' : 'positive'] += Math.abs(line.paidMicros);
    sum.lines++;
    byType.set(key, sum);
    if (byType.size > MAX_TYPES) throw refused(`the file has more than ${MAX_TYPES} types of lines and currencies`);
  };
  const addToCountry = (line: ReportLine): void => {
    if (!isGroupLine(line)) return;
    const { country, paidCurrency: currency } = line;
    const key = `${country}|${currency}|${typeOf(line)}`;
    const sum = byCountry.get(key) ?? { country, currency, type: typeOf(line), positive: 0, negative: 0 };
    sum[line.isNegative ? 'negative' : 'positive'] += line.paidMicros;
    byCountry.set(key, sum);
    if (byCountry.size > MAX_COUNTRIES)
      throw refused(`the file has more than ${MAX_COUNTRIES} countries and currencies`);
  };
  /** Some reports print returns without a minus. */
  const hasSigns = (currency: string) => byType.get(`${currency}|R`)?.negative !== 0;
  return {
    lines: () => count,
    add: ({ line, first, last }: ReadRow): void => {
      count++;
      addToType(line);
      addToCountry(line);
      months.add(first.slice(0, 7));
      if (months.size > MAX_TYPES) throw twoPeriods([...months]);
      if (first < days.first) days.first = first;
      if (last > days.last) days.last = last;
    },
    totals: (): readonly ReportTotal[] =>
      [...byType]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        // Lines against the sign of the others take their amounts back: reversals of refunds.
        .map(([, { type, currency, positive, negative, lines }]) => {
          const net = type === 'R' ? negative - positive : Math.abs(positive - negative);
          return { type, currency, paidMicros: negative === 0 ? positive : net, lines };
        }),
    sums: (): readonly CountrySum[] =>
      [...byCountry.values()].map(({ country, currency, type, positive, negative }) => {
        const isUnsignedReturn = type === 'R' && !hasSigns(currency);
        return { country, currency, micros: isUnsignedReturn ? -positive : positive - negative };
      }),
    /** Earnings are of one calendar month in Pacific time, sales of one in UTC. */
    calendarMonth: (): DayRange => {
      const [month = '', ...others] = [...months].sort();
      if (others.length > 0) throw twoPeriods([month, ...others]);
      return daysOfMonth(month);
    },
    fiscalMonth: ({ startDate, endDate }: Preamble): DayRange => {
      const period = { startDate: startDate ?? days.first, endDate: endDate ?? days.last };
      const length = daysBetween(period.startDate, period.endDate) + 1;
      if (length < 1 || length > MAX_FISCAL_DAYS) throw twoPeriods([period.startDate, period.endDate]);
      return period;
    },
  };
}

/** Returns the type of a line as its totals name it: as the store prints it, `S` and `R`, or what becomes of a payment. */
export function typeOf(line: ReportLine): string {
  if (isOrderLine(line)) return line.type;
  if (line.kind === 'payments') return line.isPaid ? 'Proceeds' : 'Held back';
  return line.isRefund ? 'R' : 'S';
}

function twoPeriods(found: readonly string[]): Rejection {
  return refused(
    `the lines are of more than one period (${found.slice(0, 4).join(', ')}); send the report of one period at a time`,
  );
}

/** An unknown part has its sign in its amount. */
function isNegative(line: ReportLine): boolean {
  if (line.kind === 'payments') return line.paidMicros < 0;
  return line.isNegative && !(isOrderLine(line) && line.part === 'other');
}
