// What must not wait goes before what can: a store that gets no response in time sends again, and so makes a burst worse. While more
// notifications arrive than can be answered beside other work, those kept already wait, though not for long.
import type { Runtime } from '../../adapters/runtime.js';

export type BurstPriority = {
  /** Runs the work at once; who waits for calm does so while much of it is under way. */
  first<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when there is no burst, or when it has waited long enough since `sinceMs` (UTC). */
  waitForCalm(sinceMs: number): Promise<void>;
};

/** Under way at once: a response takes some ms, so that many mean that they come faster than they are answered. */
const BURST = 8;
/** A burst has ended when none was seen for so long. */
const CALM_MS = 20;
/** Far below what deadlines leave to late notifications. Who has waited that long shares the processor like everybody. */
const LONGEST_MS = 10_000;

export function createBurstPriority(runtime: Pick<Runtime, 'now' | 'sleep' | 'turn'>): BurstPriority {
  let underWay = 0;
  /** How often a burst was seen, and how often when it was last waited for. */
  let bursts = 0;
  let awaited = 0;
  const look = () => {
    if (underWay >= BURST) bursts++;
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
    async waitForCalm(sinceMs) {
      for (;;) {
        // What arrived during the work before is not seen earlier.
        await runtime.turn();
        look();
        if (bursts === awaited || runtime.now() >= sinceMs + LONGEST_MS) return;
        awaited = bursts;
        await runtime.sleep(CALM_MS);
      }
    },
  };
}
