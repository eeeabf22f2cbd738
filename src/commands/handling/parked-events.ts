// Events that a reaction could not handle and has passed: visible, and taken away when they are handled after all.
import type { DocStore } from '../../adapters/documents/port.js';
import { removeRecord } from '../../adapters/documents/records.js';

export const parkedEventCollection = {
  name: 'parked_events',
  indexes: [
    { name: 'reaction', fields: ['reaction', 'position'] },
    { name: 'asked', fields: ['askedAt'] },
  ],
};

export function parkedEventId(reaction: string, eventId: string): string {
  return `${reaction}|${eventId}`;
}

/** Nothing when it is not parked, or when it is written anew at the same moment. */
export async function releaseParkedEvent(docs: DocStore, reaction: string, eventId: string): Promise<void> {
  await removeRecord(docs, parkedEventCollection.name, parkedEventId(reaction, eventId));
}
