// Plays the events of all lifecycles to the service in the order of their times. Events of different customers run concurrently, those of
// one customer one after the other.
import type { LifecycleEvent, Lifecycle } from './happenings.js';

export type Turn = { readonly lifecycle: Lifecycle; readonly index: number; readonly happening: LifecycleEvent };

export type PlaybackHandlers = {
  readonly signal: AbortSignal;
  /** Maximum number of events in progress. */
  readonly mostAtOnce: number;
  /** Called when all events before that instant (UTC ms) have started. */
  reach(atMs: number): void;
  /** Called with no event in progress, after a grant may have expired. */
  rest(): Promise<void>;
  /** Called every two weeks of simulated time, concurrently with events, and at the end. */
  keepUp(): Promise<void>;
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
  let nextAt = (turns[0]?.happening.at ?? until) + TWO_WEEKS_MS;
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
    const { at } = turn.happening;
    while ((expiries[0] ?? Infinity) <= at) {
      await Promise.all(inProgress.values());
      pace.reach(expiries.shift() ?? at);
      await pace.rest();
    }
    for (; nextAt <= at; nextAt += TWO_WEEKS_MS) {
      pace.reach(nextAt);
      await pace.keepUp();
    }
    while (inProgress.size >= pace.mostAtOnce) await Promise.race(inProgress.values());
    pace.signal.throwIfAborted();
    if (failure) break;
    pace.reach(at);
    start(turn);
  }
  await Promise.all(inProgress.values());
  if (failure) throw (failure as { readonly err: unknown }).err;
  pace.reach(until);
  await pace.keepUp();
  await pace.rest();
}

function createTurns(lifecycles: readonly Lifecycle[]): readonly Turn[] {
  const turns = lifecycles.flatMap((lifecycle) =>
    lifecycle.happenings.map((happening, index) => ({ lifecycle, index, happening })),
  );
  // The sort is stable, so events of one customer at one instant keep their order.
  return turns.sort((a, b) => a.happening.at - b.happening.at || a.lifecycle.index - b.lifecycle.index);
}

/** Returns the expiry times of grants, sorted. For all other expirations the stores send notifications. */
function listGrantExpiries(turns: readonly Turn[], until: number): number[] {
  const found = turns.flatMap(({ happening: h }) =>
    h.kind === 'granted' ? [h.at + GRANT_DAYS[h.duration] * 86_400_000 + 60_000] : [],
  );
  return found.filter((at) => at < until).sort((a, b) => a - b);
}
