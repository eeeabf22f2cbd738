// Everything the code may not take from its surroundings by itself: time, waiting, chance, ids.
import { randomBytes } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { monotonicFactory } from 'ulid';

export type Runtime = {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds since some instant. It never jumps, so it measures how long ago something was; a clock may be set, or simulated. */
  elapsed(): number;
  /** Resolves after `ms`; resolves early when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Sleeps between two rounds of the loop of that name: whoever runs the clock can step a loop by it. */
  pause(loop: string, ms: number, signal: AbortSignal): Promise<void>;
  /** Resolves when what had arrived for the process, such as requests and responses, has been taken up. */
  turn(): Promise<void>;
  randomBytes(size: number): Buffer;
  /** A new id: `<prefix>_` and a lower-case ULID, sortable by creation. */
  newId(prefix: string): string;
};

/** The runtime of a real process. `now`: a clock in place of the machine's, from which ids take their time too. */
export function systemRuntime(now: () => number = Date.now): Runtime {
  const ulid = monotonicFactory(bufferedChance());
  const onAbort = createAbortWatch();
  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal?.aborted) return resolve();
      const end = () => {
        clearTimeout(timer);
        leave?.();
        resolve();
      };
      const timer = setTimeout(end, ms);
      const leave = signal && onAbort(signal, end);
    });
  return {
    now,
    elapsed: () => performance.now(),
    sleep,
    pause: (_loop, ms, signal) => sleep(ms, signal),
    turn: () => turn(),
    randomBytes,
    newId: (prefix) => `${prefix}_${ulid(now()).toLowerCase()}`,
  };
}

/** Numbers in [0, 1) of cryptographic quality, drawn many at a time: one by one they cost more than all else in an id. */
function bufferedChance(): () => number {
  let drawn = Buffer.alloc(0);
  let used = 0;
  return () => {
    if (used === drawn.length) {
      drawn = randomBytes(4096);
      used = 0;
    }
    return (drawn[used++] ?? 0) / 256;
  };
}

/**
 * Calls `wake` when the signal aborts, unless what it returns is called before. A signal gets one listener for all that wait on it, as many
 * do while a dependency is away, and none once nobody waits: a signal with a listener is kept in memory.
 */
function createAbortWatch(): (signal: AbortSignal, wake: () => void) => () => void {
  const watched = new WeakMap<AbortSignal, { readonly waiting: Set<() => void>; readonly wakeAll: () => void }>();
  const watch = (signal: AbortSignal) => {
    const waiting = new Set<() => void>();
    const wakeAll = () => [...waiting].forEach((wake) => wake());
    watched.set(signal, { waiting, wakeAll });
    signal.addEventListener('abort', wakeAll, { once: true });
    return { waiting, wakeAll };
  };
  return (signal, wake) => {
    const { waiting, wakeAll } = watched.get(signal) ?? watch(signal);
    waiting.add(wake);
    return () => {
      if (!waiting.delete(wake) || waiting.size > 0) return;
      watched.delete(signal);
      signal.removeEventListener('abort', wakeAll);
    };
  };
}
