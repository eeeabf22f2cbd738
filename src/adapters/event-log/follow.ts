// Loop of `follow`: catches up batch by batch, then waits for growth. Holds no resources while the consumer works. Followers of this
// process are woken when the log has grown; calls are counted, so that growth between a read and the wait is not missed.
import type { LogPosition } from '../../domain/envelope.js';
import type { Feed } from './port.js';

export type FollowLoop = {
  readonly after: LogPosition;
  readonly signal: AbortSignal;
  /** Returns true once the log is closed; checked before each read. */
  readonly isClosed: () => boolean;
  /** Reads the next batch; `caughtUp`: it reached the head as of the start of the read. */
  readonly readBatch: (after: LogPosition) => Promise<Feed>;
  /** Counter read before each batch and passed to `wait`, which resolves when the log may have grown since. */
  readonly growth: () => number;
  readonly wait: (growth: number, signal: AbortSignal) => Promise<void>;
};

export async function* followLog({
  after,
  signal,
  isClosed,
  readBatch,
  growth,
  wait,
}: FollowLoop): AsyncGenerator<Feed> {
  let at = after;
  for (let first = true; !signal.aborted && !isClosed(); first = false) {
    const lastGrowth = growth();
    const feed = await readBatch(at);
    if (signal.aborted) return;
    if (first || feed.upTo > at) {
      at = feed.upTo;
      yield feed;
    }
    if (feed.caughtUp) await wait(lastGrowth, signal);
  }
}

export type Wakeup = {
  /** Returns the number of wakeups so far; take it before reading. */
  count(): number;
  /** Wakes all waiters: once per turn, and after the promises that settled in that turn were handled. */
  wake(): void;
  /** Resolves when there was a wakeup after `lastCount`, or when the signal aborts. */
  wait(lastCount: number, signal: AbortSignal): Promise<void>;
};

export function createWakeup(): Wakeup {
  const waiting = new Set<() => void>();
  // One listener per signal: a follower of the log waits many times.
  const bySignal = new WeakMap<AbortSignal, Set<() => void>>();
  const endedBy = (signal: AbortSignal): Set<() => void> => {
    const known = bySignal.get(signal);
    if (known) return known;
    const ended = new Set<() => void>();
    bySignal.set(signal, ended);
    signal.addEventListener('abort', () => ended.forEach((wake) => wake()), { once: true });
    return ended;
  };
  let count = 0;
  let ringing = false;
  return {
    count: () => count,
    wake() {
      count++;
      if (ringing) return;
      ringing = true;
      process.nextTick(() => {
        ringing = false;
        for (const wake of waiting) wake();
      });
    },
    wait: (lastCount, signal) =>
      new Promise((resolve) => {
        if (lastCount !== count || signal.aborted) return resolve();
        const ended = endedBy(signal);
        const wake = () => {
          waiting.delete(wake);
          ended.delete(wake);
          resolve();
        };
        waiting.add(wake);
        ended.add(wake);
      }),
  };
}
