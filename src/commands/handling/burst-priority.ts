// Priority of incoming notifications over processing: a store without a timely response sends again, which makes a burst worse. During a
// burst, processing of stored notifications waits for a limited time.
import type { Runtime } from '../../adapters/runtime.js';

export type BurstPriority = {
  /** Runs the work at once. Many concurrent calls are a burst, during which `waitForQuiet` waits. */
  runFirst<T>(work: () => Promise<T>): Promise<T>;
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
  let inProgress = 0;
  /** Number of bursts so far, and the number at the last wait. */
  let bursts = 0;
  let burstsAtLastWait = 0;
  const countBurst = () => {
    if (inProgress >= MIN_BURST) bursts++;
  };
  return {
    async runFirst(work) {
      inProgress++;
      countBurst();
      try {
        return await work();
      } finally {
        countBurst();
        inProgress--;
      }
    },
    async waitForQuiet(sinceMs) {
      for (;;) {
        // Lets arrivals during the previous work be counted.
        await runtime.turn();
        countBurst();
        if (bursts === burstsAtLastWait || runtime.now() >= sinceMs + MAX_WAIT_MS) return;
        burstsAtLastWait = bursts;
        await runtime.sleep(QUIET_MS);
      }
    },
  };
}
