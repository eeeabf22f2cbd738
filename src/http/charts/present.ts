// Responses of charts.
import { unitOf, type CohortResult, type UnconvertedCharges } from '../../domain/charts/result/result.js';
import type { SettledShare } from '../../domain/books/settled-buckets.js';
import { DAY_MS, intervals } from '../../domain/charts/calendar.js';
import {
  cohortMeasures,
  cohorts,
  defaultSelectors,
  statusMeasures,
  type Chart,
  type ChartMeasure,
  type Selectors,
} from '../../domain/charts/catalogue/chart.js';
import { revenueTypes } from '../../domain/charts/money.js';
import type { Unit } from '../../domain/charts/catalogue/display-values.js';
import { dimensionsOf, type Dimension, type ChartQuery } from '../../domain/charts/catalogue/chart-query.js';
import { isoFromMs, utcDay } from '../../domain/time.js';
import { LongJson } from '../bodies/send-json.js';
import type { UnpackedSeries } from '../../projections/charts/requests/chart-messages.js';
import type { ChartResponses } from '../../projections/charts/requests/chart-queries.js';
import type { PreviousQuery } from './chart-period.js';
import { cohortRowTexts, createSeriesSerializer, joinPieces } from './chart-text.js';
import { isWatchable } from '../../projections/charts/usual-figure.js';
import type { BodyOf } from '../bodies/response-schemas.js';
import type { chartDescription } from './responses.js';

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
export function presentChart(chart: Chart): BodyOf<typeof chartDescription> {
  const { id, name, description, category, kind, unit, drawing = 'lines', selectors } = chart;
  const dimensions = dimensionsOf(chart);
  return {
    object: 'chart',
    ...{ id, name, description, category, kind, unit, drawing },
    measures: presentMeasures(chart, defaultSelectors).map((one, i) => ({ ...one, ...partOf(chart.measures[i]) })),
    intervals,
    filters: dimensions,
    segments: dimensions,
    isWatchable: isWatchable(chart),
    selectors: Object.fromEntries(
      selectors.map((s) => [s, { values: values[s], default: String(defaultSelectors[s] ?? 'unbounded') }]),
    ),
  };
}

const partOf = ({ part }: Partial<ChartMeasure> = {}) => part && { part };

function presentMeasures(chart: Chart, selectors: Selectors) {
  return chart.measures.map(({ id, name, unit }) => ({ id, name, unit: unitOf(chart, selectors, unit) }));
}

/** The compared period of a chart, and its values. */
export type PreviousRead = {
  readonly query: PreviousQuery;
  readonly isBeforeData: boolean;
  readonly read: ChartResponses['chart'];
};

/** Instants of the query and of the request, UTC ms. `replay` fields come last. */
export type ChartContext = {
  readonly asOf: number;
  readonly requestedAt: number;
  /** UTC ms since which recorded events are missing. */
  readonly staleSince?: number | undefined;
  readonly currency: string;
  /** Filters that have no effect on the chart. */
  readonly ignored: readonly Dimension[];
  readonly replay: object;
};

/** Presents a chart, whose text is generated while it is sent. `names` are the display names of segments. */
export function presentChartData(
  q: ChartQuery,
  read: ChartResponses['chart'],
  context: ChartContext,
  names: ReadonlyMap<string, string>,
  previous?: PreviousRead,
): LongJson {
  return new LongJson(chartPieces(q, read, context, names, previous), () => {
    read.release?.();
    previous?.read.release?.();
  });
}

function* chartPieces(
  q: ChartQuery,
  read: ChartResponses['chart'],
  { replay, ...context }: ChartContext,
  names: ReadonlyMap<string, string>,
  previous: PreviousRead | undefined,
): Generator<Buffer> {
  const head = { ...presentChartHead(q, read, context), ...(read.segments && { segment: q.segment }) };
  yield Buffer.from(`${JSON.stringify(head).slice(0, -1)},`);
  yield* valuePieces(q, read, names);
  if (previous) {
    yield Buffer.from(`,"previous":${JSON.stringify(presentPreviousHead(previous)).slice(0, -1)},`);
    yield* valuePieces(previous.query.chartQuery, previous.read, names);
    yield Buffer.from('}');
  }
  const tail = JSON.stringify(replay).slice(1);
  yield Buffer.from(tail === '}' ? tail : `,${tail}`);
}

function presentPreviousHead({ query: { choice, chartQuery, pairs }, isBeforeData }: PreviousRead) {
  const { startDate, endDate } = presentDays(chartQuery);
  return { choice, startDate, endDate, ...(isBeforeData && { isBeforeData }), pairs };
}

/** Generates the values: the segments one by one, so that other requests have their turn in between, then the total and the summary. */
function* valuePieces(
  q: ChartQuery,
  { result, segments }: ChartResponses['chart'],
  names: ReadonlyMap<string, string>,
): Generator<Buffer> {
  const tableOf = createTableSerializer(q);
  const total = tableOf(result);
  if (!segments) {
    yield* total.points;
    return yield Buffer.from(`,"summary":${total.summary}`);
  }
  yield Buffer.from('"segments":{');
  let comma = '';
  for (const [value, one] of segments) {
    const { points, summary } = tableOf(one);
    yield Buffer.from(`${comma}${JSON.stringify(value)}:{"name":${JSON.stringify(names.get(value) ?? null)},`);
    yield* points;
    yield Buffer.from(`,"summary":${summary}}`);
    comma = ',';
  }
  yield Buffer.from('},"total":{');
  yield* total.points;
  yield Buffer.from(`,"summary":${total.summary}},"summary":${total.summary}`);
}

/** Values of a result as text: its buckets or rows as a field, and the summary. */
type TableText = { readonly points: Iterable<Buffer>; readonly summary: string };

function createTableSerializer(q: ChartQuery): (result: CohortResult | UnpackedSeries) => TableText {
  const makeTexts = createSeriesSerializer(q);
  return (result) => {
    if (result.kind === 'cohort') {
      return { points: joinPieces('"rows":[', cohortRowTexts(result.rows, q), ']'), summary: '{}' };
    }
    const { buckets, summary } = result.texts ?? makeTexts(result);
    const { buffer, byteOffset, length } = buckets;
    return { points: [Buffer.from('"buckets":'), Buffer.from(buffer, byteOffset, length)], summary };
  };
}

/** Returns the fields that come before the values. */
export function presentChartHead(
  { chart, range, selectors }: ChartQuery,
  { unconverted, settledShare }: Pick<ChartResponses['chart'], 'unconverted' | 'settledShare'>,
  { asOf, requestedAt, staleSince, currency, ignored }: Omit<ChartContext, 'replay'>,
) {
  const inCurrency = (unit: Unit) => (unit === 'usd' ? currency.toLowerCase() : unit);
  const { id, name, kind } = chart;
  return {
    object: 'chartData',
    ...{ id, name, kind },
    unit: inCurrency(unitOf(chart, selectors)),
    interval: range.interval,
    ...presentDays({ range }),
    asOf: isoFromMs(asOf),
    lastComputedAt: isoFromMs(staleSince ?? requestedAt),
    ...(staleSince !== undefined && { staleSince: isoFromMs(staleSince) }),
    currency,
    ...(unconverted && { unconverted: presentUnconverted(unconverted) }),
    ...(settledShare && { proceedsBasis: 'settled' as const, settledShare: presentShare(settledShare) }),
    ...(ignored.length > 0 && { ignoredFilters: ignored }),
    measures: presentMeasures(chart, selectors).map((m) => ({ ...m, unit: inCurrency(m.unit) })),
  };
}

function presentShare({ total, buckets }: SettledShare) {
  const round = (share: number | null) => share && Math.round(share * 10_000) / 10_000;
  return { total: round(total), buckets: buckets.map(round) };
}

function presentDays({ range: { start, end } }: Pick<ChartQuery, 'range'>) {
  return { startDate: utcDay(isoFromMs(start)), endDate: utcDay(isoFromMs(end - DAY_MS)) };
}

const MAX_LISTED_DAYS = 10;

/** Presents transactions without an exchange rate. Lists only the first days: a currency without rates lacks every day of the period. */
export function presentUnconverted({ transactions, days }: UnconvertedCharges) {
  const [firstDay = null, lastDay = null] = [days.at(0), days.at(-1)];
  return { transactions, days: days.slice(0, MAX_LISTED_DAYS), dayCount: days.length, firstDay, lastDay };
}
