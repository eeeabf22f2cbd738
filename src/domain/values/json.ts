// JSON: free-form objects of users, which are opaque to the service and compared by digest, and texts that may not be JSON.
import { createHash } from 'node:crypto';
import { z } from 'zod';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };

/** Passes the object through unchanged: a schema that rebuilt it would lose keys such as `__proto__`. Parsed JSON needs no deeper check. */
export const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  { error: 'must be a JSON object', abort: true },
);

/** Returns the digest of a document. Another order of keys is another document. */
export function digestOf(value: JsonObject): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}

/** Parses a text that may not be JSON; it is undefined then, which no schema accepts. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller's schema refuses it.
    return undefined;
  }
}

export type Fields = Readonly<Record<string, unknown>>;

/** Returns true for an object with fields, of whatever kind. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value as an object with fields; an empty one for anything else. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** Returns the objects of a list; an empty list for anything else. */
export function listOfFields(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** Returns true if two values are the same JSON, apart from the order of keys. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [x, y] = [definedEntries(a), new Map(definedEntries(b))];
  return x.length === y.size && x.every(([key, value]) => isSameJson(value, y.get(key)));
}

function definedEntries(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, v]) => v !== undefined);
}
