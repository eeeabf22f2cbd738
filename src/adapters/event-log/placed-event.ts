// Adds an event's place in the log to its stored text without parsing it. Runs in the writer thread: imports no schema.
import { logPosition, type Revision } from '../../domain/envelope.js';

/** Returns the complete text. `draft` is a JSON object that lacks these two fields. */
export function addPosition(draft: string, revision: Revision, position: number): string {
  return `{"revision":${revision},"position":"${logPosition(position)}",${draft.slice(1)}`;
}

export function readEventId(text: string): string {
  const { id }: { id: string } = JSON.parse(text);
  return id;
}
