// Results of charts in the form in which they are compared.
import type { SegmentedResult } from '../../../src/domain/charts/result/result.js';
import { worded } from '../../domain/charts/asking.js';

/** Null for no result. */
export function shownSegmented(read: SegmentedResult | null): unknown {
  if (!read) return null;
  const segments = [...(read.segments ?? [])].map(([value, of]) => [value, worded(of)]);
  return { result: worded(read.result), segments };
}
