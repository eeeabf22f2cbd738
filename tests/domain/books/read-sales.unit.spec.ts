// Reading of sales reports of the android-store: each form of the header, and each malformed file with the text of its refusal.
import { expect } from 'chai';
import { writeSales, type SalesRow } from '#simulator/store-reports.js';
import { ordersOf, readText } from './support.js';

/** Headers as accounts have downloaded them over the years; the cells are invented. */
const OF_2014 =
  'Order Number,Order Charged Date,Order Charged Timestamp,Financial Status,Device Model,Product Title,Product ID,Product Type,SKU ID,Currency of Sale,Item Price,Taxes Collected,Charged Amount,City of Buyer,State of Buyer,Postal Code of Buyer,Country of Buyer';
const OF_2024 = `${OF_2014},Base Plan ID,Offer ID,Group ID,First USD 1M Eligible,Promotion ID,Coupon Value,Discount Rate,Featured Product ID`;
const RENAMED = OF_2014.replace('Product ID', 'Package ID').replace('Postal Code of Buyer', 'Postcode of Buyer');
const row = (cells: Partial<Record<'id' | 'date' | 'seconds' | 'status' | 'price' | 'tax' | 'charged', string>> = {}) =>
  [
    ...[cells.id ?? 'GPA.1111-2222-3333-44444..3', cells.date ?? '2026-07-04', cells.seconds ?? '1783123200'],
    ...[
      cells.status ?? 'Charged',
      'd2x',
      '"Plus, for 1 year (An app)"',
      'com.example.app',
      'subscription',
      'plus_year',
    ],
    ...['GBP', cells.price ?? '23.33', cells.tax ?? '4.66', cells.charged ?? '27.99', 'Leeds', 'Yorkshire', 'LS1 1AA'],
    'GB',
  ].join(',');

describe('a sales report of the android-store', () => {
  const headers: readonly [what: string, header: string, row: string][] = [
    ['of 2014', OF_2014, row()],
    ['of 2024', OF_2024, `${row()},p1y,,4994392072746424206,Yes,,,,`],
    ['with renamed columns', RENAMED, row()],
    [
      'in another order, without times',
      'Charged Amount,taxes collected,Currency of  Sale,Country of Buyer,sku id,Package ID,Financial Status,order charged date,ORDER NUMBER',
      '27.99,4.66,GBP,GB,plus_year,com.example.app,Charged,2026-07-04,GPA.1111-2222-3333-44444..3',
    ],
    ['with seconds that are not stated', OF_2014, row({ seconds: '0' })],
  ];
  for (const [what, header, line] of headers)
    it(`is read with a header ${what}`, () => {
      const { kind, month, period, lines, totals, unknownColumns, read } = readText(`${header}\n${line}\n`);
      expect({ kind, month, period, lines }).to.deep.equal({
        ...{ kind: 'sales', month: '2026-07', lines: 1 },
        period: { startDate: '2026-07-01', endDate: '2026-07-31' },
      });
      expect(totals).to.deep.equal([{ type: 'Charged', currency: 'GBP', paidMicros: 27_990_000, lines: 1 }]);
      expect(unknownColumns.join()).not.to.match(/City|State|Post/);
      const common = { kind: 'sales', orderId: 'GPA.1111-2222-3333-44444..3', sku: 'plus_year', country: 'GB' };
      expect(read[0]).to.include({
        ...common,
        part: 'charge',
        amountMicros: 27_990_000,
        taxMicros: 4_660_000,
        isRefund: false,
      });
    });

  it('dates an order by its seconds, in Pacific time, and its month by the days of UTC', () => {
    // 2026-07-01 02:00 UTC is the evening of 30 June in California.
    const text = `${OF_2014}\n${row({ date: '2026-07-01', seconds: '1782871200' })}\n${row()}\n`;
    expect(readText(text).month).to.equal('2026-07');
    expect(ordersOf(text).map(({ day }) => day)).to.deep.equal(['2026-06-30', '2026-07-03']);
  });

  const statuses: readonly [status: string, part: string, isRefund: boolean][] = [
    ['Charged', 'charge', false],
    ['Refund', 'charge', true],
    ['Partial refund', 'charge', true],
    ['PARTIAL_REFUND', 'charge', true],
    ['Chargeback', 'other', false],
  ];
  for (const [status, part, isRefund] of statuses)
    it(`takes a row of the status ${status} as ${part}${isRefund ? ' of a refund' : ''}`, () => {
      const [line] = ordersOf(`${OF_2014}\n${row({ status, price: '-8.40', tax: '-1.60', charged: '-10.00' })}\n`);
      const sign = part === 'other' ? -1 : 1;
      expect(line).to.include({ part, isRefund, amountMicros: sign * 10_000_000, isNegative: true });
    });

  const sale: SalesRow = {
    ...{ orderId: 'GPA.1', chargedAt: '2026-07-04T10:00:00Z', status: 'Charged', packageName: 'com.example.app' },
    ...{ sku: 'pro', country: 'DE', currency: 'EUR', price: '1,000.00', tax: '190.00', charged: '1,190.00' },
  };
  it('is read as the simulator writes it, with the older and the newer names', () => {
    for (const names of ['old', 'new'] as const)
      expect(ordersOf(writeSales([sale], names))[0]).to.include({ day: '2026-07-04', amountMicros: 1_190_000_000 });
  });

  const refusals: readonly [what: string, text: string, message: RegExp][] = [
    [
      'lacks a column',
      `${OF_2014.replace('Charged Amount', 'Amount')}\n${row()}`,
      /nearest is the sales report.*also has: Charged Amount/,
    ],
    [
      'has an amount that is none',
      `${OF_2014}\n${row({ charged: 'n/a' })}`,
      /line 2, column "Charged Amount": "n\/a" where an amount/,
    ],
    [
      'has a tax that is none',
      `${OF_2014}\n${row()}\n${row({ tax: '' })}`,
      /line 3, column "Taxes Collected": nothing where an amount/,
    ],
    [
      'has a day that is none',
      `${OF_2014}\n${row({ date: '2026-13-01' })}`,
      /column "Order Charged Date": "2026-13-01" where a day/,
    ],
    [
      'has seconds that are none',
      `${OF_2014}\n${row({ seconds: '17831,5' })}`.replace('17831,5', '17831.5'),
      /column "Order Charged Timestamp": "17831.5" where a number of seconds/,
    ],
    ['has milliseconds', `${OF_2014}\n${row({ seconds: '1783123200000' })}`, /column "Order Charged Timestamp"/],
    ['has no order', `${OF_2014}\n${row({ id: '' })}`, /column "Order Number": nothing where a text/],
    ['has no status', `${OF_2014}\n${row({ status: '' })}`, /column "Financial Status": nothing where a text/],
    ['has a header and no line', `${OF_2014}\n`, /a header and no lines/],
    [
      'has lines of two months',
      `${OF_2014}\n${row()}\n${row({ date: '2026-08-01' })}`,
      /more than one period \(2026-07, 2026-08\)/,
    ],
  ];
  for (const [what, text, message] of refusals)
    it(`is refused when it ${what}`, () => {
      expect(() => readText(text)).to.throw(message);
    });
});
