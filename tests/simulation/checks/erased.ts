// Checks erasure: no personal value of an erased customer is readable in the log with all existing keys, in any document, or in a stored
// webhook body.
import type { RecordedEvent } from '../../../src/domain/envelope.js';
import { customerIdOf, familyOf } from '../../../src/domain/streams.js';
import type { Played } from '../world/played.js';
import type { Reader } from './reader.js';

const CANARY = /canary-[a-z0-9-]+/g;

export async function checkErased(played: Played, { events, sealed }: Reader): Promise<string[]> {
  const found: string[] = [];
  if (sealed.some((event) => JSON.stringify(event.data).includes('canary-') && familyOf(event.stream) !== 'subscriber'))
    found.push('the log contains an unsealed personal value');
  for (const event of sealed)
    if (JSON.stringify(event.data).includes('canary-'))
      found.push(`${event.type} ${event.id} contains an unsealed personal value`);
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
    for (const value of text.match(CANARY) ?? []) found.push(`${c} ${id} contains ${value} unsealed`);
  return found;
}

function isOf(event: RecordedEvent, subjects: readonly string[]): boolean {
  const family = familyOf(event.stream);
  return (family === 'subscriber' || family === 'activity') && subjects.includes(customerIdOf(event.stream));
}
