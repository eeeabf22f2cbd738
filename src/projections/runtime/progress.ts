// Positions of the read models in this process, for readers that wait for their own writes, and the lag of a follower in time.
import type { EventLog } from '../../adapters/event-log/port.js';
import type { Runtime } from '../../adapters/runtime.js';
import type { LogPosition } from '../../domain/envelope.js';
import type { Family } from '../../domain/streams.js';
import { msFromIso } from '../../domain/time.js';

type Waiter = {
  readonly position: LogPosition;
  readonly isBackground: boolean;
  readonly end: (isReached: boolean) => void;
};

/** Callbacks that end the pending waits: one abort listener serves all read models of a wait. */
type Patience = Set<() => void>;

export type Progress = {
  /** Reports a new position, after a batch. */
  reportPosition(readModel: string, position: LogPosition): void;
  at(readModel: string): LogPosition | undefined;
  /**
   * Reports that a read model has stopped at an event that it cannot fold, so that waits for it end; reaching the event's position `at`
   * clears this.
   */
  reportHalted(readModel: string, since: string, at?: LogPosition): void;
  haltedReadModels(): readonly string[];
  /** Returns the recording time (UTC) of the event at which the read model stopped; undefined if it is running. */
  haltedSince(readModel: string): string | undefined;
  /** Returns true if a wait is pending that is not one of background work. */
  isAwaited(): boolean;
  /** Calls the listener whenever such a wait begins. Returns a function that removes the listener. */
  onAwaited(listener: () => void): () => void;
  /**
   * Resolves to true once every read model has reached the position, to false if one has halted before it or the signal aborts first.
   * `isBackground`: read models do not advance sooner for it, so that they can collect events into larger batches.
   */
  wait(
    readModels: readonly string[],
    position: LogPosition,
    signal: AbortSignal,
    isBackground?: boolean,
  ): Promise<boolean>;
};

type WaitDeps = {
  readonly progress: Progress;
  readonly runtime: Pick<Runtime, 'sleep'>;
  readonly isBackground?: boolean;
};

/** Waits as {@link Progress.wait} does, at most for a time. */
export async function waitAtMost(
  maxMs: number,
  { progress, runtime, isBackground }: WaitDeps,
  readModels: readonly string[],
  position: LogPosition,
): Promise<boolean> {
  const timeout = new AbortController();
  const timer = runtime.sleep(maxMs, timeout.signal).then(() => timeout.abort());
  const isReached = await progress.wait(readModels, position, timeout.signal, isBackground);
  timeout.abort();
  await timer;
  return isReached;
}

export function createProgress(): Progress {
  const reached = new Map<string, LogPosition>();
  const waiting = new Map<string, Set<Waiter>>();
  const stopped = new Map<string, { readonly since: string; readonly at: LogPosition | '' }>();
  const isAwaited = () => [...waiting.values()].some((waiters) => [...waiters].some((one) => !one.isBackground));
  const listeners = new Set<() => void>();

  const waitForOne = (
    readModel: string,
    position: LogPosition,
    isBackground: boolean,
    patience: Patience,
  ): Promise<boolean> => {
    if ((reached.get(readModel) ?? '') >= position) return Promise.resolve(true);
    if (stopped.has(readModel)) return Promise.resolve(false);
    return new Promise((resolve) => {
      const waiters = waiting.get(readModel) ?? new Set();
      waiting.set(readModel, waiters);
      const end = (result: boolean) => {
        waiters.delete(waiter);
        patience.delete(giveUp);
        resolve(result);
      };
      const waiter: Waiter = { position, isBackground, end };
      const giveUp = () => end(false);
      waiters.add(waiter);
      patience.add(giveUp);
      if (!isBackground) for (const listener of listeners) listener();
    });
  };

  return {
    reportPosition: (readModel, position) => {
      // A position published by another process may be older than the one known here.
      if (position >= (stopped.get(readModel)?.at ?? '')) stopped.delete(readModel);
      if (position <= (reached.get(readModel) ?? '')) return;
      reached.set(readModel, position);
      for (const waiter of waiting.get(readModel) ?? []) if (waiter.position <= position) waiter.end(true);
    },
    at: (readModel) => reached.get(readModel),
    reportHalted: (readModel, since, at) => {
      stopped.set(readModel, { since, at: at ?? '' });
      for (const waiter of waiting.get(readModel) ?? []) waiter.end(false);
    },
    haltedReadModels: () => [...stopped.keys()],
    haltedSince: (readModel) => stopped.get(readModel)?.since,
    isAwaited,
    onAwaited: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    wait: async (readModels, position, signal, isBackground = false) => {
      const patience: Patience = new Set();
      const results = Promise.all(readModels.map((name) => waitForOne(name, position, isBackground, patience)));
      const giveUp = () => patience.forEach((end) => end());
      if (signal.aborted) giveUp();
      signal.addEventListener('abort', giveUp, { once: true });
      const isReached = (await results).every(Boolean);
      signal.removeEventListener('abort', giveUp);
      return isReached;
    },
  };
}

type Follower = { readonly families: readonly Family[]; readonly position: LogPosition };

/**
 * Returns the age of the first unprocessed event in seconds, by the time of recording, since positions cannot be subtracted; 0 for a
 * follower that has processed every event of its families.
 */
export async function lagSeconds(log: EventLog, { families, position }: Follower, nowMs: number): Promise<number> {
  if (position >= (await log.head())) return 0;
  const { signal } = new AbortController();
  for await (const feed of log.follow({ after: position, families, max: 1, signal })) {
    const [missing] = feed.events;
    if (missing) return Math.max(0, nowMs - msFromIso(missing.meta.recordedAt)) / 1000;
    if (feed.caughtUp) break;
  }
  return 0;
}
