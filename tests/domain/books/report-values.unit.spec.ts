// Values of the stores' reports: amounts, days, months and Pacific time.
import { expect } from 'chai';
import {
  daysOfMonth,
  monthOf,
  pacificDay,
  printAmount,
  readAmount,
  readDay,
  roundToUnit,
} from '../../../src/domain/books/report-values.js';

describe('amounts of reports', () => {
  const read: readonly [text: string, micros: number | null][] = [
    ['9.99', 9_990_000],
    ['-9.99', -9_990_000],
    ['+1', 1_000_000],
    ['1,234.5', 1_234_500_000],
    ['1,234,567', 1_234_567_000_000],
    ['0', 0],
    ['-0.00', 0],
    ['.5', 500_000],
    ['12.', 12_000_000],
    ['0.1234564', 123_456],
    ['0.1234565', 123_457],
    ['120', 120_000_000],
    ['1,23', null],
    ['1.234,56', null],
    ['', null],
    ['.', null],
    ['-', null],
    ['1e3', null],
    ['NaN', null],
    ['$9.99', null],
    ['9.99 USD', null],
    ['1000000001', null],
    ['99999999999999999999', null],
  ];
  for (const [text, micros] of read)
    it(`reads "${text}" as ${micros === null ? 'no amount' : `${micros} micros`}`, () => {
      expect(readAmount(text)).to.equal(micros);
    });

  const printed: readonly [micros: number, currency: string, text: string][] = [
    [9_990_000, 'USD', '9.99'],
    [-9_990_000, 'USD', '-9.99'],
    [120_000_000, 'JPY', '120'],
    [120_500_000, 'JPY', '120.5'],
    [1_500_000, 'KWD', '1.500'],
    [10_000, 'EUR', '0.01'],
    [-1, 'EUR', '-0.000001'],
    [0, 'EUR', '0.00'],
  ];
  for (const [micros, currency, text] of printed)
    it(`prints ${micros} micros of ${currency} as ${text}`, () => {
      expect(printAmount(micros, currency)).to.equal(text);
    });

  const rounded: readonly [micros: number, currency: string, to: number][] = [
    [1_004_999, 'USD', 1_000_000],
    [1_005_000, 'USD', 1_010_000],
    [-1_005_000, 'USD', -1_010_000],
    [500_000, 'JPY', 1_000_000],
    [499_999, 'JPY', 0],
    [1_000_500, 'KWD', 1_001_000],
  ];
  for (const [micros, currency, to] of rounded)
    it(`rounds ${micros} micros of ${currency} to ${to}`, () => {
      expect(roundToUnit(micros, currency)).to.equal(to);
    });
});

describe('days of reports', () => {
  const days: readonly [text: string, day: string | null][] = [
    ['Nov 1, 2019', '2019-11-01'],
    ['November 1, 2019', '2019-11-01'],
    ['Feb 29, 2024', '2024-02-29'],
    ['Feb 29, 2023', null],
    ['11/01/2019', '2019-11-01'],
    ['13/01/2019', null],
    ['2019-11-01', '2019-11-01'],
    ['2019-11-31', null],
    ['Foo 1, 2019', null],
    ['', null],
  ];
  for (const [text, day] of days)
    it(`reads "${text}" as ${day ?? 'no day'}`, () => {
      expect(readDay(text)).to.equal(day);
    });

  const instants: readonly [iso: string, day: string][] = [
    ['2026-07-01T06:59:59Z', '2026-06-30'],
    ['2026-07-01T07:00:00Z', '2026-07-01'],
    ['2026-01-01T07:59:59Z', '2025-12-31'],
    ['2026-01-01T08:00:00Z', '2026-01-01'],
    // The clocks of 2026 change on 8 March and 1 November, at 10:00 and 09:00 UTC.
    ['2026-03-09T06:59:59Z', '2026-03-08'],
    ['2026-03-09T07:00:00Z', '2026-03-09'],
    ['2026-11-02T07:59:59Z', '2026-11-01'],
    ['2026-11-02T08:00:00Z', '2026-11-02'],
  ];
  for (const [iso, day] of instants)
    it(`dates ${iso} on ${day} in Pacific time`, () => {
      expect(pacificDay(Date.parse(iso))).to.equal(day);
    });

  it('names a fiscal month by the calendar month in which most of it lies', () => {
    const names = [
      { startDate: '2025-06-29', endDate: '2025-08-02' },
      { startDate: '2025-08-03', endDate: '2025-08-30' },
      { startDate: '2025-08-31', endDate: '2025-09-27' },
      { startDate: '2025-12-28', endDate: '2026-01-31' },
    ].map(monthOf);
    expect(names).to.deep.equal(['2025-07', '2025-08', '2025-09', '2026-01']);
    expect(daysOfMonth('2024-02')).to.deep.equal({ startDate: '2024-02-01', endDate: '2024-02-29' });
  });
});
