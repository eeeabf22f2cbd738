// Sums of a report's lines as they are read: its period, its totals by type and currency, and the check against the totals that it states.
import type { ReportLine, ReportTotal } from './lines.js';
import { refused } from './refusal.js';
import { daysBetween, daysOfMonth, printAmount, readAmount, type DayRange } from './report-values.js';
import type { Rejection } from '../errors.js';

/** Days that the rows before the header state. */
export type Preamble = { startDate: string | null; endDate: string | null };

export type FooterCheck = {
  add(row: number, cells: readonly string[]): void;
  /** Throws {@link Rejection} if the lines do not add up to what the block of totals states. */
  check(totals: readonly ReportTotal[], lines: number): void;
};

/** Reads the block of totals at the end of a finance report: rows in all, then proceeds by country and currency. */
export function createFooterCheck(): FooterCheck {
  let statedRows: number | null = null;
  let places: { readonly currency: number; readonly paid: number } | null = null;
  const stated = new Map<string, number>();
  return {
    add: (row, cells) => {
      const names = cells.map((cell) => cell.trim().toLowerCase());
      if (names[0] === 'total_rows') statedRows = Number(names[1]);
      const paid = names.indexOf('extended partner share');
      if (paid >= 0) {
        places = { currency: names.indexOf('partner share currency'), paid };
        return;
      }
      if (!places || places.currency < 0 || cells.length <= places.paid) return;
      const currency = (cells[places.currency] ?? '').trim();
      const micros = readAmount((cells[places.paid] ?? '').trim());
      if (micros === null) throw refused(`line ${row}: the total is no amount; no line was added`);
      stated.set(currency, (stated.get(currency) ?? 0) + micros);
    },
    check: (totals, lines) => {
      if (statedRows !== null && statedRows !== lines)
        throw refused(`the file states ${statedRows} rows and has ${lines}: it was cut or edited; download it again`);
      for (const [currency, micros] of stated) {
        const sum = sumOf(totals.filter((total) => total.currency === currency).map(signedTotal));
        if (sum === micros) continue;
        const [shown, expected] = [printAmount(sum, currency), printAmount(micros, currency)];
        throw refused(`the lines add up to ${shown} ${currency}, and the file states ${expected}; download it again`);
      }
    },
  };
}

function signedTotal({ type, paidMicros }: ReportTotal): number {
  return type === 'R' ? -paidMicros : paidMicros;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** The longest fiscal month of the ios-store has five weeks; sales of its last days may be dated a few days earlier. */
const MAX_FISCAL_DAYS = 36;
/** Types of lines in a report: the stores know about ten. */
const MAX_TYPES = 200;

/** Sums of the lines as they are read, and the days on which they are. */
export function createSummary() {
  let count = 0;
  const totals = new Map<
    string,
    { type: string; currency: string; positive: number; negative: number; lines: number }
  >();
  const months = new Set<string>();
  const settled = { first: '9999', last: '' };
  return {
    lines: () => count,
    add: (line: ReportLine): void => {
      count++;
      const type = typeOf(line);
      const key = `${line.paidCurrency}|${type}`;
      const total = totals.get(key) ?? { type, currency: line.paidCurrency, positive: 0, negative: 0, lines: 0 };
      total[isNegative(line) ? 'negative' : 'positive'] += line.paidMicros;
      total.lines++;
      totals.set(key, total);
      if (totals.size > MAX_TYPES) throw refused(`the file has more than ${MAX_TYPES} types of lines and currencies`);
      if (line.kind === 'earnings') months.add(line.day.slice(0, 7));
      else {
        if (line.settledOn < settled.first) settled.first = line.settledOn;
        if (line.settledOn > settled.last) settled.last = line.settledOn;
      }
    },
    totals: (): readonly ReportTotal[] =>
      [...totals]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        // Lines against the sign of the others take their amounts back: reversals of refunds.
        .map(([, { type, currency, positive, negative, lines }]) => {
          const net = type === 'R' ? negative - positive : Math.abs(positive - negative);
          return { type, currency, paidMicros: negative === 0 ? positive : net, lines };
        }),
    /** Earnings are of one calendar month in Pacific time. */
    calendarMonth: (): DayRange => {
      const [month = '', ...others] = [...months].sort();
      if (others.length > 0) throw twoPeriods([month, ...others]);
      return daysOfMonth(month);
    },
    fiscalMonth: ({ startDate, endDate }: Preamble): DayRange => {
      const period = { startDate: startDate ?? settled.first, endDate: endDate ?? settled.last };
      const days = daysBetween(period.startDate, period.endDate) + 1;
      if (days < 1 || days > MAX_FISCAL_DAYS) throw twoPeriods([period.startDate, period.endDate]);
      return period;
    },
  };
}

/** Returns the type of a line as its totals name it: as the store prints it, or `S` and `R`. */
export function typeOf(line: ReportLine): string {
  if (line.kind === 'earnings') return line.type;
  return line.isRefund ? 'R' : 'S';
}

function twoPeriods(found: readonly string[]): Rejection {
  return refused(
    `the lines are of more than one period (${found.slice(0, 4).join(', ')}); send the report of one period at a time`,
  );
}

/** An unknown part has its sign in its amount. */
function isNegative(line: ReportLine): boolean {
  return line.isNegative && !(line.kind === 'earnings' && line.part === 'other');
}
