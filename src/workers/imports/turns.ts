// Turns of imports on one machine. There are few places, because each import has a process with memory of its own; an import gives its place
// up after a while if another project waits, and goes on later from where it was.
import type { ImportTurn } from '../../commands/imports/import-files.js';

/** Imports at a time, each of another project: memory stays bounded. */
const MAX_RUNNING = 4;
/** Least time of a turn. */
const TURN_MS = 60_000;
/** Most that a turn grows to whose files were not read at its end: a reading begins anew. */
const MAX_READING_MS = 64 * TURN_MS;

type Waiting = { readonly importId: string; readonly projectId: string };
type Running = ImportTurn & {
  /** Takes the place away, unless the turn has to go on. */
  give(): boolean;
  /** Least time for the next turn of the import. */
  nextMs(): number;
  readonly startedAt: number;
};

/**
 * Chooses imports: one of each project at a time, those of the project first whose last one began longest ago. `elapsed`: a clock in ms.
 * `max`: places.
 */
export function createTurns(elapsed: () => number, max = MAX_RUNNING) {
  const running = new Map<string, Running>();
  const lastTurns = new Map<string, number>();
  const leastMs = new Map<string, number>();
  let count = 0;
  return {
    /** Returns the imports whose turn it is; each has it until {@link end}. Asks as many others for their places as projects wait. */
    begin: <R extends Waiting>(waiting: readonly R[]): readonly { readonly one: R; readonly turn: ImportTurn }[] => {
      const known = new Set(waiting.map(({ importId }) => importId));
      for (const importId of leastMs.keys()) if (!known.has(importId)) leastMs.delete(importId);
      const firsts = new Map<string, R>();
      for (const one of waiting) if (!firsts.has(one.projectId)) firsts.set(one.projectId, one);
      const free = [...firsts.values()].filter(({ projectId }) => !running.has(projectId));
      const lastOf = ({ projectId }: R) => lastTurns.get(projectId) ?? 0;
      const inOrder = free.toSorted((a, b) => lastOf(a) - lastOf(b));
      const longest = [...running.values()].toSorted((a, b) => a.startedAt - b.startedAt);
      const places = Math.max(0, max - running.size);
      let wanted = inOrder.length - places;
      for (const turn of longest) if (wanted > 0 && turn.give()) wanted--;
      return inOrder.slice(0, places).map((one) => {
        const turn = startTurn(elapsed, leastMs.get(one.importId) ?? TURN_MS);
        running.set(one.projectId, turn);
        lastTurns.set(one.projectId, ++count);
        return { one, turn };
      });
    },
    end: ({ importId, projectId }: Waiting): void => {
      const turn = running.get(projectId);
      running.delete(projectId);
      if (turn?.isOver()) leastMs.set(importId, turn.nextMs());
      else leastMs.delete(importId);
    },
  };
}

/** The turn lasts at least twice as long as its preparation, so that half of the time is for work that is not repeated. */
function startTurn(elapsed: () => number, lengthMs: number): Running {
  const startedAt = elapsed();
  let preparedMs: number | null = null;
  let isGiven = false;
  return {
    startedAt,
    prepared: () => void (preparedMs ??= elapsed() - startedAt),
    isOver: () => isGiven,
    give: () => (isGiven ||= elapsed() - startedAt >= Math.max(lengthMs, 2 * (preparedMs ?? 0))),
    nextMs: () => (preparedMs === null ? Math.min(2 * lengthMs, MAX_READING_MS) : lengthMs),
  };
}
