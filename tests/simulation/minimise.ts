// Minimises a failing script: removes steps as long as the rest still fails.
import type { Script } from './scenario/script.js';

/** `fails` runs a script. Tries at most `most` scripts. */
export async function minimise(
  script: Script,
  fails: (shorter: Script) => Promise<boolean>,
  maxRuns = 150,
): Promise<Script> {
  let best = script;
  let tried = 0;
  const tryCandidate = async (candidate: Script): Promise<boolean> => {
    if (tried++ >= maxRuns || !(await fails(candidate))) return false;
    best = candidate;
    return true;
  };
  await tryCandidate({ ...best, steps: best.steps.filter((step) => step.by !== 'faults') });
  for (let size = Math.ceil(best.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < best.steps.length && tried < maxRuns;) {
      const steps = [...best.steps.slice(0, from), ...best.steps.slice(from + size)];
      if (!(await tryCandidate({ ...best, steps }))) from += size;
    }
    if (tried >= maxRuns) break;
  }
  return best;
}
