// Schema marks of restricted fields. Handlers present everything; dispatch redacts these fields.
import { z } from 'zod';
import { inGroups, type Sight } from '../../domain/values/field-groups.js';

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

/** Text that depends on the sight of its reader, such as a sentence without its amount. Its JSON is the full text. */
export class Worded {
  constructor(readonly seenBy: (sight: Sight) => string) {}
  toJSON(): string {
    return this.seenBy({ money: true, personal: true, secret: true });
  }
}

const WORDED = 'x-worded';
/** Schema of a {@link Worded}. */
export const worded = z.string().meta({ [WORDED]: true });

const EVENT_DATA = 'x-event-data';
/** Schema of an event's data in an object that has the event's `type`. The event's own schema determines the redaction. */
export const eventData = z.record(z.string(), z.unknown()).meta({ [EVENT_DATA]: true });

export function isWorded(schema: z.ZodType): boolean {
  return schema.meta()?.[WORDED] === true;
}

export function isEventData(schema: z.ZodType): boolean {
  return schema.meta()?.[EVENT_DATA] === true;
}
