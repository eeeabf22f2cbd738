// Wakes followers in this process when the log has grown. Calls are counted, so that growth between a read and the wait is not missed.
export type Wakeup = {
  /** Returns the number of wakeups so far; take it before reading. */
  count(): number;
  /** Wakes all waiters: once per turn, and after the promises that settled in that turn were handled. */
  wake(): void;
  /** Resolves when there was a wakeup after `seen`, or when the signal aborts. */
  wait(seen: number, signal: AbortSignal): Promise<void>;
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
    wait: (seen, signal) =>
      new Promise((resolve) => {
        if (seen !== count || signal.aborted) return resolve();
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
