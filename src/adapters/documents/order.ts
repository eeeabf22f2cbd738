// The order of keys that all document stores share: false < true, numbers by value, strings by their UTF-8 bytes, which is not
// JavaScript's order of UTF-16 units once a character lies outside the BMP.
import type { Scalar } from './port.js';

const FIRST_SURROGATE = 0xd800;

/** Negative, zero or positive. Numbers and booleans stand before strings. */
export function compareScalars(a: Scalar, b: Scalar): number {
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  if (typeof a === 'string') return 1;
  if (typeof b === 'string') return -1;
  return Number(a) - Number(b);
}

/** Compares key by key, as far as the shorter one goes. */
export function compareKeys(a: readonly Scalar[], b: readonly Scalar[]): number {
  for (let i = 0; i < a.length; i++) {
    const [key, other] = [a[i], b[i]];
    if (key === undefined || other === undefined) return 0;
    const difference = compareScalars(key, other);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Encodes only where the first difference needs it: sorting spends nearly all its time here. */
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
