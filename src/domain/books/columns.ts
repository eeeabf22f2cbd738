// Columns of the stores' reports, by the names that the stores have printed over the years. Case and blanks do not matter, the order neither.
// Sources: Play Console help, "Download and export monthly reports" (earnings, sales); App Store Connect help, "Financial report fields"
// (finance detail, financial); newer names as public parsers of exports state them.
import { reportKinds, type ReportKind } from './lines.js';

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

const sales = {
  orderId: ['Order Number', 'Order ID'],
  date: ['Order Charged Date'],
  timestamp: ['Order Charged Timestamp'],
  status: ['Financial Status'],
  packageName: ['Package ID', 'Product ID'],
  sku: ['SKU ID', 'Sku Id'],
  country: ['Country of Buyer'],
  currency: ['Currency of Sale'],
  tax: ['Taxes Collected'],
  amount: ['Charged Amount'],
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

const { date: _date, settledOn: _settledOn, ...groupColumns } = financeDetail;
const financial = {
  ...groupColumns,
  startDate: ['Start Date'],
  endDate: ['End Date'],
  sku: ['Vendor Identifier', 'SKU'],
} satisfies Columns;

const payments = {
  region: ['Country or Region (Currency)', 'Region (Currency)'],
  units: ['Units Sold'],
  earned: ['Earned'],
  inputTax: ['Input Tax'],
  adjustments: ['Adjustments'],
  withholding: ['Withholding Tax'],
  owed: ['Total Owed'],
  proceeds: ['Proceeds'],
  bankCurrency: ['Bank Account Currency'],
} satisfies Columns;

const columnsByKind = { earnings, sales, finance_detail: financeDetail, financial, payments } satisfies Readonly<
  Record<ReportKind, Columns>
>;

/** Columns without which a report is read all the same. */
const optionalColumns = new Set<string>(['refundType', 'share', 'timestamp']);

export type ColumnOf<K extends ReportKind> = keyof (typeof columnsByKind)[K] & string;

/** Place of each column in the rows; undefined for an optional one that is missing. */
export type Places<K extends ReportKind> = Readonly<Partial<Record<ColumnOf<K>, number>>>;

export type Header = {
  [K in ReportKind]: { readonly kind: K; readonly places: Places<K>; readonly unknown: readonly string[] };
}[ReportKind];

/** Returns the kind of report to which the header belongs, with the place of each column; null for a row that is no header. */
export function recognizeHeader(cells: readonly string[]): Header | null {
  const names = cells.map(foldName);
  for (const kind of reportKinds) {
    const columns: Columns = columnsByKind[kind];
    const places = findPlaces(columns, names);
    if (places) return { kind, places, unknown: unknownOf(cells, names, columns) };
  }
  return null;
}

/** Returns the places of columns that say where a buyer lives. */
export function placesOfBuyersIn(cells: readonly string[]): readonly number[] {
  return cells.flatMap((cell, i) => (isPlaceOfBuyer(foldName(cell)) ? [i] : []));
}

/** A column such as `Buyer State` or `Postcode of Buyer` says where a buyer lives. It is never stored, whatever its name will be. */
function isPlaceOfBuyer(name: string): boolean {
  return name.includes('buyer') && /city|state|post|zip|street|address|region|province/.test(name);
}

/** Reports of the stores that no reader is for, by columns that no other has, with what to add in their place. */
const otherReports = [
  {
    columns: ['Subscriber ID', 'Subscription Apple ID'],
    advice:
      'this is the daily SUBSCRIBER report of the ios-store. It names products by a number of the store’s own and its days are not those of the payments, so that it is compared with nothing; add the finance detail report of the month',
  },
  {
    columns: ['Provider', 'Provider Country', 'Units', 'Developer Proceeds'],
    advice:
      'this is a sales and trends report of the ios-store, whose amounts are estimates; add the finance detail report of the month',
  },
];

/** Returns what to add in place of a report that is known and not read; null for a row that is the header of none. */
export function adviceOn(cells: readonly string[]): string | null {
  const names = new Set(cells.map(foldName));
  return otherReports.find(({ columns }) => columns.every((name) => names.has(foldName(name))))?.advice ?? null;
}

/** Returns the columns that the nearest kind of report needs and the header lacks, for a message. */
export function missingColumns(cells: readonly string[]): {
  readonly kind: ReportKind;
  readonly columns: readonly string[];
} {
  const names = new Set(cells.map(foldName));
  const lacks = (kind: ReportKind) =>
    Object.entries<readonly string[]>(columnsByKind[kind]).flatMap(([key, known]) =>
      optionalColumns.has(key) || known.some((name) => names.has(foldName(name))) ? [] : known.slice(0, 1),
    );
  const found = reportKinds.map((kind) => ({ kind, columns: lacks(kind) }));
  return found.reduce((nearest, one) => (one.columns.length < nearest.columns.length ? one : nearest));
}

/** Returns the present name of a column, for a message. */
export function columnName(kind: ReportKind, column: string): string {
  const columns: Columns = columnsByKind[kind];
  return columns[column]?.[0] ?? column;
}

function findPlaces(columns: Columns, names: readonly string[]): Readonly<Record<string, number>> | null {
  const places: Record<string, number> = {};
  for (const [key, known] of Object.entries(columns)) {
    const at = names.findIndex((name) => known.some((one) => foldName(one) === name));
    if (at >= 0) places[key] = at;
    else if (!optionalColumns.has(key)) return null;
  }
  return places;
}

function unknownOf(cells: readonly string[], names: readonly string[], columns: Columns): readonly string[] {
  const known = new Set(Object.values(columns).flat().map(foldName));
  return cells.filter((_, i) => !known.has(names[i] ?? '') && !isPlaceOfBuyer(names[i] ?? '') && names[i] !== '');
}

function foldName(text: string): string {
  return text.toLowerCase().replaceAll(/[\s\u00a0\ufeff]+/g, '');
}
