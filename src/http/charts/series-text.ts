// Serialization of a series to JSON. With segments there are tens of thousands of buckets: the chart thread serializes them where it has
// computed them.
import type { ChartQuery } from '../../domain/charts/catalogue/chart-query.js';
import { isClipped } from '../../domain/charts/result/buckets.js';
import type { BucketResult, SeriesResult } from '../../domain/charts/result/result.js';
import type { SeriesTexts } from '../../projections/charts/requests/packed-results.js';
import { isoFromMs } from '../../domain/time.js';

type SeriesQuery = Pick<ChartQuery, 'chart' | 'range'>;

export function bucketsOf({ buckets }: SeriesResult, { range }: SeriesQuery) {
  return buckets.map((b) => ({
    ...b,
    start: isoFromMs(b.start),
    end: isoFromMs(b.end),
    ...(isClipped(b, range.interval) && { clipped: true }),
  }));
}

/** Summarises a series. `total` covers the period if buckets add up. Averages ignore buckets without a value. */
export function summaryOf({ buckets, totals }: SeriesResult, { chart }: SeriesQuery) {
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
export function createSeriesSerializer(shown: SeriesQuery): (result: SeriesResult) => SeriesTexts {
  const edges = new Map<number, EdgesText>();
  const encoder = new TextEncoder();
  const edgesOf = (bucket: BucketResult): EdgesText => {
    const known = edges.get(bucket.start) ?? edgesText(bucket, shown);
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
    return { buckets: encoder.encode(`[${text}]`), summary: JSON.stringify(summaryOf(result, shown)) };
  };
}

type EdgesText = { readonly before: string; readonly after: string };

function edgesText(bucket: BucketResult, { range }: SeriesQuery): EdgesText {
  const before = `{"start":"${isoFromMs(bucket.start)}","end":"${isoFromMs(bucket.end)}","incomplete":`;
  return { before, after: isClipped(bucket, range.interval) ? '},"clipped":true}' : '}}' };
}
