// Responses of charts.
import {
  unitOf,
  type ChartResult,
  type CohortRow,
  type UnconvertedCharges,
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
import { isClipped } from '../../domain/charts/result/buckets.js';
import { dimensionsOf, type Dimension, type ChartQuery } from '../../domain/charts/catalogue/chart-query.js';
import { isoFromMs, utcDay } from '../../domain/time.js';
import { LongJson } from '../bodies/send-json.js';
import type { ChartAnswer } from '../../projections/charts/chart-documents.js';
import type { SeriesTexts, UnpackedSeries } from '../../projections/charts/requests/packed-results.js';
import { createRowsSerializer, type SerializeRows } from './cohort-text.js';
import { bucketsOf, createSeriesSerializer, summaryOf } from './series-text.js';

const values: Readonly<Record<keyof Selectors, readonly string[] | null>> = {
  revenueType: revenueTypes,
  conversionTimeframe: null,
  customerLifetime: null,
  statusMeasure: statusMeasures,
  productDuration: null,
  cohort: cohorts,
  cohortMeasure: cohortMeasures,
};

/** Describes a chart. A selector whose `values` are null takes any number of days, or any duration. */
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

/** Instants of the query and of the request, UTC ms. `replay` fields come last. */
export type ChartContext = {
  readonly asOf: number;
  readonly askedAt: number;
  /** UTC ms since which recorded events are missing. */
  readonly staleSince?: number | undefined;
  readonly currency: string;
  /** Filters that have no effect on the chart. */
  readonly ignored: readonly Dimension[];
  readonly replay: object;
};

/** Presents a chart. The text of long rows is generated while it is sent. `names` are the display names of segments. */
export function presentChartData(
  q: ChartQuery,
  read: ChartAnswer,
  context: ChartContext,
  names: ReadonlyMap<string, string>,
): object {
  const { segment, range } = q;
  const common = presentChartHead(q, read, context);
  const { result, segments, release } = read;
  if (result.kind === 'series') return presentSeries(q, read, result, common, context.replay, names);
  const rest = { summary: {}, ...context.replay };
  const rowsText = createRowsSerializer((row) => isClipped(row, range.interval));
  if (!segments) return new LongJson(withRows(common, result.rows, rowsText, rest), release);
  return new LongJson(withSegmentRows({ ...common, segment }, segments, names, result.rows, rowsText, rest), release);
}

function presentSeries(
  q: ChartQuery,
  { segments, release }: ChartAnswer,
  result: UnpackedSeries,
  common: object,
  replay: object,
  names: ReadonlyMap<string, string>,
): object {
  if (segments)
    return new LongJson(withSegments({ ...common, segment: q.segment }, segments, names, result, q, replay), release);
  if (result.texts) return new LongJson(withFields(common, result.texts, replay), release);
  return { ...common, buckets: bucketsOf(result, q), summary: summaryOf(result, q), ...replay };
}

/** Generates one object: the fields before buckets and summary, these, and the fields after them. `label` precedes the object. */
function* withFields(before: object, { buckets, summary }: SeriesTexts, after: object, label = ''): Generator<Buffer> {
  const [head, tail] = [JSON.stringify(before).slice(0, -1), JSON.stringify(after).slice(1)];
  yield Buffer.from(`${label}${head}${head === '{' ? '' : ','}"buckets":`);
  yield Buffer.from(buckets.buffer, buckets.byteOffset, buckets.length);
  yield Buffer.from(`,"summary":${summary}${tail === '}' ? '' : ','}${tail}`);
}

function* withRows(
  before: object,
  rows: readonly CohortRow[],
  rowsText: SerializeRows,
  after: object,
): Generator<Buffer> {
  yield Buffer.from(`${JSON.stringify(before).slice(0, -1)},"rows":`);
  yield* rowsText(rows);
  yield Buffer.from(`,${JSON.stringify(after).slice(1)}`);
}

/** Generates the segments one by one, so that other requests have their turn in between. */
function* withSegments(
  before: object,
  segments: ReadonlyMap<string, ChartResult>,
  names: ReadonlyMap<string, string>,
  total: UnpackedSeries,
  shown: Pick<ChartQuery, 'chart' | 'range'>,
  after: object,
): Generator<Buffer> {
  const makeTexts = createSeriesSerializer(shown);
  const textsOf = (series: UnpackedSeries) => series.texts ?? makeTexts(series);
  yield Buffer.from(`${JSON.stringify(before).slice(0, -1)},"segments":{`);
  let comma = '';
  for (const [value, one] of segments) {
    if (one.kind !== 'series') continue;
    yield* withFields({ name: names.get(value) ?? null }, textsOf(one), {}, `${comma}${JSON.stringify(value)}:`);
    comma = ',';
  }
  const texts = textsOf(total);
  yield* withFields({}, texts, {}, '},"total":');
  const tail = JSON.stringify(after).slice(1);
  yield Buffer.from(`,"summary":${texts.summary}${tail === '}' ? '' : ','}${tail}`);
}

/** Generates the rows of every segment and of the total. */
function* withSegmentRows(
  before: object,
  segments: ReadonlyMap<string, ChartResult>,
  names: ReadonlyMap<string, string>,
  total: readonly CohortRow[],
  rowsText: SerializeRows,
  after: object,
): Generator<Buffer> {
  yield Buffer.from(`${JSON.stringify(before).slice(0, -1)},"segments":{`);
  let comma = '';
  for (const [value, one] of segments) {
    if (one.kind !== 'cohort') continue;
    yield Buffer.from(`${comma}${JSON.stringify(value)}:`);
    yield* withRows({ name: names.get(value) ?? null }, one.rows, rowsText, { summary: {} });
    comma = ',';
  }
  yield Buffer.from('},"total":{"rows":');
  yield* rowsText(total);
  yield Buffer.from(`,"summary":{}},${JSON.stringify(after).slice(1)}`);
}

/** Returns the fields that come before the values. */
export function presentChartHead(
  { chart, range, selectors }: ChartQuery,
  { unconverted }: { readonly unconverted?: UnconvertedCharges },
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
    ...(unconverted && { unconverted: presentUnconverted(unconverted) }),
    ...(ignored.length > 0 && { ignoredFilters: ignored }),
    measures: presentMeasures(chart, selectors).map((m) => ({ ...m, unit: inCurrency(m.unit) })),
  };
}

const MAX_LISTED_DAYS = 10;

/** Presents transactions without an exchange rate. Lists only the first days: a currency without rates lacks every day of the period. */
export function presentUnconverted({ transactions, days }: UnconvertedCharges) {
  const [firstDay = null, lastDay = null] = [days.at(0), days.at(-1)];
  return { transactions, days: days.slice(0, MAX_LISTED_DAYS), dayCount: days.length, firstDay, lastDay };
}
