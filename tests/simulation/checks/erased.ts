// Erasure: nothing that was said about a customer before is readable any more, neither in the log with all keys that there are, nor in any
// document, nor in what is kept of webhooks.
import type { RecordedEvent } from '../../../src/domain/envelope.js';
import { customerIdOf, familyOf } from '../../../src/domain/streams.js';
import type { Played } from '../world/played.js';
import type { Reader } from './reader.js';

const CANARY = /canary-[a-z0-9-]+/g;

export async function checkErased(played: Played, { events, sealed }: Reader): Promise<string[]> {
  const found: string[] = [];
  if (sealed.some((event) => JSON.stringify(event.data).includes('canary-') && familyOf(event.stream) !== 'subscriber'))
    found.push('a personal value is in the log unsealed');
  for (const event of sealed)
    if (JSON.stringify(event.data).includes('canary-'))
      found.push(`${event.type} ${event.id} holds a personal value unsealed`);
  const erasures = events.filter((e) => e.type === 'CustomerErased');
  for (const erasure of erasures) {
    const subjects = [
      customerIdOf(erasure.stream),
      ...((erasure.data as { mergedCustomerIds?: string[] }).mergedCustomerIds ?? []),
    ];
    const before = events.filter((e) => isOf(e, subjects) && e.position < erasure.position);
    for (const e of before)
      if (JSON.stringify(e.data).includes('canary-')) found.push(`${e.type} ${e.id} is readable after ${erasure.id}`);
  }
  for (const [c, id, text] of await played.allDocuments())
    for (const value of text.match(CANARY) ?? []) found.push(`${c} ${id} holds ${value} unsealed`);
  return found;
}

function isOf(event: RecordedEvent, subjects: readonly string[]): boolean {
  const family = familyOf(event.stream);
  return (family === 'subscriber' || family === 'activity') && subjects.includes(customerIdOf(event.stream));
}
