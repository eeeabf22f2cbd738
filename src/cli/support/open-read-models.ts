// Opens read models of a running or stopped service.
import type { DocStore } from '../../adapters/documents/port.js';
import { systemRuntime } from '../../adapters/runtime.js';
import { customerHistories } from '../../projections/charts/customer-histories.js';
import { projects, type ProjectDoc } from '../../projections/models/projects.js';
import { createReadModels, type ReadModels } from '../../projections/queries/read-models.js';
import { createServing, servingCollection } from '../../projections/rebuild/serving.js';
import { collectionsOf, type Projection } from '../../projections/runtime/projection.js';
import { progressCollection, readPublished } from '../../projections/runtime/shared-progress.js';
import { Failure } from './failure.js';

/** Opens the read models, which the documents must contain. */
export async function openReadModels(docs: DocStore, models: readonly Projection[]): Promise<ReadModels> {
  await docs.ensure([servingCollection]);
  const serving = createServing(docs, systemRuntime());
  for (const model of models) await docs.ensure(collectionsOf(await serving.build(model)));
  return createReadModels(docs, serving);
}

/** Throws {@link Failure} if the charts have stopped, because what a command writes cannot show that it is stale. */
export async function openChartReadModels(docs: DocStore): Promise<ReadModels> {
  const readModels = await openReadModels(docs, [customerHistories, projects]);
  await docs.ensure([progressCollection]);
  if (!(await readPublished(docs))?.halted.includes(customerHistories.name)) return readModels;
  throw new Failure('the charts have stopped at an event that cannot be read; run subledger doctor for the cause');
}

/** Throws {@link Failure} for an unknown project. */
export async function requireProject(readModels: ReadModels, projectId: string): Promise<ProjectDoc> {
  const project = await readModels.get(projects, projectId);
  if (project) return project;
  throw new Failure(`project ${projectId} not found; GET /v1/projects lists the ids of your projects`);
}
