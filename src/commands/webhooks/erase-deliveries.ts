// Erases sent and pending deliveries about an erased customer: the records, with the responses of receivers, and the bodies. Also forwarded
// store notifications, as far as they led to an event of the customer.
import { replaceRecord, updateRecord } from '../../adapters/documents/records.js';
import type { LogPosition, RecordedEvent } from '../../domain/envelope.js';
import { streams } from '../../domain/streams.js';
import { deliveryBodyCollection, deliveryCollection, deliveryOf } from './deliveries.js';
import type { Deps } from '../handling/deps.js';

const BATCH = 200;

/** `subjects`: customer IDs. Erases only deliveries of events before `until`: a recreated customer keeps the rest. Safe to repeat. */
export async function eraseDeliveries(
  { log, docs }: Pick<Deps, 'log' | 'docs'>,
  projectId: string,
  subjects: readonly string[],
  until: LogPosition,
): Promise<void> {
  for (const subject of subjects) {
    await eraseAll({ docs }, { index: 'customer', eq: [subject], to: until });
    const causes = new Set<string>();
    for await (const event of log.read(streams.subscriber(projectId, subject))) {
      if (event.position < until && isOfStore(event)) causes.add(event.meta.causationId);
    }
    for (const cause of causes) await eraseAll({ docs }, { index: 'cause', eq: [cause] });
  }
}

function isOfStore({ meta }: RecordedEvent): boolean {
  return meta.actor.kind === 'store';
}

async function eraseAll(
  { docs }: Pick<Deps, 'docs'>,
  scan: { readonly index: string; readonly eq: readonly string[]; readonly to?: string },
): Promise<void> {
  for (;;) {
    const { rows } = await docs.scan(deliveryCollection.name, { ...scan, limit: BATCH });
    if (rows.length === 0) return;
    // Erases the body first: without the record it could not be found.
    await eraseBodies({ docs }, [...new Set(rows.map((row) => deliveryOf(row).doc.bodyId))]);
    // A sender may be recording an attempt at the same time.
    await Promise.all(rows.map(({ id }) => updateRecord(docs, deliveryCollection.name, id, () => null)));
  }
}

async function eraseBodies({ docs }: Pick<Deps, 'docs'>, ids: readonly string[]): Promise<void> {
  const c = deliveryBodyCollection.name;
  for (const [id, { guard, doc }] of await docs.get(c, ids)) {
    if (doc !== null) await replaceRecord(docs, c, { id, guard }, null);
  }
}
