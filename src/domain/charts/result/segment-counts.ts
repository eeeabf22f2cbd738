// Which segments a query shows: decided by counts, before anything is read.
import { OTHER } from '../catalogue/chart-query.js';

/** Purchases by the value of the segment, or customers where the segment is of customers, known at the instant of the query. */
export type SegmentCounts = ReadonlyMap<string, number>;

export const DEFAULT_SEGMENT_LIMIT = 10;

/** The values with the highest counts, at most `limit`, the highest first; then {@link OTHER} if there are more values. */
export function listSegments(counts: SegmentCounts, limit: number): readonly string[] {
  const named = [...counts].filter(([value]) => value !== OTHER);
  const listed = named.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, limit);
  return [...listed.map(([value]) => value), ...(listed.length < counts.size ? [OTHER] : [])];
}

export function addCounts(all: readonly SegmentCounts[]): SegmentCounts {
  const sum = new Map<string, number>();
  for (const counts of all) for (const [value, n] of counts) sum.set(value, (sum.get(value) ?? 0) + n);
  return sum;
}
