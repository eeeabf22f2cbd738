// How the service does: asked of it where that can be, else worked out from what it has written down.
import type { Config } from '../../adapters/config.js';
import type { Runtime } from '../../adapters/runtime.js';
import { collectionOf } from '../../projections/runtime/projection.js';
import { createProgress } from '../../projections/runtime/progress.js';
import { projections } from '../../projections/build/registry.js';
import { readCheckpoint } from '../../projections/runtime/runner.js';
import { createServing } from '../../projections/build/serving.js';
import { readPublished, applyHalted } from '../../projections/runtime/shared-progress.js';
import { reportHealth, type HealthReport } from '../../workers/coordination/health.js';
import { askService } from '../support/on-service.js';
import type { Reading } from '../support/open-for-reading.js';

/** Checkpoints of reactions are saved once a second, so on servers only each worker's own `/healthz` has their lag. */
export async function healthOf(
  config: Config,
  { log, docs }: Pick<Reading, 'log' | 'docs'>,
  runtime: Runtime,
  isAlongside: boolean,
): Promise<HealthReport> {
  if (isAlongside) return (await askService(config, runtime, { kind: 'health' })) as HealthReport;
  const serving = createServing(docs, runtime);
  const progress = createProgress();
  const published = await readPublished(docs);
  for (const projection of projections) {
    const saved = (await readCheckpoint(docs, collectionOf(await serving.build(projection)))).position;
    progress.moved(projection.name, published?.positions[projection.name] ?? saved);
  }
  if (published) applyHalted(progress, published);
  const sending = { delivered: 0, failed: 0, inFlight: 0, openBreakers: 0 };
  // Whoever examines a stopped service looks at the disk itself.
  const diskFree = () => Promise.resolve(null);
  return reportHealth({
    log,
    docs,
    diskFree,
    runtime,
    progress,
    serving,
    projections,
    reactions: [],
    sending,
    processId: null,
  });
}
