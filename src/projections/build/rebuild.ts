// Builds projections again from the start of the log, beside those that are served, compares, then swaps.
import type { DocStore } from '../../adapters/documents/port.js';
import { buildCollection, bulkBuild, canBulkBuild } from './bulk-build.js';
import { compareBuilds, type Differences } from './compare-builds.js';
import { collectionOf, collectionsOf, type Build, type Projection } from '../runtime/projection.js';
import { checkpointCollection, openRunner, readCheckpoint, type RunnerDeps } from '../runtime/runner.js';
import { servingCollection, type Serving } from './serving.js';

export type RebuildDeps = RunnerDeps & { readonly serving: Serving };
export type RebuildOptions = {
  readonly signal: AbortSignal;
  /** Events, of which the total is known only as far as the log went at the start. */
  readonly onProgress?: (done: number, total: number) => void;
};

/** `differences`: documents that the served build and the new one do not agree on; a sound rebuild of unchanged code has none. */
export type Rebuilt = {
  readonly projection: Projection;
  readonly generation: number;
  readonly differences: Differences;
};

const BATCH = 2000;

/**
 * Resumes a build of the same generations that was cut. Ends with `serving` moved, unless the signal aborts first or a fold throws:
 * a build that lacks something is not served, also where the running projection would park the document.
 */
export async function rebuild(
  deps: RebuildDeps,
  projections: readonly Projection[],
  o: RebuildOptions,
): Promise<readonly Rebuilt[]> {
  const { docs, serving } = deps;
  await docs.ensure([servingCollection, checkpointCollection]);
  const served = await Promise.all(
    projections.map(async (projection) => ({ projection, generation: (await serving.build(projection)).generation })),
  );
  await docs.ensure(served.flatMap(collectionsOf));
  const fresh = served.map(({ projection, generation }): Build => ({ projection, generation: generation + 1 }));
  await buildFromStart(deps, fresh, o);
  for (const build of fresh) await catchUp(deps, build, o);
  const rebuilt: Rebuilt[] = [];
  for (const [i, { projection, generation }] of fresh.entries()) {
    const old: Build = served[i] ?? { projection, generation: generation - 1 };
    const differences = await compareBuilds({ docs, build: old }, { docs, build: { projection, generation } });
    if (!(await serving.move(projection, old.generation, generation))) {
      throw new Error(`another rebuild of ${projection.name} was served meanwhile; nothing was changed`);
    }
    rebuilt.push({ projection, generation, differences });
  }
  return rebuilt;
}

/** Where the engine can, all builds that have not begun yet are made at once; what is left is for their runners. */
export async function buildFromStart(deps: RunnerDeps, builds: readonly Build[], o: RebuildOptions): Promise<void> {
  if (!canBulkBuild(deps)) return;
  const unbuilt = await unbuiltOf(deps.docs, builds);
  if (unbuilt.length > 0) await bulkBuild(deps, unbuilt, o);
}

/** Takes back what {@link buildFromStart} has made of builds that it could not end. */
export async function discardBuild(docs: DocStore, builds: readonly Build[]): Promise<void> {
  const unbuilt = await unbuiltOf(docs, builds);
  for (const { name } of unbuilt.flatMap(collectionsOf)) await docs.drop(name);
  await docs.drop(buildCollection.name);
}

async function unbuiltOf(docs: DocStore, builds: readonly Build[]): Promise<Build[]> {
  await docs.ensure([checkpointCollection]);
  const checkpoints = await Promise.all(builds.map((b) => readCheckpoint(docs, collectionOf(b))));
  return builds.filter((_, i) => checkpoints[i]?.guard === null);
}

/** Brings a build that has its checkpoint up to the head of the log; throws when something of it had to be parked. */
export async function catchUp(deps: RunnerDeps, build: Build, o: RebuildOptions): Promise<void> {
  const { projection } = build;
  const runner = await openRunner(deps, build, o.signal);
  const feed = { after: runner.position(), families: projection.families, max: BATCH, signal: o.signal };
  for await (const batch of deps.log.follow(feed)) {
    await runner.apply(batch);
    o.onProgress?.(Number(batch.upTo), Number(batch.upTo));
    if (batch.caughtUp) break;
  }
  if (o.signal.aborted) throw new Error(`the rebuild of ${projection.name} was stopped; run it again to go on`);
  await runner.save();
  if (runner.parked() > 0) {
    throw new Error(
      `${runner.parked()} documents of ${projection.name} cannot be folded; repair that and run it again`,
    );
  }
}
