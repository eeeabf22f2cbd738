// Keys of an index in all document stores. Order: false < true, numbers by value, strings by their UTF-8 bytes, which differs from
// JavaScript's UTF-16 order for characters outside the BMP. Page cursors: base64url of JSON [index, keys of the last row…, its id], the
// same text in every store, so that clients can continue after a migration. Cursors are untrusted input: everything in them is validated.
import { BadCursor } from '../../domain/errors.js';
import { parseJson } from '../../domain/values/json.js';
import { isScalar, isStorable } from './collections.js';
import type { Scalar, Row, Scan } from './port.js';

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

/** Encodes the position of the last row. `fields` are all fields of the index, including those of the equality prefix. */
export function encodeCursor(index: string, fields: readonly string[], last: Row): string {
  const keys = fields.map((field) => last.doc[field]);
  return Buffer.from(JSON.stringify([index, ...keys, last.id])).toString('base64url');
}

/**
 * Returns the keys after the equality prefix, the id last; undefined on a first page. Throws {@link BadCursor} unless index and prefix are
 * those of the scan. Range and direction may differ: the cursor is a position in the index, and the scan's own bounds still apply.
 */
export function decodeCursor(scan: Scan, fields: readonly string[]): readonly Scalar[] | undefined {
  if (scan.after === undefined) return undefined;
  const position = parseJson(Buffer.from(scan.after, 'base64url').toString());
  if (!Array.isArray(position)) throw new BadCursor();
  const [index, ...keys]: readonly unknown[] = position;
  if (index !== scan.index || keys.length !== fields.length + 1) throw new BadCursor();
  if (!keys.every(isKey) || typeof keys.at(-1) !== 'string') throw new BadCursor();
  if (!scan.eq.every((value, i) => value === keys[i])) throw new BadCursor();
  return keys.slice(scan.eq.length);
}

function isKey(value: unknown): value is Scalar {
  return isScalar(value) && (typeof value !== 'string' || isStorable(value));
}
