// Parked events: a reaction failed to process them and continued. They are listed until a retry succeeds.
import { storedStreamName } from '../../domain/streams.js';
import type { Doc, DocStore } from '../../adapters/documents/port.js';
import { collectRows, removeRecord } from '../../adapters/documents/records.js';
import type { StreamName } from '../../domain/envelope.js';

/** Stored name of the ISO time of a pending retry request; empty without one. An index contains it, so that every stored record must have it. */
export const RETRY_REQUEST_FIELD = 'askedAt';

export const parkedEventCollection = {
  name: 'parked_events',
  indexes: [
    { name: 'reaction', fields: ['reaction', 'position'] },
    { name: 'retry', fields: [RETRY_REQUEST_FIELD] },
  ],
};

export function parkedEventId(reaction: string, eventId: string): string {
  return `${reaction}|${eventId}`;
}

/** Does nothing when the event is not parked, or when its record is rewritten at the same moment. */
export async function releaseParkedEvent(docs: DocStore, reaction: string, eventId: string): Promise<void> {
  await removeRecord(docs, parkedEventCollection.name, parkedEventId(reaction, eventId));
}

/** `error`: first line of the error. */
export type ParkedEventSummary = { readonly stream: StreamName; readonly eventId: string; readonly error: string };

const PAGE = 500;

/** Returns all events that a reaction has parked, oldest first. */
export async function parkedBy(docs: DocStore, reaction: string): Promise<readonly ParkedEventSummary[]> {
  const scan = { index: 'reaction', eq: [reaction], limit: PAGE };
  const rows = await collectRows(scan, (page) => docs.scan(parkedEventCollection.name, page));
  return rows.map(({ doc }) => parkedOf(doc));
}

/** Returns which of these events a reaction has parked, by event id. */
export async function filterParked(
  docs: DocStore,
  reaction: string,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, ParkedEventSummary>> {
  const ids = eventIds.map((id) => parkedEventId(reaction, id));
  if (ids.length === 0) return new Map();
  const stored = [...(await docs.get(parkedEventCollection.name, ids)).values()];
  return new Map(stored.flatMap(({ doc }) => (doc ? [[String(doc['eventId']), parkedOf(doc)] as const] : [])));
}

function parkedOf(doc: Doc): ParkedEventSummary {
  const [error = ''] = String(doc['error'] ?? '').split('\n');
  return { stream: storedStreamName(String(doc['stream'])), eventId: String(doc['eventId']), error };
}
