// Schemas that many responses share. They are strict: a response has no field that its schema does not list. A schema with an `id` is a
// named component of the OpenAPI document.
import { z } from 'zod';

/** Instant in UTC with milliseconds. */
export const time = z.iso.datetime({ precision: 3 });

/** Schema of the response to a deletion. `id` is the ID of the deleted object. */
export function deleted(object: string) {
  return z.strictObject({ object: z.literal(object), id: z.string(), deleted: z.literal(true) });
}

/** Schema of one page of a list. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.strictObject({
    object: z.literal('list'),
    items: z.array(item),
    nextPage: z.string().nullable().meta({ description: 'Path and query of the next page; null on the last one.' }),
    url: z.string(),
  });
}

export const environment = z.enum(['production', 'sandbox']);
export const ownership = z.enum(['purchased', 'family_shared']);

/** JSON object of a user, returned unchanged. */
export const freeObject = z.record(z.string(), z.unknown());
