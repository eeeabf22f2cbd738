// The clock of the demo's service: it advances through the past while lifecycles are simulated, and is the machine's clock afterwards.
// Concurrent lifecycles are days apart, so each request and each processed event has a time of its own, at which everything is recorded.
import { openRequestTime } from '../../main/demo/request-time.js';

export type DemoClock = {
  /** Returns the current time, UTC ms. */
  now(): number;
  /** Advances to that instant; it never goes back. */
  reach(atMs: number): void;
  /** Runs the work, and everything it starts, at that instant. */
  during<T>(atMs: number, work: () => T): T;
  /** Switches permanently to the machine's clock. */
  release(): void;
  /** Resolves with the release. */
  readonly released: Promise<void>;
};

/** Creates a clock that is stopped at the instant until it advances or is released. */
export function createDemoClock(fromMs: number): DemoClock {
  const own = openRequestTime(() => true);
  let stands: number | null = fromMs;
  let onRelease = (): void => undefined;
  const released = new Promise<void>((resolve) => (onRelease = resolve));
  return {
    now: () => (stands === null ? Date.now() : (own.now() ?? stands)),
    reach: (atMs) => {
      if (stands !== null) stands = Math.max(stands, atMs);
    },
    during: (atMs, work) => (stands === null ? work() : own.during(atMs, work)),
    release: () => {
      stands = null;
      own.close();
      onRelease();
    },
    released,
  };
}
