// Priority of incoming notifications over processing: a store without a timely response sends again, which makes a burst worse. During a
// burst, processing of stored notifications waits for a limited time.
import type { Runtime } from '../../adapters/runtime.js';

export type BurstPriority = {
  /** Runs the work at once. Many concurrent calls are a burst, during which `waitForQuiet` waits. */
  first<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when there is no burst, or when the wait since `sinceMs` (UTC) is long enough. */
  waitForQuiet(sinceMs: number): Promise<void>;
};

/** Concurrent calls that make a burst: a response takes some ms, so that many mean that they arrive faster than they are answered. */
const MIN_BURST = 8;
/** Quiet time after which a burst has ended. */
const QUIET_MS = 20;
/** Maximum wait, far below the time that deadlines allow for late notifications. */
const MAX_WAIT_MS = 10_000;

export function createBurstPriority(runtime: Pick<Runtime, 'now' | 'sleep' | 'turn'>): BurstPriority {
  let underWay = 0;
  /** Number of bursts so far, and the number at the last wait. */
  let bursts = 0;
  let awaited = 0;
  const look = () => {
    if (underWay >= MIN_BURST) bursts++;
  };
  return {
    async first(work) {
      underWay++;
      look();
      try {
        return await work();
      } finally {
        look();
        underWay--;
      }
    },
    async waitForQuiet(sinceMs) {
      for (;;) {
        // Lets arrivals during the previous work be counted.
        await runtime.turn();
        look();
        if (bursts === awaited || runtime.now() >= sinceMs + MAX_WAIT_MS) return;
        awaited = bursts;
        await runtime.sleep(QUIET_MS);
      }
    },
  };
}
