// A clock that stands until a spec sets it, and a deadlines worker that waits until a spec lets it make its round.
import { systemRuntime, type Runtime } from '../../src/adapters/runtime.js';

export type SetClock = {
  /** For the harness. All waits but the worker's are the system's. */
  readonly runtime: Partial<Runtime>;
  now(): number;
  set(ms: number): void;
  /** Resolves when the deadlines worker has seen all that is due now. */
  round(): Promise<void>;
};

/** The pause of the deadlines worker, and of nothing else that runs while all is well. */
const PAUSE_MS = 1000;

export function createSetClock(startMs: number): SetClock {
  const system = systemRuntime();
  let nowMs = startMs;
  let letGo = (): void => undefined;
  let arrive = (): void => undefined;
  const nextArrival = () => new Promise<void>((resolve) => (arrive = resolve));
  let arrival = nextArrival();
  const held = (signal: AbortSignal | undefined) =>
    new Promise<void>((resolve) => {
      letGo = resolve;
      signal?.addEventListener('abort', () => resolve(), { once: true });
      arrive();
    });
  return {
    runtime: {
      now: () => nowMs,
      sleep: (ms, signal) => (ms === PAUSE_MS ? held(signal) : system.sleep(ms, signal)),
    },
    now: () => nowMs,
    set: (ms) => {
      nowMs = ms;
    },
    round: async () => {
      await arrival;
      arrival = nextArrival();
      letGo();
      await arrival;
    },
  };
}

/** Every look at it is a millisecond later, so that two moments are never one by chance. */
export function tickingClock(startMs = Date.parse('2026-11-20T10:00:00.000Z')): Partial<Runtime> {
  let nowMs = startMs;
  return { now: () => nowMs++ };
}
