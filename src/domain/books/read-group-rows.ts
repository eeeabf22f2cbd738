// Rows of the ios-store's financial reports: each is a group of equal sales or returns.
import type { Places } from './columns.js';
import type { GroupLine, ReadRow } from './lines.js';
import { readCells, type CellReader } from './read-cells.js';

export function readFinanceDetailRow(places: Places<'finance_detail'>, row: number, cells: readonly string[]): ReadRow {
  const cell = readCells('finance_detail', places, row, cells);
  const settledOn = cell.day('settledOn');
  const line: GroupLine = { kind: 'finance_detail', row, ...readGroup(cell), day: cell.day('date'), settledOn };
  return { line, first: settledOn, last: settledOn };
}

export function readFinancialRow(places: Places<'financial'>, row: number, cells: readonly string[]): ReadRow {
  const cell = readCells('financial', places, row, cells);
  const [first, last] = [cell.day('startDate'), cell.day('endDate')];
  const line: GroupLine = { kind: 'financial', row, ...readGroup(cell), day: last, settledOn: last };
  return { line, first, last };
}

type Group = Omit<GroupLine, 'kind' | 'row' | 'day' | 'settledOn'>;

function readGroup(cell: CellReader<'finance_detail'> | CellReader<'financial'>): Group {
  const side = cell.required('side').toUpperCase();
  if (side !== 'S' && side !== 'R') throw cell.unreadable('side', 'S or R');
  const quantity = cell.whole('quantity');
  const [priceMicros, paidMicros] = [cell.amount('price'), cell.amount('paid')];
  return {
    isRefund: side === 'R',
    isNegative: quantity < 0 || priceMicros < 0 || paidMicros < 0,
    sku: cell.required('sku'),
    country: cell.required('country'),
    quantity: Math.abs(quantity),
    currency: cell.currency('currency'),
    priceMicros: Math.abs(priceMicros),
    paidCurrency: cell.currency('paidCurrency'),
    paidMicros: Math.abs(paidMicros),
  };
}
