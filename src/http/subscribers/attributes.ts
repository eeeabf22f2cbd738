// Schema of subscriber attributes: allowed keys and values.
import { z } from 'zod';
import { isAttributeName, isPrototypeName, MAX_ATTRIBUTE_LENGTH } from '../../domain/subscriber/attribute-rules.js';
import type { AttributeChange } from '../../domain/subscriber/decide/commands.js';
import { isoFromMs } from '../../domain/time.js';

/** Attributes of one request. */
export const MAX_ATTRIBUTES = 100;
const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/;

const key = z
  .string()
  .refine(
    isAttributeName,
    'is not an attribute name; use a letter, then up to 39 letters, digits, _ or -, or a reserved name such as $email',
  )
  .refine((k) => !isPrototypeName(k), 'is not allowed as an attribute name');
const value = z
  .string()
  .max(MAX_ATTRIBUTE_LENGTH, `must have at most ${MAX_ATTRIBUTE_LENGTH} characters`)
  .refine((s) => s.isWellFormed(), 'must be well-formed Unicode')
  .nullable();
const datedValue = z.strictObject({ value, updatedAtMs: z.int().min(0).max(4_102_444_800_000) });

/** Returns undefined for a text or a dated value, whose own findings are reported instead. */
function typeFaultOf(input: unknown): string | undefined {
  if (typeof input === 'string') return 'must have at most 500 characters of well-formed Unicode';
  const isDated = typeof input === 'object' && input !== null && ('value' in input || 'updatedAtMs' in input);
  return isDated ? undefined : 'must be a string or null';
}

const attributes = z
  .record(key, z.union([value, datedValue], { error: ({ input }) => typeFaultOf(input) }))
  .superRefine((all, ctx) => {
    const email = all['$email'];
    const address = typeof email === 'object' ? email?.value : email;
    if (address != null && address !== '' && !EMAIL.test(address)) {
      ctx.addIssue({ code: 'custom', path: ['$email'], message: 'must look like an email address' });
    }
  });

/** `z.record` silently drops this name. */
const hasProto = (all: unknown) => typeof all === 'object' && all !== null && Object.hasOwn(all, '__proto__');

/** Checked first: each invalid attribute costs time, and a body could have a hundred thousand. */
const isSmall = (all: unknown) => typeof all !== 'object' || all === null || Object.keys(all).length <= MAX_ATTRIBUTES;

export const attributesSchema = z
  .unknown()
  .refine(isSmall, { message: `at most ${MAX_ATTRIBUTES} attributes at a time`, abort: true })
  .refine((all) => !hasProto(all), '__proto__ is not allowed as an attribute name')
  .meta(z.toJSONSchema(attributes, { io: 'input' }) as { type: 'object' })
  .pipe(attributes);

/** Converts the input to changes. `null` and `""` delete. A value without its own time was set now; times in the future count as now. */
export function attributeChanges(attributes: z.output<typeof attributesSchema>, nowMs: number): AttributeChange[] {
  const receivedAt = isoFromMs(nowMs);
  return Object.entries(attributes).map(([name, one]) => {
    const [text, ms] = typeof one === 'object' && one !== null ? [one.value, one.updatedAtMs] : [one, nowMs];
    const updatedAt = isoFromMs(Math.min(ms, nowMs));
    return { key: name, value: text === '' ? null : text, updatedAt, receivedAt };
  });
}
