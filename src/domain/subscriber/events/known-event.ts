// A subscriber's event as states evolve on it.
import type { KeptUpdate, Late, RecordedEvent } from '../../envelope.js';
import type { SubscriberEvent } from './events.js';

type Marks = { readonly late?: Late; readonly update?: KeptUpdate };

/** Either a decided event with its time, or a stored one. `id` is missing until the event is stored. */
export type Known<E> = E &
  Marks & { readonly id?: string; readonly at?: string; readonly meta?: { readonly at: string } & Marks };
export type KnownSubscriberEvent = Known<SubscriberEvent> | RecordedEvent<SubscriberEvent>;

export function timeOf(event: { at?: string; meta?: { at: string } }): string {
  return event.meta?.at ?? event.at ?? '';
}

/** Returns true for a late event: the `PurchaseHistoryRevised` before it already contains its effect on the state. */
export function isLate(event: KnownSubscriberEvent): boolean {
  return lateOf(event) !== undefined;
}

export function lateOf(event: KnownSubscriberEvent): Late | undefined {
  return event.meta?.late ?? (event as Marks).late;
}

export function updateOf(event: KnownSubscriberEvent): KeptUpdate | undefined {
  return event.meta?.update ?? (event as Marks).update;
}
