// Months of the ios-store's fiscal year, which begins in October, by the month of the calendar in which most of each lies.
import { expect } from 'chai';
import { fiscalMonthOf } from '../../../../src/commands/stores/ios/finance-reports.js';

describe('fiscal months of the ios-store', () => {
  for (const [month, fiscal] of [
    ['2025-07', '2025-10'],
    ['2025-09', '2025-12'],
    ['2025-10', '2026-01'],
    ['2025-12', '2026-03'],
    ['2026-01', '2026-04'],
    ['2026-06', '2026-09'],
  ] as const)
    it(`have ${month} as ${fiscal}`, () => expect(fiscalMonthOf(month)).to.equal(fiscal));
});
