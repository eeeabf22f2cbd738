// Attributes as the SDKs send them: with the time of each change. Reserved names that this service does not have are accepted and ignored.
import { z } from 'zod';
import type { AttributeChange } from '../../domain/subscriber/decide/commands.js';
import { attributeChanges, attributesSchema } from '../subscribers/attributes.js';

const sent = z.record(z.string(), z.looseObject({ value: z.string().nullish(), updated_at_ms: z.number().nullish() }));
export const sentAttributes = sent.optional().catch(undefined);
type SentAttributes = z.output<typeof sentAttributes>;

export type AttributeError = { readonly key_name: string; readonly message: string };
export type ReadAttributes = {
  readonly changes: readonly AttributeChange[];
  readonly errors: readonly AttributeError[];
};

/** Valid attributes are set even if others of the same request are not. */
export function readAttributes(attributes: SentAttributes, nowMs: number): ReadAttributes {
  const changes: AttributeChange[] = [];
  const errors: AttributeError[] = [];
  for (const [key, { value = null, updated_at_ms: ms }] of Object.entries(attributes ?? {})) {
    const updatedAtMs = Math.max(0, Math.trunc(ms ?? nowMs));
    const one = attributesSchema.safeParse({ [key]: { value, updatedAtMs: Math.min(updatedAtMs, nowMs) } });
    if (one.success) changes.push(...attributeChanges(one.data, nowMs));
    else if (!key.startsWith('$'))
      errors.push({ key_name: key, message: one.error.issues[0]?.message ?? 'is invalid' });
  }
  return { changes, errors };
}

/** Empty unless there are errors. */
export function attributeErrors(errors: readonly AttributeError[]) {
  return errors.length === 0 ? {} : { attribute_errors: errors };
}
