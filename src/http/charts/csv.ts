// Chart as a CSV table: a line per bucket, or per column of a cohort row. Segments are read one after the other while the table is sent, so
// that its length is unlimited.
import { stringify } from 'csv-stringify/sync';
import { csvRules } from '../../adapters/csv.js';
import { DAY_MS } from '../../domain/charts/calendar.js';
import { OTHER, type ChartQuery } from '../../domain/charts/catalogue/chart-query.js';
import { isClipped, type Bucket, type BucketedRange } from '../../domain/charts/result/buckets.js';
import { unpackColumns } from '../../domain/charts/result/columns.js';
import type { ChartResult, UnconvertedCharges } from '../../domain/charts/result/result.js';
import type { SegmentCounts } from '../../domain/charts/result/segment-counts.js';
import { isoFromMs, utcDay } from '../../domain/time.js';
import { readChart, type ChartSources } from '../../projections/charts/query-chart.js';
import { Csv } from '../bodies/send-json.js';
import { presentUnconverted } from './present.js';
import type { ChartRequest } from './chart-request.js';

type CsvValue = string | number | boolean | null;
/** One table per segment; `segment` fills the column of that name, null without segments. */
type SegmentTable = { readonly segment: string | null; readonly q: ChartQuery };

const LINES_PER_PIECE = 1000;

/** Creates the table. `counts` are the customers of all segments. Rejects if the first table cannot be read. */
export async function chartCsv(
  sources: ChartSources,
  projectId: string,
  { chartQuery, isLive }: ChartRequest,
  counts: SegmentCounts,
  currency: string,
): Promise<Csv> {
  const tables = tablesOf(chartQuery, counts);
  const header = headerOf(chartQuery);
  const read = ({ q }: SegmentTable) => readChart(sources, projectId, q, isLive);
  const first = tables[0] && (await read(tables[0]));
  async function* pieces(): AsyncGenerator<Buffer> {
    yield Buffer.from(stringify([header], csvRules));
    for (const [i, table] of tables.entries()) {
      const found = i === 0 && first ? first : await read(table);
      const more = { segment: table.segment, ...conversionColumns(table.q, found.unconverted) };
      try {
        yield* linesOf(header, recordsOf(found.result, table.q.range), more);
      } finally {
        found.release?.();
      }
    }
  }
  return new Csv(pieces(), fileNameOf(chartQuery, currency));
}

/** Returns one query per segment, which filters for its values. */
function tablesOf(q: ChartQuery, counts: SegmentCounts): readonly SegmentTable[] {
  const { segment, segments = [], filters } = q;
  if (segment === null) return [{ segment, q }];
  const others = [...counts.keys()].filter((value) => value === OTHER || !segments.includes(value));
  return segments.map((value) => {
    const own = new Map(filters).set(segment, new Set(value === OTHER ? others : [value]));
    return { segment: value, q: { ...q, segment: null, filters: own } };
  });
}

function headerOf({ chart, segment, conversion }: ChartQuery): readonly string[] {
  const measureIds = chart.measures.map((m) => m.id);
  const common =
    chart.kind === 'series' ? ['incomplete', ...measureIds] : ['size', 'index', ...measureIds, 'incomplete'];
  const ofConversion = conversion ? ['currency', 'unconvertedTransactions', 'unconvertedDays'] : [];
  return [...(segment === null ? [] : ['segment']), 'start', 'end', ...common, 'clipped', ...ofConversion];
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

/** Returns a name such as `mrr_2026-01-01_2026-04-30_month_by_store.csv` with the requested days. */
function fileNameOf({ chart, range, segment }: ChartQuery, currency: string): string {
  const days = [range.start, range.end - DAY_MS].map((at) => utcDay(isoFromMs(at)));
  const parts = [chart.id, ...days, range.interval, ...(segment ? ['by', segment] : [])];
  return `${[...parts, ...(currency === 'USD' ? [] : [currency])].join('_')}.csv`;
}
