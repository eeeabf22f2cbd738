// What must not wait goes before what can: a store that gets no answer in time sends again, and so makes a busy hour busier. While
// notifications arrive without a gap, those kept already wait, though not for long, and are worked off in the first gap.
import type { Runtime } from '../adapters/runtime.js';

export type Precedence = {
  /** Runs the work at once; who gives way waits meanwhile. */
  first<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when nothing that goes first is under way, or when it has waited long enough since `sinceMs` (UTC). */
  giveWay(sinceMs: number): Promise<void>;
};

/** Far below what deadlines leave to late notifications. Who has waited that long shares the processor like everybody. */
const LONGEST_MS = 10_000;

export function createPrecedence(runtime: Pick<Runtime, 'now' | 'sleep' | 'turn'>): Precedence {
  let underWay = 0;
  const waiting = new Set<() => void>();
  return {
    async first(work) {
      underWay++;
      try {
        return await work();
      } finally {
        underWay--;
        if (underWay === 0) for (const goOn of waiting) goOn();
      }
    },
    async giveWay(sinceMs) {
      for (;;) {
        // What arrived during the work before is not seen earlier.
        await runtime.turn();
        const leftMs = sinceMs + LONGEST_MS - runtime.now();
        if (underWay === 0 || leftMs <= 0) return;
        const over = new AbortController();
        const goOn = () => over.abort();
        waiting.add(goOn);
        await runtime.sleep(leftMs, over.signal);
        waiting.delete(goOn);
      }
    },
  };
}
