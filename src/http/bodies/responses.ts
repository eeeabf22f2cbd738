// Parts that many responses share. Responses are described as strictly as they are made: what a schema does not name, no response carries.
// A schema with an `id` is a named component of the OpenAPI document.
import { z } from 'zod';

/** Instants of responses: UTC with milliseconds. */
export const time = z.iso.datetime({ precision: 3 });

/** The response of a deletion. `id` is that of what is gone. */
export function deleted(object: string) {
  return z.strictObject({ object: z.literal(object), id: z.string(), deleted: z.literal(true) });
}

/** A page of items. `nextPage` is a path to ask for the next one; null on the last. */
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

/** What users hand over and get back as it was. */
export const freeObject = z.record(z.string(), z.unknown());
