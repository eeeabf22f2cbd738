// Feed of delivery attempts: immediate in the process that made them, within two seconds in others, which read the newest attempts of each
// process from one document. The deliveries themselves contain every attempt and are authoritative.
import { removeRecord, updateRecord, recordsNamed, scanRecords } from '../../adapters/documents/records.js';
import type { DocStore } from '../../adapters/documents/port.js';
import type { Runtime } from '../../adapters/runtime.js';
import { isoFromMs } from '../../domain/time.js';
import type { Attempt, Delivery, StoredDelivery } from './deliveries.js';

/** One document per sending process, by process id. */
export const newestAttemptCollection = {
  name: recordsNamed<NewestAttempts>('newest_attempts'),
  indexes: [{ name: 'written', fields: ['writtenAt'] }],
};
type NewestAttempts = {
  readonly writtenAt: string;
  /** Number of attempts of the process so far. */
  readonly attemptCount: number;
  readonly attempts: readonly PublishedAttempt[];
};
const { name: c } = newestAttemptCollection;

export type PublishedAttempt = Pick<
  Delivery,
  'projectId' | 'eventId' | 'causeId' | 'type' | 'customerId' | 'state' | 'createdAt'
> & {
  readonly deliveryId: string;
  readonly webhookId: string;
  readonly attempt: Pick<Attempt, 'at' | 'ms' | 'status' | 'errorCode'>;
};

export type AttemptFeed = {
  /** Reports an attempt of this process. */
  record(attempted: PublishedAttempt): void;
  /** Sets the listener for attempts of this process and of others. */
  watch(onAttempts: (attempts: readonly PublishedAttempt[]) => void): void;
  /** Runs one round, about once a second where several processes share a store. `isWatched`: reads the attempts of others too. */
  exchange(isWatched: boolean): Promise<void>;
};

export type AttemptFeedDeps = {
  readonly docs: DocStore;
  readonly runtime: Pick<Runtime, 'now'>;
  readonly processId: string;
  readonly isShared: boolean;
};

/** Maximum of published attempts, more than a process makes in a few seconds; a slower poll misses the oldest of a burst. */
const MAX_RETAINED = 500;
const RETENTION_MS = 3_600_000;
const MAX_PROCESSES = 100;

export function createAttemptFeed({ docs, runtime, processId, isShared }: AttemptFeedDeps): AttemptFeed {
  let notify = (_attempts: readonly PublishedAttempt[]): void => undefined;
  let newest: readonly PublishedAttempt[] = [];
  let published = 0;
  let savedCount = 0;
  /** Number of attempts seen of each other process; null if there was no scan since the last watcher. */
  let countsByProcess: ReadonlyMap<string, number> | null = null;

  const write = async (): Promise<void> => {
    if (published === savedCount) return;
    const [count, attempts] = [published, newest];
    const doc = { writtenAt: isoFromMs(runtime.now()), attemptCount: count, attempts };
    await updateRecord(docs, c, processId, () => doc);
    savedCount = count;
    await deleteOldDocuments();
  };
  const deleteOldDocuments = async (): Promise<void> => {
    const to = isoFromMs(runtime.now() - RETENTION_MS);
    const { rows } = await docs.scan(c, { index: 'written', eq: [], to, limit: MAX_PROCESSES });
    for (const { id } of rows) if (id !== processId) await removeRecord(docs, c, id);
  };
  const poll = async (): Promise<void> => {
    const { rows } = await scanRecords(docs, c, { index: 'written', eq: [], limit: MAX_PROCESSES, reverse: true });
    const before = countsByProcess;
    countsByProcess = new Map(rows.map(({ id, doc }) => [id, doc.attemptCount]));
    if (before === null) return;
    for (const { id, doc } of rows) {
      const fresh = doc.attemptCount - (before.get(id) ?? 0);
      if (id !== processId && fresh > 0) notify(doc.attempts.slice(-fresh));
    }
  };

  return {
    record: (attempted) => {
      notify([attempted]);
      if (!isShared) return;
      published++;
      newest = [...newest, attempted].slice(-MAX_RETAINED);
    },
    watch: (onAttempts) => {
      notify = onAttempts;
    },
    exchange: async (isWatched) => {
      await write();
      if (isWatched) await poll();
      else countsByProcess = null;
    },
  };
}

/** Returns the published fields of an attempt: nothing of the request or the response. */
export function toPublishedAttempt(
  { id }: Pick<StoredDelivery, 'id'>,
  after: Delivery,
  attempt: Attempt,
): PublishedAttempt {
  const { projectId, endpointId: webhookId, eventId, causeId, type, customerId, state, createdAt } = after;
  const { at, ms, status, errorCode } = attempt;
  const delivery = { projectId, webhookId, eventId, causeId, type, customerId, state, createdAt };
  return { ...delivery, deliveryId: id, attempt: { at, ms, status, errorCode } };
}
