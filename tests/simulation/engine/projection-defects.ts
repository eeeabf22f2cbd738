// Injects a defect into the projection of one read model: its fold throws for some events until repaired code is deployed and all processes
// restart. Until then the read model halts or parks documents; afterwards it has to catch up.
import { projections } from '../../../src/projections/rebuild/registry.js';
import type { Projection } from '../../../src/projections/runtime/projection.js';

export type ProjectionDefects = {
  /** Affects all processes at once, as they run the same code. */
  introduce(readModel: string): void;
  isAny(): boolean;
  repair(): void;
};

/** Share of the events that fail, by the first byte of their IDs. */
const FAILING_ONE_IN = 3;

export function createProjectionDefects(): ProjectionDefects {
  const originals = new Map<Projection, Projection['fold']>();
  return {
    introduce: (readModel) => {
      const projection = projections.find(({ name }) => name === readModel);
      if (!projection || originals.has(projection)) return;
      const { fold } = projection;
      originals.set(projection, fold);
      setFold(projection, (doc, event, id, peer) => {
        if (Number.parseInt(event.id.slice(0, 2), 16) % FAILING_ONE_IN === 0) throw new Error('injected defect');
        return fold(doc, event, id, peer);
      });
    },
    isAny: () => originals.size > 0,
    repair: () => {
      for (const [projection, fold] of originals) setFold(projection, fold);
      originals.clear();
    },
  };
}

function setFold(projection: Projection, fold: Projection['fold']): void {
  Object.assign(projection, { fold });
}
