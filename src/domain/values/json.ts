// Free-form JSON that users hand over and get back: opaque, but an object, and compared without keeping it.
import { createHash } from 'node:crypto';
import { z } from 'zod';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };

/** Takes the object as it is: a schema that rebuilt it would lose keys such as `__proto__`. What was parsed from JSON holds JSON. */
export const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  { error: 'must be a JSON object', abort: true },
);

/** Equal for texts that are equal as they were sent; another order of keys is another document. */
export function digestOf(value: JsonObject): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}

/** Whether two values would be the same JSON but for the order of keys. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [x, y] = [definedEntries(a), definedEntries(b)];
  return x.length === y.length && x.every(([key, value]) => isSameJson(value, (b as Record<string, unknown>)[key]));
}

function definedEntries(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, v]) => v !== undefined);
}
