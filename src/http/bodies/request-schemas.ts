// Input schemas that several endpoints share. Objects are strict: an unknown field is an error.
import { z } from 'zod';
import { MONTH } from '../../domain/books/report-values.js';
import { isTimeZone } from '../../domain/books/time-zone.js';
import { isCountry, normalizeKosovo, decimalsOf } from '../../domain/values/iso-codes.js';
import { appUserId } from '../../domain/values/user-text.js';
import { jsonObject, type JsonObject, type JsonValue } from '../../domain/values/json-object.js';

export const instant = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 instant such as 2026-11-20T10:00:00Z' })
  .transform((s) => new Date(s).toISOString())
  // An offset can move a year out of four digits, and instants are compared as texts.
  .refine((s) => /^\d{4}-/.test(s), 'must be between the years 0000 and 9999 in UTC');

export const country = z.string().overwrite(normalizeKosovo).refine(isCountry, 'must be an ISO 3166 code such as DE');
export const currency = z.string().refine((c) => decimalsOf(c) !== undefined, 'must be an ISO 4217 code such as USD');

export const timeZone = z.string().max(64).refine(isTimeZone, 'must be a time zone such as Europe/Berlin');

/** Platforms of apps. An app of the ios-store can have any of several. */
const platforms = ['ios', 'android', 'macos', 'tvos', 'watchos', 'visionos', 'web'] as const;
export const platform = z.enum(platforms, { error: `must be one of ${platforms.join(', ')}` });

/** ID of ours in a path. An ID of another kind is not found. */
export const id = z.string().max(64);

export const projectParams = z.object({ id });
export const subscriberParams = z.object({ appUserId });

export const limit = z.coerce.number().int().min(1).max(100).default(20);
export const page = z.strictObject({ limit, startingAfter: z.string().max(300).optional() });
export type PageQuery = z.output<typeof page>;

/** Month of the books, such as `2026-09`. */
export const month = z.string().regex(MONTH, 'must be a month such as 2026-09');

/** Email address in the normal form of `normalEmail`, so that the stored text is the validated one. */
export const emailAddress = z
  .string()
  .normalize('NFKC')
  .trim()
  .toLowerCase()
  .pipe(z.email('must be an email address').max(254));

/** Invitation token. Any text is well-formed: a token that was never issued is unknown. */
export const invitationToken = z.string().min(1, 'must not be empty').max(200, 'must have at most 200 characters');

const MAX_FREE_FORM_DEPTH = 10;
const MAX_FREE_FORM_VALUES = 2000;

/** Schema of free-form JSON of users: any object of at most `maxKiB` in UTF-8, within bounds that keep later readers safe. */
export function freeForm(maxKiB: number) {
  return jsonObject
    .superRefine((value, ctx) => {
      const fault = faultOf(value, maxKiB);
      if (fault !== null) ctx.addIssue({ code: 'custom', message: fault });
    })
    .meta({ type: 'object', description: `Any object of at most ${maxKiB} KiB, ${MAX_FREE_FORM_DEPTH} levels deep.` });
}

function faultOf(value: JsonObject, maxKiB: number): string | null {
  let values = 0;
  let level: readonly JsonValue[] = [value];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_FREE_FORM_DEPTH) return `must not be nested deeper than ${MAX_FREE_FORM_DEPTH} levels`;
    const inner = level.flatMap((v) => (isContainer(v) ? Object.values<JsonValue>(v) : []));
    values += inner.length;
    if (values > MAX_FREE_FORM_VALUES) return `must have at most ${MAX_FREE_FORM_VALUES} values`;
    level = inner.filter(isContainer);
  }
  if (Buffer.byteLength(JSON.stringify(value)) > maxKiB * 1024) return `must have at most ${maxKiB} KiB as JSON`;
  return null;
}

function isContainer(value: JsonValue): value is JsonObject | readonly JsonValue[] {
  return typeof value === 'object' && value !== null;
}
