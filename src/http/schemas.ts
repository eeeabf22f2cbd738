// Input schemas that several endpoints share. Objects are strict: a misspelt field is an error, not a silent nothing.
import { z } from 'zod';

/** Text of people: no control characters, nothing that is not well-formed Unicode. */
export const text = (max: number) =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(max, `must have at most ${max} characters`)
    .regex(/^[^\u0000-\u001f\u007f]*$/, 'must not contain control characters')
    .refine((s) => s.isWellFormed(), 'must be well-formed Unicode');

export const instant = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 instant such as 2026-11-20T10:00:00Z' })
  .transform((s) => new Date(s).toISOString())
  // An offset can push a year out of its four digits, and instants are compared as texts.
  .refine((s) => /^\d{4}-/.test(s), 'must lie between the years 0000 and 9999 in UTC');

/** What client code sends when it has no user id; taking these as ids would join strangers. */
const NOT_A_USER = new Set([
  ...['null', 'undefined', 'nil', '(null)', 'NaN', '0', '-1', 'unknown', 'anonymous', 'guest'],
]);

export const appUserId = text(255)
  .refine((s) => !NOT_A_USER.has(s), 'is a placeholder, not an app user id')
  .refine((s) => !s.includes('/'), 'must not contain a slash');

/** An id of ours in a path. One of another kind is simply not found. */
export const id = z.string().max(64);

export const projectParams = z.object({ id });
export const subscriberParams = z.object({ appUserId });

export const limit = z.coerce.number().int().min(1).max(100).default(20);
export const page = z.strictObject({ limit, startingAfter: z.string().max(300).optional() });
export type PageQuery = z.output<typeof page>;
