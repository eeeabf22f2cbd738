// Reading of the stores' reports: each form of the header, and each malformed file with the text of its refusal.
import { expect } from 'chai';
import { writeEarnings, writeFinanceDetail, type EarningsRow, type FinanceRow } from '#simulator/store-reports.js';
import { groupsOf, ordersOf, readText } from './support.js';

const order: EarningsRow = {
  ...{ orderId: 'GPA.1111-2222-3333-44444..3', day: '2026-07-04', type: 'Charge', packageName: 'com.example.app' },
  ...{
    sku: 'pro',
    country: 'DE',
    currency: 'EUR',
    amount: '1,234.50',
    merchantCurrency: 'USD',
    merchantAmount: '1,300.10',
  },
};
const sale: FinanceRow = {
  ...{ day: '2026-07-04', settledOn: '2026-07-05', sku: 'pro.month', country: 'DE', quantity: 3, price: '9.99' },
  ...{ currency: 'EUR', share: '7.10', extendedShare: '21.30', shareCurrency: 'EUR', isReturn: false },
};
const july = { startDate: '2026-06-28', endDate: '2026-08-01' };

describe('an earnings report of the android-store', () => {
  it('is read under the older and the newer names of its columns', () => {
    for (const names of ['old', 'new'] as const) {
      const { kind, month, period, lines, totals, unknownColumns } = readText(writeEarnings([order], names));
      expect({ kind, month, period, lines }).to.deep.equal({
        ...{ kind: 'earnings', month: '2026-07', lines: 1 },
        period: { startDate: '2026-07-01', endDate: '2026-07-31' },
      });
      expect(totals).to.deep.equal([{ type: 'Charge', currency: 'USD', paidMicros: 1_300_100_000, lines: 1 }]);
      expect(unknownColumns).to.include('Product Title').and.not.include('Buyer State');
    }
  });

  it('is read with its columns in another order, in other case, and with a column that nobody knows', () => {
    const text = [
      'a new column,AMOUNT (buyer currency),Merchant  Currency,Amount (Merchant Currency),buyer currency,Buyer Country,sku id,package ID,transaction type,Transaction Date,description',
      'x,9.99,USD,10.50,EUR,DE,pro,com.example.app,Charge,"Jul 4, 2026",GPA.1',
    ].join('\n');
    const [line] = ordersOf(text);
    expect(line).to.include({ orderId: 'GPA.1', amountMicros: 9_990_000, paidMicros: 10_500_000, part: 'charge' });
    expect(readText(text).unknownColumns).to.deep.equal(['a new column']);
  });

  const types: readonly [type: string, part: string, isRefund: boolean][] = [
    ['Charge', 'charge', false],
    ['Google fee', 'fee', false],
    ['Tax', 'tax', false],
    ['Charge refund', 'charge', true],
    ['Google fee refund', 'fee', true],
    ['Tax refund', 'tax', true],
    ['Charge rebill', 'charge', false],
    ['Google fee rebill', 'fee', false],
    ['Something new', 'other', false],
  ];
  for (const [type, part, isRefund] of types)
    it(`takes a line of the type ${type} as ${part}${isRefund ? ' of a refund' : ''}`, () => {
      const [line] = ordersOf(writeEarnings([{ ...order, type, amount: '-1.00', merchantAmount: '-1.10' }]));
      const sign = part === 'other' ? -1 : 1;
      expect(line).to.include({ part, isRefund, amountMicros: sign * 1_000_000, paidMicros: sign * 1_100_000 });
    });

  it('has lines of the account, with neither order nor product nor buyer', () => {
    const account = { ...order, orderId: '', packageName: '', sku: '', country: '', currency: '', amount: '' };
    const [line] = ordersOf(writeEarnings([{ ...account, type: 'Tax', merchantAmount: '-3.20' }]));
    expect(line).to.include({ orderId: null, packageName: null, amountMicros: 0, paidMicros: 3_200_000 });
  });
});

describe('a finance detail report of the ios-store', () => {
  it('is read with its preamble, quotation marks in titles, and its block of totals', () => {
    const back = { ...sale, quantity: 1, extendedShare: '-7.10', share: '-7.10', isReturn: true };
    const text = writeFinanceDetail([sale, back], july, [{ country: 'DE', currency: 'EUR', share: '14.20' }]);
    const { kind, month, period, lines } = readText(text);
    expect({ kind, month, period, lines }).to.deep.equal({
      kind: 'finance_detail',
      month: '2026-07',
      period: july,
      lines: 2,
    });
    expect(groupsOf(text)).to.deep.include({
      ...{
        kind: 'finance_detail',
        row: 5,
        isRefund: false,
        isNegative: false,
        sku: 'pro.month',
        day: '2026-07-04',
        settledOn: '2026-07-05',
      },
      ...{
        country: 'DE',
        quantity: 3,
        currency: 'EUR',
        priceMicros: 9_990_000,
        paidCurrency: 'EUR',
        paidMicros: 21_300_000,
      },
    });
  });

  it('adds returns that were taken back to its totals with the sign of sales', () => {
    const back = { ...sale, quantity: -3, extendedShare: '-21.30', share: '-7.10', isReturn: true };
    const again = { ...sale, quantity: 1, extendedShare: '7.10', isReturn: true };
    const text = writeFinanceDetail([sale, back, again], july, [{ country: 'DE', currency: 'EUR', share: '7.10' }]);
    expect(readText(text).totals.map(({ type, paidMicros }) => [type, paidMicros])).to.deep.equal([
      ['R', 14_200_000],
      ['S', 21_300_000],
    ]);
  });

  it('takes the days of its settlement without a preamble', () => {
    const text = writeFinanceDetail([sale], july).split('\n').slice(3).join('\n');
    expect(readText(text).period).to.deep.equal({ startDate: '2026-07-05', endDate: '2026-07-05' });
  });
});

const SUBSCRIBER = [
  ...['Event Date', 'App Name', 'App Apple ID', 'Subscription Name', 'Subscription Apple ID', 'Subscription Group ID'],
  ...['Standard Subscription Duration', 'Subscription Offer Name', 'Promotional Offer ID', 'Subscription Offer Type'],
  ...['Subscription Offer Duration', 'Marketing Opt-In Duration', 'Customer Price', 'Customer Currency'],
  ...['Developer Proceeds', 'Proceeds Currency', 'Preserved Pricing', 'Proceeds Reason', 'Client', 'Device', 'Country'],
  ...['Subscriber ID', 'Subscriber ID Reset', 'Refund', 'Purchase Date', 'Units'],
];
const SALES_AND_TRENDS = [
  ...['Provider', 'Provider Country', 'SKU', 'Developer', 'Title', 'Version', 'Product Type Identifier', 'Units'],
  ...['Developer Proceeds', 'Begin Date', 'End Date', 'Customer Currency', 'Country Code', 'Currency of Proceeds'],
  ...['Apple Identifier', 'Customer Price', 'Promo Code', 'Parent Identifier', 'Subscription', 'Period', 'Category'],
];

describe('a file that is no such report', () => {
  const lines = writeEarnings([order]).split('\r\n');
  const swap = (from: string, to: string) => [lines[0], (lines[1] ?? '').replace(from, to)].join('\r\n');
  const finance = (change: Partial<FinanceRow>) => writeFinanceDetail([{ ...sale, ...change }], july);
  const refusals: readonly [what: string, text: string, message: RegExp][] = [
    [
      'has columns of nothing known',
      'a,b\n1,2',
      /columns are of no report that is read here.*Send the earnings report/,
    ],
    ['is the SUBSCRIBER report', `${SUBSCRIBER.join('\t')}\n`, /SUBSCRIBER report.*add the finance detail report/],
    [
      'is of sales and trends, with other blanks and cases',
      `${SALES_AND_TRENDS.join('\t').toUpperCase()} \n`,
      /sales and trends.*add the finance detail report/,
    ],
    ['lacks a column', writeEarnings([order]).replace('Merchant Currency', 'Other'), /also has: Merchant Currency/],
    ['has many rows and no header', 'x\n'.repeat(30), /columns are of no report/],
    ['has a header and no line', `${lines[0]}\n`, /a header and no lines/],
    [
      'has an amount that is none',
      swap('"1,234.50"', 'n/a'),
      /line 2, column "Amount \(Buyer Currency\)": "n\/a" where an amount/,
    ],
    ['has an amount with a decimal comma', swap('"1,234.50"', '"1234,50"'), /column "Amount \(Buyer Currency\)"/],
    [
      'has a day that is none',
      swap('"Jul 4, 2026"', '"Jul 34, 2026"'),
      /column "Transaction Date": "Jul 34, 2026" where a day/,
    ],
    ['has a currency that is none', swap(',EUR,', ',Euro,'), /column "Buyer Currency": "Euro" where a currency/],
    ['has no type', swap(',Charge,', ',,'), /column "Transaction Type": nothing where a text/],
    [
      'has lines of two months',
      writeEarnings([order, { ...order, day: '2026-08-01' }]),
      /more than one period \(2026-07, 2026-08\)/,
    ],
    ['has a quantity in parts', finance({ quantity: 1.5 }), /column "Quantity": "1.5" where a whole number/],
    ['has no product', finance({ sku: '' }), /column "SKU": nothing where a text/],
    [
      'states other totals than its lines add up to',
      writeFinanceDetail([sale], july, [{ country: 'DE', currency: 'EUR', share: '21.31' }]),
      /the lines of DE add up to 21.30 EUR, and the file states 21.31/,
    ],
    [
      'covers more than a fiscal month',
      writeFinanceDetail([sale], { startDate: '2026-06-28', endDate: '2026-09-01' }),
      /more than one period/,
    ],
  ];
  for (const [what, text, message] of refusals)
    it(`is refused when it ${what}`, () => {
      expect(() => readText(text)).to.throw(message);
    });
});
