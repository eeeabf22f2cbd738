// Injects a defect into the projection of one read model: its fold throws for some events until repaired code is deployed and all processes
// restart. Until then the read model halts or parks documents; afterwards it has to catch up.
import { projections } from '../../../src/projections/rebuild/registry.js';
import type { Projection } from '../../../src/projections/runtime/projection.js';

export type Defects = {
  /** Affects all processes at once, as they run the same code. */
  begin(readModel: string): void;
  isAny(): boolean;
  mend(): void;
};

/** Share of the events that fail, by the first byte of their IDs. */
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
        if (Number.parseInt(event.id.slice(0, 2), 16) % ONE_IN === 0) throw new Error('injected defect');
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
