// Key order of all document stores: false < true, numbers by value, strings by their UTF-8 bytes, which differs from JavaScript's UTF-16
// order for characters outside the BMP.
import type { Scalar } from './port.js';

const FIRST_SURROGATE = 0xd800;

/** Returns a negative number, zero or a positive one. Numbers and booleans sort before strings. */
export function compareScalars(a: Scalar, b: Scalar): number {
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  if (typeof a === 'string') return 1;
  if (typeof b === 'string') return -1;
  return Number(a) - Number(b);
}

/** Compares key by key, up to the length of the shorter list. */
export function compareKeys(a: readonly Scalar[], b: readonly Scalar[]): number {
  for (let i = 0; i < a.length; i++) {
    const [key, other] = [a[i], b[i]];
    if (key === undefined || other === undefined) return 0;
    const difference = compareScalars(key, other);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Compares UTF-8 bytes. It encodes only where the first difference requires it: sorting spends nearly all its time here. */
function compareStrings(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  for (let i = 0; i < end; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    if (x < FIRST_SURROGATE || y < FIRST_SURROGATE) return x - y;
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  }
  return a.length - b.length;
}
