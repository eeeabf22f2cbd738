// Ends the records of deliveries and their bodies after thirty days. What still waits to be sent stays, with its body.
import type { Row } from '../../adapters/documents/port.js';
import { removeAll, replacement } from '../../adapters/documents/records.js';
import { deliveriesOf, deliveryBodyCollection, deliveryCollection } from '../../commands/webhooks/deliveries.js';
import type { Deps } from '../../commands/handling/deps.js';
import { isoFromMs } from '../../domain/time.js';

type Needs = Pick<Deps, 'docs' | 'runtime'>;

const BATCH = 500;
/** A body that is still needed is looked at again so much later. */
const AGAIN_MS = 24 * 3600 * 1000;

/** Returns how many records went. */
export async function purgeDeliveries({ docs, runtime }: Needs, signal: AbortSignal): Promise<number> {
  const to = isoFromMs(runtime.now());
  const scan = { index: 'due', eq: ['done'], to, limit: BATCH };
  const gone = await removeAll(docs, deliveryCollection.name, scan, signal);
  return gone + (await purgeBodies({ docs, runtime }, signal));
}

/** A service that was away for weeks finds deliveries that wait with bodies of more than thirty days. */
async function purgeBodies({ docs, runtime }: Needs, signal: AbortSignal): Promise<number> {
  const { name: c } = deliveryBodyCollection;
  const now = runtime.now();
  const scan = { index: 'due', eq: [], to: isoFromMs(now), limit: BATCH };
  let gone = 0;
  while (!signal.aborted) {
    const { rows } = await docs.scan(c, scan);
    if (rows.length === 0) break;
    const later = { purgeAt: isoFromMs(now + AGAIN_MS) };
    const needed = await Promise.all(rows.map((row) => isNeeded({ docs, runtime }, row)));
    const writes = rows.map((row, i) => replacement(c, row, needed[i] ? { ...row.doc, ...later } : null));
    // One that changes at this moment stays, with the others of its batch, until the next time.
    if (signal.aborted || (await docs.write([writes])) === 'lost') break;
    gone += needed.filter((is) => !is).length;
  }
  return gone;
}

async function isNeeded(needs: Needs, { id, doc }: Row): Promise<boolean> {
  const { causeId } = doc;
  // Bodies of earlier releases do not name their cause: they go by their age.
  if (typeof causeId !== 'string') return false;
  const deliveries = await deliveriesOf(needs, causeId);
  return deliveries.some(({ doc: delivery }) => delivery.bodyId === id && delivery.gate !== 'done');
}
