// The charts of a named copy: one build in a file of its own, which never changes.
import { collectionOf, collectionsOf, type Build, type Projection } from '../runtime/projection.js';
import { createReadModels, type ReadModels } from '../queries/read-models.js';
import { customerHistories } from './customer-histories.js';
import { checkpointCollection } from '../runtime/runner.js';
import { chartSource, type ChartSource, type Compute, type CopiedDocs } from './source.js';

const GENERATION = 1;
const builtIn = (projection: Projection): Build => ({ projection, generation: GENERATION });
/** The build that a copy with charts of this version holds. */
export const chartsOfCopies = builtIn(customerHistories as unknown as Projection);

export const chartsInCopy = collectionOf(chartsOfCopies);

/** Throws `Unavailable` when the copy has no charts of this version. */
export async function readModelsOf({ docs }: CopiedDocs): Promise<ReadModels> {
  await docs.ensure([...collectionsOf(chartsOfCopies), checkpointCollection]);
  return createReadModels(docs, {
    collection: (projection, name) => Promise.resolve(collectionOf(builtIn(projection), name)),
    known: (projection) => collectionOf(builtIn(projection)),
    build: (projection) => Promise.resolve(builtIn(projection)),
    move: () => Promise.resolve(false),
  });
}

/** `compute` answers what the sums do not hold. */
export async function copiedCharts(copy: CopiedDocs, compute: Compute): Promise<ChartSource> {
  return chartSource(await readModelsOf(copy), compute, copy);
}
