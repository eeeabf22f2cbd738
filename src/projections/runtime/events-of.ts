// Narrows a stored event to a family's union, which the family in the stream's name vouches for.
import type { DomainEvent, RecordedEvent } from '../../domain/envelope.js';
import { familyOf, type Family } from '../../domain/streams.js';

/** The event as one of the family's union, or null when its stream is of another family. */
export function ofFamily<E extends DomainEvent>(event: RecordedEvent, family: Family): RecordedEvent<E> | null {
  return familyOf(event.stream) === family ? (event as unknown as RecordedEvent<E>) : null;
}
