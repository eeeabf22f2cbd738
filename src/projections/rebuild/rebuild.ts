// Builds read models from the start of the log, all at once, where nobody reads them yet: beside the served ones for a replay, in their place
// for a projector that finds none. `adopt-build.ts` puts into service what was built beside.
import type { LogPosition } from '../../domain/envelope.js';
import type { DocStore } from '../../adapters/documents/port.js';
import type { BuiltFile } from '../rebuild/adopt-build.js';
import { buildCollection, bulkBuild, canBulkBuild, type BulkDeps, type BulkOptions } from '../rebuild/bulk-build.js';
import { compareBuilds, type Differences } from '../rebuild/compare-builds.js';
import { collectionOf, collectionsOf, type Build, type Projection } from '../runtime/projection.js';
import { checkpointCollection, readCheckpoint } from '../runtime/runner.js';
import { servingCollection, type Serving } from './serving.js';

/** Another thread that builds. */
export type Elsewhere = {
  /** Shorter logs are not worth its start. */
  readonly leastEvents: number;
  /** As {@link bulkBuild} does, and throws as that does. */
  build(
    builds: readonly Build[],
    o: Pick<BulkOptions, 'signal' | 'purpose' | 'onProgress'> & { readonly upTo: LogPosition },
  ): Promise<void>;
};
export type BuildDeps = BulkDeps & { readonly elsewhere?: Elsewhere };
export type BesideDeps = BuildDeps & { readonly serving: Serving };
export type RebuildOptions = {
  readonly signal: AbortSignal;
  /** Events done, of all that the log held at the start. */
  readonly onProgress?: (done: number, total: number) => void;
  /** A build that was cut is gone on with only for the same purpose. */
  readonly purpose?: string;
};

/** `differences`: documents that the served build and the new one do not agree on; a sound rebuild of unchanged code has none. */
export type Compared = { readonly name: string; readonly generation: number; readonly differences: Differences };
export type BuiltBeside = { readonly built: Omit<BuiltFile, 'folder'>; readonly compared: readonly Compared[] };

/**
 * Builds the next generation of each projection in `target`, a store in a file of its own, and compares it with the served one, which may
 * move on meanwhile and is not changed. Goes on with a build of the same generations that was cut. Throws `CannotFold`, and a plain error
 * once the signal aborts.
 */
export async function buildBeside(
  { log, docs, hash, runtime, serving, elsewhere }: BesideDeps,
  target: DocStore,
  projections: readonly Projection[],
  o: RebuildOptions,
): Promise<BuiltBeside> {
  await docs.ensure([servingCollection]);
  const generations = await Promise.all(projections.map(async (p) => (await serving.build(p)).generation));
  const pairs = projections.map((projection, i) => {
    const generation = generations[i] ?? 0;
    return { old: { projection, generation }, fresh: { projection, generation: generation + 1 } };
  });
  const builds = pairs.map(({ fresh }) => fresh);
  await docs.ensure(pairs.flatMap(({ old }) => collectionsOf(old)));
  await buildFromStart({ log, docs: target, hash, runtime, ...(elsewhere && { elsewhere }) }, builds, o);
  await target.ensure(builds.flatMap(collectionsOf));
  const checkpoints = await Promise.all(builds.map((build) => readCheckpoint(target, collectionOf(build))));
  // Those that an earlier run has ended are not as far. What goes on from there skips what the others have, by the guards of their documents.
  const [earliest] = checkpoints.sort((a, b) => (a.position < b.position ? -1 : 1));
  if (!earliest) throw new Error('no read model was named');
  const { position, logIdentity } = earliest;
  const compared: Compared[] = [];
  for (const { old, fresh } of pairs) {
    const differences = await compareBuilds({ docs, build: old }, { docs: target, build: fresh }, position);
    compared.push({ name: fresh.projection.name, generation: fresh.generation, differences });
  }
  const names = builds.map(({ projection: { name, version }, generation }) => ({ name, version, generation }));
  return { built: { logIdentity, position, builds: names }, compared };
}

/**
 * Where the engine can, all builds that have not begun yet are made at once; what is left is for their runners. Of a long log, those
 * that read the stores' notifications are made elsewhere, if that is given: half of a log is notifications, which the others pass over.
 */
export async function buildFromStart(deps: BuildDeps, builds: readonly Build[], o: RebuildOptions): Promise<void> {
  if (!canBulkBuild(deps)) return;
  const { elsewhere } = deps;
  const unbuilt = await unbuiltOf(deps.docs, builds);
  const upTo = await deps.log.head();
  const there = elsewhere && Number(upTo) >= elsewhere.leastEvents ? unbuilt.filter(readsNotifications) : [];
  const here = unbuilt.filter((build) => !there.includes(build));
  if (!elsewhere || there.length === 0 || here.length === 0) {
    if (unbuilt.length > 0) await bulkBuild(deps, unbuilt, o);
    return;
  }
  await bothOf(o, [
    (half) => bulkBuild(deps, here, { ...half, upTo }),
    (half) => elsewhere.build(there, { ...half, upTo }),
  ]);
}

function readsNotifications({ projection }: Build): boolean {
  return projection.families.includes('inbox');
}

/** When one fails the other stops before this throws, so that neither writes any more. */
async function bothOf(
  { signal, onProgress, ...rest }: RebuildOptions,
  halves: readonly ((o: RebuildOptions) => Promise<unknown>)[],
): Promise<void> {
  const failing = new AbortController();
  const shares = halves.map(() => 0);
  const build = async (half: (o: RebuildOptions) => Promise<unknown>, i: number) => {
    const ofAll = (done: number, total: number) => {
      shares[i] = done / halves.length;
      onProgress?.(
        shares.reduce((sum, share) => sum + share, 0),
        total,
      );
    };
    try {
      await half({ ...rest, signal: AbortSignal.any([signal, failing.signal]), onProgress: ofAll });
    } catch (err) {
      // Only the first counts: the other ends because of it.
      failing.abort(err);
    }
  };
  await Promise.all(halves.map(build));
  if (failing.signal.aborted) throw failing.signal.reason;
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
