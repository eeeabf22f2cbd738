// The buckets of a series as text, next to what JSON.stringify makes of the same buckets as objects.
import { expect } from 'chai';
import type { ChartQuery } from '../../../src/domain/charts/catalogue/chart-query.js';
import { isClipped } from '../../../src/domain/charts/result/buckets.js';
import type { SeriesResult } from '../../../src/domain/charts/result/result.js';
import { createSeriesSerializer } from '../../../src/http/charts/chart-text.js';
import { queryOf } from '../../domain/charts/run-query.js';
import { chance } from '../../projections/support/seeded-random.js';

const DAY_MS = 86_400_000;

function bucketsOf({ buckets }: SeriesResult, { range }: ChartQuery) {
  return buckets.map((b) => ({
    ...b,
    start: new Date(b.start).toISOString(),
    end: new Date(b.end).toISOString(),
    ...(isClipped(b, range.interval) && { clipped: true }),
  }));
}

describe('the text of a series', () => {
  const random = chance();

  it('is the same as that of its buckets as objects, whatever the figures, in every segment', () => {
    for (let n = 0; n < 100; n++) {
      const interval = (['day', 'week', 'month'] as const)[random.below(3)] ?? 'day';
      const q = queryOf('revenue', { start: '2026-01-03', end: '2026-03-20', interval, asOf: '2026-03-10' });
      const textsOf = createSeriesSerializer(q);
      for (let segment = 0; segment < 3; segment++) {
        const buckets = q.range.buckets.map(({ start, end }) => {
          const values = { revenue: random.below(10 ** 9) / 100, 'a "b"': null, refunds: -random.below(3) };
          return { start, end, incomplete: random.below(2) === 0, values };
        });
        const result = { kind: 'series' as const, buckets, totals: {} };
        const text = Buffer.from(textsOf(result).buckets).toString();
        expect(text === JSON.stringify(bucketsOf(result, q)), `SEED=${random.seed}`).to.equal(true);
        expect(text.includes('"clipped":true')).to.equal(interval !== 'day');
      }
    }
  });

  it('is an empty list without buckets', () => {
    const q = queryOf('revenue', { start: '2026-01-01', end: '2026-01-02', interval: 'day', asOf: '2026-01-01' });
    const { buckets } = createSeriesSerializer(q)({ kind: 'series', buckets: [], totals: {} });
    expect(Buffer.from(buckets).toString()).to.equal('[]');
  });

  it('has whole numbers, hundredths and nothing as JSON has them', () => {
    const q = queryOf('revenue', { start: '2026-01-01', end: '2026-01-02', interval: 'day', asOf: '2026-01-02' });
    const [start, end] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 1) + DAY_MS];
    for (const revenue of [0, -0, 0.01, -0.1, 1e21, 123456789.12, null]) {
      const result = {
        kind: 'series' as const,
        buckets: [{ start, end, incomplete: false, values: { revenue } }],
        totals: {},
      };
      expect(Buffer.from(createSeriesSerializer(q)(result).buckets).toString()).to.equal(
        JSON.stringify(bucketsOf(result, q)),
      );
    }
  });
});
