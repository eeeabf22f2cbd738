// Opens the worker that sends webhooks.
import type { Logger } from 'pino';
import type { Config } from '../adapters/configuration/config.js';
import type { Outbound } from '../adapters/outbound/port.js';
import type { Deps } from '../commands/handling/deps.js';
import { createAttemptFeed } from '../commands/webhooks/attempts.js';
import type { Live } from '../http/live/live-feeds.js';
import { ensureCheckpoint } from '../workers/reactions/reaction.js';
import { createWebhookWorker } from '../workers/webhooks/webhooks.js';
import { VERSION } from './version.js';

const WEBHOOK_USER_AGENT = `Subledger/${VERSION}`;

type WebhookParts = {
  readonly deps: Deps;
  readonly live: Live;
  readonly outbound: Outbound;
  readonly logger: Logger;
  readonly processId: string;
  readonly isShared: boolean;
};

/** Opens the worker of webhooks, and the feed of its attempts, which the live feeds publish. */
export async function openWebhooks(
  config: Config,
  { deps, live, outbound, logger, processId, isShared }: WebhookParts,
) {
  const { log, docs, runtime } = deps;
  const attempts = createAttemptFeed({ docs, runtime, processId, isShared });
  attempts.watch(live.publishAttempts);
  const webhooks = createWebhookWorker({
    deps,
    senderId: processId,
    onAttempt: attempts.record,
    outbound,
    logger,
    scheduleSeconds: config.WEBHOOK_RETRY_SCHEDULE_SECONDS ?? null,
    userAgent: WEBHOOK_USER_AGENT,
    isSingleProcess: !isShared,
  });
  await ensureCheckpoint(webhooks.fanout, { log, docs, logger });
  return { attempts, webhooks };
}
