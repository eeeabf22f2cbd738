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
