// Page cursors: base64url of JSON [index, keys of the last row…, its id]. The same text in every store, so that clients can continue after
// a migration to another store. Cursors are untrusted input: everything in them is validated.
import type { Row, Scalar, Scan } from './port.js';
import { BadCursor } from '../../domain/errors.js';
import { parseJson } from '../../domain/values/json.js';
import { isScalar, isStorable } from './collections.js';

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
