// Plays the events of all lifecycles to the service in the order of their times. Events of different customers run concurrently, those of
// one customer one after the other.
import type { LifecycleEvent, Lifecycle } from './lifecycle-events.js';

export type Turn = { readonly lifecycle: Lifecycle; readonly index: number; readonly event: LifecycleEvent };

export type PlaybackHandlers = {
  readonly signal: AbortSignal;
  /** Maximum number of events in progress. */
  readonly maxConcurrent: number;
  /** Called when all events before that instant (UTC ms) have started. */
  setTime(atMs: number): void;
  /** Called with no event in progress, after a grant may have expired. */
  onIdle(): Promise<void>;
  /** Called every two weeks of simulated time, concurrently with events, and at the end. */
  runPeriodicTasks(): Promise<void>;
  play(turn: Turn): Promise<void>;
};

const TWO_WEEKS_MS = 14 * 86_400_000;
const GRANT_DAYS = { weekly: 7, monthly: 31, lifetime: Infinity } as const;

/** Throws the first failure, after the events in progress have ended. */
export async function playInOrder(
  lifecycles: readonly Lifecycle[],
  until: number,
  pace: PlaybackHandlers,
): Promise<void> {
  const turns = createTurns(lifecycles);
  const expiries = listGrantExpiries(turns, until);
  let nextAt = (turns[0]?.event.at ?? until) + TWO_WEEKS_MS;
  const inProgress = new Map<Turn, Promise<void>>();
  const latest = new Map<number, Promise<void>>();
  let failure: { readonly err: unknown } | null = null;
  const start = (turn: Turn): void => {
    const before = latest.get(turn.lifecycle.index) ?? Promise.resolve();
    const work = before
      .then(() => (failure ? undefined : pace.play(turn)))
      .catch((err: unknown) => {
        failure ??= { err };
      })
      .finally(() => {
        inProgress.delete(turn);
        if (latest.get(turn.lifecycle.index) === work) latest.delete(turn.lifecycle.index);
      });
    latest.set(turn.lifecycle.index, work);
    inProgress.set(turn, work);
  };
  for (const turn of turns) {
    const { at } = turn.event;
    while ((expiries[0] ?? Infinity) <= at) {
      await Promise.all(inProgress.values());
      pace.setTime(expiries.shift() ?? at);
      await pace.onIdle();
    }
    for (; nextAt <= at; nextAt += TWO_WEEKS_MS) {
      pace.setTime(nextAt);
      await pace.runPeriodicTasks();
    }
    while (inProgress.size >= pace.maxConcurrent) await Promise.race(inProgress.values());
    pace.signal.throwIfAborted();
    if (failure) break;
    pace.setTime(at);
    start(turn);
  }
  await Promise.all(inProgress.values());
  if (failure) throw (failure as { readonly err: unknown }).err;
  pace.setTime(until);
  await pace.runPeriodicTasks();
  await pace.onIdle();
}

function createTurns(lifecycles: readonly Lifecycle[]): readonly Turn[] {
  const turns = lifecycles.flatMap((lifecycle) =>
    lifecycle.events.map((event, index) => ({ lifecycle, index, event })),
  );
  // The sort is stable, so events of one customer at one instant keep their order.
  return turns.sort((a, b) => a.event.at - b.event.at || a.lifecycle.index - b.lifecycle.index);
}

/** Returns the expiry times of grants, sorted. For all other expirations the stores send notifications. */
function listGrantExpiries(turns: readonly Turn[], until: number): number[] {
  const found = turns.flatMap(({ event: h }) =>
    h.kind === 'granted' ? [h.at + GRANT_DAYS[h.duration] * 86_400_000 + 60_000] : [],
  );
  return found.filter((at) => at < until).sort((a, b) => a - b);
}
