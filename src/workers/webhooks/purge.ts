// Purges records of deliveries and their bodies after thirty days. Pending deliveries stay, with their bodies.
import type { Row } from '../../adapters/documents/port.js';
import { removeMatching, buildReplacement } from '../../adapters/documents/records.js';
import { deliveriesOf, deliveryBodyCollection, deliveryCollection } from '../../commands/webhooks/deliveries.js';
import type { Deps } from '../../commands/handling/deps.js';
import { isoFromMs } from '../../domain/time.js';

type PurgeDeps = Pick<Deps, 'docs' | 'runtime'>;

const BATCH = 500;
/** Interval after which a body that is still needed is checked again. */
const RECHECK_INTERVAL_MS = 24 * 3600 * 1000;

/** Purges deliveries and bodies; returns the number of removed records. */
export async function purgeDeliveries({ docs, runtime }: PurgeDeps, signal: AbortSignal): Promise<number> {
  const to = isoFromMs(runtime.now());
  const scan = { index: 'due', eq: ['done'], to, limit: BATCH };
  const removed = await removeMatching(docs, deliveryCollection.name, scan, signal);
  return removed + (await purgeBodies({ docs, runtime }, signal));
}

/** Purges bodies. After weeks of downtime, pending deliveries may have bodies older than thirty days. */
async function purgeBodies({ docs, runtime }: PurgeDeps, signal: AbortSignal): Promise<number> {
  const { name: c } = deliveryBodyCollection;
  const now = runtime.now();
  const scan = { index: 'due', eq: [], to: isoFromMs(now), limit: BATCH };
  let removed = 0;
  while (!signal.aborted) {
    const { rows } = await docs.scan(c, scan);
    if (rows.length === 0) break;
    const later = { purgeAt: isoFromMs(now + RECHECK_INTERVAL_MS) };
    const needed = await Promise.all(rows.map((row) => isNeeded({ docs, runtime }, row)));
    const writes = rows.map((row, i) => buildReplacement(c, row, needed[i] ? { ...row.doc, ...later } : null));
    // A record changed at this moment stays, with the others of its batch, until the next round.
    if (signal.aborted || (await docs.write([writes])) === 'lost') break;
    removed += needed.filter((is) => !is).length;
  }
  return removed;
}

async function isNeeded(needs: PurgeDeps, { id, doc }: Row): Promise<boolean> {
  const { causeId } = doc;
  // Bodies of earlier releases do not contain their cause: their age alone decides.
  if (typeof causeId !== 'string') return false;
  const deliveries = await deliveriesOf(needs, causeId);
  return deliveries.some(({ doc: delivery }) => delivery.bodyId === id && delivery.gate !== 'done');
}
