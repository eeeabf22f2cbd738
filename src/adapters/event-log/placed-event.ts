// Completes a stored event's text with its place in the log, without parsing it. Runs in the writer thread: imports no schema.
import type { LogPosition, Revision } from '../../domain/envelope.js';

/** `draft` is a JSON object that lacks these two fields. */
export function placedEvent(draft: string, revision: Revision, position: number): string {
  return `{"revision":${revision},"position":"${logPosition(position)}",${draft.slice(1)}`;
}

/** Embedded logs count positions, EventStoreDB counts bytes; 20 digits make string order log order. */
export function logPosition(position: number | bigint): LogPosition {
  return String(position).padStart(20, '0') as LogPosition;
}

export function eventIdIn(text: string): string {
  const { id }: { id: string } = JSON.parse(text);
  return id;
}
