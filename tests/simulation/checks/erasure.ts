// Checks erasure: no personal value of an erased customer is readable in the log with all existing keys, in any document, or in a stored
// webhook body.
import { deliveryBodyCollection } from '../../../src/commands/webhooks/deliveries.js';
import type { RecordedEvent } from '../../../src/domain/envelope.js';
import { customerIdOf, familyOf } from '../../../src/domain/streams.js';
import type { Simulation } from '../scenario/simulation.js';
import type { StoredData } from './stored-data.js';

const CANARY = /canary-[a-z0-9-]+/g;

export async function checkErasure(simulation: Simulation, { events, encrypted }: StoredData): Promise<string[]> {
  const findings: string[] = [];
  if (
    encrypted.some((event) => JSON.stringify(event.data).includes('canary-') && familyOf(event.stream) !== 'subscriber')
  )
    findings.push('the log contains an unsealed personal value');
  for (const event of encrypted)
    if (JSON.stringify(event.data).includes('canary-'))
      findings.push(`${event.type} ${event.id} contains an unsealed personal value`);
  const { rows: bodies } = await simulation.docs.scan(deliveryBodyCollection.name, {
    index: 'due',
    eq: [],
    limit: 100_000,
  });
  const erasures = events.filter((e) => e.type === 'CustomerErased');
  for (const erasure of erasures) {
    const subjects = [
      customerIdOf(erasure.stream),
      ...((erasure.data as { mergedCustomerIds?: string[] }).mergedCustomerIds ?? []),
    ];
    const before = events.filter((e) => belongsTo(e, subjects) && e.position < erasure.position);
    for (const e of before)
      if (JSON.stringify(e.data).includes('canary-'))
        findings.push(`${e.type} ${e.id} is readable after ${erasure.id}`);
    const causes = new Set(
      before.flatMap(({ id, meta }) => [id, ...(meta.actor.kind === 'store' ? [meta.causationId] : [])]),
    );
    for (const { id, doc } of bodies)
      if (causes.has(String(doc['causeId']))) findings.push(`${id}, a webhook body, is there after ${erasure.id}`);
  }
  for (const [c, id, text] of await simulation.allDocuments())
    for (const value of text.match(CANARY) ?? []) findings.push(`${c} ${id} contains ${value} unsealed`);
  return findings;
}

function belongsTo(event: RecordedEvent, subjects: readonly string[]): boolean {
  const family = familyOf(event.stream);
  return (family === 'subscriber' || family === 'activity') && subjects.includes(customerIdOf(event.stream));
}
