// Worker for webhooks and forwarding: the fan-out, a reaction, and the sender, which receives new deliveries from it.
import type { Logger } from 'pino';
import type { Outbound } from '../../adapters/outbound/port.js';
import type { Deps } from '../../commands/handling/deps.js';
import { scheduleOf } from '../../domain/webhook/schedule.js';
import type { Reaction } from '../reactions/reaction.js';
import { superviseRounds } from '../coordination/supervise.js';
import { fanoutReaction } from './fanout.js';
import { purgeDeliveries } from './purge.js';
import { createSender, type Sender, type SenderDeps } from './sender.js';

export type WebhookOptions = {
  readonly deps: Deps;
  readonly outbound: Outbound;
  readonly logger: Logger;
  /** `WEBHOOK_RETRY_SCHEDULE_SECONDS`; null for the default schedule. */
  readonly scheduleSeconds: readonly number[] | null;
  readonly userAgent: string;
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
