// Results of charts in the form in which they are compared.
import type { SegmentedResult } from '../../../src/domain/charts/result/result.js';
import { readableResult } from '../../domain/charts/run-query.js';

/** Null for no result. */
export function shownSegmented(read: SegmentedResult | null): unknown {
  if (!read) return null;
  const segments = [...(read.segments ?? [])].map(([value, of]) => [value, readableResult(of)]);
  return { result: readableResult(read.result), segments };
}
