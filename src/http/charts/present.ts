// Charts as responses show them.
import { unpackColumns } from '../../domain/charts/result/columns.js';
import {
  unitOf,
  type ChartResult,
  type CohortRow,
  type SegmentedResult,
  type SeriesResult,
} from '../../domain/charts/result/result.js';
import { DAY_MS, intervals } from '../../domain/charts/calendar.js';
import {
  cohortMeasures,
  cohorts,
  defaultSelectors,
  statusMeasures,
  type Chart,
  type Selectors,
} from '../../domain/charts/catalogue/chart.js';
import { revenueTypes } from '../../domain/charts/money.js';
import type { Unit } from '../../domain/charts/catalogue/display-values.js';
import type { Conversion } from '../../domain/charts/currency.js';
import { isClipped, type Bucket, type BucketedRange } from '../../domain/charts/result/buckets.js';
import { dimensionsOf, type Dimension, type ChartQuery } from '../../domain/charts/catalogue/chart-query.js';
import { isoFromMs, utcDay } from '../../domain/time.js';
import { LongJson } from '../bodies/send-json.js';
import { rowsText } from './cohort-text.js';

const values: Readonly<Record<keyof Selectors, readonly string[] | null>> = {
  revenueType: revenueTypes,
  conversionTimeframe: null,
  customerLifetime: null,
  statusMeasure: statusMeasures,
  productDuration: null,
  cohort: cohorts,
  cohortMeasure: cohortMeasures,
};

/** `values` null: any number of days, or duration. */
export function presentChart(chart: Chart) {
  const { id, name, description, category, kind, unit, selectors } = chart;
  const dimensions = dimensionsOf(chart);
  return {
    object: 'chart',
    ...{ id, name, description, category, kind, unit },
    measures: presentMeasures(chart, defaultSelectors),
    intervals,
    filters: dimensions,
    segments: dimensions,
    selectors: Object.fromEntries(
      selectors.map((s) => [s, { values: values[s], default: defaultSelectors[s] ?? 'unbounded' }]),
    ),
  };
}

function presentMeasures(chart: Chart, selectors: Selectors) {
  return chart.measures.map(({ id, name, unit }) => ({ id, name, unit: unitOf(chart, selectors, unit) }));
}

/** Instants in UTC ms: of the query, and when it was asked. `replay` stands at the end. */
export type ChartContext = {
  readonly asOf: number;
  readonly askedAt: number;
  /** UTC ms from which on learned events are missing. */
  readonly staleSince?: number | undefined;
  readonly currency: string;
  /** Filters that leave the chart as it is. */
  readonly ignored: readonly Dimension[];
  readonly replay: object;
};

/** Rows by day are long: their text is made while it is sent. `names`: the display names of segments. */
export function presentChartData(
  q: ChartQuery,
  read: SegmentedResult,
  context: ChartContext,
  names: ReadonlyMap<string, string>,
): object {
  const { chart, segment, range } = q;
  const common = aboutChart(q, context);
  const { result } = read;
  const rest = { summary: summaryOf(chart, result), ...context.replay };
  const valuesAndSummary = (one: ChartResult) => ({ ...valuesOf(one, range), summary: summaryOf(chart, one) });
  if (read.segments && result.kind === 'cohort') {
    return new LongJson(withSegmentRows({ ...common, segment }, read.segments, names, result.rows, range, rest));
  }
  if (read.segments) {
    const segments = [...read.segments].map(([value, one]) => {
      return [value, () => ({ name: names.get(value) ?? null, ...valuesAndSummary(one) })] as const;
    });
    const total = () => valuesAndSummary(result);
    return new LongJson(withSegments({ ...common, segment }, segments, total, rest));
  }
  if (result.kind === 'series') return { ...common, ...valuesOf(result, range), ...rest };
  return new LongJson(withRows(common, result.rows, range, rest));
}

function* withRows(
  before: object,
  rows: readonly CohortRow[],
  range: BucketedRange,
  behind: object,
): Generator<Buffer> {
  yield Buffer.from(`${JSON.stringify(before).slice(0, -1)},"rows":`);
  yield* rowsText(rows, (row) => isClipped(row, range.interval));
  yield Buffer.from(`,${JSON.stringify(behind).slice(1)}`);
}

/** Others have their turn between one segment and the next. */
function* withSegments(
  before: object,
  segments: readonly (readonly [value: string, shown: () => object])[],
  total: () => object,
  behind: object,
): Generator<Buffer> {
  yield Buffer.from(`${JSON.stringify(before).slice(0, -1)},"segments":{`);
  let comma = '';
  for (const [value, shown] of segments) {
    yield Buffer.from(`${comma}${JSON.stringify(value)}:${JSON.stringify(shown())}`);
    comma = ',';
  }
  yield Buffer.from(`},"total":${JSON.stringify(total())},${JSON.stringify(behind).slice(1)}`);
}

/** The same for each segment and for all of them: with ten segments there are ten times as many values. */
function* withSegmentRows(
  before: object,
  segments: ReadonlyMap<string, ChartResult>,
  names: ReadonlyMap<string, string>,
  total: readonly CohortRow[],
  range: BucketedRange,
  behind: object,
): Generator<Buffer> {
  yield Buffer.from(`${JSON.stringify(before).slice(0, -1)},"segments":{`);
  let comma = '';
  for (const [value, one] of segments) {
    if (one.kind !== 'cohort') continue;
    yield Buffer.from(`${comma}${JSON.stringify(value)}:`);
    yield* withRows({ name: names.get(value) ?? null }, one.rows, range, { summary: {} });
    comma = ',';
  }
  yield Buffer.from('},"total":{"rows":');
  yield* rowsText(total, (row) => isClipped(row, range.interval));
  yield Buffer.from(`,"summary":{}},${JSON.stringify(behind).slice(1)}`);
}

/** What stands above the values. */
export function aboutChart(
  { chart, range, selectors, conversion }: ChartQuery,
  { asOf, askedAt, staleSince, currency, ignored }: Omit<ChartContext, 'replay'>,
) {
  const inCurrency = (unit: Unit) => (unit === 'usd' ? currency.toLowerCase() : unit);
  const { id, name, kind } = chart;
  return {
    object: 'chartData',
    ...{ id, name, kind },
    unit: inCurrency(unitOf(chart, selectors)),
    interval: range.interval,
    startDate: utcDay(isoFromMs(range.start)),
    endDate: utcDay(isoFromMs(range.end - DAY_MS)),
    asOf: isoFromMs(asOf),
    lastComputedAt: isoFromMs(staleSince ?? askedAt),
    ...(staleSince !== undefined && { staleSince: isoFromMs(staleSince) }),
    currency,
    ...(conversion && { unconverted: presentUnconverted(conversion) }),
    ...(ignored.length > 0 && { ignoredFilters: ignored }),
    measures: presentMeasures(chart, selectors).map((m) => ({ ...m, unit: inCurrency(m.unit) })),
  };
}

const MOST_DAYS = 10;

/** The first of the days alone: of a currency without rates it may be every day of the period. */
export function presentUnconverted(conversion: Pick<Conversion, 'unconverted'>) {
  const { transactions, days } = conversion.unconverted();
  const [firstDay = null, lastDay = null] = [days.at(0), days.at(-1)];
  return { transactions, days: days.slice(0, MOST_DAYS), dayCount: days.length, firstDay, lastDay };
}

function valuesOf(result: ChartResult, { interval }: BucketedRange) {
  const dated = <B extends { readonly start: number; readonly end: number }>(b: B) => ({
    ...b,
    start: isoFromMs(b.start),
    end: isoFromMs(b.end),
    ...(isClipped(b, interval) && { clipped: true }),
  });
  if (result.kind === 'series') return { buckets: result.buckets.map(dated) };
  return { rows: result.rows.map((row) => ({ ...dated(row), columns: unpackColumns(row.columns) })) };
}

/** For series only; `total` of the period where buckets add up. Averages leave out buckets without a value. */
function summaryOf(chart: Chart, result: ChartResult) {
  if (result.kind === 'cohort') return {};
  return Object.fromEntries(chart.measures.map((m) => [m.id, summaryOfMeasure(result, m.id, m.isAdditive)]));
}

function summaryOfMeasure({ buckets, totals }: SeriesResult, id: string, isAdditive: boolean) {
  const known = buckets.flatMap((b) => b.values[id] ?? []);
  const total = (isAdditive ? totals[id] : null) ?? known.reduce((a, b) => a + b, 0);
  const average = known.length === 0 ? null : Math.round((total / known.length) * 100) / 100;
  return { ...(isAdditive && { total }), average, last: buckets.at(-1)?.values[id] ?? null };
}

type CsvValue = string | number | boolean | null;

/**
 * A line per bucket, or per column of a row; with segments, a first field for the segment. In another currency than USD each line names
 * it, and how many transactions of how many days add nothing to the table for want of a rate.
 */
export function tableOf(
  { chart, segment, range, conversion }: Pick<ChartQuery, 'chart' | 'segment' | 'range' | 'conversion'>,
  { result: whole, segments }: SegmentedResult,
): { readonly header: readonly string[]; readonly lines: readonly CsvValue[][] } {
  const results = segments ? [...segments] : [['', whole] as const];
  const records = results.flatMap(([value, result]) =>
    recordsOf(result, range).map((record) => (segments ? { segment: value, ...record } : record)),
  );
  const measureIds = chart.measures.map((m) => m.id);
  const common =
    chart.kind === 'series' ? ['incomplete', ...measureIds] : ['size', 'index', ...measureIds, 'incomplete'];
  const converted = conversion ? conversionColumns(conversion) : {};
  const columns = [...common, 'clipped', ...Object.keys(converted)];
  const header = [...(segment === null ? [] : ['segment']), 'start', 'end', ...columns];
  const csvRow = (r: Readonly<Record<string, CsvValue>>) => header.map((h) => r[h] ?? null);
  return { header, lines: records.map((r) => csvRow({ ...r, ...converted })) };
}

function conversionColumns(conversion: Conversion): Readonly<Record<string, CsvValue>> {
  const { transactions, dayCount } = presentUnconverted(conversion);
  return { currency: conversion.currency, unconvertedTransactions: transactions, unconvertedDays: dayCount };
}

function recordsOf(result: ChartResult, { interval }: BucketedRange): readonly Readonly<Record<string, CsvValue>>[] {
  const edgesOf = (edges: Pick<Bucket, 'start' | 'end'>) => ({
    start: isoFromMs(edges.start),
    end: isoFromMs(edges.end),
    clipped: isClipped(edges, interval),
  });
  if (result.kind === 'series') {
    return result.buckets.map(({ incomplete, values, ...edges }) => ({ ...edgesOf(edges), incomplete, ...values }));
  }
  return result.rows.flatMap(({ size, columns, ...edges }) =>
    unpackColumns(columns).map((column) => ({ ...edgesOf(edges), size, ...column })),
  );
}
