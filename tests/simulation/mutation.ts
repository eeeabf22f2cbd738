// Mutation testing of the simulation: the shape of a mutation, and how a run gets it.
import { createRandom } from '../../simulator/random.js';
import type { Interceptors } from './engine/process.js';
import { createScript, type Script } from './scenario/script.js';
import { noInterceptors } from './scenario/base-fixture.js';

const DAY_MS = 86_400_000;

/**
 * A bug put into the service from outside. `seed`: the first seed to try, from which it is found soon. `within` changes the script of each
 * run.
 */
export type Mutation = {
  readonly name: string;
  readonly seed: number;
  readonly make: () => Partial<Interceptors>;
  readonly changeScript?: (script: Script) => Script;
};

export const scriptFor = ({ changeScript = (script) => script }: Mutation, seed: number): Script =>
  changeScript(createScript(seed));

/** Changes a script: stores send each notification days late, and their APIs fail. */
export function withDelayedNotifications(script: Script): Script {
  const random = createRandom(`held back ${script.seed}`);
  const steps = script.steps.map((step) =>
    step.by !== 'faults' && step.act.kind === 'store-event'
      ? { ...step, act: { ...step.act, heldMs: random.whole(0, 20 * DAY_MS) } }
      : step,
  );
  const fault = { kind: 'failure', server: 'store', share: 1, forMs: Infinity } as const;
  return { ...script, steps: [{ atMs: script.startMs, by: 'faults', fault }, ...steps] };
}

export function createInterceptors(mutation: Mutation): Interceptors {
  return { ...noInterceptors, ...mutation.make() };
}
