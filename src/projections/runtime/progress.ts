// How far each read model has come in this process, for readers who want to see their own writes.
import type { LogPosition } from '../../domain/envelope.js';

type Waiter = { readonly position: LogPosition; readonly end: (isReached: boolean) => void };

/** Ends the waits that are under way: one listener for all of them, however many read models are waited for. */
type Patience = Set<() => void>;

export type Progress = {
  /** Called by the projector after a batch. */
  moved(readModel: string, position: LogPosition): void;
  at(readModel: string): LogPosition | undefined;
  /**
   * Called when a read model has stopped at an event that it cannot fold, so that nobody waits for it; moving to the event's position `at`
   * takes it back.
   */
  halted(readModel: string, since: string, at?: LogPosition): void;
  haltedReadModels(): readonly string[];
  /** When the event was learned (UTC) from which on the read model knows nothing; undefined for one that goes on. */
  haltedSince(readModel: string): string | undefined;
  /** Whether somebody waits. */
  isAwaited(): boolean;
  /** Calls whenever somebody begins to wait, until what it returns is called. */
  onAwaited(listener: () => void): () => void;
  /** Resolves true once every read model has reached the position, false when one has halted before it or the signal aborts first. */
  wait(readModels: readonly string[], position: LogPosition, signal: AbortSignal): Promise<boolean>;
};

export function createProgress(): Progress {
  const reached = new Map<string, LogPosition>();
  const waiting = new Map<string, Set<Waiter>>();
  const stopped = new Map<string, { readonly since: string; readonly at: LogPosition | '' }>();
  const isAwaited = () => [...waiting.values()].some((waiters) => waiters.size > 0);
  const listeners = new Set<() => void>();

  const waitForOne = (readModel: string, position: LogPosition, patience: Patience): Promise<boolean> => {
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
      const waiter: Waiter = { position, end };
      const giveUp = () => end(false);
      waiters.add(waiter);
      patience.add(giveUp);
      for (const listener of listeners) listener();
    });
  };

  return {
    moved: (readModel, position) => {
      // What another process published may be older than what this one knows.
      if (position >= (stopped.get(readModel)?.at ?? '')) stopped.delete(readModel);
      if (position <= (reached.get(readModel) ?? '')) return;
      reached.set(readModel, position);
      for (const waiter of waiting.get(readModel) ?? []) if (waiter.position <= position) waiter.end(true);
    },
    at: (readModel) => reached.get(readModel),
    halted: (readModel, since, at) => {
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
    wait: async (readModels, position, signal) => {
      const patience: Patience = new Set();
      const results = Promise.all(readModels.map((readModel) => waitForOne(readModel, position, patience)));
      const giveUp = () => patience.forEach((end) => end());
      if (signal.aborted) giveUp();
      signal.addEventListener('abort', giveUp, { once: true });
      const isReached = (await results).every(Boolean);
      signal.removeEventListener('abort', giveUp);
      return isReached;
    },
  };
}
