// Queries about a stored notification and its result, and retry on request.
import { readRecord } from '../../../adapters/documents/records.js';
import { Rejection, StoreFault } from '../../../domain/errors.js';
import { stateOfOutcome, type NotificationState, type Outcome } from '../../../domain/inbox/inbox.js';
import { streams } from '../../../domain/streams.js';
import type { Deps } from '../../handling/deps.js';
import { filterParked } from '../../handling/parked-events.js';
import type { StoredNotification } from '../store-integration.js';
import type { StoreDeps } from '../store-integration.js';
import { storeTaskCollection, DUE_WITH_CREDENTIALS } from '../tasks.js';
import { INBOX_REACTION, isProcessed, processNotification } from './inbox.js';
import { reprocessOne } from './reprocess.js';
import { releaseParkedEvent } from '../../handling/parked-events.js';
import { readStream } from '../../../adapters/event-log/port.js';

/** Result of {@link finished} processing, if any. */
type ProcessingResult = { readonly at: string; readonly outcome: Outcome; readonly reason: string | null };

export type NotificationDetails = {
  readonly received: StoredNotification;
  readonly state: NotificationState;
  /** Result; null while it is not processed. */
  readonly finished: ProcessingResult | null;
  readonly customerId: string | null;
  readonly eventIds: readonly string[];
  /** Error of our own code; null unless the notification is parked. */
  readonly error: string | null;
  /** Time of the next attempt at its store; null if none is scheduled. */
  readonly nextAttemptAt: string | null;
  readonly waitsForCredentials: boolean;
};

/** Returns null when the project has no such notification. */
export async function findNotification(
  deps: Pick<Deps, 'log' | 'docs'>,
  projectId: string,
  inboxId: string,
): Promise<NotificationDetails | null> {
  let received: StoredNotification | null = null;
  let finished: ProcessingResult | null = null;
  let customerId: string | null = null;
  const eventIds: string[] = [];
  for await (const event of readStream(deps.log, streams.inboxOf(inboxId))) {
    if (event.type === 'StoreNotificationReceived') received ??= event;
    if (event.type !== 'StoreNotificationProcessed' && event.type !== 'StoreNotificationReprocessed') continue;
    const { outcome, eventIds: newIds } = event.data;
    const { reason = null, customerId: affectedId = null } =
      event.type === 'StoreNotificationProcessed' ? event.data : {};
    finished = { at: event.meta.recordedAt, outcome, reason };
    customerId ??= affectedId;
    eventIds.push(...newIds);
  }
  if (received?.meta.projectId !== projectId) return null;
  const waits = finished === null ? await findWaitReason(deps, received) : { error: null, dueAt: null };
  const { error, dueAt } = waits;
  const waitsForCredentials = dueAt === DUE_WITH_CREDENTIALS;
  return {
    ...{ received, finished, customerId, eventIds, error, waitsForCredentials },
    state: finished ? stateOfOutcome(finished.outcome) : error === null ? 'waiting' : 'parked',
    nextAttemptAt: waitsForCredentials ? null : dueAt,
  };
}

async function findWaitReason({ docs }: Pick<Deps, 'docs'>, { id, data }: StoredNotification) {
  const parked = (await filterParked(docs, INBOX_REACTION, [id])).get(id);
  const { doc } = await readRecord(docs, storeTaskCollection.name, `n|${data.inboxId}`);
  return { error: parked?.error ?? null, dueAt: typeof doc?.['dueAt'] === 'string' ? doc['dueAt'] : null };
}

/**
 * Processes it: for the first time, or again with the translator of this version, which adds missing events and duplicates none. Throws
 * {@link Rejection} `not-now` where its store refuses, `Unavailable` where it is unavailable, and errors of our own code.
 */
export async function retryNotification(deps: StoreDeps, received: StoredNotification): Promise<void> {
  try {
    if (await isProcessed(deps, received)) await reprocessOne(deps, received);
    else await processNotification(deps, received);
  } catch (err) {
    if (!(err instanceof StoreFault)) throw err;
    throw new Rejection('conflict', 'not-now', `the notification cannot be processed now: ${err.message}`);
  }
  await releaseParkedEvent(deps.docs, INBOX_REACTION, received.id);
}
