// Rows of the android-store's reports: each is of one order.
import type { Places } from './columns.js';
import type { OrderLine, OrderPart, ReadRow } from './lines.js';
import { readCells, type CellReader } from './read-cells.js';
import { pacificDay } from './report-values.js';

const partByType: Readonly<Record<string, OrderPart>> = {
  charge: 'charge',
  'google fee': 'fee',
  tax: 'tax',
};

/** Reads a type such as `Google fee refund`: `rebill` counts as the type before it. A type that is not known is kept as it is. */
function readType(type: string): { readonly part: OrderPart; readonly isRefund: boolean } {
  const folded = foldType(type);
  const isRefund = folded.endsWith(' refund');
  return { part: partByType[folded.replace(/ (refund|rebill)$/, '')] ?? 'other', isRefund };
}

function foldType(type: string): string {
  return type.toLowerCase().replaceAll(/[\s_]+/g, ' ');
}

export function readEarningsRow(places: Places<'earnings'>, row: number, cells: readonly string[]): ReadRow {
  const cell = readCells('earnings', places, row, cells);
  const type = cell.required('type');
  const { part, isRefund } = readType(type);
  // The type decides the sign; what the reader does not know keeps its own.
  const signed = (micros: number) => (part === 'other' ? micros : Math.abs(micros));
  const paidCurrency = cell.currency('paidCurrency');
  const paidMicros = cell.amount('paid');
  // Rows of the account have neither order nor product, and perhaps no buyer.
  const isAccounts = cell.text('orderId') === '' && cell.text('packageName') === '' && cell.text('sku') === '';
  const hasBuyer = !isAccounts || cell.text('currency') !== '';
  const amountMicros = hasBuyer ? cell.amount('amount') : 0;
  const day = cell.day('date');
  const line: OrderLine = {
    kind: 'earnings',
    row,
    part,
    isRefund,
    isNegative: (amountMicros || paidMicros) < 0,
    type,
    orderId: cell.text('orderId') || null,
    packageName: cell.text('packageName') || null,
    sku: cell.text('sku') || null,
    day,
    country: cell.text('country') || null,
    currency: hasBuyer ? cell.currency('currency') : paidCurrency,
    amountMicros: signed(amountMicros),
    taxMicros: 0,
    paidCurrency,
    paidMicros: signed(paidMicros),
  };
  return { line, first: day, last: day };
}

const refundByStatus: Readonly<Record<string, boolean>> = {
  charged: false,
  charge: false,
  refund: true,
  refunded: true,
  'partial refund': true,
};

/** Reads a row of a sales report: what the buyer was charged, tax included, and the tax in it. The report pays nothing. */
export function readSalesRow(places: Places<'sales'>, row: number, cells: readonly string[]): ReadRow {
  const cell = readCells('sales', places, row, cells);
  const type = cell.required('status');
  const isRefund = refundByStatus[foldType(type)];
  const signed = (micros: number) => (isRefund === undefined ? micros : Math.abs(micros));
  const chargedOn = cell.day('date');
  const [charged, tax] = [cell.amount('amount'), cell.amount('tax')];
  const currency = cell.currency('currency');
  const line: OrderLine = {
    ...{ kind: 'sales', row, part: isRefund === undefined ? 'other' : 'charge', isRefund: isRefund ?? false },
    ...{ isNegative: charged < 0, type, orderId: cell.required('orderId') },
    packageName: cell.text('packageName') || null,
    sku: cell.text('sku') || null,
    day: dayOfTimestamp(cell) ?? chargedOn,
    country: cell.text('country') || null,
    ...{
      currency,
      amountMicros: signed(charged),
      taxMicros: signed(tax),
      paidCurrency: currency,
      paidMicros: signed(charged),
    },
  };
  return { line, first: chargedOn, last: chargedOn };
}

/** Returns the Pacific day of the seconds since 1970, or null where there are none: the date of the row is of UTC. */
function dayOfTimestamp(cell: CellReader<'sales'>): string | null {
  const text = cell.text('timestamp');
  if (text === '' || text === '0') return null;
  if (!/^\d{9,10}$/.test(text)) throw cell.unreadable('timestamp', 'a number of seconds since 1970');
  return pacificDay(Number(text) * 1000);
}
