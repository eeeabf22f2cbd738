// The form of a subscriber's event to which states are evolved: decided or stored.
import type { ImportedRow, RetainedUpdate, Late, RecordedEvent } from '../../envelope.js';
import type { SubscriberEvent } from './events.js';

type EventMarks = { readonly late?: Late; readonly update?: RetainedUpdate };

/** Either a decided event with its time, or a stored one. `id` is missing until the event is stored. */
export type DecidedOrRecorded<E> = E &
  EventMarks & { readonly id?: string; readonly at?: string; readonly meta?: { readonly at: string } & EventMarks };
export type KnownSubscriberEvent = DecidedOrRecorded<SubscriberEvent> | RecordedEvent<SubscriberEvent>;

export function timeOf(event: { at?: string; meta?: { at: string } }): string {
  return event.meta?.at ?? event.at ?? '';
}

/** Returns true for a late event: the `PurchaseHistoryRevised` before it already contains its effect on the state. */
export function isLate(event: KnownSubscriberEvent): boolean {
  return lateOf(event) !== undefined;
}

export function lateOf(event: KnownSubscriberEvent): Late | undefined {
  return event.meta?.late ?? (event as EventMarks).late;
}

export function updateOf(event: KnownSubscriberEvent): RetainedUpdate | undefined {
  return event.meta?.update ?? (event as EventMarks).update;
}

/** Returns the events with the row of the imported file that they follow from, if there is one. */
export function withImportedRow(events: SubscriberEvent[], importedFrom: ImportedRow | undefined): SubscriberEvent[] {
  return importedFrom ? events.map((event) => ({ ...event, importedFrom })) : events;
}

/** Returns true for a fact that the project's receivers knew before the import, from where it was imported. */
export function isImported({ meta }: Pick<RecordedEvent, 'meta'>): boolean {
  return meta.actor.kind === 'import' || meta.importedFrom !== undefined;
}
