// A clock that stands until a spec sets it, and loops of workers that wait until a spec steps them.
import { systemRuntime, type Runtime } from '../../../src/adapters/runtime.js';

/** Loops that act by the clock: each makes its first round at the start, and another when it is stepped. */
const stepped = ['deadlines', 'retries of parked events', 'live access', 'report looks'] as const;
type SteppedLoop = (typeof stepped)[number];
const STEPPED: ReadonlySet<string> = new Set(stepped);

export type SetClock = {
  /** Runtime for the harness. All waits use the system's timers, except the pauses of stepped loops. */
  readonly runtime: Partial<Runtime>;
  now(): number;
  set(ms: number): void;
  /** Resolves when the loop has made one more round: all that is due now is done. One at a time. */
  step(loop: SteppedLoop): Promise<void>;
};

/**
 * Elapsed time stays that of the system: if it jumped, a process on servers would lose its leases, and its loops would begin again at an
 * instant that a spec only looks at. `setsElapsed`: it jumps all the same, so that caches expire.
 */
export function createManualClock(startMs: number, { setsElapsed = false } = {}): SetClock {
  const system = systemRuntime();
  let nowMs = startMs;
  const paused = new Map<string, () => void>();
  let onPause = (): void => undefined;
  const pause = (loop: string, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      const goOn = () => {
        paused.delete(loop);
        resolve();
      };
      if (signal.aborted) return resolve();
      paused.set(loop, goOn);
      signal.addEventListener('abort', goOn, { once: true });
      onPause();
    });
  const untilPaused = async (loop: SteppedLoop) => {
    while (!paused.has(loop)) await new Promise<void>((resolve) => (onPause = resolve));
  };
  return {
    runtime: {
      now: () => nowMs,
      ...(setsElapsed && { elapsed: () => nowMs }),
      pause: (loop, ms, signal) => (STEPPED.has(loop) ? pause(loop, signal) : system.pause(loop, ms, signal)),
    },
    now: () => nowMs,
    set: (ms) => {
      nowMs = ms;
    },
    step: async (loop) => {
      await untilPaused(loop);
      paused.get(loop)?.();
      await untilPaused(loop);
    },
  };
}

/** Every look at it is a millisecond later, so that two moments are never one by chance. */
export function tickingClock(startMs = Date.parse('2026-11-20T10:00:00.000Z')): Partial<Runtime> {
  let nowMs = startMs;
  return { now: () => nowMs++ };
}
