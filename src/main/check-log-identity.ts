// Check that the read models belong to the current log. With another log they would never change again, or skip new events.
import type { DocStore } from '../adapters/documents/port.js';
import type { EventLog } from '../adapters/event-log/port.js';
import { IncompleteData } from '../adapters/engine/data-completeness.js';
import { collectionOf, type Projection } from '../projections/runtime/projection.js';
import { checkpointCollection, readCheckpoint } from '../projections/runtime/runner.js';
import type { Serving } from '../projections/rebuild/serving.js';

/** Throws `IncompleteData` when a served read model was built from another log, or from more events than this one has. */
export async function checkLogIdentity(
  { log, docs, serving }: { readonly log: EventLog; readonly docs: DocStore; readonly serving: Serving },
  projections: readonly Projection[],
): Promise<void> {
  await docs.ensure([checkpointCollection]);
  const [identity, head] = await Promise.all([log.identity(), log.head()]);
  for (const projection of projections) {
    const name = collectionOf(await serving.build(projection));
    const { logIdentity, position } = await readCheckpoint(docs, name);
    if (logIdentity !== '' && logIdentity !== identity) {
      throw new IncompleteData(
        `the read model ${name} was built from another event log than the current one. Restore that log, or restore the documents ` +
          'from the backup that belongs to this one.',
      );
    }
    // Only logs in files number their events; in others a reader may be ahead of the last event.
    if (log.local !== null && position > head) {
      throw new IncompleteData(
        `the read model ${name} includes events up to ${Number(position)}, but the log ends at ${Number(head)}: events are missing. ` +
          'Restore a newer log, or the documents from a backup that is not newer than this one.',
      );
    }
  }
}
