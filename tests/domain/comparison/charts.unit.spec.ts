// Comparison of a chart with the same chart of another service, and the reasons that the figures allow.
import { expect } from 'chai';
import { charts, findChart } from '../../../src/domain/charts/catalogue/catalogue.js';
import { addIntervals } from '../../../src/domain/charts/calendar.js';
import { columnSeries } from '../../../src/domain/charts/result/columns.js';
import type { ChartResult } from '../../../src/domain/charts/result/result.js';
import {
  matchMeasures,
  compareChart,
  type VendorChart,
  type VendorPoint,
} from '../../../src/domain/comparison/charts.js';

const JANUARY = Date.parse('2026-01-01T00:00:00.000Z');
const month = (i: number) => addIntervals('month', JANUARY, i);
const END = month(12);

function chartOf(id: string) {
  const chart = findChart(id);
  if (!chart) throw new Error(id);
  return chart;
}

function series(rows: readonly Readonly<Record<string, number | null>>[], incomplete = false): ChartResult {
  const buckets = rows.map((values, i) => ({ start: month(i), end: month(i + 1), incomplete, values }));
  return { kind: 'series', buckets, totals: {} };
}

/** Values by measure and bucket. */
function vendor(values: Readonly<Record<string, readonly (number | null)[]>>): VendorChart {
  const points = Object.values(values).flatMap((all, measure) =>
    all.map((value, i): VendorPoint => ({ at: month(i), measure, period: null, value, incomplete: false })),
  );
  return { measures: Object.keys(values), points };
}

const TERMS = { end: END, converted: [] };

const reasonsOf = (
  id: string,
  ours: ChartResult,
  theirs: VendorChart,
  converted: Parameters<typeof compareChart>[3]['converted'] = [],
) =>
  compareChart(chartOf(id), ours, theirs, { end: END, converted }).cells.flatMap((c) =>
    c.isEqual ? [] : [`${c.measure}: ${c.reasons.join(',')}`],
  );

describe('comparison of charts', () => {
  it('finds the counterpart of a measure by its name, and lists those without one', () => {
    const theirs = vendor({ 'New MRR': [1], 'Churned MRR': [1], 'Resubscription MRR': [1], 'MRR Movement': [0] });
    const { ours, onlyThere, onlyHere } = matchMeasures(chartOf('mrr_movement'), theirs);
    expect([...ours]).to.deep.equal([
      [0, 'new_mrr'],
      [1, 'churned_mrr'],
      [3, 'movement'],
    ]);
    expect(onlyThere).to.deep.equal(['Resubscription MRR']);
    expect(onlyHere).to.deep.equal(['expansion_mrr', 'contraction_mrr']);
  });

  it('takes the main measure of each chart for values without a name', () => {
    for (const chart of charts) {
      const [id] = matchMeasures(chart, { ...vendor({ '': [1] }), measures: [] }).ours.values();
      expect(
        chart.measures.map((m) => m.id),
        chart.id,
      ).to.include(id);
    }
  });

  it('compares each bucket; an omitted one is equal to zero', () => {
    const { cells } = compareChart(
      chartOf('trials_new'),
      series([{ new_trials: 3 }, { new_trials: 0 }]),
      vendor({ 'New Trials': [3] }),
      TERMS,
    );
    expect(cells.map((c) => [c.at.slice(0, 7), c.there, c.here, c.isEqual])).to.deep.equal([
      ['2026-01', 3, 3, true],
      ['2026-02', null, 0, true],
    ]);
  });

  it('leaves a difference of counts unexplained, however small', () => {
    expect(reasonsOf('trials_new', series([{ new_trials: 3 }]), vendor({ 'New Trials': [2] }))).to.deep.equal([
      'new_trials: ',
    ]);
  });

  it('ignores rounding, and explains amounts within three percent by exchange rates', () => {
    const ours = series([{ mrr: 100 }, { mrr: 100 }, { mrr: 100 }]);
    const euros = [{ at: JANUARY, until: month(12), usd: 1200 }];
    const theirs = vendor({ MRR: [100.01, 103, 104] });
    expect(reasonsOf('mrr', ours, theirs, euros)).to.deep.equal(['mrr: exchange_rates', 'mrr: ']);
  });

  it('leaves missing dollars unexplained, and explains no more than the part in other currencies', () => {
    const money = (usd: number) => ({ revenue: usd, gross_revenue: usd, refunds: 0 });
    const ours = series([money(97.5), money(97.5), money(99.5), money(99.5)]);
    const inMonth = (i: number, usd: number) => ({ at: month(i), until: month(i + 1), usd });
    // A tenth of the second and third month is in euros, and all of the fourth.
    const euros = [inMonth(1, 10), inMonth(2, 10), inMonth(3, 99.5)];
    const theirs = vendor({ Revenue: [100, 100, 99.75, 97.5] });
    expect(reasonsOf('revenue', ours, theirs, euros)).to.deep.equal([
      'revenue: ',
      'revenue: ',
      'revenue: exchange_rates',
      'revenue: exchange_rates',
    ]);
    const yearly = [{ at: JANUARY, until: month(12), usd: 1200 }];
    for (const [id, value] of [
      ['mrr', 1000],
      ['arr', 12_000],
    ] as const) {
      const near = vendor({ '': [value + value / 400] });
      expect(reasonsOf(id, series([{ [id]: value }]), near, yearly)).to.deep.equal([`${id}: exchange_rates`]);
      const far = vendor({ '': [value + value / 40] });
      expect(reasonsOf(id, series([{ [id]: value }]), far, yearly)).to.deep.equal([`${id}: `]);
    }
  });

  describe('of refunds that count on the day of the purchase there', () => {
    // 100 charged in January, of which 30 are refunded in March.
    const money = (gross: number, refunds: number) => ({ revenue: gross - refunds, gross_revenue: gross, refunds });
    const ours = series([money(100, 0), money(50, 0), money(80, 30)]);

    it('explains both months', () =>
      expect(reasonsOf('revenue', ours, vendor({ Revenue: [70, 50, 80] }))).to.deep.equal([
        'revenue: refund_dating',
        'revenue: refund_dating',
      ]));

    it('does not explain more than was refunded, nor more than gross', () =>
      expect(reasonsOf('revenue', ours, vendor({ Revenue: [60, 50, 90] }))).to.deep.equal(['revenue: ', 'revenue: ']));

    it('does not explain an earlier charge by refunds before it', () => {
      const before = series([money(100, 30), money(50, 0)]);
      expect(reasonsOf('revenue', before, vendor({ Revenue: [70, 30] }))).to.deep.equal(['revenue: ']);
    });

    it('uses refunds after the period, without comparing their buckets', () => {
      const { cells } = compareChart(chartOf('revenue'), ours, vendor({ Revenue: [70] }), { ...TERMS, end: month(1) });
      expect(cells.map((c) => c.reasons)).to.deep.equal([['refund_dating']]);
    });
  });

  it('explains fewer new customers here, and no more of them', () => {
    const ours = series([{ new_customers: 5 }, { new_customers: 5 }]);
    expect(reasonsOf('customers_new', ours, vendor({ 'New Customers': [6, 4] }))).to.deep.equal([
      'new_customers: customers_not_imported',
      'new_customers: ',
    ]);
  });

  it('explains a rate by counts that are explained, and only then', () => {
    const ours = series([{ new_customers: 5, paying_customers: 1, conversion_rate: 20 }]);
    const rates = (customers: number) =>
      vendor({ 'New Customers': [customers], 'Paying Customers': [1], 'Conversion to Paying': [10] });
    expect(reasonsOf('conversion_to_paying', ours, rates(10))).to.deep.equal([
      'new_customers: customers_not_imported',
      'conversion_rate: follows_from_counts',
    ]);
    expect(reasonsOf('conversion_to_paying', ours, rates(4))).to.deep.equal(['new_customers: ', 'conversion_rate: ']);
    expect(reasonsOf('conversion_to_paying', ours, rates(5))).to.deep.equal(['conversion_rate: ']);
  });

  it('marks buckets that still change', () =>
    expect(reasonsOf('trials_new', series([{ new_trials: 3 }], true), vendor({ 'New Trials': [2] }))).to.deep.equal([
      'new_trials: incomplete',
    ]));

  it('compares cohorts by age', () => {
    const columns = {
      series: [columnSeries('value', 'usd')],
      values: Float64Array.of(1000, 500),
      count: 2,
      complete: 2,
      from: 0,
    };
    const ours: ChartResult = {
      kind: 'cohort',
      rows: [{ start: JANUARY, end: month(1), incomplete: false, size: 1, columns }],
    };
    const point = (period: number, value: number) => ({ at: JANUARY, measure: 0, period, value, incomplete: false });
    const theirs = { measures: ['Revenue'], points: [point(0, 10), point(1, 7)] };
    const { cells } = compareChart(chartOf('cohort_explorer'), ours, theirs, TERMS);
    expect(cells.map((c) => [c.period, c.there, c.here, c.difference, c.isEqual])).to.deep.equal([
      [0, 10, 10, 0, true],
      [1, 7, 5, -2, false],
    ]);
  });
});
