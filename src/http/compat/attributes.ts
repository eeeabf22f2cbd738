// Attributes as the SDKs send them: with the time of each change. Reserved names that this service does not have are accepted and ignored.
import { z } from 'zod';
import type { AttributeChange } from '../../domain/subscriber/decide/commands.js';
import { attributeChanges, attributesSchema } from '../subscribers/attributes.js';

const sentAttribute = z.looseObject({ value: z.string().nullish(), updated_at_ms: z.number().nullish() });
/** Each attribute is checked by itself, in {@link readAttributes}. */
export const sentAttributes = z.record(z.string(), z.unknown()).optional().catch(undefined);
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
  for (const [key, attribute] of Object.entries(attributes ?? {})) {
    const sent = sentAttribute.safeParse(attribute);
    const { value = null, updated_at_ms: ms } = sent.data ?? {};
    const updatedAtMs = Math.min(Math.max(0, Math.trunc(ms ?? nowMs)), nowMs);
    const one = sent.success ? attributesSchema.safeParse({ [key]: { value, updatedAtMs } }) : sent;
    if (one.success) changes.push(...attributeChanges({ [key]: { value, updatedAtMs } }, nowMs));
    else if (!key.startsWith('$'))
      errors.push({ key_name: key, message: one.error.issues[0]?.message ?? 'is invalid' });
  }
  return { changes, errors };
}

/** Empty unless there are errors. */
export function attributeErrors(errors: readonly AttributeError[]) {
  return errors.length === 0 ? {} : { attribute_errors: errors };
}
