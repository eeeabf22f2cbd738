// Detects followers of the log that have stopped while events wait for them: nothing they do has an outcome, or every attempt fails. A call
// that never settles leaves no error; without this, its process would keep the lease and seem healthy.
import { START, type EventLog } from '../../adapters/event-log/port.js';
import type { Runtime } from '../../adapters/runtime.js';
import type { LogPosition } from '../../domain/envelope.js';

type StallWatchDeps = { readonly log: Pick<EventLog, 'head'>; readonly runtime: Pick<Runtime, 'elapsed' | 'sleep'> };

export type WatchedFollower = {
  /** Returns the position up to which every event is handled; undefined before the first. */
  readonly position: () => LogPosition | undefined;
  /** Returns the number of events handled so far. */
  readonly outcomes: () => number;
  /** Returns the number of attempts so far that failed. */
  readonly failures: () => number;
  /** Time without progress after which the follower has stalled, in ms. */
  readonly limitMs: number;
};

/** `silent`: nothing had an outcome. `failing`: the position stands, and attempts fail. */
export type Stall = 'silent' | 'failing';

const CHECK_INTERVAL_MS = 5000;
/** Time for which an attempt that failed counts: longer than the longest pause between attempts. */
const FAILURE_COUNTS_MS = 30_000;

/** Resolves once the follower has stalled; with null when the signal aborts. While the log cannot be read, no time is counted. */
export async function waitForStall(
  { log, runtime }: StallWatchDeps,
  { position, outcomes, failures, limitMs }: WatchedFollower,
  signal: AbortSignal,
): Promise<Stall | null> {
  const readState = () => ({ outcomes: outcomes(), failures: failures(), position: position() });
  let last = readState();
  let [actedAt, movedAt] = [runtime.elapsed(), runtime.elapsed()];
  let failedAt: number | null = null;
  while (!signal.aborted) {
    await runtime.sleep(CHECK_INTERVAL_MS, signal);
    if (signal.aborted) return null;
    const head = await log.head().catch(() => null);
    const [now, current] = [runtime.elapsed(), readState()];
    const hasFailed = current.failures !== last.failures;
    const isWaiting = head === null || (current.position ?? START) >= head;
    if (isWaiting || hasFailed || current.outcomes !== last.outcomes) actedAt = now;
    if (isWaiting || current.position !== last.position) [movedAt, failedAt] = [now, null];
    else if (hasFailed) failedAt = now;
    last = current;
    if (now - actedAt >= limitMs) return 'silent';
    if (now - movedAt >= limitMs && failedAt !== null && now - failedAt <= FAILURE_COUNTS_MS) return 'failing';
  }
  return null;
}
