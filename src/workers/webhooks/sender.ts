// Sends the due heads of serial queues, a few at a time per endpoint and tenant. A delivery is claimed by a guarded write before it is
// sent, and its outcome is stored afterwards; after a crash in between it is sent again (at-least-once delivery), never skipped.
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
  type Delivery,
  type StoredDelivery,
} from '../../commands/webhooks/deliveries.js';
import { toPublishedAttempt, type PublishedAttempt } from '../../commands/webhooks/attempts.js';
import { isoFromMs, msFromIso } from '../../domain/time.js';
import { isSuccess, type Schedule } from '../../domain/webhook/schedule.js';
import { attemptDelivery, storeOutcome } from './attempt.js';
import { createEndpointHealthTracker, type EndpointHealthTracker } from './endpoint-health.js';
import { endpointCollection } from './endpoints.js';
import { createDueReader } from './due-reader.js';
import { createQueue } from './queue.js';
import { createEndpointLookups, createTargets, type Targets } from './targets.js';

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
  const health = createEndpointHealthTracker(deps, schedule, logger);
  const queue = createQueue(health.states);
  const reader = createDueReader({ deps, queue, isSingleProcess: o.isSingleProcess, senderId });
  const targets = createTargets(deps);
  const lookups = createEndpointLookups(targets, health, logger);
  const inProgress = new Set<Promise<void>>();
  const counts = { delivered: 0, failed: 0 };
  const stopping = new AbortController();

  const track = (work: Promise<void>): void => {
    const tracked: Promise<void> = work.then(() => void inProgress.delete(tracked));
    inProgress.add(tracked);
  };

  /** Looks up the location of new endpoints in the queue. A failing lookup is retried in the next round. */
  const lookUpEndpoints = (): void => {
    for (const name of queue.assignTenants()) {
      const lookup = lookups.start(name);
      if (lookup) track(lookup.then(sendDue));
    }
  };

  const sendDue = (): void => {
    while (!stopping.signal.aborted) {
      const next = queue.take();
      if (!next) return;
      track(
        continueTrace(next.doc.traceparent, () => processHead(next))
          .catch((err: unknown) => {
            const stack = err instanceof Error ? err.stack : String(err);
            logger.error({ deliveryId: next.id, stack }, 'webhook delivery failed: internal error');
            if (err instanceof Unavailable) void offerAfterOutage(next.id);
          })
          .then(sendDue),
      );
    }
  };

  const offer = (deliveries: readonly StoredDelivery[]): void => {
    for (const one of deliveries) queue.offer(one);
    lookUpEndpoints();
    sendDue();
  };

  const offerAfterOutage = async (id: string): Promise<void> => {
    const reloaded = await reloadAfterOutage(o, id, stopping.signal);
    if (reloaded) offer([reloaded]);
  };

  const onResponse = (head: StoredDelivery): void => {
    queue.free(head);
    sendDue();
  };
  const step = { ...o, health, targets, startedAtMs: deps.runtime.now(), stopping: stopping.signal, onResponse };

  const processHead = async (head: StoredDelivery): Promise<void> => {
    let [isPostponed, isAnotherDue] = [false, true];
    try {
      const { isHead, hasNext } = await reader.readQueuePosition(head);
      const result = isHead ? await processDelivery(step, head) : 'unsent';
      if (result === 'delivered' || result === 'failed') counts[result]++;
      isPostponed = result === 'postponed';
      isAnotherDue = hasNext || !isHead;
    } finally {
      isAnotherDue = queue.finish(head) || isAnotherDue;
    }
    // Not after a failure: during an outage of the records, the same delivery would be retried in a loop.
    if (isPostponed) queue.offer(head);
    else if (isAnotherDue) await reader.offerHead(head);
  };

  return {
    /** Offers deliveries that are due, so that they need not be read. */
    offer,
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
    stop: (): void => stopping.abort(),
    /** Resolves when no delivery is in progress. */
    idle: async (): Promise<void> => {
      while (inProgress.size > 0) await Promise.all(inProgress);
      await health.save();
    },
    /** Returns metrics: attempts by outcome, requests in flight, endpoints with an open circuit. */
    stats: () => ({ ...counts, inFlight: queue.inFlight(), openBreakers: health.openBreakers() }),
  };
}

type Step = SenderDeps & {
  readonly health: EndpointHealthTracker;
  readonly targets: Targets;
  readonly startedAtMs: number;
  readonly stopping: AbortSignal;
  /** Called when the receiver has responded: its place is free before the outcome is stored. */
  readonly onResponse: (head: StoredDelivery) => void;
};

/** Sends the head of a serial queue, or ends or delays it. `postponed`: its endpoint has moved, so it is offered again. */
async function processDelivery(
  step: Step,
  head: StoredDelivery,
): Promise<'delivered' | 'failed' | 'unsent' | 'postponed'> {
  const { deps, health, logger } = step;
  const { docs, runtime } = deps;
  const { projectId, endpointId } = head.doc;
  const put = async (next: Delivery | null) => {
    await replaceDelivery(docs, head, next);
    return 'unsent' as const;
  };
  const target = await step.targets.find(projectId, endpointId);
  if (target === 'gone') return put(null);
  if (target === 'unknown') return put(delayOrFail(step, head.doc));
  const { ref, endpoint, keys } = target;
  if (!endpoint.enabled) return put(endDelivery(head.doc, 'held'));
  if (!(await health.register(ref))) return 'postponed';
  const body = await findSentBody(deps, head.doc);
  if (!body) return put(endDelivery(head.doc, 'failed'));
  const dueAt = isoFromMs(runtime.now() + CLAIM_MS);
  const claimed = await replaceDelivery(docs, head, { ...head.doc, dueAt, claimedBy: step.senderId });
  if (!claimed) return 'unsent';
  const sent = { endpoint, keys, body: body.text, contentType: body.contentType };
  const end = await attemptDelivery({ ...step, runtime }, claimed, sent);
  const { at, ms } = end.attempt;
  await health.recordAttempt(ref, { deliveryId: head.id, atMs: msFromIso(at), ms, outcome: end.outcome });
  step.onResponse(head);
  const after = await retryUntilStored(step, () => storeOutcome(step, claimed, endpoint, end));
  if (endpoint.kind !== 'raw') step.onAttempt?.(toPublishedAttempt(claimed, after, end.attempt));
  logger.debug({ deliveryId: head.id, endpointId, ...end.outcome, ms }, 'delivery attempted');
  return isSuccess(end.outcome) ? 'delivered' : 'failed';
}

/** Returns the delivery to an unknown endpoint: delayed, as the endpoint may be new; failed if it stays unknown. */
function delayOrFail({ deps, logger, startedAtMs }: Step, waiting: Delivery): Delivery {
  const now = deps.runtime.now();
  const waitedMs = now - Math.max(msFromIso(waiting.createdAt), startedAtMs);
  if (waitedMs < MAX_UNKNOWN_MS) return { ...waiting, dueAt: isoFromMs(now + RETRY_UNKNOWN_MS) };
  logger.error({ endpointId: waiting.endpointId }, 'delivery failed: endpoint record missing');
  return endDelivery(waiting, 'failed');
}

/** Stores an outcome, however long it takes: until then the next of its serial queue waits. */
async function retryUntilStored<T>({ deps, stopping }: Step, write: () => Promise<T>): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    try {
      return await write();
    } catch (err) {
      if (!(err instanceof Unavailable) || stopping.aborted) throw err;
      await deps.runtime.sleep(pauseMs);
    }
  }
}

/** Reads a delivery again after an outage. Null unless it is due, or ours by a claim without a response. */
async function reloadAfterOutage(
  { deps, senderId, logger }: SenderDeps,
  id: string,
  stopping: AbortSignal,
): Promise<StoredDelivery | null> {
  for (let pauseMs = FIRST_PAUSE_MS; !stopping.aborted; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    await deps.runtime.sleep(pauseMs);
    try {
      const found = await findDelivery(deps, id);
      const isDue = found?.doc.claimedBy === null && found.doc.dueAt <= isoFromMs(deps.runtime.now());
      return found?.doc.state === 'pending' && (isDue || found.doc.claimedBy === senderId) ? found : null;
    } catch (err) {
      if (err instanceof Unavailable) continue;
      logger.error({ deliveryId: id, err }, 'could not reload delivery');
      return null;
    }
  }
  return null;
}

export const senderCollections = [deliveryCollection, deliveryBodyCollection, endpointCollection];
