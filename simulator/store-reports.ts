// Writes the financial reports of both stores from charges, in the forms that the stores have used: older and newer column names, text with
// commas or tabs, amounts with separators of thousands.

/** Amounts are decimal texts. `day` is Pacific, `yyyy-mm-dd`. */
export type EarningsRow = {
  readonly orderId: string;
  readonly day: string;
  readonly type: string;
  readonly refundType?: string;
  readonly packageName: string;
  readonly sku: string;
  readonly country: string;
  readonly currency: string;
  readonly amount: string;
  readonly merchantCurrency: string;
  readonly merchantAmount: string;
};

const OLD_NAMES = [
  ...['Description', 'Transaction Date', 'Transaction Time', 'Tax Type', 'Transaction Type', 'Refund Type'],
  ...['Product Title', 'Product id', 'Product Type', 'Sku Id', 'Hardware', 'Buyer Country', 'Buyer State'],
  ...['Buyer Postal Code', 'Buyer Currency', 'Amount (Buyer Currency)', 'Currency Conversion Rate'],
  ...['Merchant Currency', 'Amount (Merchant Currency)', 'Base Plan ID', 'Offer ID'],
];
const NEW_NAMES: Readonly<Record<string, string>> = {
  'Product id': 'Package ID',
  'Sku Id': 'SKU ID',
  'Buyer Postal Code': 'Buyer Postcode',
  'Base Plan ID': 'Base Plan or Purchase Option ID',
};

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Writes an earnings report of the android-store. Where the buyer lives is invented. */
export function writeEarnings(rows: readonly EarningsRow[], names: 'old' | 'new' = 'old'): string {
  const header = OLD_NAMES.map((name) => (names === 'new' ? (NEW_NAMES[name] ?? name) : name));
  const lines = rows.map((row) => {
    const [year = '', month = '', day = ''] = row.day.split('-');
    const date = `${MONTHS[Number(month) - 1] ?? ''} ${Number(day)}, ${year}`;
    return [
      ...[row.orderId, date, '3:29:44 AM PDT', '', row.type, row.refundType ?? ''],
      ...[
        'The title, of a product',
        row.packageName,
        'Subscription',
        row.sku,
        'oriole',
        row.country,
        'Somestate',
        '94043',
      ],
      ...[row.currency, row.amount, '1.000000', row.merchantCurrency, row.merchantAmount, '', ''],
    ];
  });
  return [header, ...lines].map((cells) => cells.map(quoteCell).join(',')).join('\r\n') + '\r\n';
}

function quoteCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export type FinanceRow = {
  readonly day: string;
  readonly settledOn: string;
  readonly sku: string;
  readonly country: string;
  readonly quantity: number;
  readonly price: string;
  readonly currency: string;
  /** Proceeds of one, and of all. */
  readonly share: string;
  readonly extendedShare: string;
  readonly shareCurrency: string;
  readonly isReturn: boolean;
};

const FINANCE_NAMES = [
  ...['Transaction Date', 'Settlement Date', 'Apple Identifier', 'SKU', 'Title', 'Developer Name'],
  ...['Product Type Identifier', 'Country of Sale', 'Quantity', 'Partner Share', 'Extended Partner Share'],
  ...[
    'Partner Share Currency',
    'Customer Price',
    'Customer Currency',
    'Sale or Return',
    'Promo Code',
    'Order Type',
    'Region',
  ],
];

/** Writes a finance detail report of the ios-store for a fiscal month. `totals`: the block at the end, by country and currency. */
export function writeFinanceDetail(
  rows: readonly FinanceRow[],
  period: { readonly startDate: string; readonly endDate: string },
  totals: readonly { readonly country: string; readonly currency: string; readonly share: string }[] = [],
): string {
  const american = (day: string) => `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`;
  const lines = rows.map((row) => {
    // A return that is taken back is signed like a sale.
    const sign = row.isReturn && row.quantity < 0 ? '-' : '';
    return [
      ...[american(row.day), american(row.settledOn), '1234567890', row.sku, 'A "quoted" title', 'A Developer', 'IAY'],
      ...[row.country, String(row.quantity), row.share, row.extendedShare, row.shareCurrency, `${sign}${row.price}`],
      ...[row.currency, row.isReturn ? 'R' : 'S', '', '', 'Z1'],
    ];
  });
  const preamble = [
    ['Vendor Name', 'A Developer'],
    ['Start Date', american(period.startDate)],
    ['End Date', american(period.endDate)],
  ];
  const block =
    totals.length === 0
      ? []
      : [
          ['Country Of Sale', 'Partner Share Currency', 'Quantity', 'Extended Partner Share'],
          ...totals.map(({ country, currency, share }) => [country, currency, '', share]),
        ];
  return [...preamble, FINANCE_NAMES, ...lines, ...block].map((cells) => cells.join('\t')).join('\n') + '\n';
}

export type PaymentRow = {
  /** Such as `Americas (USD)`. */
  readonly region: string;
  readonly units: number;
  readonly earned: string;
  readonly inputTax?: string;
  readonly adjustments?: string;
  readonly withholding?: string;
  readonly owed: string;
  readonly rate: string;
  readonly proceeds: string;
  readonly bankCurrency: string;
};

/** Writes the payments page of the ios-store. `month`: such as `July, 2026`. `below`: what the store holds back. */
export function writePayments(
  rows: readonly PaymentRow[],
  {
    month,
    total,
    below = [],
  }: { readonly month: string; readonly total: string; readonly below?: readonly PaymentRow[] },
): string {
  const blank = ','.repeat(12);
  const header = [
    ...['Region (Currency)', 'Units Sold', 'Earned', 'Pre-Tax Subtotal', 'Input Tax', 'Adjustments'],
    ...['Withholding Tax', 'Total Owed', 'Exchange Rate', 'Proceeds', 'Bank Account Currency', ''],
  ];
  const lineOf = (row: PaymentRow) =>
    [
      ...[row.region, String(row.units), row.earned, row.earned, row.inputTax ?? '0', row.adjustments ?? '0'],
      ...[row.withholding ?? '0', row.owed, row.rate, row.proceeds, row.bankCurrency],
    ]
      .map((cell) => `"${cell}"`)
      .join(',') + ',';
  return [
    ...[`"iTunes Connect - Payments and Financial Reports\t(${month})"${blank}`, blank, header.join(',')],
    ...[...rows.map(lineOf), blank, `,,,,,,,,,,"${total}",,`, ',,,,,,,,,,Paid to FICTIONAL BANK -****1299,,', blank],
    ...below.map(lineOf),
  ].join('\n');
}

/** `chargedAt`: ISO time. `charged` has the tax in it. */
export type SalesRow = {
  readonly orderId: string;
  readonly chargedAt: string;
  readonly status: string;
  readonly packageName: string;
  readonly sku: string;
  readonly country: string;
  readonly currency: string;
  readonly price: string;
  readonly tax: string;
  readonly charged: string;
};

const SALES_NAMES = [
  ...['Order Number', 'Order Charged Date', 'Order Charged Timestamp', 'Financial Status', 'Device Model'],
  ...['Product Title', 'Product ID', 'Product Type', 'SKU ID', 'Currency of Sale', 'Item Price', 'Taxes Collected'],
  ...['Charged Amount', 'City of Buyer', 'State of Buyer', 'Postal Code of Buyer', 'Country of Buyer', 'Base Plan ID'],
  ...['Offer ID', 'Group ID', 'First USD 1M Eligible', 'Promotion ID', 'Coupon Value', 'Discount Rate'],
];
const NEW_SALES_NAMES: Readonly<Record<string, string>> = {
  'Product ID': 'Package ID',
  'Postal Code of Buyer': 'Postcode of Buyer',
};

/** Writes a sales report of the android-store: days and times are of UTC. Where the buyer lives is invented. */
export function writeSales(rows: readonly SalesRow[], names: 'old' | 'new' = 'old'): string {
  const header = SALES_NAMES.map((name) => (names === 'new' ? (NEW_SALES_NAMES[name] ?? name) : name));
  const lines = rows.map((row) => [
    ...[row.orderId, row.chargedAt.slice(0, 10), String(Date.parse(row.chargedAt) / 1000), row.status, 'oriole'],
    ...['The title, of a product', row.packageName, 'subscription', row.sku, row.currency, row.price, row.tax],
    ...[
      row.charged,
      'Sometown',
      'Somestate',
      '94043',
      row.country,
      'p1m',
      '',
      '4994392072746424206',
      'Yes',
      '',
      '',
      '',
    ],
  ]);
  return [header, ...lines].map((cells) => cells.map(quoteCell).join(',')).join('\r\n') + '\r\n';
}

const FINANCIAL_NAMES = [
  ...['Start Date', 'End Date', 'UPC', 'ISRC/ISBN', 'Vendor Identifier', 'Quantity', 'Partner Share'],
  ...['Extended Partner Share', 'Partner Share Currency', 'Sales or Return', 'Apple Identifier'],
  ...['Artist/Show/Developer/Author', 'Title', 'Label/Studio/Network/Developer/Publisher', 'Grid'],
  ...['Product Type Identifier', 'ISAN/Other Identifier', 'Country Of Sale', 'Pre-order Flag', 'Promo Code'],
  ...['Customer Price', 'Customer Currency'],
];

/** Writes a financial report of the ios-store: a fiscal month without days. It ends with the number of its rows, and a block of totals. */
export function writeFinancial(
  rows: readonly Omit<FinanceRow, 'day' | 'settledOn'>[],
  period: { readonly startDate: string; readonly endDate: string },
  totals: readonly { readonly country: string; readonly currency: string; readonly share: string }[] = [],
): string {
  const american = (day: string) => `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`;
  const lines = rows.map((row) => [
    ...[american(period.startDate), american(period.endDate), '', '', row.sku, String(row.quantity), row.share],
    ...[row.extendedShare, row.shareCurrency, row.isReturn ? 'R' : 'S', '1234567890', 'A Developer', 'A title', ''],
    ...['', 'IAY', '', row.country, '', '', `${row.isReturn && row.quantity < 0 ? '-' : ''}${row.price}`, row.currency],
  ]);
  const block = totals.map(({ country, currency, share }) => [country, currency, '', share]);
  const header = ['Country Of Sale', 'Partner Share Currency', 'Quantity', 'Extended Partner Share'];
  const footer = [['Total_Rows', String(rows.length)], ...(block.length === 0 ? [] : [header, ...block])];
  return [FINANCIAL_NAMES, ...lines, ...footer].map((cells) => cells.join('\t')).join('\n') + '\n';
}
