// Minimises a failing script: removes steps as long as the rest still fails.
import type { Script } from './world/script.js';

/** `fails` runs a script. Tries at most `most` scripts. */
export async function shrink(
  script: Script,
  fails: (shorter: Script) => Promise<boolean>,
  most = 150,
): Promise<Script> {
  let best = script;
  let tried = 0;
  const keep = async (candidate: Script): Promise<boolean> => {
    if (tried++ >= most || !(await fails(candidate))) return false;
    best = candidate;
    return true;
  };
  await keep({ ...best, steps: best.steps.filter((step) => step.by !== 'faults') });
  for (let size = Math.ceil(best.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < best.steps.length && tried < most;) {
      const steps = [...best.steps.slice(0, from), ...best.steps.slice(from + size)];
      if (!(await keep({ ...best, steps }))) from += size;
    }
    if (tried >= most) break;
  }
  return best;
}
