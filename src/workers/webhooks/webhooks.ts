// Worker for webhooks and forwarding: the fan-out, a reaction, and the sender, which receives new deliveries from it.
import type { Logger } from 'pino';
import type { Outbound } from '../../adapters/outbound/port.js';
import type { Deps } from '../../commands/handling/deps.js';
import { scheduleOf } from '../../domain/webhook/schedule.js';
import type { Reaction } from '../reactions/reaction.js';
import { superviseRounds } from '../coordination/supervise.js';
import { fanoutReaction } from './fanout.js';
import { createSender, type Sender, type SenderDeps } from './sender.js';
import type { Row } from '../../adapters/documents/port.js';
import { removeMatching, buildReplacement } from '../../adapters/documents/records.js';
import { deliveriesOf, deliveryBodyCollection, deliveryCollection } from '../../commands/webhooks/deliveries.js';
import { isoFromMs } from '../../domain/time.js';

export type WebhookOptions = {
  readonly deps: Deps;
  readonly outbound: Outbound;
  readonly logger: Logger;
  /** `WEBHOOK_RETRY_SCHEDULE_SECONDS`; null for the default schedule. */
  readonly scheduleSeconds: readonly number[] | null;
  readonly userAgent: string;
  /** Id of this process, by which it claims deliveries. */
  readonly senderId: string;
  readonly isSingleProcess: boolean;
  readonly onAttempt?: SenderDeps['onAttempt'];
};

export type WebhookWorker = {
  readonly fanout: Reaction;
  readonly sender: Sender;
  /** Runs until the signal aborts; deliveries in flight are finished first. */
  run(signal: AbortSignal): Promise<void>;
};

const ROUND_INTERVAL_MS = 500;
const PURGE_INTERVAL_MS = 3_600_000;

export function createWebhookWorker(o: WebhookOptions): WebhookWorker {
  const { deps, logger } = o;
  const { runtime } = deps;
  const sender = createSender({ ...o, schedule: scheduleOf(o.scheduleSeconds) });
  let purgeAt = 0;
  return {
    fanout: fanoutReaction(deps, sender.offer, sender.invalidateEndpoint),
    sender,
    run: async (signal) => {
      await superviseRounds('sender', ROUND_INTERVAL_MS, { runtime, logger }, signal, async () => {
        await sender.round();
        if (runtime.now() >= purgeAt) {
          purgeAt = runtime.now() + PURGE_INTERVAL_MS;
          await purgeDeliveries(deps, signal);
        }
      });
      sender.stop();
      await sender.idle();
    },
  };
}

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
