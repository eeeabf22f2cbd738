// Response of setup-status: the steps in order, and counts of the required ones.
import { setupSteps, type SetupStatusDoc } from '../../projections/queries/setup-status.js';

export function presentSetupStatus(doc: SetupStatusDoc | undefined) {
  const steps = setupSteps.map(({ id, title, required }) => {
    const doneAt = doc?.doneAt[id] ?? null;
    return { id, title, done: doneAt !== null, doneAt, required };
  });
  const required = steps.filter((s) => s.required);
  const completedSteps = required.filter((s) => s.done).length;
  const totalSteps = required.length;
  return { object: 'setupStatus', complete: completedSteps === totalSteps, completedSteps, totalSteps, steps };
}
