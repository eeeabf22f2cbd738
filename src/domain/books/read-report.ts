// Reads the rows of a store's financial report. A row that cannot be read refuses the whole file with its line and column: books do not skip.
import type { Rejection } from '../errors.js';
import { adviceOn, missingColumns, recognizeHeader, type Header, type Places } from './columns.js';
import { isGroupKind, isOrderKind, type ReadReport, type ReadRow, type ReportKind, type ReportLine } from './lines.js';
import { readFinanceDetailRow, readFinancialRow } from './read-group-rows.js';
import { readEarningsRow, readSalesRow } from './read-order-rows.js';
import { createTotalCheck, monthOfTitle, readPaymentRow } from './read-payment-rows.js';
import { daysOfMonth, monthOf, readDay, type DayRange } from './report-values.js';
import { refused } from './refusal.js';
import { createFooterCheck, type FooterCheck } from './report-footer.js';
import { createSummary, type Preamble } from './report-summary.js';

/** Lines of a report. */
export const MAX_LINES = 1_000_000;
/** Rows before the header: a preamble has a few. */
const MAX_PREAMBLE_ROWS = 20;

export type RowReader = {
  /** Takes the next row; `row` counts from 1. Throws {@link Rejection} for one that cannot be read. */
  add(row: number, cells: readonly string[]): void;
  /** Ends the file. Throws {@link Rejection} for one without a header, of two months, or with other sums than it states. */
  end(): ReadReport;
};

/** Creates the reader of one file. `onLine` gets each line as soon as it is read. */
export function createRowReader(onLine: (line: ReportLine) => void): RowReader {
  const preamble: Preamble = { startDate: null, endDate: null, month: null };
  const summary = createSummary();
  let header: Header | null = null;
  let footer: FooterCheck | null = null;
  let firstRow: readonly string[] = [];
  const totalCheck = createTotalCheck();
  /** Behind an empty row, a payments report has what is not paid yet. */
  let isBelow = false;

  const periodOf = (kind: ReportKind, { month }: Preamble): DayRange => {
    if (isOrderKind(kind)) return summary.calendarMonth();
    if (kind !== 'payments') return summary.fiscalMonth(preamble);
    if (month === null)
      throw refused(
        'the file does not state its month in its first row, such as "(July, 2026)"; send it as the store wrote it',
      );
    return daysOfMonth(month);
  };
  const addRow = (known: Header, row: number, cells: readonly string[]): void => {
    if (summary.lines() >= MAX_LINES)
      throw refused(`the file has more than ${MAX_LINES.toLocaleString('en')} lines; more are not read at a time`);
    const read =
      known.kind === 'payments' ? readPaymentRow(known.places, row, cells, !isBelow) : readRow(known, row, cells);
    if (known.kind === 'payments') totalCheck.add(read);
    summary.add(read);
    onLine(read.line);
  };

  const isBelowPayments = ({ region = 0 }: Places<'payments'>, cells: readonly string[]): boolean => {
    isBelow ||= (cells[region] ?? '').trim() === '';
    return isBelow && (totalCheck.check(cells) || isRemark(cells));
  };

  return {
    add: (row, cells) => {
      if (cells.every((cell) => cell.trim() === '')) {
        isBelow ||= summary.lines() > 0;
        return;
      }
      if (!header) {
        header = recognizeHeader(cells);
        if (header) return;
        const advice = adviceOn(cells);
        if (advice !== null) throw refused(advice);
        if (firstRow.length < cells.length) firstRow = cells;
        readPreamble(preamble, cells);
        if (row > MAX_PREAMBLE_ROWS) throw unknownFile(firstRow);
        return;
      }
      if (footer) return footer.add(row, cells);
      if (isGroupKind(header.kind) && isFooter(cells)) {
        footer = createFooterCheck();
        return footer.add(row, cells);
      }
      if (header.kind === 'payments' && isBelowPayments(header.places, cells)) return;
      addRow(header, row, cells);
    },
    end: () => {
      if (!header) throw unknownFile(firstRow);
      const { kind, unknown: unknownColumns } = header;
      if (summary.lines() === 0) throw refused('the file has a header and no lines; there is nothing to add');
      footer?.check(summary.sums(), summary.lines());
      const period = periodOf(kind, preamble);
      return { kind, lines: summary.lines(), month: monthOf(period), period, totals: summary.totals(), unknownColumns };
    },
  };
}

function readRow(
  header: Exclude<Header, { readonly kind: 'payments' }>,
  row: number,
  cells: readonly string[],
): ReadRow {
  switch (header.kind) {
    case 'earnings':
      return readEarningsRow(header.places, row, cells);
    case 'sales':
      return readSalesRow(header.places, row, cells);
    case 'finance_detail':
      return readFinanceDetailRow(header.places, row, cells);
    case 'financial':
      return readFinancialRow(header.places, row, cells);
  }
}

function readPreamble(preamble: Preamble, [name = '', value = '']: readonly string[]): void {
  const key = name.trim().toLowerCase();
  if (key === 'start date') preamble.startDate = readDay(value.trim());
  if (key === 'end date') preamble.endDate = readDay(value.trim());
  preamble.month ??= monthOfTitle([name]);
}

const reportNames: Readonly<Record<ReportKind, string>> = {
  earnings: 'earnings report of the android-store',
  sales: 'sales report of the android-store',
  finance_detail: 'finance detail report of the ios-store',
  financial: 'financial report of the ios-store',
  payments: 'payments page of the ios-store',
};

function unknownFile(cells: readonly string[]): Rejection {
  const { kind, columns } = missingColumns(cells);
  const nearest = `The nearest is the ${reportNames[kind]}, which also has: ${columns.slice(0, 6).join(', ')}.`;
  const names = Object.values(reportNames);
  const listed = `${names.slice(0, -1).join(', the ')} or the ${names.at(-1) ?? ''}`;
  return refused(`the columns are of no report that is read here. ${nearest} Send the ${listed} as the store wrote it`);
}

/** Rows below the payments name the bank, or repeat the header. */
function isRemark(cells: readonly string[]): boolean {
  return cells.filter((cell) => cell.trim() !== '').length === 1 || recognizeHeader(cells) !== null;
}

function isFooter([first = '', ...rest]: readonly string[]): boolean {
  const name = first.trim().toLowerCase();
  const isTotal = name === 'total_rows' || name === 'total_units' || name === 'total_amount';
  return isTotal || (name === 'country of sale' && rest.length > 0);
}
