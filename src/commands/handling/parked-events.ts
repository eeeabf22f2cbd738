// Events that a reaction could not handle and has passed: visible, and taken away when they are handled after all.
import type { DocStore } from '../../adapters/documents/port.js';

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

/** Nothing when it is not parked. */
export async function releaseParkedEvent(docs: DocStore, reaction: string, eventId: string): Promise<void> {
  const { name: c } = parkedEventCollection;
  const id = parkedEventId(reaction, eventId);
  const stored = (await docs.get(c, [id])).get(id);
  if (!stored?.doc) return;
  await docs.write([[{ c, id, expect: stored.guard, guard: String(Number(stored.guard) + 1), doc: null }]]);
}
