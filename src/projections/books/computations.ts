// Computations of months in progress. Requests of the same month share one, and a month with many lines is computed alone, because each
// holds its lines in memory.
import type { BooksMonth } from './compute-month.js';
import { linesNear } from './month-lines.js';
import type { VersionedRequest } from './month-sources.js';

type ComputedMonth = { readonly version: string; readonly month: BooksMonth };

export type Computations = {
  /** Computes a month as known now. */
  newest(request: VersionedRequest): Promise<BooksMonth>;
  /** The same, but a computation of the large month that has begun for another request suffices, as its `version` tells. */
  shared(request: VersionedRequest): Promise<ComputedMonth>;
};

/** Lines of a month and its neighbours from which on months are computed one after another. */
const MANY_LINES = 20_000;

export function createComputations(compute: (request: VersionedRequest) => Promise<BooksMonth>): Computations {
  const inProgress = new Map<string, Promise<BooksMonth>>();
  /** The last computation of a large month, by its project and month. */
  const large = new Map<string, { readonly version: string; readonly month: Promise<BooksMonth> }>();
  let lastTurn: Promise<unknown> = Promise.resolve();

  const inTurn = (request: VersionedRequest): Promise<BooksMonth> => {
    const turn = lastTurn.then(() => compute(request));
    lastTurn = turn.catch(() => undefined);
    const key = `${request.projectId}|${request.month}`;
    const entry = { version: request.version, month: turn };
    large.set(key, entry);
    const end = () => large.get(key) === entry && large.delete(key);
    turn.then(end, end);
    return turn;
  };
  const newest = (request: VersionedRequest): Promise<BooksMonth> => {
    const name = [request.projectId, request.month, request.version].join('|');
    const other = inProgress.get(name);
    if (other) return other;
    const isLarge = linesNear(request.month, request.reports) > MANY_LINES;
    const month = isLarge ? inTurn(request) : compute(request);
    const untilEnd = month.finally(() => inProgress.delete(name));
    inProgress.set(name, untilEnd);
    return untilEnd;
  };
  return {
    newest,
    shared: async (request) => {
      const other = large.get(`${request.projectId}|${request.month}`);
      if (other) return { version: other.version, month: await other.month };
      return { version: request.version, month: await newest(request) };
    },
  };
}
