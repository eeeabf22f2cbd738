// Chart as a CSV table: a line per bucket, or per column of a cohort row. Segments are read one after the other while the table is sent, so
// that its length is unlimited.
import { stringify } from 'csv-stringify/sync';
import { csvRules } from '../../adapters/csv.js';
import { DAY_MS } from '../../domain/charts/calendar.js';
import type { Chart, Selectors } from '../../domain/charts/catalogue/chart.js';
import { changeOf } from '../../domain/charts/previous-period.js';
import { OTHER, type ChartQuery } from '../../domain/charts/catalogue/chart-query.js';
import { isClipped, type Bucket, type BucketedRange } from '../../domain/charts/result/buckets.js';
import { unpackColumns } from '../../domain/charts/result/columns.js';
import {
  unitOf,
  type BucketResult,
  type ChartResult,
  type UnconvertedCharges,
} from '../../domain/charts/result/result.js';
import type { SegmentCounts } from '../../domain/charts/result/segment-counts.js';
import { isoFromMs, utcDay } from '../../domain/time.js';
import { readChart, type ChartSources } from '../../projections/charts/query-chart.js';
import { Csv } from '../bodies/send-json.js';
import { presentUnconverted } from './present.js';
import type { PreviousQuery } from './chart-period.js';
import type { ChartRequest } from './chart-request.js';

type CsvValue = string | number | boolean | null;
/** One table per segment; `segment` fills the column of that name, null without segments. `then` is the compared period. */
type SegmentTable = { readonly segment: string | null; readonly q: ChartQuery; readonly then: ChartQuery | undefined };

const LINES_PER_PIECE = 1000;

/** Creates the table. `ranks` has all segments. Rejects if the first table cannot be read. */
export async function chartCsv(
  sources: ChartSources,
  projectId: string,
  { chartQuery, previous, isLive }: ChartRequest,
  ranks: SegmentCounts,
  currency: string,
): Promise<Csv> {
  const tables = tablesOf(chartQuery, previous?.chartQuery, ranks);
  const header = headerOf(chartQuery, previous !== undefined);
  const read = async ({ q, then }: SegmentTable) => {
    // The compared period comes first: it occupies memory only until its values are read.
    const before = then && (await readChart(sources, projectId, then, isLive));
    const buckets = before?.result.kind === 'series' ? [...before.result.buckets] : [];
    before?.release?.();
    return { ...(await readChart(sources, projectId, q, isLive)), buckets };
  };
  const first = tables[0] && (await read(tables[0]));
  async function* pieces(): AsyncGenerator<Buffer> {
    yield Buffer.from(stringify([header], csvRules));
    for (const [i, table] of tables.entries()) {
      const found = i === 0 && first ? first : await read(table);
      const more = { segment: table.segment, ...conversionColumns(table.q, found.unconverted) };
      try {
        const records = recordsOf(found.result, table.q.range);
        const { chart, selectors } = chartQuery;
        const all = previous
          ? withPrevious(records, { ...previous, buckets: found.buckets }, chart, selectors)
          : records;
        yield* linesOf(header, all, more);
      } finally {
        found.release?.();
      }
    }
  }
  return new Csv(pieces(), fileNameOf(chartQuery, currency));
}

/** Returns one query per segment, which filters for its values. */
function tablesOf(q: ChartQuery, then: ChartQuery | undefined, ranks: SegmentCounts): readonly SegmentTable[] {
  const { segment, segments = [], filters } = q;
  if (segment === null) return [{ segment, q, then }];
  const others = [...ranks.keys()].filter((value) => value === OTHER || !segments.includes(value));
  return segments.map((value) => {
    const own = new Map(filters).set(segment, new Set(value === OTHER ? others : [value]));
    const only = { segment: null, filters: own };
    return { segment: value, q: { ...q, ...only }, then: then && { ...then, ...only } };
  });
}

function headerOf({ chart, segment, conversion }: ChartQuery, hasPrevious: boolean): readonly string[] {
  const measureIds = chart.measures.map((m) => m.id);
  const common =
    chart.kind === 'series' ? ['incomplete', ...measureIds] : ['size', 'index', ...measureIds, 'incomplete'];
  const ofConversion = conversion ? ['currency', 'unconvertedTransactions', 'unconvertedDays'] : [];
  const ofPrevious = hasPrevious ? ['previousStart', 'previousEnd', ...measureIds.flatMap(previousColumns)] : [];
  return [
    ...(segment === null ? [] : ['segment']),
    'start',
    'end',
    ...common,
    'clipped',
    ...ofConversion,
    ...ofPrevious,
  ];
}

/** Returns the columns of a conversion: the currency, and the number of transactions and days without an exchange rate. */
function conversionColumns(
  { conversion }: ChartQuery,
  unconverted: UnconvertedCharges | undefined,
): Readonly<Record<string, CsvValue>> {
  if (!conversion || !unconverted) return {};
  const { transactions, dayCount } = presentUnconverted(unconverted);
  return { currency: conversion.currency, unconvertedTransactions: transactions, unconvertedDays: dayCount };
}

type CsvRecord = Readonly<Record<string, CsvValue>>;

function* linesOf(header: readonly string[], records: Iterable<CsvRecord>, more: CsvRecord): Generator<Buffer> {
  let lines: CsvValue[][] = [];
  for (const record of records) {
    const all: CsvRecord = { ...record, ...more };
    lines.push(header.map((name) => all[name] ?? null));
    if (lines.length < LINES_PER_PIECE) continue;
    yield Buffer.from(stringify(lines, csvRules));
    lines = [];
  }
  if (lines.length > 0) yield Buffer.from(stringify(lines, csvRules));
}

function* recordsOf(result: ChartResult, { interval }: BucketedRange): Generator<CsvRecord> {
  const edgesOf = (edges: Pick<Bucket, 'start' | 'end'>) => ({
    start: isoFromMs(edges.start),
    end: isoFromMs(edges.end),
    clipped: isClipped(edges, interval),
  });
  if (result.kind === 'series') {
    for (const { incomplete, values, ...edges } of result.buckets) yield { ...edgesOf(edges), incomplete, ...values };
    return;
  }
  for (const { size, columns, ...edges } of result.rows) {
    for (const column of unpackColumns(columns)) yield { ...edgesOf(edges), size, ...column };
  }
}

/** Returns the columns of the earlier figure of a measure, and of its change: in per cent, or for rates in percentage points. */
function previousColumns(measure: string): readonly [figure: string, change: string] {
  return [`${measure}_previous`, `${measure}_change`];
}

/** Adds the columns of the compared period to each record, in the order of the buckets. */
function* withPrevious(
  records: Iterable<CsvRecord>,
  { pairs, buckets }: Pick<PreviousQuery, 'pairs'> & { readonly buckets: readonly BucketResult[] },
  chart: Chart,
  selectors: Selectors,
): Generator<CsvRecord> {
  let i = 0;
  for (const record of records) {
    const then = buckets[pairs[i++] ?? -1];
    if (!then) {
      yield record;
      continue;
    }
    const figures = chart.measures.flatMap(({ id, unit }) => {
      const [figure, change] = previousColumns(id);
      const [now, before] = [record[id], then.values[id] ?? null];
      const shownUnit = unitOf(chart, selectors, unit);
      const changed = changeOf(typeof now === 'number' ? now : null, before, shownUnit);
      return [[figure, before] as const, [change, changed] as const];
    });
    const edges = { previousStart: isoFromMs(then.start), previousEnd: isoFromMs(then.end) };
    yield { ...record, ...edges, ...Object.fromEntries(figures) };
  }
}

/** Returns a name such as `mrr_2026-01-01_2026-04-30_month_by_store.csv` with the requested days. */
function fileNameOf({ chart, range, segment }: ChartQuery, currency: string): string {
  const days = [range.start, range.end - DAY_MS].map((at) => utcDay(isoFromMs(at)));
  const parts = [chart.id, ...days, range.interval, ...(segment ? ['by', segment] : [])];
  return `${[...parts, ...(currency === 'USD' ? [] : [currency])].join('_')}.csv`;
}
