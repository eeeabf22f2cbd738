// Limit of the lines of reports that are compared at a time, by the memory of this process.
import { getHeapStatistics } from 'node:v8';
import { MAX_COUNTED_LINES } from '../domain/books/counted-reports.js';

/** Memory of a line while its month is compared, and the share of Node's heap that a month may use. */
const [BYTES_PER_LINE, SHARE_OF_HEAP] = [600, 0.6];

export function maxComparedLines(): number {
  const lines = Math.floor((getHeapStatistics().heap_size_limit * SHARE_OF_HEAP) / BYTES_PER_LINE);
  return Math.min(MAX_COUNTED_LINES, lines);
}
