// Identities between charts by their definitions, on random histories. HISTORIES=<number> draws more.
import { expect } from 'chai';
import type { Interval } from '../../src/domain/charts/calendar.js';
import type { CustomerHistory } from '../../src/domain/charts/history/history.js';
import { runQuery, totalsOf, type QueryOptions } from '../domain/charts/run-query.js';
import { historiesOf } from '../domain/charts/normal-form.js';
import { chance } from '../projections/support/seeded-random.js';
import { randomHistory, shuffled } from './random-history.js';
import { DAY } from './time.js';

const HISTORIES = Number(process.env['HISTORIES'] ?? 150);
const BEGIN = Date.UTC(2024, 11, 1);
const END = Date.UTC(2026, 11, 1);
/** Each value is rounded to cents by itself. */
const CENT = 0.010001;
const iso = (t: number) => new Date(t).toISOString();

type Values = Readonly<Record<string, number>>;
type SeriesValues = { readonly buckets: readonly { readonly values: Values }[] };
const sum = (all: readonly (number | undefined)[]) => all.reduce<number>((a, b) => a + (b ?? 0), 0);

describe('the charts among each other', function () {
  this.timeout(120_000);
  const random = chance();
  const each = (
    check: (
      of: (id: string, o?: Partial<QueryOptions>) => readonly Values[],
      customers: readonly CustomerHistory[],
    ) => void,
  ) => {
    for (let n = 0; n < HISTORIES; n++) {
      const customers = [...historiesOf(randomHistory(random)).values()];
      const asOf = iso(BEGIN + (1 + random.below(700)) * DAY + random.below(DAY));
      const interval = (['week', 'month', 'quarter'] as const)[random.below(3)] ?? 'month';
      const common = { start: iso(BEGIN), end: iso(END), interval, asOf };
      try {
        check(
          (id, o) => (runQuery(customers, id, { ...common, ...o }) as SeriesValues).buckets.map((b) => b.values),
          customers,
        );
      } catch (err) {
        (err as Error).message += ` (history ${n}, SEED=${random.seed})`;
        throw err;
      }
    }
  };
  const differences = (stock: readonly Values[], name: string) =>
    stock.map((values, i) => (values[name] ?? 0) - (stock[i - 1]?.[name] ?? 0));
  const of = (values: readonly Values[], name: string) => values.map((v) => v[name] ?? 0);

  it('move by what comes and goes', () =>
    each((chart) => {
      const movement = chart('actives_movement');
      expect(of(movement, 'movement')).to.deep.equal(differences(chart('actives'), 'active_subscriptions'));
      expect(of(movement, 'new_actives')).to.deep.equal(of(chart('actives_new'), 'total'));
      expect(of(chart('trials_movement'), 'movement')).to.deep.equal(differences(chart('trials'), 'active_trials'));
      const [mrr, arr] = [chart('mrr'), chart('arr')];
      const steps = differences(mrr, 'mrr');
      for (const [i, values] of chart('mrr_movement').entries()) {
        expect(values['movement']).to.be.closeTo(steps[i] ?? NaN, 2 * CENT);
        expect(arr[i]?.['arr']).to.be.closeTo(12 * (mrr[i]?.['mrr'] ?? NaN), 12 * CENT);
      }
    }));

  it('split what they count without rest', () =>
    each((chart) => {
      const actives = of(chart('actives'), 'active_subscriptions');
      expect(chart('subscription_status').map((v) => sum(Object.values(v)))).to.deep.equal(actives);
      for (const { trial_starts, conversions, pending, abandoned } of chart('trial_conversion_rate')) {
        expect(sum([conversions, pending, abandoned])).to.equal(trial_starts);
      }
      for (const v of chart('revenue')) {
        expect(sum([v['new_revenue'], v['renewal_revenue']])).to.be.closeTo(v['revenue'] ?? NaN, 2 * CENT);
        expect((v['gross_revenue'] ?? NaN) - (v['refunds'] ?? NaN)).to.be.closeTo(v['revenue'] ?? NaN, 2 * CENT);
        const left = (v['revenue'] ?? NaN) - (v['tax'] ?? NaN) - (v['commission'] ?? NaN);
        expect(left).to.be.closeTo(v['proceeds'] ?? NaN, 2 * CENT);
      }
    }));

  it('add up over any interval, over cohorts and over segments', () =>
    each((chart, customers) => {
      const total = (id: string, measure: string, interval: Interval) => sum(of(chart(id, { interval }), measure));
      const counts = [
        ...([['actives_movement', 'new_actives'] as const, ['trials_new', 'new_trials'] as const] as const),
        ...([['revenue', 'transactions'] as const, ['customers_new', 'new_customers'] as const] as const),
      ];
      for (const [id, measure] of counts) {
        expect(total(id, measure, 'week'), id).to.equal(total(id, measure, 'quarter'));
      }
      const revenue = total('revenue', 'revenue', 'year');
      // Refunds of a customer who has no purchase and was never seen are nobody's.
      expect(total('ltv_per_customer', 'realized_ltv', 'year')).to.be.closeTo(revenue, 4 * CENT);
      const o = { start: iso(BEGIN), end: iso(END), interval: 'year', asOf: iso(END), segment: 'store' } as const;
      const { segments } = runQuery(customers, 'revenue', o) as {
        readonly segments: Readonly<Record<string, SeriesValues>>;
      };
      const parts = Object.values(segments).map(({ buckets }) => sum(buckets.map((b) => b.values['transactions'])));
      expect(sum(parts)).to.equal(sum(of(chart('revenue', { interval: 'year', asOf: iso(END) }), 'transactions')));
    }));

  it('total the same at every interval', () =>
    each((_, customers) => {
      const o = { start: iso(Date.UTC(2025, 0, 1)), end: iso(Date.UTC(2026, 0, 1)), asOf: iso(END) };
      for (const id of ['revenue', 'mrr_movement', 'actives_movement', 'ltv_per_customer', 'trial_conversion_rate']) {
        const [year] = (runQuery(customers, id, { ...o, interval: 'year' }) as SeriesValues).buckets;
        for (const interval of ['day', 'week', 'quarter'] as const) {
          expect(year?.values, `${id} by ${interval}`).to.include(totalsOf(customers, id, { ...o, interval }));
        }
      }
    }));

  it('are the same in whatever order the events came', () => {
    for (let n = 0; n < HISTORIES / 3; n++) {
      const events = randomHistory(random);
      const o = { start: iso(BEGIN), end: iso(END), interval: 'month', asOf: iso(END) } as const;
      const [once, shuffledTwice] = [events, shuffled([...events, ...events.filter((e) => e.id)], random)].map((all) =>
        ['actives', 'mrr', 'revenue', 'cohort_explorer'].map((id) => runQuery(historiesOf(all).values(), id, o)),
      );
      expect(shuffledTwice, `history ${n}, SEED=${random.seed}`).to.deep.equal(once);
    }
  });
});
