// Forms of the keys and names by which a catalogue is addressed.
import { z } from 'zod';

/** Excludes `__proto__`: responses are keyed by these names, and many JSON readers lose this one silently. */
const isNotProto = [(name: string) => name !== '__proto__', 'must not be __proto__'] as const;

const keySchema = (pattern: RegExp) =>
  z
    .string()
    .regex(pattern, 'must be 1 to 200 of letters, digits, _ . -')
    .refine(...isNotProto);
export const lookupKey = keySchema(/^[a-zA-Z0-9_.-]{1,200}$/);
/** Key of a package. The catalogue defines the keys with `$`. */
export const packageKey = keySchema(/^\$?[a-zA-Z0-9_.-]{1,200}$/);

export const storeProductId = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{1,255}$/, 'must be 1 to 255 of letters, digits, . _ : -')
  .refine(...isNotProto);
