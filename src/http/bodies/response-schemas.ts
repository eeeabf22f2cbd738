// Schemas that many responses share. They are strict: a response has no field that its schema does not list. A schema with an `id` is a
// named component of the OpenAPI document. Restricted fields are marked: handlers present everything, and dispatch redacts these fields.
import { z } from 'zod';
import { inGroups, type FieldVisibility } from '../../domain/values/field-groups.js';

/** Instant in UTC with milliseconds. */
export const time = z.iso.datetime({ precision: 3 });

/** Schema of the response to a deletion. `id` is the ID of the deleted object. */
export function deletionOf<const T extends string>(object: T) {
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

/** Marks an amount, a price, revenue, tax, commission, a share or a total. */
export function money<S extends z.ZodType>(schema: S) {
  return inGroups(schema.optional(), 'money');
}

/** Marks attributes and other personal data. */
export function personal<S extends z.ZodType>(schema: S) {
  return inGroups(schema.optional(), 'personal');
}

/** Marks signed content of a store, and other texts that may contain both money and personal data. */
export function moneyAndPersonal<S extends z.ZodType>(schema: S) {
  return inGroups(schema.optional(), 'money', 'personal');
}

/** Marks credentials, and data about access to them. */
export function secret<S extends z.ZodType>(schema: S) {
  return inGroups(schema.optional(), 'secret');
}

/** Text that depends on the visibility of its reader, such as a sentence without its amount. Its JSON is the full text. */
export class RedactableText {
  constructor(readonly textFor: (visibility: FieldVisibility) => string) {}
  toJSON(): string {
    return this.textFor({ money: true, personal: true, secret: true });
  }
}

type ReadonlyFields<T> = T extends readonly (infer E)[]
  ? readonly ReadonlyFields<E>[]
  : T extends object
    ? { readonly [K in keyof T]: ReadonlyFields<T[K]> }
    : T;

/** Body that a schema describes, with its restricted fields: dispatch redacts them. */
export type BodyOf<R extends z.ZodType> = ReadonlyFields<z.input<R>>;

/** Copies the fields of a schema, in its order, from a document and what was added to it. */
export function pickFields<S extends z.ZodObject>(schema: S, source: BodyOf<S>): BodyOf<S> {
  const fields = source as Readonly<Record<string, unknown>>;
  const names = Object.keys(schema.shape).filter((name) => name in fields);
  return Object.fromEntries(names.map((name) => [name, fields[name]])) as typeof source;
}

const REDACTABLE_TEXT = 'x-worded';
/** Schema of a {@link RedactableText}. */
export const redactableText: z.ZodType<string, string | RedactableText> = z.string().meta({ [REDACTABLE_TEXT]: true });

const EVENT_DATA = 'x-event-data';
/** Schema of an event's data in an object that has the event's `type`. The event's own schema determines the redaction. */
export const eventData = z.record(z.string(), z.unknown()).meta({ [EVENT_DATA]: true });

/** Returns a part of a schema, which zod types by its core alone. */
export function schemaPart(part: z.core.$ZodType): z.ZodType {
  if (part instanceof z.ZodType) return part;
  throw new Error(`a schema of the kind ${part._zod.def.type} cannot be read`);
}

export function isRedactableText(schema: z.ZodType): boolean {
  return schema.meta()?.[REDACTABLE_TEXT] === true;
}

export function isEventData(schema: z.ZodType): boolean {
  return schema.meta()?.[EVENT_DATA] === true;
}
