// How far the read models have come, for processes that do not make them: one document, written by the projector after each batch.
import { readRecord, replaceRecord, updateRecord } from '../../adapters/documents/records.js';
import type { Doc, DocStore } from '../../adapters/documents/port.js';
import type { Runtime } from '../../adapters/runtime.js';
import type { LogPosition } from '../../domain/envelope.js';
import type { Progress } from './progress.js';

export const progressCollection = { name: 'progress', indexes: [] };

/** Halted read models have no place in `positions`: nobody can wait for them. */
export type Published = {
  readonly positions: Readonly<Record<string, LogPosition>>;
  readonly halted: readonly string[];
  /** Of the halted ones, by name: when the event was learned that they stopped at. */
  readonly since?: Readonly<Record<string, string>>;
  /** And its position. */
  readonly at?: Readonly<Record<string, LogPosition>>;
};

/** For what an older version published, which stored no time. */
const UNKNOWN_SINCE = '1970-01-01T00:00:00.000Z';

/** Takes over the halted read models that another process published, but for those that are known to have passed their event since. */
export function applyHalted(progress: Progress, { halted, since, at }: Published): void {
  for (const readModel of halted) {
    const place = at?.[readModel];
    if (place !== undefined && (progress.at(readModel) ?? '') >= place) continue;
    progress.halted(readModel, since?.[readModel] ?? UNKNOWN_SINCE, place);
  }
}

const ID = 'read_models';
const AGAIN = 'again';
const AWAITED_MS = 20;
const IDLE_MS = 250;

/**
 * Throws, and leaves what another projector has published meanwhile, when `isHeld` denies: it is asked after each look at what is there,
 * and the write is guarded by that look.
 */
export function createPublisher(
  docs: DocStore,
  isHeld: () => Promise<boolean>,
): (published: Published) => Promise<void> {
  let guard: string | null | undefined;
  return async (published) => {
    const doc: Doc = { ...published };
    for (;;) {
      if (guard === undefined) {
        const found = await readRecord(docs, progressCollection.name, ID);
        if (!(await isHeld())) throw new Error('another process makes the read models');
        guard = found.guard;
      }
      guard = (await replaceRecord(docs, progressCollection.name, { id: ID, guard }, doc)) ?? undefined;
      if (guard !== undefined) return;
    }
  };
}

/** For a single process: publishes for commands beside it which read models have halted, and writes only when that changes. */
export function createHaltPublisher(docs: DocStore): (published: Published) => Promise<void> {
  const publish = createPublisher(docs, () => Promise.resolve(true));
  let lastPublished: string | undefined;
  return async (published) => {
    const names = published.halted.join(' ');
    if (names === lastPublished) return;
    await publish({ ...published, positions: {} });
    lastPublished = names;
  };
}

/** What was published last; null before the first time. */
export async function readPublished(docs: DocStore): Promise<Published | null> {
  return (await readRecord(docs, progressCollection.name, ID)).doc as Published | null;
}

/** Has whichever projector is active begin again with what it had parked or was halted at. */
export async function requestRetry(docs: DocStore): Promise<void> {
  await updateRecord(docs, progressCollection.name, AGAIN, () => ({}));
}

/** Changes with each {@link requestRetry}. */
export async function lastRetryRequest(docs: DocStore): Promise<string> {
  return (await readRecord(docs, progressCollection.name, AGAIN)).guard ?? '';
}

export type WatchDeps = {
  readonly docs: DocStore;
  readonly runtime: Pick<Runtime, 'sleep'>;
  readonly progress: Progress;
};

/** Runs until the signal aborts: looks often while somebody waits, else now and then. `onLook` is called after each look. */
export async function watchProgress(
  { docs, runtime, progress }: WatchDeps,
  signal: AbortSignal,
  onLook: (published: Published) => void,
): Promise<void> {
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    if (!isFirst) await untilNextLook({ runtime, progress }, signal);
    if (signal.aborted) return;
    try {
      const doc = await readPublished(docs);
      if (!doc) continue;
      for (const [readModel, position] of Object.entries(doc.positions)) progress.moved(readModel, position);
      applyHalted(progress, doc);
      onLook(doc);
    } catch {
      // Reads of the read models report that the store is away; this goes on as soon as it is back.
      if (progress.isAwaited()) await runtime.sleep(IDLE_MS, signal);
    }
  }
}

/** A long sleep while nobody waits, which ends early once somebody does: an idle process is not woken fifty times a second. */
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
