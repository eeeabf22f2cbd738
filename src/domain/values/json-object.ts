// Free-form JSON objects of users, which are opaque to the service and compared by digest.
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
