// Settled amounts in US dollars, by the rates of the report and of the day.
import { expect } from 'chai';
import { amountsOf, type BookEntry } from '../../../src/domain/books/entries.js';
import { createSettledDays, type ChargedTransaction } from '../../../src/domain/books/settled-days.js';

const july = { startDate: '2026-07-01', endDate: '2026-07-31' };
/** Units for one euro. */
const rates = { '2026': { '2026-07-10': { USD: '1.20', GBP: '0.80' }, '2026-07-20': { USD: '1.10', GBP: '0.80' } } };

const charged = (change: Partial<ChargedTransaction> = {}): ChargedTransaction => ({
  ...{ appId: 'app_1', purchasedAt: '2026-07-10T12:00:00.000Z', quantity: 1, moves: [] },
  money: {
    currency: 'EUR',
    amountMicros: 10_000_000,
    usdMicros: 12_000_000,
    ...{ fxRate: '1.2', fxDate: '2026-07-10' },
    ...{ taxRate: 0, commissionRate: 0.15 },
  },
  ...change,
});
const entry = (kind: BookEntry['kind'], change: Partial<BookEntry> = {}): BookEntry => ({
  ...{ cause: 'commission', kind, appId: 'app_1', currency: 'EUR', day: '2026-07-10', sku: 'pro', country: 'DE' },
  ...{ count: 1, ours: null, store: amountsOf(kind, 10_000_000, 1_000_000, 2_700_000), orderId: 'GPA.1' },
  ...{
    paid: { currency: 'EUR', rate: 1 },
    transactionIds: ['GPA.1'],
    rows: [],
    otherMonth: null,
    labels: [],
    ...change,
  },
});
const sum = (entries: readonly BookEntry[], of: Record<string, ChargedTransaction>) => {
  const days = createSettledDays(rates);
  for (const one of entries) days.add(one, new Map(Object.entries(of)), july);
  return days.days();
};

describe('settled amounts in US dollars', () => {
  it('are the store’s at the rate of the day, beside the estimate', () => {
    expect(sum([entry('charge')], { 'GPA.1': charged() })).to.deep.equal([
      {
        ...{ day: '2026-07-10', appId: 'app_1' },
        estimated: { gross: 12_000_000, refunds: 0, tax: 0, commission: 1_800_000 },
        settled: { gross: 12_000_000, refunds: 0, tax: 1_200_000, commission: 3_240_000 },
      },
    ]);
  });

  it('go over the currency that the store pays', () => {
    // 10 EUR are paid as 8.20 GBP, which are worth 8.20 / 0.80 × 1.20 = 12.30 USD.
    const [day] = sum([entry('charge', { paid: { currency: 'GBP', rate: 0.82 } })], { 'GPA.1': charged() });
    expect(day?.settled).to.deep.include({ gross: 12_300_000, tax: 1_230_000, commission: 3_321_000 });
  });

  it('stand on the day of a refund and of its reversal', () => {
    const at = '2026-07-20T12:00:00.000Z';
    const moves = [
      { kind: 'refund', at: '2026-07-15T12:00:00.000Z', share: 1 },
      { kind: 'reversal', at },
    ] as const;
    const days = sum([entry('reversal')], { 'GPA.1': charged({ moves }) });
    expect(days).to.deep.equal([
      {
        ...{ day: '2026-07-20', appId: 'app_1' },
        estimated: { gross: 0, refunds: -12_000_000, tax: 0, commission: 1_800_000 },
        settled: { gross: 0, refunds: -11_000_000, tax: 1_100_000, commission: 2_970_000 },
      },
    ]);
  });

  it('of a group are divided among its days without a rest', () => {
    const store = amountsOf('charge', 30_000_000, 0, 10_000_001);
    const group = entry('charge', {
      store,
      count: 3,
      orderId: null,
      transactionIds: ['1', '2', '3'],
      paid: { currency: 'USD', rate: 1 },
    });
    const late = charged({ purchasedAt: '2026-07-11T02:00:00.000Z' });
    const days = sum([group], { '1': charged(), '2': charged(), '3': late });
    expect(days.map(({ day, settled }) => [day, settled.gross])).to.deep.equal([
      ['2026-07-10', 20_000_000],
      ['2026-07-11', 10_000_000],
    ]);
    expect(days.reduce((total, { settled }) => total + settled.commission, 0)).to.equal(10_000_001);
  });

  for (const [what, of, change] of [
    ['without a rate of the day', charged({ purchasedAt: '2026-06-01T12:00:00.000Z' }), {}],
    ['without a price of ours', charged({ money: { ...charged().money, usdMicros: null } }), {}],
    ['that a report does not have', charged(), { store: null }],
  ] as const)
    it(`have no charge ${what}`, () => {
      expect(sum([entry('charge', change)], { 'GPA.1': of })).to.deep.equal([]);
    });
});
