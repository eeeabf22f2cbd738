// Lines of a month's reports that count, and the days of its fiscal month.
import type { FiscalMonth } from '../../domain/books/group-units.js';
import {
  isGroupKind,
  isGroupLine,
  isOrderLine,
  type GroupLine,
  type OrderLine,
  type ReportLine,
} from '../../domain/books/lines.js';
import type { CountedLines } from '../../domain/books/order-bundles.js';
import type { Payment } from '../../domain/books/payments.js';
import { addDays, addMonths, daysOfMonth, type DayRange } from '../../domain/books/report-values.js';
import type { ListedReport, MonthRequest, MonthSources } from './month-sources.js';

/** Months beside the one in question in whose reports an order may be; those of the ios-store are among them. */
export const ORDER_NEIGHBOURS = [-1, 1, 2];

/** Returns the number of lines that are read for a month: those of its reports that count, and of its neighbours'. */
export function linesNear(
  month: string,
  reports: readonly Pick<ListedReport, 'month' | 'lines' | 'isCounted'>[],
): number {
  const near = new Set([0, ...ORDER_NEIGHBOURS].map((count) => addMonths(month, count)));
  return reports.reduce((sum, one) => (one.isCounted && near.has(one.month) ? sum + one.lines : sum), 0);
}

export type MonthLines<L> = readonly (CountedLines<L> & { readonly month: string })[];

/** Returns the lines of the android-store's reports: those of a sales report by their Pacific day, though its months are of UTC. */
export async function orderLinesOf(
  sources: MonthSources,
  { reports }: MonthRequest,
  month: string,
): Promise<MonthLines<OrderLine>> {
  const earnings = reports.filter((one) => one.isCounted && one.month === month && one.kind === 'earnings');
  const found = await readLines(sources, earnings, month, isOrderLine);
  const sales = reports.filter((one) => one.isCounted && one.month === month && one.kind === 'sales');
  const accounts = new Set(sales.map(({ account }) => account));
  // The evening of a month's last Pacific day is in the report of the next month.
  const next = reports.filter(
    (one) =>
      one.kind === 'sales' &&
      one.month === addMonths(month, 1) &&
      one.uncountedReason !== 'replaced' &&
      accounts.has(one.account),
  );
  const { startDate, endDate } = daysOfMonth(month);
  const isHere = (line: ReportLine): line is OrderLine =>
    isOrderLine(line) && line.day >= startDate && line.day <= endDate;
  return [...found, ...(await readLines(sources, [...sales, ...next], month, isHere))];
}

/** Returns the lines of the ios-store's reports. */
export function groupLinesOf(
  sources: MonthSources,
  { reports }: MonthRequest,
  month: string,
): Promise<MonthLines<GroupLine>> {
  const counted = reports.filter((one) => one.isCounted && one.month === month && isGroupKind(one.kind));
  return readLines(sources, counted, month, isGroupLine);
}

/** Returns what is paid to the bank by the payments reports of a month. */
export async function paymentsOf(
  { linesOf }: MonthSources,
  { reports }: Pick<MonthRequest, 'reports'>,
  month: string,
): Promise<readonly Payment[]> {
  const found: Payment[] = [];
  for (const report of reports.filter((one) => one.isCounted && one.month === month && one.kind === 'payments'))
    for (const line of await linesOf(report)) {
      if (line.kind !== 'payments') continue;
      const { kind: _kind, row: _row, ...payment } = line;
      found.push({ ...payment, month, account: report.account });
    }
  return found;
}

async function readLines<L extends ReportLine>(
  { linesOf }: MonthSources,
  reports: readonly ListedReport[],
  month: string,
  isWanted: (line: ReportLine) => line is L,
): Promise<MonthLines<L>> {
  const found: (CountedLines<L> & { readonly month: string })[] = [];
  for (const report of reports) {
    const { reportId, account } = report;
    const lines = (await linesOf(report)).filter(isWanted);
    if (lines.length > 0) found.push({ reportId, account, month, lines });
  }
  return found;
}

/** Returns the fiscal month of the ios-store, as its reports state it; else the days between those of its neighbours in the calendar month. */
export function fiscalDays(month: string, reports: readonly ListedReport[]): DayRange {
  const stated = (one: string) => fiscalReportsOf(one, reports).at(0);
  const own = stated(month);
  if (own) return { startDate: own.startDate, endDate: own.endDate };
  const [before, after] = [stated(addMonths(month, -1)), stated(addMonths(month, 1))];
  const { startDate, endDate } = daysOfMonth(month);
  return {
    startDate: before ? addDays(before.endDate, 1) : startDate,
    endDate: after ? addDays(after.startDate, -1) : endDate,
  };
}

function fiscalReportsOf(month: string, reports: readonly ListedReport[]): readonly ListedReport[] {
  const ofMonth = reports.filter((one) => one.isCounted && one.month === month);
  return ofMonth.filter(({ kind }) => isGroupKind(kind));
}

/** Returns the fiscal month before, the month itself, and the next. */
export function fiscalCalendar(month: string, reports: readonly ListedReport[]): readonly FiscalMonth[] {
  return [-1, 0, 1].map((count) => {
    const one = addMonths(month, count);
    return { month: one, period: fiscalDays(one, reports), hasReport: fiscalReportsOf(one, reports).length > 0 };
  });
}
