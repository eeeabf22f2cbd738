// From sums to the answer of a chart.
import { addIntervals, DAY_MS, spanOf, spansUntil, startOfDay } from './calendar.js';
import type { CohortChart, Selectors, SeriesChart } from './chart.js';
import { figure, type Unit } from './figures.js';
import type { Bucket, Frame, Tally } from './frame.js';

export type Figures = Readonly<Record<string, number | null>>;
export type BucketAnswer = {
  readonly start: number;
  readonly end: number;
  readonly incomplete: boolean;
  readonly values: Figures;
};
export type ColumnAnswer = { readonly index: number; readonly incomplete: boolean } & Figures;
export type RowAnswer = {
  readonly start: number;
  readonly end: number;
  readonly incomplete: boolean;
  readonly size: number;
  readonly columns: readonly { readonly [name: string]: number | boolean | null }[];
};

export type SeriesAnswer = { readonly kind: 'series'; readonly buckets: readonly BucketAnswer[] };
export type CohortAnswer = { readonly kind: 'cohort'; readonly rows: readonly RowAnswer[] };
export type ChartAnswer = SeriesAnswer | CohortAnswer;

export function unitOf(chart: SeriesChart | CohortChart, selectors: Selectors, own: Unit = chart.unit): Unit {
  return chart.unitBy?.(selectors) ?? own;
}

export function answerSeries(chart: SeriesChart, selectors: Selectors, frame: Frame, tally: Tally): SeriesAnswer {
  const buckets = frame.buckets.map((bucket, i): BucketAnswer => {
    const raw = chart.values(
      {
        flow: (m) => tally.flow(m, i),
        stock: (m) => tally.stock(m, i),
        before: (m) => tally.stock(m, i - 1),
      },
      selectors,
    );
    const values = Object.fromEntries(
      chart.measures.map(({ id, unit }) => [id, figure(raw[id] ?? 0, unitOf(chart, selectors, unit))]),
    );
    const isPending = chart.pending !== undefined && (values[chart.pending] ?? 0) > 0;
    const incomplete = isPending || closesAt(bucket, chart.window?.(selectors) ?? null) > frame.asOf;
    return { start: bucket.start, end: bucket.end, incomplete, values };
  });
  return { kind: 'series', buckets };
}

/** When nothing can change any more, by the definitions, for those who count in the bucket. */
function closesAt({ end }: Bucket, windowDays: number | null): number {
  return windowDays === null ? end : Math.max(end, startOfDay(end - 1) + (windowDays + 1) * DAY_MS);
}

/** Rows as they are added up: sums by column; the earliest member says how many columns there are. */
export type Row = { size: number; earliest: number; readonly eligible: number[]; readonly sums: number[] };

export function emptyRow(): Row {
  return { size: 0, earliest: Infinity, eligible: [], sums: [] };
}

export function answerRenewals(frame: Frame, productDuration: string, rows: readonly Row[]): CohortAnswer {
  const span = spanOf(productDuration) ?? { months: 1, days: 0 };
  const shown = frame.buckets.map((bucket, i): RowAnswer => {
    const { size, eligible, sums } = rows[i] ?? emptyRow();
    const complete = spansUntil(bucket.end, span, frame.asOf);
    const columns = eligible.map((of, k) => ({
      index: k,
      eligible: of,
      retained: sums[k] ?? 0,
      retention_rate: figure({ of: sums[k] ?? 0, per: of }, 'percent'),
      incomplete: k > complete,
    }));
    return { ...edges(bucket, frame), size, columns };
  });
  return { kind: 'cohort', rows: shown };
}

export function answerAges(frame: Frame, selectors: Selectors, unit: Unit, rows: readonly Row[]): CohortAnswer {
  const { cohortMeasure } = selectors;
  const isCumulative = cohortMeasure === 'realized_ltv' || cohortMeasure === 'realized_ltv_per_customer';
  const shown = frame.buckets.map((bucket, i): RowAnswer => {
    const { size, earliest, sums } = rows[i] ?? emptyRow();
    const columns: { index: number; value: number | null; incomplete: boolean }[] = [];
    const lastDay = startOfDay(bucket.end - 1);
    let total = 0;
    for (let k = 0; size > 0 && addIntervals(frame.interval, startOfDay(earliest), k) < frame.asOf; k++) {
      const own = sums[k] ?? 0;
      total += own;
      const of = isCumulative ? total : own;
      const value = figure(cohortMeasure === 'realized_ltv_per_customer' ? { of, per: size } : of, unit);
      columns.push({ index: k, value, incomplete: addIntervals(frame.interval, lastDay, k + 1) > frame.asOf });
    }
    return { ...edges(bucket, frame), size, columns };
  });
  return { kind: 'cohort', rows: shown };
}

function edges({ start, end }: Bucket, { asOf }: Frame) {
  return { start, end, incomplete: end > asOf };
}
