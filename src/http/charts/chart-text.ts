// Serialization of chart values to JSON. With segments there are tens of thousands of buckets: the chart thread serializes series where it has
// computed them. No object is created for a bucket or a column.
import type { ChartQuery } from '../../domain/charts/catalogue/chart-query.js';
import { isClipped } from '../../domain/charts/result/buckets.js';
import { startOfSeries } from '../../domain/charts/result/columns.js';
import type { BucketResult, CohortRow, SeriesResult } from '../../domain/charts/result/result.js';
import type { SeriesTexts } from '../../projections/charts/requests/chart-messages.js';
import { isoFromMs } from '../../domain/time.js';

type SeriesQuery = Pick<ChartQuery, 'chart' | 'range'>;

/** Summarises a series. `total` covers the period if buckets add up. Averages ignore buckets without a value. */
function summaryOf({ buckets, totals }: SeriesResult, { chart }: SeriesQuery) {
  return Object.fromEntries(
    chart.measures.map(({ id, isAdditive }) => {
      const values = buckets.flatMap((b) => b.values[id] ?? []);
      const total = (isAdditive ? totals[id] : null) ?? values.reduce((a, b) => a + b, 0);
      const average = values.length === 0 ? null : Math.round((total / values.length) * 100) / 100;
      return [id, { ...(isAdditive && { total }), average, last: buckets.at(-1)?.values[id] ?? null }];
    }),
  );
}

/**
 * Serializes each series of one query. All have the same buckets, by day more than a thousand, so the text around their values is generated
 * once.
 */
export function createSeriesSerializer(format: SeriesQuery): (result: SeriesResult) => SeriesTexts {
  const edges = new Map<number, EdgesText>();
  const encoder = new TextEncoder();
  const edgesOf = (bucket: BucketResult): EdgesText => {
    const known = edges.get(bucket.start) ?? edgesText(bucket, format);
    edges.set(bucket.start, known);
    return known;
  };
  return (result) => {
    const names = Object.keys(result.buckets[0]?.values ?? {});
    const labels = names.map((name, i) => `${i > 0 ? ',' : ''}${JSON.stringify(name)}:`);
    let text = '';
    for (const bucket of result.buckets) {
      const { before, after } = edgesOf(bucket);
      text += `${text && ','}${before}${bucket.incomplete},"values":{`;
      for (let i = 0; i < names.length; i++) text += `${labels[i]}${bucket.values[names[i] ?? ''] ?? null}`;
      text += after;
    }
    return { buckets: encoder.encode(`[${text}]`), summary: JSON.stringify(summaryOf(result, format)) };
  };
}

type EdgesText = { readonly before: string; readonly after: string };

function edgesText(bucket: BucketResult, { range }: SeriesQuery): EdgesText {
  const before = `{"start":"${isoFromMs(bucket.start)}","end":"${isoFromMs(bucket.end)}","incomplete":`;
  return { before, after: isClipped(bucket, range.interval) ? '},"clipped":true}' : '}}' };
}

/** Serializes cohort rows one by one. */
export function* cohortRowTexts(rows: readonly CohortRow[], format: SeriesQuery): Generator<string> {
  for (const row of rows) yield cohortRowText(row, format);
}

function cohortRowText({ start, end, incomplete, size, columns }: CohortRow, { range }: SeriesQuery): string {
  const { series, values, count, complete } = columns;
  const edges = { start: isoFromMs(start), end: isoFromMs(end) };
  const clipped = isClipped({ start, end }, range.interval) && { clipped: true };
  const parts = series.map(({ name, parts }, i) => {
    return { label: `,${JSON.stringify(name)}:`, from: startOfSeries(columns, i), parts };
  });
  let text = `${JSON.stringify({ ...edges, ...clipped, incomplete, size }).slice(0, -1)},"columns":[`;
  for (let k = 0; k < count; k++) {
    text += `${k > 0 ? ',' : ''}{"index":${k}`;
    for (const { label, from, parts: per } of parts) {
      const value = values[from + k] ?? NaN;
      text += `${label}${Number.isNaN(value) ? null : value / per}`;
    }
    text += k < complete ? ',"incomplete":false}' : ',"incomplete":true}';
  }
  return `${text}]}`;
}

/** Large enough that a response takes few turns of the event loop, small enough that each is short. */
const PIECE_CHARACTERS = 64 * 1024;

/** Generates `begin`, the items with commas between them, and `end`. */
export function* joinPieces(begin: string, items: Iterable<string>, end: string): Generator<Buffer> {
  let text = begin;
  let comma = '';
  for (const item of items) {
    text += comma + item;
    comma = ',';
    if (text.length < PIECE_CHARACTERS) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text + end);
}
