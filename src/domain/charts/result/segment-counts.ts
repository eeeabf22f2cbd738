// Selection of the listed segments by counts or ranks, before anything else is read.
import { OTHER } from '../catalogue/chart-query.js';

/**
 * Number of purchases by segment value, or of customers for customer segments, known at the instant of the query; or its rank by a measure.
 */
export type SegmentCounts = ReadonlyMap<string, number>;

export const DEFAULT_SEGMENT_LIMIT = 10;

/** Returns at most `limit` values with the highest counts, the highest first; then {@link OTHER} if there are more values. */
export function listSegments(counts: SegmentCounts, limit: number): readonly string[] {
  const values = [...counts].filter(([value]) => value !== OTHER);
  const largest = values.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, limit);
  return [...largest.map(([value]) => value), ...(largest.length < counts.size ? [OTHER] : [])];
}

export function addCounts(all: readonly SegmentCounts[]): SegmentCounts {
  const sum = new Map<string, number>();
  for (const counts of all) for (const [value, n] of counts) sum.set(value, (sum.get(value) ?? 0) + n);
  return sum;
}
