// Dependencies on the environment: time, sleeping, randomness, ids.
import { randomBytes } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { monotonicFactory } from 'ulid';

export type Runtime = {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Monotonic time in milliseconds, for measuring durations; the system clock may be changed or simulated. */
  elapsed(): number;
  /** Resolves after `ms`, or earlier when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Sleeps between two rounds of the named loop, so that a test clock can step a single loop. */
  pause(loop: string, ms: number, signal: AbortSignal): Promise<void>;
  /** Resolves when pending I/O of the process, such as requests and responses, has been handled. */
  turn(): Promise<void>;
  /**
   * Resolves when background work may continue. Its callers continue one after another, and {@link turn} comes after each few ms: else
   * a request would wait for all of them at each of its own steps.
   */
  slice(): Promise<void>;
  randomBytes(size: number): Buffer;
  /** Returns a new id: `<prefix>_` and a lower-case ULID, sortable by creation time. */
  newId(prefix: string): string;
};

/** Creates the runtime of a real process. `now` replaces the system clock, also for the timestamps in ids. */
export function systemRuntime(now: () => number = Date.now): Runtime {
  const ulid = monotonicFactory(createRandomSource());
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
    slice: createSlices(),
    randomBytes,
    newId: (prefix) => `${prefix}_${ulid(now()).toLowerCase()}`,
  };
}

/** Maximum time between two turns of the event loop while background work continues. */
const SLICE_MS = 2;

function createSlices(): () => Promise<void> {
  let last = Promise.resolve();
  let beganAt = 0;
  const begin = async () => {
    if (performance.now() - beganAt < SLICE_MS) return;
    await turn();
    beganAt = performance.now();
  };
  return () => (last = last.then(begin));
}

/**
 * Returns a generator of cryptographic random numbers in [0, 1). It draws many bytes at a time: single draws cost more than the rest of an
 * id.
 */
function createRandomSource(): () => number {
  let pool = Buffer.alloc(0);
  let used = 0;
  return () => {
    if (used === pool.length) {
      pool = randomBytes(4096);
      used = 0;
    }
    return (pool[used++] ?? 0) / 256;
  };
}

/**
 * Calls `wake` when the signal aborts, unless the returned function is called first. All waiters of a signal share one listener, since many
 * wait while a dependency is away; it is removed with the last waiter, because a signal with a listener is not garbage-collected.
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
