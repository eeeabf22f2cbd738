// How a response's schema marks the fields that not every caller sees. Dispatch leaves them out; handlers present everything.
import { z } from 'zod';
import { inGroups, type Sight } from '../../domain/values/field-groups.js';

/** An amount, a price, revenue, tax, commission, a share or a total. */
export function money<S extends z.ZodType>(schema: S) {
  return inGroups(schema.optional(), 'money');
}

/** Attributes, and what else people told about themselves. */
export function personal<S extends z.ZodType>(schema: S) {
  return inGroups(schema.optional(), 'personal');
}

/** The words of a store as they were signed, and other texts in which there may be both money and personal data. */
export function moneyAndPersonal<S extends z.ZodType>(schema: S) {
  return inGroups(schema.optional(), 'money', 'personal');
}

/** What opens something, or is about who may. */
export function secret<S extends z.ZodType>(schema: S) {
  return inGroups(schema.optional(), 'secret');
}

/** A text that is another one for each who reads it: a sentence without its amount. As JSON it is the whole. */
export class Worded {
  constructor(readonly seenBy: (sight: Sight) => string) {}
  toJSON(): string {
    return this.seenBy({ money: true, personal: true, secret: true });
  }
}

const WORDED = 'x-worded';
/** The schema of a {@link Worded}. */
export const worded = z.string().meta({ [WORDED]: true });

const EVENT_DATA = 'x-event-data';
/** The schema of an event's data, beside the event's `type`. What of it is left out follows from the event's own schema. */
export const eventData = z.record(z.string(), z.unknown()).meta({ [EVENT_DATA]: true });

export function isWorded(schema: z.ZodType): boolean {
  return schema.meta()?.[WORDED] === true;
}

export function isEventData(schema: z.ZodType): boolean {
  return schema.meta()?.[EVENT_DATA] === true;
}
