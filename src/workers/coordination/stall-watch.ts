// Detects followers of the log that have stopped: events wait for them, and nothing they do has an outcome. A call that never settles leaves
// no error; without this, its process would keep the lease and seem healthy.
import { START, type EventLog } from '../../adapters/event-log/port.js';
import type { Runtime } from '../../adapters/runtime.js';
import type { LogPosition } from '../../domain/envelope.js';

type StallWatchDeps = { readonly log: Pick<EventLog, 'head'>; readonly runtime: Pick<Runtime, 'elapsed' | 'sleep'> };

export type WatchedFollower = {
  /** Returns the position up to which every event is handled; undefined before the first. */
  readonly position: () => LogPosition | undefined;
  /** Returns the number of outcomes so far: events handled, and attempts that failed. */
  readonly outcomes: () => number;
  /** Time without an outcome after which the follower has stalled, in ms. */
  readonly limitMs: number;
};

const CHECK_INTERVAL_MS = 5000;

/** Resolves true once the follower has stalled, false when the signal aborts. While the log cannot be read, no time is counted. */
export async function waitForStall(
  { log, runtime }: StallWatchDeps,
  { position, outcomes, limitMs }: WatchedFollower,
  signal: AbortSignal,
): Promise<boolean> {
  let last = { outcomes: outcomes(), at: runtime.elapsed() };
  while (!signal.aborted) {
    await runtime.sleep(CHECK_INTERVAL_MS, signal);
    if (signal.aborted) return false;
    const head = await log.head().catch(() => null);
    const hasOutcome = outcomes() !== last.outcomes;
    const isWaiting = head === null || (position() ?? START) >= head;
    if (hasOutcome || isWaiting) last = { outcomes: outcomes(), at: runtime.elapsed() };
    else if (runtime.elapsed() - last.at >= limitMs) return true;
  }
  return false;
}
