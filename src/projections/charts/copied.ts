// The charts of a named copy: one build in a file of its own, which never changes.
import type { DocStore } from '../../adapters/documents/port.js';
import { collectionOf, collectionsOf, type Build, type Projection } from '../runtime/projection.js';
import { createReadModels } from '../queries/read-models.js';
import { customerHistories } from './customer-histories.js';
import { chartSource, type ChartSource } from './source.js';

const GENERATION = 1;
const builtIn = (projection: Projection): Build => ({ projection, generation: GENERATION });
const charts = builtIn(customerHistories as unknown as Projection);

/** The collection that a copy with charts of this version has. */
export const chartsInCopy = collectionOf(charts);

/** Throws `Unavailable` when the copy has no charts of this version. */
export async function copiedCharts(docs: DocStore): Promise<ChartSource> {
  await docs.ensure(collectionsOf(charts));
  const readModels = createReadModels(docs, {
    collection: (projection, name) => Promise.resolve(collectionOf(builtIn(projection), name)),
    build: (projection) => Promise.resolve(builtIn(projection)),
    move: () => Promise.resolve(false),
  });
  return chartSource(readModels);
}
