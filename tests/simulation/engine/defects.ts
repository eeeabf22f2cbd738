// A defect of the code that folds events into one read model: it throws at some of them, until repaired code is deployed, for which all
// processes start again. The read model stops or parks documents meanwhile, and has to catch up.
import { projections } from '../../../src/projections/rebuild/registry.js';
import type { Projection } from '../../../src/projections/runtime/projection.js';

export type Defects = {
  /** All processes have it at once: they run the same code. */
  begin(readModel: string): void;
  isAny(): boolean;
  mend(): void;
};

/** Of the events, by the first byte of their ids. */
const ONE_IN = 3;

export function createDefects(): Defects {
  const sound = new Map<Projection, Projection['fold']>();
  return {
    begin: (readModel) => {
      const projection = projections.find(({ name }) => name === readModel);
      if (!projection || sound.has(projection)) return;
      const { fold } = projection;
      sound.set(projection, fold);
      setFold(projection, (doc, event, id, peer) => {
        if (Number.parseInt(event.id.slice(0, 2), 16) % ONE_IN === 0) throw new Error('this code cannot fold it');
        return fold(doc, event, id, peer);
      });
    },
    isAny: () => sound.size > 0,
    mend: () => {
      for (const [projection, fold] of sound) setFold(projection, fold);
      sound.clear();
    },
  };
}

function setFold(projection: Projection, fold: Projection['fold']): void {
  Object.assign(projection, { fold });
}
