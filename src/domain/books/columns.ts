// Columns of the stores' reports, by the names that the stores have printed over the years. Case and blanks do not matter, the order neither.
// Sources: Play Console help, "Download and export monthly reports" (earnings); App Store Connect help, "Financial report fields" (finance
// detail); newer names as public parsers of exports state them.
import type { ReportKind } from './lines.js';

/** Names of each column, the present one first. */
type Columns = Readonly<Record<string, readonly string[]>>;

const earnings = {
  orderId: ['Description', 'Order Number', 'Order ID'],
  date: ['Transaction Date'],
  type: ['Transaction Type'],
  refundType: ['Refund Type'],
  packageName: ['Package ID', 'Product id'],
  sku: ['SKU ID', 'Sku Id'],
  country: ['Buyer Country'],
  currency: ['Buyer Currency'],
  amount: ['Amount (Buyer Currency)'],
  paidCurrency: ['Merchant Currency'],
  paid: ['Amount (Merchant Currency)'],
} satisfies Columns;

const financeDetail = {
  date: ['Transaction Date'],
  settledOn: ['Settlement Date'],
  sku: ['SKU', 'Vendor Identifier'],
  country: ['Country of Sale', 'Country Of Sale'],
  quantity: ['Quantity'],
  share: ['Partner Share'],
  paid: ['Extended Partner Share'],
  paidCurrency: ['Partner Share Currency'],
  price: ['Customer Price'],
  currency: ['Customer Currency'],
  side: ['Sale or Return', 'Sales or Return'],
} satisfies Columns;

const columnsByKind = { earnings, finance_detail: financeDetail } satisfies Readonly<Record<ReportKind, Columns>>;

/** Columns without which a report is read all the same. */
const optionalColumns = new Set<string>(['refundType', 'share']);

/** Columns that say where a buyer lives. They are never stored. */
const placesOfBuyers = ['Buyer State', 'Buyer Postal Code', 'Buyer Postcode', 'City of Buyer', 'State of Buyer'];
const placeNames = new Set([...placesOfBuyers, 'Postal Code of Buyer', 'Buyer City'].map(foldName));

export type EarningsColumn = keyof typeof earnings;
export type FinanceDetailColumn = keyof typeof financeDetail;
type ColumnOf = { earnings: EarningsColumn; finance_detail: FinanceDetailColumn };

/** Place of each column in the rows; undefined for an optional one that is missing. */
export type Places<K extends ReportKind> = Readonly<Partial<Record<ColumnOf[K], number>>>;

export type Header =
  | { readonly kind: 'earnings'; readonly places: Places<'earnings'>; readonly unknown: readonly string[] }
  | { readonly kind: 'finance_detail'; readonly places: Places<'finance_detail'>; readonly unknown: readonly string[] };

/** Returns the kind of report to which the header belongs, with the place of each column; null for a row that is no header. */
export function recognizeHeader(cells: readonly string[]): Header | null {
  const names = cells.map(foldName);
  const asEarnings = findPlaces(earnings, names);
  if (asEarnings) return { kind: 'earnings', places: asEarnings, unknown: unknownOf(cells, names, earnings) };
  const asDetail = findPlaces(financeDetail, names);
  if (asDetail) return { kind: 'finance_detail', places: asDetail, unknown: unknownOf(cells, names, financeDetail) };
  return null;
}

/** Returns the places of columns that say where a buyer lives. */
export function placesOfBuyersIn(cells: readonly string[]): readonly number[] {
  return cells.flatMap((cell, i) => (placeNames.has(foldName(cell)) ? [i] : []));
}

/** Returns the columns that the nearest kind of report needs and the header lacks, for a message. */
export function missingColumns(cells: readonly string[]): {
  readonly kind: ReportKind;
  readonly columns: readonly string[];
} {
  const names = new Set(cells.map(foldName));
  const lacks = (columns: Columns) =>
    Object.entries(columns).flatMap(([key, known]) =>
      optionalColumns.has(key) || known.some((name) => names.has(foldName(name))) ? [] : known.slice(0, 1),
    );
  const [ofEarnings, ofDetail] = [lacks(earnings), lacks(financeDetail)];
  return ofEarnings.length <= ofDetail.length
    ? { kind: 'earnings', columns: ofEarnings }
    : { kind: 'finance_detail', columns: ofDetail };
}

/** Returns the present name of a column, for a message. */
export function columnName(kind: ReportKind, column: EarningsColumn | FinanceDetailColumn): string {
  const columns: Columns = columnsByKind[kind];
  return columns[column]?.[0] ?? column;
}

function findPlaces<C extends Columns>(columns: C, names: readonly string[]): Partial<Record<keyof C, number>> | null {
  const places: Partial<Record<keyof C, number>> = {};
  for (const key of Object.keys(columns) as (keyof C & string)[]) {
    const known = (columns[key] ?? []).map(foldName);
    const at = names.findIndex((name) => known.includes(name));
    if (at >= 0) places[key] = at;
    else if (!optionalColumns.has(key)) return null;
  }
  return places;
}

function unknownOf(cells: readonly string[], names: readonly string[], columns: Columns): readonly string[] {
  const known = new Set(Object.values(columns).flat().map(foldName));
  return cells.filter((_, i) => !known.has(names[i] ?? '') && !placeNames.has(names[i] ?? '') && names[i] !== '');
}

function foldName(text: string): string {
  return text.toLowerCase().replaceAll(/[\s\u00a0\ufeff]+/g, '');
}
