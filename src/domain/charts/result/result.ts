// Conversion of sums to the result of a chart.
import { DAY_MS, spanOf, spansUntil, startOfDay } from '../calendar.js';
import type { CohortChart, Selectors, SeriesChart, ChartMeasure, Sums } from '../catalogue/chart.js';
import { ageOf } from './cohorts.js';
import { columnSeries, startOfSeries, type Columns, type ColumnSet } from './columns.js';
import type { SettledShare } from '../../books/settled-buckets.js';
import type { Measure } from '../measures.js';
import { displayValue, ratioInParts, type Unit } from '../catalogue/display-values.js';
import type { Bucket, BucketedRange, BucketSums } from './buckets.js';

export type MeasureValues = Readonly<Record<string, number | null>>;
export type BucketResult = {
  readonly start: number;
  readonly end: number;
  readonly incomplete: boolean;
  readonly values: MeasureValues;
};
export type CohortRow = {
  readonly start: number;
  readonly end: number;
  readonly incomplete: boolean;
  readonly size: number;
  readonly columns: Columns;
};

/**
 * Result of a series. `totals` cover the whole period, for measures that add up. They are rounded separately, so that they are equal at
 * every interval.
 */
export type SeriesResult = {
  readonly kind: 'series';
  readonly buckets: readonly BucketResult[];
  readonly totals: MeasureValues;
};
/** Result of cohorts. All rows have the same {@link ColumnSet}. */
export type CohortResult = { readonly kind: 'cohort'; readonly rows: readonly CohortRow[] };
export type ChartResult = SeriesResult | CohortResult;

/** Result of the whole query, and of its segments by value, in display order. */
export type SegmentedResult = {
  readonly result: ChartResult;
  readonly segments?: ReadonlyMap<string, ChartResult>;
  /** Omitted without settled amounts. */
  readonly settledShare?: SettledShare;
  /** Omitted if nothing is converted. */
  readonly unconverted?: UnconvertedCharges;
};

/** Paid transactions without a rate, whose amounts are omitted, and their UTC days in order. */
export type UnconvertedCharges = { readonly transactions: number; readonly days: readonly string[] };

export function unitOf(chart: SeriesChart | CohortChart, selectors: Selectors, own: Unit = chart.unit): Unit {
  return chart.unitBy?.(selectors) ?? own;
}

export function seriesResult(
  chart: SeriesChart,
  selectors: Selectors,
  range: BucketedRange,
  bucketSums: BucketSums,
): SeriesResult {
  const units = new Map(chart.measures.map(({ id, unit }) => [id, unitOf(chart, selectors, unit)]));
  const valuesOf = (measures: readonly ChartMeasure[], sums: Sums): MeasureValues => {
    const raw = chart.values(sums, selectors);
    const values: Record<string, number | null> = {};
    for (const { id } of measures) values[id] = displayValue(raw[id] ?? 0, units.get(id) ?? chart.unit);
    return values;
  };
  let at = 0;
  const ofBucket: Sums = {
    flow: (m) => bucketSums.flow(m, at),
    stock: (m) => bucketSums.stock(m, at),
    before: (m) => bucketSums.stock(m, at - 1),
  };
  const buckets = range.buckets.map((bucket, i): BucketResult => {
    at = i;
    const values = valuesOf(chart.measures, ofBucket);
    const isPending = chart.pending !== undefined && (values[chart.pending] ?? 0) > 0;
    const incomplete = isPending || closesAt(bucket, chart.window?.(selectors) ?? null) > range.asOf;
    return { start: bucket.start, end: bucket.end, incomplete, values };
  });
  const last = buckets.length - 1;
  const before = (m: Measure) => bucketSums.stock(m, -1);
  const stock = (m: Measure) => bucketSums.stock(m, last);
  const flow = (m: Measure) => stock(m) - before(m);
  const additive = chart.measures.filter((m) => m.isAdditive);
  return { kind: 'series', buckets, totals: valuesOf(additive, { flow, stock, before }) };
}

/** Returns the instant at which, by definition, the value of the bucket is final. */
function closesAt({ end }: Bucket, windowDays: number | null): number {
  return windowDays === null ? end : Math.max(end, startOfDay(end - 1) + (windowDays + 1) * DAY_MS);
}

/** Accumulated row: sums by column; the earliest member determines the number of columns. */
export type Row = { size: number; earliest: number; readonly eligible: number[]; readonly sums: number[] };

export function emptyRow(): Row {
  return { size: 0, earliest: Infinity, eligible: [], sums: [] };
}

const renewalSeries = [
  columnSeries('eligible', 'count'),
  columnSeries('retained', 'count'),
  columnSeries('retention_rate', 'percent'),
] as const;

/** Creates a function for the results of many rows of the same range. */
export function createRenewalResults(
  range: BucketedRange,
  productDuration: string,
): (rows: readonly Row[]) => CohortResult {
  const span = spanOf(productDuration) ?? { months: 1, days: 0 };
  const completes = range.buckets.map(({ end }) => spansUntil(end, span, range.asOf) + 1);
  return (rows) => renewalRows(range, completes, rows);
}

function renewalRows(range: BucketedRange, completes: readonly number[], rows: readonly Row[]): CohortResult {
  const counts = range.buckets.map((_, i) => rows[i]?.eligible.length ?? 0);
  const { series, values } = columnSetOf(renewalSeries, counts);
  let from = 0;
  const cohortRows = range.buckets.map(({ start, end }, i): CohortRow => {
    const { size, eligible, sums } = rows[i] ?? emptyRow();
    const count = counts[i] ?? 0;
    const columns: Columns = { series, values, count, complete: completes[i] ?? 0, from };
    const retained = startOfSeries(columns, 1);
    const rates = startOfSeries(columns, 2);
    for (let k = 0; k < count; k++) {
      const of = sums[k] ?? 0;
      const per = eligible[k] ?? 0;
      values[from + k] = per;
      values[retained + k] = of;
      values[rates + k] = ratioInParts(of, per, 'percent');
    }
    from = startOfSeries(columns, renewalSeries.length);
    return { start, end, incomplete: end > range.asOf, size, columns };
  });
  return { kind: 'cohort', rows: cohortRows };
}

/** Allocates the columns. `counts` are the numbers of columns of each row. */
function columnSetOf(series: ColumnSet['series'], counts: readonly number[]): ColumnSet {
  return { series, values: new Float64Array(series.length * counts.reduce((a, b) => a + b, 0)) };
}

/** Row for {@link ageResult}. */
export type AgesRow = Pick<Row, 'size' | 'earliest'> & { readonly sums: ArrayLike<number> };

export function ageResult(
  range: BucketedRange,
  selectors: Selectors,
  unit: Unit,
  rows: readonly AgesRow[],
): CohortResult {
  const { interval, asOf } = range;
  const counts = range.buckets.map((_, i) => {
    const { size, earliest } = rows[i] ?? emptyRow();
    return size > 0 ? ageOf(interval, startOfDay(earliest), asOf - 1) + 1 : 0;
  });
  const { series, values } = columnSetOf([columnSeries('value', unit)], counts);
  let from = 0;
  const cohortRows = range.buckets.map(({ start, end }, i): CohortRow => {
    const row = rows[i] ?? emptyRow();
    const count = counts[i] ?? 0;
    const complete = Math.max(0, ageOf(interval, startOfDay(end - 1), asOf));
    const columns: Columns = { series, values, count, complete, from };
    putWorthInParts(columns, row, selectors.cohortMeasure, unit);
    from += count;
    return { start, end, incomplete: end > asOf, size: row.size, columns };
  });
  return { kind: 'cohort', rows: cohortRows };
}

function putWorthInParts(
  { values, from, count }: Columns,
  { size, sums }: AgesRow,
  measure: Selectors['cohortMeasure'],
  unit: Unit,
): void {
  const isCumulative = measure === 'realized_ltv' || measure === 'realized_ltv_per_customer';
  const summed = Math.min(count, sums.length);
  let total = 0;
  for (let k = 0; k < (isCumulative ? count : summed); k++) {
    const own = k < summed ? (sums[k] ?? 0) : 0;
    if (own === 0) {
      if (isCumulative && k > 0) values[from + k] = values[from + k - 1] ?? 0;
      continue;
    }
    total += own;
    const of = isCumulative ? total : own;
    values[from + k] = ratioInParts(of, measure === 'realized_ltv_per_customer' ? size : 1, unit);
  }
}
