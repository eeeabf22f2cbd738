// A clock that stands until a spec sets it, and workers that wait until a spec lets them make their round.
import { systemRuntime, type Runtime } from '../../../src/adapters/runtime.js';

export type SetClock = {
  /** For the harness. All waits but the worker's are the system's. */
  readonly runtime: Partial<Runtime>;
  now(): number;
  set(ms: number): void;
  /** Resolves when the deadlines worker has seen all that is due now. One at a time. */
  round(): Promise<void>;
};

/** The deadlines worker and the one that tries parked events again pause so long, and nothing else that runs while all is well. */
const PAUSE_MS = 1000;
const PAUSING = 2;

export function createSetClock(startMs: number): SetClock {
  const system = systemRuntime();
  let nowMs = startMs;
  const waiting = new Set<() => void>();
  let arrive = (): void => undefined;
  const wait = (signal: AbortSignal | undefined) =>
    new Promise<void>((resolve) => {
      const letGo = () => {
        waiting.delete(letGo);
        resolve();
      };
      waiting.add(letGo);
      signal?.addEventListener('abort', letGo, { once: true });
      arrive();
    });
  const allWaiting = async () => {
    while (waiting.size < PAUSING) await new Promise<void>((resolve) => (arrive = resolve));
  };
  return {
    runtime: {
      now: () => nowMs,
      elapsed: () => nowMs,
      sleep: (ms, signal) => (ms === PAUSE_MS ? wait(signal) : system.sleep(ms, signal)),
    },
    now: () => nowMs,
    set: (ms) => {
      nowMs = ms;
    },
    round: async () => {
      await allWaiting();
      for (const letGo of waiting) letGo();
      await allWaiting();
    },
  };
}

/** Every look at it is a millisecond later, so that two moments are never one by chance. */
export function tickingClock(startMs = Date.parse('2026-11-20T10:00:00.000Z')): Partial<Runtime> {
  let nowMs = startMs;
  return { now: () => nowMs++ };
}
