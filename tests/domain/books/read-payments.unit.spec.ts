// Reading of the payments page of the ios-store: its forms, what is held back, and refusals.
import { expect } from 'chai';
import { writePayments, type PaymentRow } from '#simulator/store-reports.js';
import { readText } from './support.js';

const TITLE = '"iTunes Connect - Payments and Financial Reports\t(July, 2026)",,,,,,,,,,,,';
const BLANK = ',,,,,,,,,,,,';
/** A file of 2015, with quotation marks around half of the sum. */
const OF_2015 = [
  TITLE,
  BLANK,
  'Region (Currency),Units Sold,Earned,Pre-Tax Subtotal,Input Tax,Adjustments,Withholding Tax,Total Owed,Exchange Rate,Proceeds,Bank Account Currency,',
  'Australia (AUD),"2","2.40","2.40","0","0","0","2.40","0.63333","1.52","EUR",',
  'Japan (JPY),"20","1,790","1,790","0","0","-370","1,420","0.00817","11.60","EUR",',
  'Latin America and the Caribbean (USD - LatAm),"1","1.00","1.00","0","0","0","1.00","0.91944","0.92","EUR",',
  BLANK,
  ',,,,,,,,,,"14.04" EUR,,',
  ',,,,,,,,,,Paid to FANTASY BANK-****1234,,',
  BLANK,
].join('\n');
/** A file of 2026, without a rate. */
const OF_2026 = [
  '"iTunes Connect - Payments and Financial Reports\t(July, 2026)"',
  'Country or Region (Currency),Units Sold,Earned,Input Tax,Adjustments,Withholding Tax,Total Owed,Proceeds,Bank Account Currency',
  'Mexico (MXN),19,2999.72,479.92,0,0,3479.64,3479.64,MXN',
].join('\n');
const row: PaymentRow = {
  ...{ region: 'Americas (USD)', units: 20, earned: '25.20', owed: '25.20', rate: '0.88452', proceeds: '22.29' },
  bankCurrency: 'EUR',
};
const page = (
  rows: readonly PaymentRow[],
  more: { total?: string; month?: string; below?: readonly PaymentRow[] } = {},
) => writePayments(rows, { month: 'July, 2026', total: '22.29 EUR', ...more });

describe('a payments page of the ios-store', () => {
  const forms: readonly [what: string, text: string, regions: readonly string[]][] = [
    [
      'of 2015',
      OF_2015,
      ['Australia AUD 1520000 EUR', 'Japan JPY 11600000 EUR', 'Latin America and the Caribbean USD 920000 EUR'],
    ],
    ['of 2026', OF_2026, ['Mexico MXN 3479640000 MXN']],
    ['as the simulator writes it', page([row]), ['Americas USD 22290000 EUR']],
  ];
  for (const [what, text, regions] of forms)
    it(`is read ${what}`, () => {
      const { kind, month, period, lines, read } = readText(text);
      expect({ kind, month, lines }).to.deep.equal({ kind: 'payments', month: '2026-07', lines: regions.length });
      expect(period).to.deep.equal({ startDate: '2026-07-01', endDate: '2026-07-31' });
      const found = read.map((line) =>
        line.kind === 'payments'
          ? `${line.region} ${line.currency} ${line.paidMicros} ${line.paidCurrency}`
          : line.kind,
      );
      expect(found).to.deep.equal(regions);
    });

  it('has what is withheld with its minus, and what is held back as not paid', () => {
    expect(readText(OF_2015).read[1]).to.include({
      earnedMicros: 1_790_000_000,
      withholdingMicros: -370_000_000,
      units: 20,
      isPaid: true,
    });
    const { read, totals } = readText(page([row], { below: [{ ...row, region: 'Norway (NOK)', proceeds: '1.14' }] }));
    expect(read.map((line) => line.kind === 'payments' && line.isPaid)).to.deep.equal([true, false]);
    expect(totals.map(({ type, paidMicros }) => [type, paidMicros])).to.deep.equal([
      ['Held back', 1_140_000],
      ['Proceeds', 22_290_000],
    ]);
  });

  const refusals: readonly [what: string, text: string, message: RegExp][] = [
    ['states no month', OF_2026.replace('(July, 2026)', '(2026)'), /does not state its month in its first row/],
    [
      'is of a month that is not over, with estimates',
      OF_2026.replace('Proceeds,', 'Estimated Proceeds,'),
      /nearest is the payments page.*also has: Proceeds/,
    ],
    [
      'has a region without a currency',
      page([{ ...row, region: 'Americas' }]),
      /line 4, column "Country or Region \(Currency\)": "Americas" where a region with its currency/,
    ],
    ['has an amount that is none', page([{ ...row, proceeds: '-' }]), /column "Proceeds": "-" where an amount/],
    [
      'has another sum than its rows',
      page([row], { total: '23.29 EUR' }),
      /the lines add up to 22.29 EUR, and the file states 23.29/,
    ],
    [
      'states a sum in a currency that is not paid',
      page([row], { total: '22.29 USD' }),
      /the lines add up to 0.00 USD, and the file states 22.29/,
    ],
  ];
  for (const [what, text, message] of refusals)
    it(`is refused when it ${what}`, () => {
      expect(() => readText(text)).to.throw(message);
    });
});
