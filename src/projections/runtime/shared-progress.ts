// Positions of the read models for processes other than the projector: one document, which the projector writes after each batch.
import { readRecord, replaceRecord, updateRecord, recordsNamed } from '../../adapters/documents/records.js';
import type { DocStore } from '../../adapters/documents/port.js';
import type { Runtime } from '../../adapters/runtime.js';
import type { LogPosition } from '../../domain/envelope.js';
import type { Progress } from './progress.js';

/** Two records: the positions, and one that only counts the requests to retry. */
export const progressCollection = { name: recordsNamed<PublishedProgress | RetryRequest>('progress'), indexes: [] };
type RetryRequest = { readonly positions?: never };

/** Halted read models are absent in `positions`, because it is pointless to wait for them. */
export type PublishedProgress = {
  readonly positions: Readonly<Record<string, LogPosition>>;
  readonly halted: readonly string[];
  /** Recording time of the event at which each halted read model stopped, by name. */
  readonly since?: Readonly<Record<string, string>>;
  /** Position of that event, by name. */
  readonly at?: Readonly<Record<string, LogPosition>>;
};

/** Default for entries of an older version, which stored no time. */
const UNKNOWN_SINCE = '1970-01-01T00:00:00.000Z';

/** Applies the halted read models that another process published, except those that have passed their event since. */
export function applyHalted(progress: Progress, { halted, since, at }: PublishedProgress): void {
  for (const readModel of halted) {
    const place = at?.[readModel];
    if (place !== undefined && (progress.at(readModel) ?? '') >= place) continue;
    progress.reportHalted(readModel, since?.[readModel] ?? UNKNOWN_SINCE, place);
  }
}

const ID = 'read_models';
const RETRY_ID = 'again';
const AWAITED_MS = 20;
const IDLE_MS = 250;

/**
 * Publishes the document. Throws, without overwriting the document of another projector, if `isHeld` returns false: it is called after each
 * read of the document, and the write is guarded by that read.
 */
export function createPublisher(
  docs: DocStore,
  isHeld: () => Promise<boolean>,
): (published: PublishedProgress) => Promise<void> {
  let guard: string | null | undefined;
  return async (published) => {
    for (;;) {
      if (guard === undefined) {
        const found = await readRecord(docs, progressCollection.name, ID);
        if (!(await isHeld())) throw new Error('another process is the projector');
        guard = found.guard;
      }
      guard = (await replaceRecord(docs, progressCollection.name, { id: ID, guard }, published)) ?? undefined;
      if (guard !== undefined) return;
    }
  };
}

/** Publishes halted read models of a single process for CLI commands, and writes only when the list changes. */
export function createHaltPublisher(docs: DocStore): (published: PublishedProgress) => Promise<void> {
  const publish = createPublisher(docs, () => Promise.resolve(true));
  let lastPublished: string | undefined;
  return async (published) => {
    const names = published.halted.join(' ');
    if (names === lastPublished) return;
    await publish({ ...published, positions: {} });
    lastPublished = names;
  };
}

/** Returns the latest published document; null before the first. */
export async function readPublished(docs: DocStore): Promise<PublishedProgress | null> {
  const { doc } = await readRecord(docs, progressCollection.name, ID);
  return doc?.positions ? doc : null;
}

/** Makes the active projector retry parked documents and halted projections. */
export async function requestRetry(docs: DocStore): Promise<void> {
  await updateRecord(docs, progressCollection.name, RETRY_ID, () => ({}));
}

/** Returns a value that changes with each {@link requestRetry}. */
export async function lastRetryRequest(docs: DocStore): Promise<string> {
  return (await readRecord(docs, progressCollection.name, RETRY_ID)).guard ?? '';
}

export type WatchDeps = {
  readonly docs: DocStore;
  readonly runtime: Pick<Runtime, 'sleep'>;
  readonly progress: Progress;
};

/** Polls until the signal aborts: frequently while a wait is pending, rarely otherwise. `onPoll` is called after each poll. */
export async function watchProgress(
  { docs, runtime, progress }: WatchDeps,
  signal: AbortSignal,
  onPoll: (published: PublishedProgress) => void,
): Promise<void> {
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    if (!isFirst) await untilNextLook({ runtime, progress }, signal);
    if (signal.aborted) return;
    try {
      const doc = await readPublished(docs);
      if (!doc) continue;
      for (const [readModel, position] of Object.entries(doc.positions)) progress.reportPosition(readModel, position);
      applyHalted(progress, doc);
      onPoll(doc);
    } catch {
      // Reads of the read models report that the store is unavailable; polling continues.
      if (progress.isAwaited()) await runtime.sleep(IDLE_MS, signal);
    }
  }
}

/** Sleeps long while no wait is pending and ends early when one begins, so that an idle process does not wake fifty times a second. */
async function untilNextLook(
  { runtime, progress }: Pick<WatchDeps, 'runtime' | 'progress'>,
  signal: AbortSignal,
): Promise<void> {
  if (!progress.isAwaited()) {
    const early = new AbortController();
    const wake = () => early.abort();
    const leave = progress.onAwaited(wake);
    signal.addEventListener('abort', wake, { once: true });
    await runtime.sleep(IDLE_MS, early.signal);
    leave();
    signal.removeEventListener('abort', wake);
  }
  if (progress.isAwaited()) await runtime.sleep(AWAITED_MS, signal);
}
