// How far each read model has come in this process, for readers who want to see their own writes.
import type { LogPosition } from '../domain/envelope.js';

type Waiter = { readonly position: LogPosition; readonly done: () => void };

export type Progress = {
  /** Called by the projector after a batch. */
  moved(view: string, position: LogPosition): void;
  at(view: string): LogPosition | undefined;
  /** Resolves true once every view has reached the position, false when the signal aborts first. */
  wait(views: readonly string[], position: LogPosition, signal: AbortSignal): Promise<boolean>;
};

export function createProgress(): Progress {
  const reached = new Map<string, LogPosition>();
  const waiting = new Map<string, Set<Waiter>>();

  const waitForOne = (view: string, position: LogPosition, signal: AbortSignal): Promise<boolean> => {
    if ((reached.get(view) ?? '') >= position) return Promise.resolve(true);
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const waiters = waiting.get(view) ?? new Set();
      waiting.set(view, waiters);
      const end = (result: boolean) => {
        waiters.delete(waiter);
        signal.removeEventListener('abort', giveUp);
        resolve(result);
      };
      const waiter: Waiter = { position, done: () => end(true) };
      const giveUp = () => end(false);
      waiters.add(waiter);
      signal.addEventListener('abort', giveUp);
    });
  };

  return {
    moved: (view, position) => {
      reached.set(view, position);
      for (const waiter of waiting.get(view) ?? []) if (waiter.position <= position) waiter.done();
    },
    at: (view) => reached.get(view),
    wait: async (views, position, signal) => {
      const results = await Promise.all(views.map((view) => waitForOne(view, position, signal)));
      return results.every(Boolean);
    },
  };
}
