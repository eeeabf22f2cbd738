// Ranks of segments: the size of a measure over the whole period.
import type { Selectors, SeriesChart } from '../catalogue/chart.js';
import { measureWeightsOf } from '../compare/measure-weights.js';
import type { ChartResult } from './result.js';
import type { SegmentCounts } from './segment-counts.js';

/**
 * Returns the measure that ranks segments for a measure: itself, or for a rate what it is a part of, so that one lucky customer does not come
 * before a thousand. For a rate of customers it is the part, because purchases do not divide customers.
 */
export function rankingMeasureOf(chart: SeriesChart, selectors: Selectors, measure: string): string {
  const { ratio = null } = measureWeightsOf(chart, selectors).find(({ id }) => id === measure) ?? {};
  if (!ratio) return measure;
  return chart.subject === 'customers' ? ratio.of : ratio.per;
}

/** Returns the ranks by value: amounts of the measure in the only bucket of each result, losses as gains. */
export function rankByMeasure(segments: ReadonlyMap<string, ChartResult>, measure: string): SegmentCounts {
  const ranks = new Map<string, number>();
  for (const [value, result] of segments) {
    if (result.kind === 'series') ranks.set(value, Math.abs(result.buckets[0]?.values[measure] ?? 0));
  }
  return ranks;
}
