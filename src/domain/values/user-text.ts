// Schemas for texts that users enter: names, the app's own ID of a customer, the keys by which a catalogue is addressed.
import { z } from 'zod';
import { isCustomerId } from '../ids.js';

/** Accepts well-formed Unicode without control characters, 1 to `max` characters. */
export const text = (max: number) =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(max, `must have at most ${max} characters`)
    .regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'must not contain control characters')
    .refine((s) => s.isWellFormed(), 'must be well-formed Unicode');

/** URL parsers remove these path segments, encoded or not: a request with such an ID would reach another endpoint. */
const isSegment = [(id: string) => id !== '.' && id !== '..', 'must not be . or .., which no URL can contain'] as const;

/** Placeholders that client code sends without a user ID. Accepting them would merge strangers into one customer. */
const PLACEHOLDER_IDS = new Set([
  ...['null', 'undefined', 'nil', '(null)', 'NaN', '0', '-1', 'unknown', 'anonymous', 'guest'],
]);

export const appUserId = text(255)
  .refine((s) => !PLACEHOLDER_IDS.has(s), 'is a placeholder, not an app user ID')
  .refine((s) => !s.includes('/'), 'must not contain a slash')
  .refine(...isSegment)
  // Otherwise an app user ID in `:cid` could be mistaken for the ID of another customer.
  .refine((s) => !isCustomerId(s), 'is a customer ID; send the app user ID');

/** Excludes `__proto__`: responses are keyed by these names, and many JSON readers lose this one silently. */
const isNotProto = [(name: string) => name !== '__proto__', 'must not be __proto__'] as const;

const keySchema = (pattern: RegExp) =>
  z
    .string()
    .regex(pattern, 'must be 1 to 200 of letters, digits, _ . -')
    .refine(...isNotProto)
    .refine(...isSegment);
export const lookupKey = keySchema(/^[a-zA-Z0-9_.-]{1,200}$/);
/** Key of a package. The catalogue defines the keys with `$`. */
export const packageKey = keySchema(/^\$?[a-zA-Z0-9_.-]{1,200}$/);

export const storeProductId = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{1,255}$/, 'must be 1 to 255 of letters, digits, . _ : -')
  .refine(...isNotProto)
  .refine(...isSegment);
