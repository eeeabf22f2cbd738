// Sends the due heads of serial queues, a few at a time per endpoint and tenant. A delivery is claimed by a guarded write before it is
// sent, and its outcome is stored afterwards; after a crash in between it is sent again (at-least-once delivery), never skipped.
import { commandIds } from '../../commands/handling/command-ids.js';
import type { Logger } from 'pino';
import { Unavailable } from '../../domain/errors.js';
import type { Outbound } from '../../adapters/outbound/port.js';
import { continueTrace } from '../../adapters/tracing/spans.js';
import type { Deps } from '../../commands/handling/deps.js';
import {
  deliveryBodyCollection,
  deliveryCollection,
  endDelivery,
  findDelivery,
  findSentBody,
  replaceDelivery,
  withAttempt,
  type Delivery,
  type StoredDelivery,
} from '../../commands/webhooks/deliveries.js';
import { toPublishedAttempt, type PublishedAttempt } from '../../commands/webhooks/attempts.js';
import { recordWebhookDecision } from '../../commands/webhooks/webhooks.js';
import { isoFromMs, msFromIso } from '../../domain/time.js';
import { isSuccess, type Schedule } from '../../domain/webhook/schedule.js';
import { scheduleRetry, attemptDelivery, type AttemptResult } from './attempt.js';
import { createEndpointHealthTracker } from './endpoint-health.js';
import { endpointCollection, type Endpoint } from './endpoints.js';
import { createDueReader } from './due-reader.js';
import { createQueue, type EndpointName } from './queue.js';
import { createTargets } from './targets.js';

export type SenderDeps = {
  readonly deps: Deps;
  readonly outbound: Outbound;
  readonly logger: Logger;
  readonly schedule: Schedule;
  readonly userAgent: string;
  readonly senderId: string;
  /** True when no other process sends: deliveries claimed at start were claimed by a former process. */
  readonly isSingleProcess: boolean;
  /** Called with each attempt at a webhook after it is stored. */
  readonly onAttempt?: ((attempted: PublishedAttempt) => void) | undefined;
};

const CLAIM_MS = 60_000;
const RETRY_UNKNOWN_MS = 2000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 2000;
/** Time after which a delivery fails if the fan-out has not found its endpoint: the record is then lost. */
const MAX_UNKNOWN_MS = 3_600_000;

export type Sender = ReturnType<typeof createSender>;

export function createSender(o: SenderDeps) {
  const { deps, logger, schedule, senderId } = o;
  const { docs, runtime } = deps;
  const health = createEndpointHealthTracker(deps, schedule, logger);
  const queue = createQueue(health.states);
  const reader = createDueReader({ deps, queue, isSingleProcess: o.isSingleProcess, senderId });
  const targets = createTargets(deps);
  const inProgress = new Set<Promise<void>>();
  const lookups = new Set<string>();
  const counts = { delivered: 0, failed: 0 };
  const startedAtMs = runtime.now();
  let isStopping = false;

  const track = (work: Promise<void>): void => {
    const tracked: Promise<void> = work.then(() => void inProgress.delete(tracked));
    inProgress.add(tracked);
  };

  /** Looks up the location of new endpoints in the queue. A failing lookup is retried in the next round. */
  const lookUpEndpoints = (): void => {
    for (const name of queue.assignTenants()) {
      const { endpointId } = name;
      if (lookups.has(endpointId)) continue;
      lookups.add(endpointId);
      const failed = (err: unknown) => logger.error({ endpointId, err }, 'could not look up webhook endpoint');
      track(
        registerEndpoint(name)
          .catch(failed)
          .then(() => {
            lookups.delete(endpointId);
            sendDue();
          }),
      );
    }
  };

  const registerEndpoint = async ({ projectId, endpointId }: EndpointName): Promise<void> => {
    const target = await targets.find(projectId, endpointId);
    if (typeof target === 'string') health.locate(endpointId, { tenantId: projectId, host: endpointId });
    else await health.register(target.ref);
  };

  const sendDue = (): void => {
    while (!isStopping) {
      const next = queue.take();
      if (!next) return;
      track(
        continueTrace(next.doc.traceparent, () => processHead(next))
          .catch((err: unknown) => {
            const stack = err instanceof Error ? err.stack : String(err);
            logger.error({ deliveryId: next.id, stack }, 'webhook delivery failed: internal error');
            if (err instanceof Unavailable) void reloadAfterOutage(next.id);
          })
          .then(sendDue),
      );
    }
  };

  /** Reloads a delivery after an outage and offers it if it is due, or if it is ours by a claim without a response. */
  const reloadAfterOutage = async (id: string): Promise<void> => {
    for (let pauseMs = FIRST_PAUSE_MS; !isStopping; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
      await runtime.sleep(pauseMs);
      try {
        const found = await findDelivery(deps, id);
        const isDue = found?.doc.claimedBy === null && found.doc.dueAt <= isoFromMs(runtime.now());
        if (found?.doc.state !== 'pending' || !(isDue || found.doc.claimedBy === senderId)) return;
        queue.offer(found);
        lookUpEndpoints();
        return sendDue();
      } catch (err) {
        if (!(err instanceof Unavailable))
          return void logger.error({ deliveryId: id, err }, 'could not reload delivery');
      }
    }
  };

  /** Stores an outcome, however long it takes: until then the next of its serial queue waits. */
  const retryUntilStored = async <T>(write: () => Promise<T>): Promise<T> => {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
      try {
        return await write();
      } catch (err) {
        if (!(err instanceof Unavailable) || isStopping) throw err;
        await runtime.sleep(pauseMs);
      }
    }
  };

  const processHead = async (head: StoredDelivery): Promise<void> => {
    let [isPostponed, isAnotherDue] = [false, true];
    try {
      const { isHead, hasNext } = await reader.readQueuePosition(head);
      if (isHead) isPostponed = (await processDelivery(head)) === 'postponed';
      isAnotherDue = hasNext || !isHead;
    } finally {
      isAnotherDue = queue.finish(head) || isAnotherDue;
    }
    // Not after a failure: during an outage of the records, the same delivery would be retried in a loop.
    if (isPostponed) queue.offer(head);
    else if (isAnotherDue) await reader.offerHead(head);
  };

  const processDelivery = async (head: StoredDelivery): Promise<'postponed' | 'done'> => {
    const { projectId, endpointId } = head.doc;
    const put = async (next: Delivery | null) => {
      await replaceDelivery(docs, head, next);
      return 'done' as const;
    };
    const target = await targets.find(projectId, endpointId);
    if (target === 'gone') return put(null);
    if (target === 'unknown') return put(delayOrFail(head.doc));
    const { ref, endpoint, keys } = target;
    if (!endpoint.enabled) return put(endDelivery(head.doc, 'held'));
    if (!(await health.register(ref))) return 'postponed';
    const body = await findSentBody(deps, head.doc);
    if (!body) return put(endDelivery(head.doc, 'failed'));
    const dueAt = isoFromMs(runtime.now() + CLAIM_MS);
    const claimed = await replaceDelivery(docs, head, { ...head.doc, dueAt, claimedBy: senderId });
    if (!claimed) return 'done';
    const end = await attemptDelivery({ ...o, runtime }, claimed, {
      endpoint,
      keys,
      body: body.text,
      contentType: body.contentType,
    });
    const { at, ms } = end.attempt;
    await health.recordAttempt(ref, { deliveryId: head.id, atMs: msFromIso(at), ms, outcome: end.outcome });
    queue.free(head);
    sendDue();
    const after = await retryUntilStored(() => storeOutcome(claimed, endpoint, end));
    if (endpoint.kind !== 'raw') o.onAttempt?.(toPublishedAttempt(claimed, after, end.attempt));
    counts[isSuccess(end.outcome) ? 'delivered' : 'failed']++;
    logger.debug({ deliveryId: head.id, endpointId, ...end.outcome, ms }, 'delivery attempted');
    return 'done';
  };

  const storeOutcome = async (
    claimed: StoredDelivery,
    { kind }: Endpoint,
    { outcome, attempt }: AttemptResult,
  ): Promise<Delivery> => {
    const tried = withAttempt(claimed.doc, attempt);
    const put = async (next: Delivery) => {
      await replaceDelivery(docs, claimed, next);
      return next;
    };
    if (isSuccess(outcome)) return put(endDelivery(tried, 'delivered'));
    if (outcome.status !== 410 || kind === 'raw') return put(scheduleRetry(tried, outcome, { schedule, runtime }));
    const { projectId, endpointId: webhookId } = claimed.doc;
    const command = { kind: 'disable' as const, cause: 'gone' as const };
    await recordWebhookDecision(
      deps,
      { projectId, webhookId },
      command,
      commandIds.webhookGone(claimed.id, attempt.at),
    );
    return put(endDelivery(tried, 'held'));
  };

  /** Returns the delivery to an unknown endpoint: delayed, as the endpoint may be new; failed if it stays unknown. */
  const delayOrFail = (waiting: Delivery): Delivery => {
    const now = runtime.now();
    const waitedMs = now - Math.max(msFromIso(waiting.createdAt), startedAtMs);
    if (waitedMs < MAX_UNKNOWN_MS) return { ...waiting, dueAt: isoFromMs(now + RETRY_UNKNOWN_MS) };
    logger.error({ endpointId: waiting.endpointId }, 'delivery failed: endpoint record missing');
    return endDelivery(waiting, 'failed');
  };

  return {
    /** Offers deliveries that are due, so that they need not be read. */
    offer: (deliveries: readonly StoredDelivery[]): void => {
      for (const one of deliveries) queue.offer(one);
      lookUpEndpoints();
      sendDue();
    },
    /** Invalidates the cached target of an endpoint that has changed. */
    invalidateEndpoint: targets.invalidate,
    /** Reads due deliveries and starts to send them. */
    round: async (): Promise<void> => {
      await reader.readDue();
      queue.unblockAll();
      lookUpEndpoints();
      sendDue();
      await health.save();
    },
    /** Starts no more deliveries. */
    stop: (): void => void (isStopping = true),
    /** Resolves when no delivery is in progress. */
    idle: async (): Promise<void> => {
      while (inProgress.size > 0) await Promise.all(inProgress);
      await health.save();
    },
    /** Returns metrics: attempts by outcome, requests in flight, endpoints with an open circuit. */
    stats: () => ({ ...counts, inFlight: queue.inFlight(), openBreakers: health.openBreakers() }),
  };
}

export const senderCollections = [deliveryCollection, deliveryBodyCollection, endpointCollection];
