// Charts whose measures add up over purchases: one pass over the rows, each added to the sums of its segment.
import type { SeriesChart } from '../catalogue/chart.js';
import type { ChartQuery } from '../catalogue/chart-query.js';
import { createBucketSums } from '../result/buckets.js';
import { seriesResult, type ChartResult } from '../result/result.js';
import { createPlacedSums, measuresOf, NOT, placesOf, type Asked, type Segmented } from './asked.js';
import { measureNumber } from './entries.js';
import type { LedgerColumns } from './ledger.js';
import { blocksOf } from './picked.js';

export function readAdditive(
  ledger: LedgerColumns,
  q: ChartQuery & { readonly chart: SeriesChart },
  asked: Asked,
): Segmented {
  const { range, selectors, chart } = q;
  const { asOf } = range;
  const measures = measuresOf(chart, selectors);
  const pending = measures.indexOf('outcome.pending');
  const slots = new Map(measures.map((measure, slot) => [measureNumber(measure, selectors.revenueType), slot]));
  const places = placesOf(range);
  const sums = createPlacedSums(range, measures, asked.segments.length);
  for (const { count, slots: shown, at, values, attributes, lags } of blocksOf(ledger, slots, asOf)) {
    for (let i = 0; i < count; i++) {
      const segment = asked.lines[attributes[i] ?? 0] ?? NOT;
      if (segment === NOT) continue;
      const instant = at[i] ?? 0;
      const place = places.of(instant);
      const slot = instant + (lags[i] ?? 0) >= asOf ? pending : (shown[i] ?? NOT);
      if (place !== NOT && slot !== NOT) sums.add(segment, slot, place, values[i] ?? 0);
    }
  }
  const bySegment = asked.segments.map((_, segment) => sums.of(segment));
  const whole = createBucketSums(range);
  for (const own of bySegment) whole.addAll(own);
  const resultOf = (of: typeof whole): ChartResult => seriesResult(chart, selectors, range, of);
  return { whole: resultOf(whole), segment: (number) => resultOf(bySegment[number] ?? createBucketSums(range)) };
}
