// The values of a series as its JSON. With segments they are tens of thousands of buckets: the thread of the charts makes the
// text where it has computed them.
import type { ChartQuery } from '../../domain/charts/catalogue/chart-query.js';
import { isClipped } from '../../domain/charts/result/buckets.js';
import type { SeriesResult } from '../../domain/charts/result/result.js';
import type { SeriesTexts } from '../../projections/charts/questions/packed-results.js';
import { isoFromMs } from '../../domain/time.js';

type Shown = Pick<ChartQuery, 'chart' | 'range'>;

export function bucketsOf({ buckets }: SeriesResult, { range }: Shown, iso = isoFromMs) {
  return buckets.map((b) => ({
    ...b,
    start: iso(b.start),
    end: iso(b.end),
    ...(isClipped(b, range.interval) && { clipped: true }),
  }));
}

/** `total` of the period where buckets add up. Averages leave out buckets without a value. */
export function summaryOf({ buckets, totals }: SeriesResult, { chart }: Shown) {
  return Object.fromEntries(
    chart.measures.map(({ id, isAdditive }) => {
      const known = buckets.flatMap((b) => b.values[id] ?? []);
      const total = (isAdditive ? totals[id] : null) ?? known.reduce((a, b) => a + b, 0);
      const average = known.length === 0 ? null : Math.round((total / known.length) * 100) / 100;
      return [id, { ...(isAdditive && { total }), average, last: buckets.at(-1)?.values[id] ?? null }];
    }),
  );
}

/** Makes the texts of each series of one question. All have the same buckets, a thousand and more by day. */
export function seriesTexts(shown: Shown): (result: SeriesResult) => SeriesTexts {
  const known = new Map<number, string>();
  const iso = (ms: number): string => {
    const text = known.get(ms) ?? isoFromMs(ms);
    known.set(ms, text);
    return text;
  };
  return (result) => ({
    buckets: new TextEncoder().encode(JSON.stringify(bucketsOf(result, shown, iso))),
    summary: JSON.stringify(summaryOf(result, shown)),
  });
}
