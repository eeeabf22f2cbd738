// The reasons of a comparison, looked up place by place.
import { reasonsAlong, type PackedReasons, type RawReason } from '../../../src/domain/charts/compare/packed-reasons.js';

/**
 * Returns the reasons at a place; `segment` is null for the whole. `track` and `index` are 0 and the bucket for a series, the row and the
 * column for cohorts.
 */
export type ReasonsOf = (segment: string | null, measure: string, track: number, index: number) => readonly RawReason[];

export function reasonsFrom(packed: PackedReasons): ReasonsOf {
  const along = reasonsAlong(packed);
  return (segment, measure, track, index) => along(segment, measure, track)?.(index) ?? [];
}
