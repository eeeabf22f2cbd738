// Comparison of variants by each primary metric.
import { expect } from 'chai';
import { compareVariant, methodOf, MIN_CUSTOMERS, MIN_OUTCOMES } from '../../../src/domain/experiment/comparison.js';
import { primaryMetrics, type PrimaryMetric } from '../../../src/domain/experiment/events.js';
import { outcomeOf, summarize, summarizeSegments, type Outcome } from '../../../src/domain/experiment/results.js';

const nothing = outcomeOf(null, 0, 0);
const payer = (usd: number): Outcome => ({
  ...nothing,
  ...{ isConverted: true, isPaying: true, isActive: true, revenueMicros: usd * 1e6, mrrMicros: usd * 1e6 },
  ...{ trialsStarted: 1, trialsCompleted: 1, trialsConverted: 1, isChurned: true, isRefunded: true },
});
const group = (customers: number, payers: number, usd = 10) =>
  summarize([
    ...Array.from({ length: payers }, () => payer(usd)),
    ...Array.from({ length: customers - payers }, () => ({ ...nothing, trialsStarted: 1, trialsCompleted: 1 })),
  ]);
const compare = (metric: PrimaryMetric, ...sides: [ReturnType<typeof group>, ReturnType<typeof group> | null]) =>
  compareVariant(metric, ...sides);

describe('a variant beside the control', () => {
  const [more, fewer] = [group(1000, 200), group(1000, 120)];

  for (const metric of primaryMetrics) {
    it(`is compared by ${metric}`, () => {
      const found = compare(metric, more, fewer);
      if (metric === 'customers') {
        expect([found, methodOf(metric)]).to.deep.equal([null, null]);
        return;
      }
      const isEqual = /^trials_(started|completed)$|paying_customer$/.test(metric);
      const isWorse = /churned|refunded/.test(metric);
      expect(methodOf(metric)?.isLowerBetter, metric).to.equal(isWorse);
      const chance = found?.chanceToWin ?? NaN;
      expect(chance).to.satisfy((p: number) => (isEqual ? Math.abs(p - 0.5) < 1e-6 : isWorse ? p < 0.001 : p > 0.999));
      const { low, high } = found?.interval ?? { low: NaN, high: NaN };
      expect(low).to.be.at.most(found?.difference ?? NaN);
      expect(high).to.be.at.least(found?.difference ?? NaN);
    });
  }

  it('has totals per customer, so that the larger variant does not win by its size', () => {
    const found = compare('realized_ltv_usd', group(2000, 200), group(1000, 100));
    expect(found).to.include({ value: 1, difference: 0 });
    expect(found?.chanceToWin).to.be.closeTo(0.5, 1e-6);
  });

  it('has no chance and no interval below the least number of customers, and says how many are missing', () => {
    const few = group(MIN_CUSTOMERS - 1, 50);
    const none = { chanceToWin: null, interval: null };
    for (const sides of [
      [few, group(500, 100)],
      [group(500, 100), few],
    ] as const) {
      expect(compare('conversion_to_paying_rate', ...sides)).to.deep.include({
        ...none,
        missing: { customers: 1, outcomes: 0 },
      });
    }
    const poor = group(500, MIN_OUTCOMES - 2);
    expect(compare('realized_ltv_per_customer', more, poor)).to.deep.include({
      ...none,
      missing: { customers: 0, outcomes: 2 },
    });
    expect(compare('conversion_to_paying_rate', more, poor)?.missing).to.equal(null);
    const enough = group(MIN_CUSTOMERS, MIN_OUTCOMES);
    expect(compare('realized_ltv_per_customer', enough, enough)?.missing).to.equal(null);
  });

  it('has a value only where there are customers, and the control has no chance', () => {
    const empty = summarize([]);
    expect(compare('mrr_per_customer', empty, more)).to.deep.include({ value: null, difference: null });
    expect(compare('trial_conversion_rate', more, empty)).to.deep.include({ difference: null, chanceToWin: null });
    const control = { value: 0.2, difference: null, interval: null, chanceToWin: null, missing: null };
    expect(compare('paying_customers', more, null)).to.deep.equal(control);
  });
});

describe('results by segment', () => {
  it('add up to the whole, with customers without a value apart', () => {
    const outcomes = [
      { value: 'DE', outcome: payer(5) },
      { value: null, outcome: nothing },
      { value: 'DE', outcome: nothing },
      { value: 'FR', outcome: payer(7) },
    ];
    const found = summarizeSegments(outcomes);
    expect(found.map(({ value, results }) => [value, results.customers, results.revenueMicros])).to.deep.equal([
      ['DE', 2, 5e6],
      [null, 1, 0],
      ['FR', 1, 7e6],
    ]);
  });
});
