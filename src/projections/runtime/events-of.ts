// Narrows a stored event to the union of its family, which the stream's name determines.
import type { DomainEvent, RecordedEvent } from '../../domain/envelope.js';
import { familyOf, type Family } from '../../domain/streams.js';

/** Returns null if the event's stream is of another family. */
export function ofFamily<E extends DomainEvent>(event: RecordedEvent, family: Family): RecordedEvent<E> | null {
  return familyOf(event.stream) === family ? (event as unknown as RecordedEvent<E>) : null;
}
