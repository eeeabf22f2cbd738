// How a fault is planted, and the worlds in which it shows.
import { createRandom } from '../../simulator/random.js';
import type { Wrap } from './engine/process.js';
import { writeScript, type Script } from './world/script.js';
import { nothingPlanted } from './world/seedling.js';

const DAY_MS = 86_400_000;

/** `seed`: from where it is soon found. `make` is called for each world, `within` changes the script of each. */
export type Plant = {
  readonly name: string;
  readonly seed: number;
  readonly make: () => Partial<Wrap>;
  readonly within?: (script: Script) => Script;
};

export const scriptFor = ({ within = (script) => script }: Plant, seed: number): Script => within(writeScript(seed));

/** Stores send their notifications days after they happened, one by one, and cannot be asked what they have sent. */
export function heldBack(script: Script): Script {
  const random = createRandom(`held back ${script.seed}`);
  const steps = script.steps.map((step) =>
    step.by !== 'weather' && step.act.kind === 'happening'
      ? { ...step, act: { ...step.act, heldMs: random.whole(0, 20 * DAY_MS) } }
      : step,
  );
  const fault = { kind: 'failing', server: 'store', share: 1, forMs: Infinity } as const;
  return { ...script, steps: [{ atMs: script.startMs, by: 'weather', fault }, ...steps] };
}

export function planted(plant: Plant): Wrap {
  return { ...nothingPlanted, ...plant.make() };
}
