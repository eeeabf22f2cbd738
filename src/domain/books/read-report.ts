// Reads the rows of a store's financial report. A row that cannot be read refuses the whole file with its line and column: books do not skip.
import type { Rejection } from '../errors.js';
import { columnName, missingColumns, recognizeHeader, type Header, type Places } from './columns.js';
import type { GroupLine, OrderLine, OrderPart, ReadReport, ReportKind, ReportLine } from './lines.js';
import { monthOf, readAmount, readDay } from './report-values.js';
import { refused } from './refusal.js';
import { createFooterCheck, createSummary, type FooterCheck, type Preamble } from './report-summary.js';

/** Lines of a report. */
export const MAX_LINES = 1_000_000;
/** Rows before the header: a preamble has a few. */
const MAX_PREAMBLE_ROWS = 20;
/** Length of a text in a cell. */
const MAX_TEXT = 500;

export type RowReader = {
  /** Takes the next row; `row` counts from 1. Throws {@link Rejection} for one that cannot be read. */
  add(row: number, cells: readonly string[]): void;
  /** Ends the file. Throws {@link Rejection} for one without a header, of two months, or with other sums than it states. */
  end(): ReadReport;
};

/** Creates the reader of one file. `onLine` gets each line as soon as it is read. */
export function createRowReader(onLine: (line: ReportLine) => void): RowReader {
  const preamble: Preamble = { startDate: null, endDate: null };
  const summary = createSummary();
  let header: Header | null = null;
  let footer: FooterCheck | null = null;
  let firstRow: readonly string[] = [];

  const addLine = (known: Header, row: number, cells: readonly string[]): void => {
    if (summary.lines() >= MAX_LINES)
      throw refused(`the file has more than ${MAX_LINES.toLocaleString('en')} lines; more are not read at a time`);
    const line: ReportLine =
      known.kind === 'earnings'
        ? { kind: 'earnings', ...readOrderLine(known.places, row, cells) }
        : { kind: 'finance_detail', ...readGroupLine(known.places, row, cells) };
    summary.add(line);
    onLine(line);
  };

  return {
    add: (row, cells) => {
      if (cells.every((cell) => cell.trim() === '')) return;
      if (!header) {
        header = recognizeHeader(cells);
        if (header) return;
        if (firstRow.length < cells.length) firstRow = cells;
        readPreamble(preamble, cells);
        if (row > MAX_PREAMBLE_ROWS) throw unknownFile(firstRow);
        return;
      }
      if (footer) return footer.add(row, cells);
      if (header.kind === 'finance_detail' && isFooter(cells)) {
        footer = createFooterCheck();
        return footer.add(row, cells);
      }
      addLine(header, row, cells);
    },
    end: () => {
      if (!header) throw unknownFile(firstRow);
      const { kind, unknown: unknownColumns } = header;
      if (summary.lines() === 0) throw refused('the file has a header and no lines; there is nothing to add');
      const totals = summary.totals();
      footer?.check(totals, summary.lines());
      const period = kind === 'earnings' ? summary.calendarMonth() : summary.fiscalMonth(preamble);
      return { kind, lines: summary.lines(), month: monthOf(period), period, totals, unknownColumns };
    },
  };
}

function readPreamble(preamble: Preamble, [name = '', value = '']: readonly string[]): void {
  const key = name.trim().toLowerCase();
  if (key === 'start date') preamble.startDate = readDay(value.trim());
  if (key === 'end date') preamble.endDate = readDay(value.trim());
}

const partByType: Readonly<Record<string, OrderPart>> = {
  charge: 'charge',
  'google fee': 'fee',
  tax: 'tax',
};

/** Reads a type such as `Google fee refund`: `rebill` counts as the type before it. A type that is not known is kept as it is. */
function readType(type: string): { readonly part: OrderPart; readonly isRefund: boolean } {
  const folded = type.toLowerCase().replaceAll(/\s+/g, ' ');
  const isRefund = folded.endsWith(' refund');
  return { part: partByType[folded.replace(/ (refund|rebill)$/, '')] ?? 'other', isRefund };
}

function readOrderLine(places: Places<'earnings'>, row: number, cells: readonly string[]): OrderLine {
  const text = (column: keyof typeof places) => textAt(cells, places[column]);
  const cell = { kind: 'earnings' as const, row };
  const type = required(text('type'), { ...cell, column: 'type' });
  const { part, isRefund } = readType(type);
  // The type decides the sign; what the reader does not know keeps its own.
  const signed = (micros: number) => (part === 'other' ? micros : Math.abs(micros));
  const paidCurrency = currencyAt(text('paidCurrency'), { ...cell, column: 'paidCurrency' });
  const paidMicros = amountAt(text('paid'), { ...cell, column: 'paid' });
  // Rows of the account have neither order nor product, and perhaps no buyer.
  const isAccounts = text('orderId') === '' && text('packageName') === '' && text('sku') === '';
  const hasBuyer = !isAccounts || text('currency') !== '';
  const amountMicros = hasBuyer ? amountAt(text('amount'), { ...cell, column: 'amount' }) : 0;
  return {
    row,
    part,
    isRefund,
    isNegative: (amountMicros || paidMicros) < 0,
    type,
    orderId: text('orderId') || null,
    packageName: text('packageName') || null,
    sku: text('sku') || null,
    day: dayAt(text('date'), { ...cell, column: 'date' }),
    country: text('country') || null,
    currency: hasBuyer ? currencyAt(text('currency'), { ...cell, column: 'currency' }) : paidCurrency,
    amountMicros: signed(amountMicros),
    paidCurrency,
    paidMicros: signed(paidMicros),
  };
}

function readGroupLine(places: Places<'finance_detail'>, row: number, cells: readonly string[]): GroupLine {
  const text = (column: keyof typeof places) => textAt(cells, places[column]);
  const cell = { kind: 'finance_detail' as const, row };
  const side = required(text('side'), { ...cell, column: 'side' }).toUpperCase();
  if (side !== 'S' && side !== 'R') throw unreadable({ ...cell, column: 'side' }, side, 'S or R');
  const quantity = amountAt(text('quantity'), { ...cell, column: 'quantity' }) / 1_000_000;
  if (!Number.isInteger(quantity))
    throw unreadable({ ...cell, column: 'quantity' }, text('quantity'), 'a whole number');
  const priceMicros = amountAt(text('price'), { ...cell, column: 'price' });
  const paidMicros = amountAt(text('paid'), { ...cell, column: 'paid' });
  return {
    row,
    isRefund: side === 'R',
    isNegative: quantity < 0 || priceMicros < 0 || paidMicros < 0,
    sku: required(text('sku'), { ...cell, column: 'sku' }),
    day: dayAt(text('date'), { ...cell, column: 'date' }),
    settledOn: dayAt(text('settledOn'), { ...cell, column: 'settledOn' }),
    country: required(text('country'), { ...cell, column: 'country' }),
    quantity: Math.abs(quantity),
    currency: currencyAt(text('currency'), { ...cell, column: 'currency' }),
    priceMicros: Math.abs(priceMicros),
    paidCurrency: currencyAt(text('paidCurrency'), { ...cell, column: 'paidCurrency' }),
    paidMicros: Math.abs(paidMicros),
  };
}

type Cell =
  | { readonly kind: 'earnings'; readonly row: number; readonly column: keyof Places<'earnings'> }
  | { readonly kind: 'finance_detail'; readonly row: number; readonly column: keyof Places<'finance_detail'> };

function textAt(cells: readonly string[], place: number | undefined): string {
  return place === undefined ? '' : (cells[place] ?? '').trim().slice(0, MAX_TEXT);
}

function required(text: string, cell: Cell): string {
  if (text === '') throw unreadable(cell, text, 'a text');
  return text;
}

function amountAt(text: string, cell: Cell): number {
  const micros = readAmount(text);
  if (micros === null) throw unreadable(cell, text, 'an amount such as 1,234.50');
  return micros;
}

function dayAt(text: string, cell: Cell): string {
  const day = readDay(text);
  if (day === null) throw unreadable(cell, text, 'a day such as Nov 1, 2025 or 11/01/2025');
  return day;
}

function currencyAt(text: string, cell: Cell): string {
  const currency = text.toUpperCase();
  if (!/^[A-Z]{3}$/.test(currency)) throw unreadable(cell, text, 'a currency such as EUR');
  return currency;
}

function unreadable(cell: Cell, text: string, expected: string): Rejection {
  const name = columnName(cell.kind, cell.column);
  const quoted = text === '' ? 'nothing' : `"${text.slice(0, 60)}"`;
  return refused(`line ${cell.row}, column "${name}": ${quoted} where ${expected} is expected; no line was added`);
}

const reportNames: Readonly<Record<ReportKind, string>> = {
  earnings: 'earnings report of the android-store',
  finance_detail: 'finance detail report of the ios-store',
};

function unknownFile(cells: readonly string[]): Rejection {
  const { kind, columns } = missingColumns(cells);
  const nearest = `The nearest is the ${reportNames[kind]}, which also has: ${columns.slice(0, 6).join(', ')}.`;
  return refused(
    `the columns are of no report that is read here. ${nearest} Send the ${reportNames.earnings} or the ${reportNames.finance_detail} as the store wrote it`,
  );
}

function isFooter([first = '', ...rest]: readonly string[]): boolean {
  const name = first.trim().toLowerCase();
  const isTotal = name === 'total_rows' || name === 'total_units' || name === 'total_amount';
  return isTotal || (name === 'country of sale' && rest.length > 0);
}
