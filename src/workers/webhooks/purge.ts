// Ends the records of deliveries and their bodies after thirty days. What still waits to be sent stays.
import { removeAll } from '../../adapters/documents/records.js';
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
    gone += await removeAll(docs, c, { index: 'due', eq, to, limit: BATCH }, signal);
  }
  return gone;
}
