// Ends the records of deliveries and their bodies after thirty days. What still waits to be sent stays.
import type { Write } from '../../adapters/documents/port.js';
import { deliveryBodyCollection, deliveryCollection } from '../../commands/webhooks/deliveries.js';
import type { Deps } from '../../commands/handling/deps.js';
import { isoFromMs } from '../../domain/time.js';

const BATCH = 500;

/** Returns how many records went. */
export async function purgeDeliveries({ docs, runtime }: Pick<Deps, 'docs' | 'runtime'>, signal: AbortSignal) {
  const to = isoFromMs(runtime.now());
  let gone = 0;
  for (const { c, eq } of [
    { c: deliveryCollection.name, eq: ['done'] },
    { c: deliveryBodyCollection.name, eq: [] },
  ]) {
    for (;;) {
      const { rows } = await docs.scan(c, { index: 'due', eq, to, limit: BATCH });
      if (rows.length === 0 || signal.aborted) break;
      const writes = rows.map((row): Write => ({
        c,
        id: row.id,
        expect: row.guard,
        guard: String(Number(row.guard) + 1),
        doc: null,
      }));
      // One that is sent again at this moment stays, with the others of its batch, until the next time.
      if ((await docs.write([writes])) === 'lost') break;
      gone += rows.length;
    }
  }
  return gone;
}
