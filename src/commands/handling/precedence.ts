// What must not wait goes before what can: a store that gets no answer in time sends again, and so makes a rush worse. While more
// notifications arrive than can be answered beside other work, those kept already wait, though not for long.
import type { Runtime } from '../../adapters/runtime.js';

export type Precedence = {
  /** Runs the work at once; who gives way waits while much of it is under way. */
  first<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when there is no rush, or when it has waited long enough since `sinceMs` (UTC). */
  giveWay(sinceMs: number): Promise<void>;
};

/** Under way at once: an answer takes some ms, so that many mean that they come faster than they are answered. */
const RUSH = 8;
/** A rush has ended when none was seen for so long. */
const CALM_MS = 20;
/** Far below what deadlines leave to late notifications. Who has waited that long shares the processor like everybody. */
const LONGEST_MS = 10_000;

export function createPrecedence(runtime: Pick<Runtime, 'now' | 'sleep' | 'turn'>): Precedence {
  let underWay = 0;
  /** How often a rush was seen, and how often when it was last waited for. */
  let rushes = 0;
  let awaited = 0;
  const look = () => {
    if (underWay >= RUSH) rushes++;
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
    async giveWay(sinceMs) {
      for (;;) {
        // What arrived during the work before is not seen earlier.
        await runtime.turn();
        look();
        if (rushes === awaited || runtime.now() >= sinceMs + LONGEST_MS) return;
        awaited = rushes;
        await runtime.sleep(CALM_MS);
      }
    },
  };
}
