// A subscriber's fact as states evolve on it.
import type { RecordedEvent } from '../envelope.js';
import type { SubscriberEvent } from './events.js';

/** Either a decided event with its time, or a stored one. */
export type Known<E> = E & { readonly at?: string; readonly meta?: { readonly at: string } };
export type KnownSubscriberEvent = Known<SubscriberEvent> | RecordedEvent<SubscriberEvent>;

export function timeOf(event: { at?: string; meta?: { at: string } }): string {
  return event.meta?.at ?? event.at ?? '';
}
