// Reading of financial reports of the ios-store, which have no days: forms of the file, its totals, and refusals.
import { expect } from 'chai';
import { groupsOf, readText } from './support.js';

const HEADER =
  'Start Date\tEnd Date\tUPC\tISRC/ISBN\tVendor Identifier\tQuantity\tPartner Share\tExtended Partner Share\tPartner Share Currency\tSales or Return\tApple Identifier\tArtist/Show/Developer/Author\tTitle\tLabel/Studio/Network/Developer/Publisher\tGrid\tProduct Type Identifier\tISAN/Other Identifier\tCountry Of Sale\tPre-order Flag\tPromo Code\tCustomer Price\tCustomer Currency';

type Cells = {
  readonly from?: string;
  readonly to?: string;
  readonly sku?: string;
  readonly quantity?: string;
  readonly share?: string;
  readonly paid?: string;
  readonly currency?: string;
  readonly side?: string;
  readonly country?: string;
  readonly price?: string;
};
const row = (cells: Cells = {}) => {
  const { from = '06/28/2026', to = '08/01/2026', sku = 'pro.month', quantity = '3', share = '7.10' } = cells;
  const { paid = '21.30', currency = 'EUR', side = 'S', country = 'DE', price = '9.99' } = cells;
  return [
    ...[from, to, '', '', sku, quantity, share, paid, currency, side, '1234567890', 'A Developer', 'A "quoted" title'],
    ...['', '', 'IAY', '', country, '', '', price, currency],
  ].join('\t');
};
const back = row({ quantity: '-1', paid: '-7.10', side: 'R', price: '-9.99' });
const us = row({ quantity: '2', share: '6.99', paid: '13.98', currency: 'USD', country: 'US' });
const file = (...lines: readonly string[]) => `${[HEADER, ...lines].join('\n')}\n`;
const TOTALS = 'Country Of Sale\tPartner Share Currency\tQuantity\tExtended Partner Share';

describe('a financial report of the ios-store', () => {
  const forms: readonly [what: string, text: string, lines: number][] = [
    ['without totals', file(row(), back, us), 3],
    [
      'of all regions, with its totals by country',
      file(row(), back, us, 'Total_Rows\t3', '', TOTALS, 'DE\tEUR\t2\t14.20', 'US\tUSD\t2\t13.98'),
      3,
    ],
    [
      'of one region, with its totals in all',
      file(row(), back, 'Total_Rows\t2', 'Total_Amount\t14.20', 'Total_Units\t2'),
      2,
    ],
    [
      'with totals of countries by name',
      file(row(), back, us, TOTALS, 'Germany\tEUR\t2\t14.20', 'United States\tUSD\t2\t13.98'),
      3,
    ],
    [
      'under the newer names of its columns',
      file(row(), back).replace('Vendor Identifier', 'SKU').replace('Sales or', 'Sale or'),
      2,
    ],
  ];
  for (const [what, text, lines] of forms)
    it(`is read ${what}`, () => {
      const found = readText(text);
      expect({ kind: found.kind, month: found.month, lines: found.lines, period: found.period }).to.deep.equal({
        ...{ kind: 'financial', month: '2026-07', lines },
        period: { startDate: '2026-06-28', endDate: '2026-08-01' },
      });
      const [first, second] = groupsOf(text);
      expect(first).to.include({
        kind: 'financial',
        sku: 'pro.month',
        day: '2026-08-01',
        quantity: 3,
        isRefund: false,
      });
      expect(first).to.include({ priceMicros: 9_990_000, paidMicros: 21_300_000, paidCurrency: 'EUR', country: 'DE' });
      expect(second).to.include({ isRefund: true, isNegative: true, quantity: 1, paidMicros: 7_100_000 });
    });

  const refusals: readonly [what: string, text: string, message: RegExp][] = [
    [
      'lacks a column',
      file(row()).replace('Customer Price', 'Price'),
      /nearest is the financial report.*also has: Customer Price/,
    ],
    [
      'has a quantity in parts',
      file(row({ quantity: '1.5' })),
      /line 2, column "Quantity": "1.5" where a whole number/,
    ],
    ['has no price', file(row(), row({ price: '' })), /line 3, column "Customer Price": nothing where an amount/],
    ['has no product', file(row({ sku: '' })), /column "Vendor Identifier": nothing where a text/],
    ['has another side', file(row({ side: 'X' })), /column "Sale or Return": "X" where S or R/],
    ['has a day that is none', file(row({ to: '31/12/2026' })), /column "End Date": "31\/12\/2026" where a day/],
    [
      'has rows of two fiscal months',
      file(row(), row({ from: '08/02/2026', to: '08/29/2026' })),
      /more than one period/,
    ],
    ['has fewer rows than it states', file(row(), 'Total_Rows\t2'), /states 2 rows and has 1: it was cut or edited/],
    [
      'states another total of a country',
      file(row(), us, TOTALS, 'DE\tEUR\t3\t21.29', 'US\tUSD\t2\t13.99'),
      /the lines of DE add up to 21.30 EUR, and the file states 21.29/,
    ],
    [
      'states a country of which it lacks the rows',
      file(row(), us, TOTALS, 'DE\tEUR\t3\t21.30', 'FR\tEUR\t3\t7.10', 'US\tUSD\t2\t13.98'),
      /the lines add up to 21.30 EUR, and the file states 28.40/,
    ],
    [
      'states another total in all',
      file(row(), 'Total_Amount\t21.31'),
      /the lines add up to 21.30 EUR, and the file states 21.31/,
    ],
    ['states a number of rows that is none', file(row(), 'Total_Rows\tmany'), /line 3: the total is no amount/],
    ['has a header and no line', file('Total_Rows\t0'), /a header and no lines/],
  ];
  for (const [what, text, message] of refusals)
    it(`is refused when it ${what}`, () => {
      expect(() => readText(text)).to.throw(message);
    });

  it('balances no country with another', () => {
    const text = file(row(), us, TOTALS, 'DE\tEUR\t3\t21.30', 'US\tUSD\t2\t13.98');
    expect(readText(text).lines).to.equal(2);
    const french = row({ country: 'FR' });
    const swapped = file(row({ paid: '20.30' }), french, TOTALS, 'DE\tEUR\t3\t21.30', 'FR\tEUR\t3\t20.30');
    expect(() => readText(swapped)).to.throw(/the lines of DE add up to 20.30/);
  });
});
