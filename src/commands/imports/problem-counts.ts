// Problems of an import by code: their number and the first rows of each.
import type { ImportProblem, ImportProblemCode } from '../../domain/imports/problems.js';

export type ProblemCount = {
  readonly code: ImportProblemCode;
  readonly count: number;
  readonly examples: readonly ImportProblem[];
};
export type ProblemCounts = {
  note(problem: ImportProblem): void;
  add(counts: readonly ProblemCount[]): void;
  list(): readonly ProblemCount[];
};

/** Maximum of rows listed per problem. */
const MAX_LISTED = 20;

export function createProblemCounts(): ProblemCounts {
  const counts = new Map<ImportProblemCode, ProblemCount>();
  const add = ({ code, count, examples }: ProblemCount) => {
    const known = counts.get(code);
    const room = MAX_LISTED - (known?.examples.length ?? 0);
    const listed = room > 0 ? [...(known?.examples ?? []), ...examples.slice(0, room)] : (known?.examples ?? []);
    counts.set(code, { code, count: (known?.count ?? 0) + count, examples: listed });
  };
  return {
    note: (problem) => add({ code: problem.code, count: 1, examples: [problem] }),
    add: (all) => all.forEach(add),
    list: () => [...counts.values()],
  };
}
