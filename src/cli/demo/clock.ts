// The clock of the demo's service: it runs through the past as the lifecycles are played, and is the machine's from then on. Many
// lifecycles go on at once, days apart: each request, and each event that is handled, has its own now, so that all is recorded at the
// time when it happened.
import { openRequestTime } from '../../main/demo/request-time.js';

export type DemoClock = {
  /** UTC ms. */
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

/** Stands at the instant until it is released. */
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
