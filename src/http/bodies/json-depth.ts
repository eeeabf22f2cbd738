// Bodies nested so deep that a recursive reader would run out of stack are refused before anything walks them.
import { HttpError } from './errors.js';

const MAX_DEPTH = 32;

export function checkDepth(value: unknown): void {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw new HttpError(400, `the body is nested deeper than ${MAX_DEPTH} levels`);
    level = level.flatMap((v) => (typeof v === 'object' && v !== null ? Object.values(v) : []));
  }
}
