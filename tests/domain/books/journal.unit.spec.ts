// The journal: balanced entries whose IDs are stable, also when a month is closed again; and its files, compared whole.
import { expect } from 'chai';
import { createRandom } from '#simulator/random.js';
import { DEFAULT_ACCOUNTS } from '../../../src/domain/books/accounts.js';
import type { DeliveredCharge, RevenueBasis } from '../../../src/domain/books/delivery.js';
import { NOTHING } from '../../../src/domain/books/entries.js';
import { revenueLines, type FrozenMonth } from '../../../src/domain/books/frozen-month.js';
import { journalOf, type JournalEntry } from '../../../src/domain/books/journal.js';
import { addDays } from '../../../src/domain/books/report-values.js';
import { createScheduleBuilder } from '../../../src/domain/books/schedule.js';
import { writeJournal } from '../../../src/http/books/journal-formats.js';

const charge = (change: Partial<DeliveredCharge> = {}): DeliveredCharge => ({
  ...{ transactionId: 't1', appId: 'app_1', currency: 'USD', amountMicros: 9_990_000, taxRate: 0.1 },
  ...{ commissionRate: 0.3, startDay: '2026-10-20', endDay: '2026-11-19', replacedDay: null, changes: [], ...change },
});

function freeze(charges: readonly DeliveredCharge[], month: string, basis: RevenueBasis = 'gross'): FrozenMonth {
  const builder = createScheduleBuilder(basis);
  for (const of of charges) builder.add(of);
  const settings = { basis, timeZone: 'UTC', lifetimeMonths: 0 };
  return { settings, tables: [], revenue: revenueLines(builder.end(), month), corrections: [] };
}

const refunded = charge({
  startDay: '2026-09-25',
  endDay: '2026-10-25',
  changes: [{ kind: 'refund', day: '2026-10-05', share: 1 }],
});
const settlement = { ...NOTHING, fee: -1_500_000, proceeds: 1_500_000 };
const withSettlement = (of: FrozenMonth): FrozenMonth => ({
  ...of,
  tables: [
    {
      ...{ appId: 'app_1', currency: 'USD', ours: NOTHING, store: settlement, difference: settlement },
      causes: [
        { cause: 'commission', entries: 1, difference: settlement },
        { cause: 'missing_there', entries: 1, difference: { ...NOTHING, charged: -5, proceeds: -5 } },
      ],
    },
  ],
});
const october = withSettlement(freeze([charge(), refunded], '2026-10'));
const sumOf = ({ lines }: JournalEntry) => lines.reduce((sum, { micros }) => sum + micros, 0);

const CSV = `entry_id,date,account,debit,credit,currency,memo,month,app
2026-10-app_1-USD-recognition,2026-10-31,2400,5.40,,USD,Revenue recognised 2026-10,2026-10,app_1
2026-10-app_1-USD-recognition,2026-10-31,4000,,5.40,USD,Revenue recognised 2026-10,2026-10,app_1
2026-10-app_1-USD-refunds,2026-10-31,1200,,5.99,USD,Refunds 2026-10,2026-10,app_1
2026-10-app_1-USD-refunds,2026-10-31,5000,,3.00,USD,Refunds 2026-10,2026-10,app_1
2026-10-app_1-USD-refunds,2026-10-31,2200,,1.00,USD,Refunds 2026-10,2026-10,app_1
2026-10-app_1-USD-refunds,2026-10-31,2400,6.60,,USD,Refunds 2026-10,2026-10,app_1
2026-10-app_1-USD-refunds,2026-10-31,4900,3.39,,USD,Refunds 2026-10,2026-10,app_1
2026-10-app_1-USD-sales,2026-10-31,1200,5.99,,USD,Sales 2026-10,2026-10,app_1
2026-10-app_1-USD-sales,2026-10-31,5000,3.00,,USD,Sales 2026-10,2026-10,app_1
2026-10-app_1-USD-sales,2026-10-31,2200,1.00,,USD,Sales 2026-10,2026-10,app_1
2026-10-app_1-USD-sales,2026-10-31,2400,,9.99,USD,Sales 2026-10,2026-10,app_1
2026-10-app_1-USD-settlement,2026-10-31,1200,1.50,,USD,Amounts as settled by the store 2026-10,2026-10,app_1
2026-10-app_1-USD-settlement,2026-10-31,5000,,1.50,USD,Amounts as settled by the store 2026-10,2026-10,app_1
`;

const SALES_XERO = `*Narration,*Date,Description,*AccountCode,*TaxRate,*Amount,TrackingName1,TrackingOption1,TrackingName2,TrackingOption2
2026-10-app_1-USD-recognition,31/10/2026,Revenue recognised 2026-10,2400,Tax Exempt,4.05,App,app_1,Currency,USD
2026-10-app_1-USD-recognition,31/10/2026,Revenue recognised 2026-10,4000,Tax Exempt,-4.05,App,app_1,Currency,USD
2026-10-app_1-USD-sales,31/10/2026,Sales 2026-10,1200,Tax Exempt,5.99,App,app_1,Currency,USD
2026-10-app_1-USD-sales,31/10/2026,Sales 2026-10,5000,Tax Exempt,3,App,app_1,Currency,USD
2026-10-app_1-USD-sales,31/10/2026,Sales 2026-10,2200,Tax Exempt,1,App,app_1,Currency,USD
2026-10-app_1-USD-sales,31/10/2026,Sales 2026-10,2400,Tax Exempt,-9.99,App,app_1,Currency,USD
`;

const SALES_BEANCOUNT = `2026-10-31 * "Revenue recognised 2026-10"
  entry_id: "2026-10-app_1-USD-recognition"
  app: "app_1"
  Liabilities:Deferred-Revenue  4.05 USD
  Income:Revenue  -4.05 USD

2026-10-31 * "Sales 2026-10"
  entry_id: "2026-10-app_1-USD-sales"
  app: "app_1"
  Assets:Receivable:Stores  5.99 USD
  Expenses:Store-Fees  3.00 USD
  Liabilities:Tax-Paid-By-Stores  1.00 USD
  Liabilities:Deferred-Revenue  -9.99 USD
`;

describe('the journal of a month', () => {
  it('is a table of balanced lines', () =>
    expect(writeJournal('csv', journalOf('2026-10', [october]), DEFAULT_ACCOUNTS)).to.equal(CSV));

  it('has the forms of Xero and of plain-text accounting', () => {
    const entries = journalOf('2026-10', [freeze([charge()], '2026-10')]);
    expect(writeJournal('xero', entries, DEFAULT_ACCOUNTS)).to.equal(SALES_XERO);
    expect(writeJournal('beancount', entries, DEFAULT_ACCOUNTS)).to.equal(SALES_BEANCOUNT);
  });

  it('does not let a code of an account become a formula', () => {
    const accounts = { ...DEFAULT_ACCOUNTS, revenue: { code: '=1+1', name: 'Income:Revenue' } };
    const entries = journalOf('2026-10', [freeze([charge()], '2026-10')]);
    expect(writeJournal('csv', entries, accounts)).to.include(",'=1+1,");
    expect(writeJournal('xero', entries, accounts)).to.include(",'=1+1,");
  });

  it('has neither fees nor tax if revenue is net', () => {
    const [, sales] = journalOf('2026-10', [freeze([charge()], '2026-10', 'net')]);
    expect(sales?.lines).to.deep.equal([
      { account: 'receivable', micros: 5_990_000 },
      { account: 'deferredRevenue', micros: -5_990_000 },
    ]);
  });

  it('adds the difference when a month is closed again, and leaves the entries of the first closing as they are', () => {
    const first = journalOf('2026-10', [october]);
    const later = withSettlement(
      freeze([charge(), refunded, charge({ transactionId: 't2', endDay: null })], '2026-10'),
    );
    const both = journalOf('2026-10', [october, later]);
    expect(both.slice(0, first.length)).to.deep.equal(first);
    const added = both.slice(first.length);
    expect(added.map(({ id }) => id)).to.deep.equal(['2026-10-app_1-USD-recognition.2', '2026-10-app_1-USD-sales.2']);
    expect(added[0]?.lines).to.deep.equal([
      { account: 'deferredRevenue', micros: 9_990_000 },
      { account: 'revenue', micros: -9_990_000 },
    ]);
    expect(journalOf('2026-10', [october, later, later])).to.deep.equal(both);
    expect(new Set(both.map(({ id }) => id)).size).to.equal(both.length);
  });

  it('balances in each entry, and its deferred revenue is that of the schedule', () => {
    const seed = process.env['JOURNAL_SEED'] ?? 'journal-1';
    const random = createRandom(seed);
    for (let world = 0; world < 60; world++) {
      const charges = Array.from({ length: 20 }, (_, n) => {
        const startDay = addDays('2026-07-01', random.whole(0, 120));
        const share = random.whole(0, 12) / 10;
        const day = addDays(startDay, random.whole(0, 50));
        return charge({
          ...{
            transactionId: `t${n}`,
            appId: `app_${random.whole(1, 2)}`,
            startDay,
            amountMicros: random.whole(1, 9999) * 10_000,
          },
          ...{ endDay: addDays(startDay, random.whole(0, 90)), taxRate: random.whole(0, 25) / 100 },
          ...(random.chance(0.4) && { changes: [{ kind: 'refund' as const, day, share }] }),
        });
      });
      const basis = random.chance(0.5) ? 'gross' : 'net';
      const deferred = new Map<string, number>();
      for (const month of ['2026-07', '2026-08', '2026-09', '2026-10', '2026-11']) {
        const frozen = freeze(charges, month, basis);
        for (const entry of journalOf(month, [frozen])) {
          expect(sumOf(entry), `${seed} ${entry.id}`).to.equal(0);
          expect(entry.lines.some(({ account }) => account === 'exchangeDifference')).to.equal(false);
          for (const { account, micros } of entry.lines)
            if (account === 'deferredRevenue')
              deferred.set(entry.appId ?? '', (deferred.get(entry.appId ?? '') ?? 0) - micros);
        }
        const next = freeze(
          charges,
          month === '2026-11' ? '2026-12' : month.slice(0, 5) + String(Number(month.slice(5)) + 1).padStart(2, '0'),
          basis,
        );
        for (const { appId, opening } of next.revenue) expect(deferred.get(appId) ?? 0, seed).to.equal(opening);
      }
    }
  });
});
