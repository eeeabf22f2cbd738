// Problems of an import by code: their number and the first rows of each, whatever the order in which they are found.
import type { ImportProblem, ImportProblemCode } from '../../domain/imports/problems.js';

export type ProblemCount = {
  readonly code: ImportProblemCode;
  readonly count: number;
  readonly examples: readonly ImportProblem[];
};
export type ProblemCounts = {
  addProblem(problem: ImportProblem): void;
  add(counts: readonly ProblemCount[]): void;
  list(): readonly ProblemCount[];
};

/** Maximum of rows listed per problem. */
const MAX_LISTED = 20;

export function createProblemCounts(): ProblemCounts {
  const counts = new Map<ImportProblemCode, ProblemCount>();
  const add = ({ code, count, examples }: ProblemCount) => {
    const known = counts.get(code);
    const listed = examples.reduce(withExample, known?.examples ?? []);
    counts.set(code, { code, count: (known?.count ?? 0) + count, examples: listed });
  };
  return {
    addProblem: (problem) => add({ code: problem.code, count: 1, examples: [problem] }),
    add: (all) => all.forEach(add),
    list: () => [...counts.values()],
  };
}

function withExample(listed: readonly ImportProblem[], one: ImportProblem): readonly ImportProblem[] {
  const last = listed.at(-1);
  if (last && listed.length === MAX_LISTED && byRow(last, one) <= 0) return listed;
  return [...listed, one].toSorted(byRow).slice(0, MAX_LISTED);
}

function byRow({ from: a }: ImportProblem, { from: b }: ImportProblem): number {
  return a.file === b.file ? a.row - b.row : a.file < b.file ? -1 : 1;
}
