// Parts of chart responses in addition to their values.
import { expect } from 'chai';
import { unpackColumns } from '../../../src/domain/charts/result/columns.js';
import { presentChartData, presentUnconverted } from '../../../src/http/charts/present.js';
import { queryOf } from '../../domain/charts/run-query.js';
import { columnsOf } from '../../domain/charts/columns.js';

describe('what could not be converted', () => {
  it('is summed up where 216 days were listed', () => {
    const days = Array.from({ length: 216 }, (_, i) => new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10));
    const shown = presentUnconverted({ transactions: 400, days });
    expect(shown).to.deep.equal({
      transactions: 400,
      days: days.slice(0, 10),
      dayCount: 216,
      firstDay: '2026-01-01',
      lastDay: '2026-08-04',
    });
  });

  it('is nothing when there is a rate for every day', () => {
    const shown = presentUnconverted({ transactions: 0, days: [] });
    expect(shown).to.deep.equal({ transactions: 0, days: [], dayCount: 0, firstDay: null, lastDay: null });
  });
});

describe('a cohort chart by segments', () => {
  it('is in its text what it is as an object', () => {
    const day = 86_400_000;
    const columns = columnsOf([['value', 'usd', [1, 0, 250, 3]]], 2);
    const rows = [{ start: 0, end: 31 * day, incomplete: false, size: 2, columns }];
    const q = queryOf('cohort_explorer', {
      ...{ start: '1970-01-01', end: '1970-02-01', interval: 'month', asOf: '1970-06-01', segment: 'store' },
    });
    const one = { kind: 'cohort' as const, rows };
    const read = { result: one, segments: new Map([['ios-store', one] as const, ['a "b"', one] as const]) };
    const context = { asOf: 0, requestedAt: 0, currency: 'USD', ignored: [], replay: {} };
    const body = presentChartData(q, read, context, new Map([['ios-store', 'Apple']]));
    const pieces = [...body.pieces];
    const shown = { ...rows[0], start: '1970-01-01T00:00:00.000Z', end: '1970-02-01T00:00:00.000Z' };
    const whole = { rows: [{ ...shown, columns: unpackColumns(columns) }], summary: {} };
    const parsed = JSON.parse(Buffer.concat(pieces).toString()) as Record<string, unknown>;
    expect(parsed).to.deep.include({
      segment: 'store',
      segments: { 'ios-store': { name: 'Apple', ...whole }, 'a "b"': { name: null, ...whole } },
      total: whole,
      summary: {},
    });
  });
});

describe('a series by segments', () => {
  it('is in its text every segment with its name and summary, and all of them', () => {
    const bucket = { start: 0, end: 31 * 86_400_000, incomplete: false, values: { revenue: 9.99, transactions: 1 } };
    const one = { kind: 'series' as const, buckets: [bucket], totals: { revenue: 9.99, transactions: 1 } };
    const q = queryOf('revenue', {
      ...{ start: '1970-01-01', end: '1970-02-01', interval: 'month', asOf: '1970-06-01', segment: 'store' },
    });
    const read = { result: one, segments: new Map([['ios-store', one] as const, ['a "b"', one] as const]) };
    const replay = { replay: { name: 'x' } };
    const context = { asOf: 0, requestedAt: 0, currency: 'USD', ignored: [], replay };
    const body = presentChartData(q, read, context, new Map([['ios-store', 'Apple']]));
    const pieces = [...body.pieces];
    const parsed = JSON.parse(Buffer.concat(pieces).toString()) as Record<string, unknown>;
    const { segments, total } = parsed as { segments: Record<string, object>; total: object };
    const whole = { buckets: [{ ...bucket, start: '1970-01-01T00:00:00.000Z', end: '1970-02-01T00:00:00.000Z' }] };
    expect(segments['ios-store']).to.deep.include({ name: 'Apple', ...whole });
    expect(segments['a "b"']).to.deep.include({ name: null, ...whole });
    expect(parsed).to.deep.include(replay).and.to.have.nested.property('summary.revenue.total', 9.99);
    expect(parsed).to.have.nested.property('segments.ios-store.summary.revenue.last', 9.99);
    expect(total).to.deep.include(whole);
  });
});
