// Opens the read models of the charts, of a running or stopped service.
import { systemRuntime } from '../../adapters/runtime.js';
import { customerHistories } from '../../projections/charts/customer-histories.js';
import { projects } from '../../projections/models/projects.js';
import { createReadModels, type ReadModels } from '../../projections/queries/read-models.js';
import { createServing, servingCollection } from '../../projections/rebuild/serving.js';
import { collectionsOf, type Projection } from '../../projections/runtime/projection.js';
import { progressCollection, readPublished } from '../../projections/runtime/shared-progress.js';
import { Failure } from './failure.js';
import type { ReadOnlyData } from './open-for-reading.js';

/** Throws {@link Failure} if the charts have stopped, because what a command writes cannot show that it is stale. */
export async function openChartReadModels({ docs }: ReadOnlyData): Promise<ReadModels> {
  await docs.ensure([servingCollection, progressCollection]);
  const serving = createServing(docs, systemRuntime());
  for (const model of [customerHistories, projects] as unknown as readonly Projection[]) {
    await docs.ensure(collectionsOf(await serving.build(model)));
  }
  if ((await readPublished(docs))?.halted.includes(customerHistories.name)) {
    throw new Failure('the charts have stopped at an event that cannot be read; run subledger doctor for the cause');
  }
  return createReadModels(docs, serving);
}
