// Whether the reasons of every difference between two results add up to it.
import type { ChartQuery } from '../catalogue/chart-query.js';
import { partsOf, type Unit } from '../catalogue/display-values.js';
import { startOfSeries } from '../result/columns.js';
import { unitOf, type ChartResult } from '../result/result.js';
import type { Results } from './comparison.js';
import type { ReasonsOf } from './packed.js';
import { RAW_STEP } from './differences.js';
import { formsOf } from './forms.js';

/** A rounded difference is off by half a step on either side at most. */
export function areExact(q: ChartQuery, then: Results, now: Results, reasonsOf: ReasonsOf): boolean {
  const units = additiveUnits(q);
  const pairs = [
    [null, then.result, now.result] as const,
    ...[...now.segments].map(([value, result]) => [value, then.segments.get(value), result] as const),
  ];
  for (const [segment, a, b] of pairs) {
    if (!a) return false;
    for (const { measure, track, index, before, after } of valuesOf(a, b, units)) {
      const unit = units.get(measure);
      if (unit === undefined || Number.isNaN(before) || Number.isNaN(after)) continue;
      const raw = reasonsOf(segment, measure, track, index).reduce((sum, r) => sum + r.amount, 0);
      const off = Math.abs(raw - (after - before) * RAW_STEP[unit]);
      if (off > (unit === 'count' ? 0 : RAW_STEP[unit])) return false;
    }
  }
  return true;
}

function additiveUnits({ chart, selectors }: ChartQuery): ReadonlyMap<string, Unit> {
  const own = new Map(chart.measures.map((m) => [m.id, unitOf(chart, selectors, m.unit)]));
  const additive = formsOf(chart, selectors).filter((f) => f.form !== null);
  return new Map(additive.map(({ id }) => [id, own.get(id) ?? 'count']));
}

type Value = {
  readonly measure: string;
  readonly track: number;
  readonly index: number;
  /** In parts of the unit; NaN for none. */
  readonly before: number;
  readonly after: number;
};

function* valuesOf(then: ChartResult, now: ChartResult, units: ReadonlyMap<string, Unit>): Generator<Value> {
  if (then.kind === 'series' && now.kind === 'series') {
    for (const [index, bucket] of then.buckets.entries()) {
      for (const [measure, value] of Object.entries(bucket.values)) {
        const other = now.buckets[index]?.values[measure] ?? null;
        const inParts = (v: number | null) =>
          v === null ? NaN : Math.round(v * partsOf(units.get(measure) ?? 'count'));
        yield { measure, track: 0, index, before: inParts(value), after: inParts(other) };
      }
    }
  }
  if (then.kind === 'cohort' && now.kind === 'cohort') {
    for (const [track, row] of then.rows.entries()) {
      const other = now.rows[track];
      if (!other) continue;
      yield { measure: 'size', track, index: 0, before: row.size, after: other.size };
      for (const [m, { name }] of row.columns.series.entries()) {
        const [first, second] = [row.columns, other.columns].map((columns) => startOfSeries(columns, m));
        for (let index = 0; index < Math.min(row.columns.count, other.columns.count); index++) {
          const before = row.columns.values[(first ?? 0) + index] ?? NaN;
          yield { measure: name, track, index, before, after: other.columns.values[(second ?? 0) + index] ?? NaN };
        }
      }
    }
  }
}
