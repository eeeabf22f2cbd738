// Builds read models from the start of the log, all at once, before they are served: in a separate store for a rebuild, or in place for a
// projector that finds none. `adopt-build.ts` puts the builds of a separate store into service.
import type { LogPosition } from '../../domain/envelope.js';
import type { DocStore, Row } from '../../adapters/documents/port.js';
import type { BuiltFile } from './adopt-build.js';
import { buildCollection, bulkBuild, canBulkBuild, type BulkDeps, type BulkOptions } from './bulk-build.js';
import { collectionOf, collectionsOf, type Build, type Projection } from '../runtime/projection.js';
import { checkpointCollection, readCheckpoint } from '../runtime/runner.js';
import { servingCollection, type Serving } from './serving.js';
import { scanPages } from '../../adapters/documents/records.js';
import { isDeepStrictEqual } from 'node:util';
import { compareScalars } from '../../adapters/documents/index-keys.js';

/** Build in a worker thread. */
export type BuildThread = {
  /** Minimum number of events; the start of the thread does not pay off for shorter logs. */
  readonly leastEvents: number;
  /** Same contract as {@link bulkBuild}. */
  build(
    builds: readonly Build[],
    o: Pick<BulkOptions, 'signal' | 'purpose' | 'onProgress'> & { readonly upTo: LogPosition },
  ): Promise<void>;
};
export type BuildDeps = BulkDeps & { readonly elsewhere?: BuildThread };
export type SeparateBuildDeps = BuildDeps & { readonly serving: Serving };
export type RebuildOptions = {
  readonly signal: AbortSignal;
  /** Reports events done of all in the log at the start. */
  readonly onProgress?: (done: number, total: number) => void;
  /** An interrupted build is resumed only for the same purpose. */
  readonly purpose?: string;
};

/** `differences`: documents that differ between the served and the new build; a rebuild with unchanged code has none. */
export type BuildComparison = { readonly name: string; readonly generation: number; readonly differences: Differences };
export type BuildResult = { readonly built: Omit<BuiltFile, 'folder'>; readonly compared: readonly BuildComparison[] };

/**
 * Builds the next generation of each projection in `target`, a separate store, and compares it with the served one, which stays in service
 * and is not changed. Resumes an interrupted build of the same generations. Throws `CannotFold`, and an error once the signal aborts.
 */
export async function buildSeparately(
  { log, docs, hash, runtime, serving, elsewhere }: SeparateBuildDeps,
  target: DocStore,
  projections: readonly Projection[],
  o: RebuildOptions,
): Promise<BuildResult> {
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
  // Builds that an earlier run completed may be less advanced. Catching up from there skips what the others contain, by their guards.
  const [earliest] = checkpoints.sort((a, b) => (a.position < b.position ? -1 : 1));
  if (!earliest) throw new Error('no read model was selected');
  const { position, logIdentity } = earliest;
  const compared: BuildComparison[] = [];
  for (const { old, fresh } of pairs) {
    const differences = await compareBuilds({ docs, build: old }, { docs: target, build: fresh }, position);
    compared.push({ name: fresh.projection.name, generation: fresh.generation, differences });
  }
  const names = builds.map(({ projection: { name, version }, generation }) => ({ name, version, generation }));
  return { built: { logIdentity, position, builds: names }, compared };
}

/**
 * Builds all that have no checkpoint yet at once, if the storage engine supports it; the rest is left to their runners. For a long log, the
 * projections of store notifications are built in the worker thread, if there is one: half of a log is notifications.
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
  await runBoth(o, [
    (half) => bulkBuild(deps, here, { ...half, upTo }),
    (half) => elsewhere.build(there, { ...half, upTo }),
  ]);
}

function readsNotifications({ projection }: Build): boolean {
  return projection.families.includes('inbox');
}

/** If one half fails, the other is stopped before this throws, so that neither writes any more. */
async function runBoth(
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
      // Only the first error counts: it causes the other one.
      failing.abort(err);
    }
  };
  await Promise.all(halves.map(build));
  if (failing.signal.aborted) throw failing.signal.reason;
}

/** Removes the partial builds that {@link buildFromStart} could not complete. */
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

// Compares two builds of a projection document by document. Both are read in parallel, page by page in the order of ids, so that memory
// is independent of the number of documents.
/** `ids`: the first of the differing documents, own and derived. */
type Differences = { readonly count: number; readonly ids: readonly string[] };

const MAX_REPORTED = 100;
const PAGE = 1000;

/** A build and the store of its documents. */
type StoredBuild = { readonly docs: DocStore; readonly build: Build };

/** `left` may be in service: its changes after `upTo`, which `right` does not contain, are not differences. */
export async function compareBuilds(left: StoredBuild, right: StoredBuild, upTo?: LogPosition): Promise<Differences> {
  const ids: string[] = [];
  let count = 0;
  const others = collectionsOf(right.build);
  for (const [i, { name }] of collectionsOf(left.build).entries()) {
    for await (const id of differingIds(left.docs, name, right.docs, others[i]?.name ?? name)) {
      const guard = upTo && (await left.docs.get(name, [id])).get(id)?.guard;
      if (upTo && guard && guard > upTo) continue;
      count++;
      if (ids.length < MAX_REPORTED) ids.push(id);
    }
  }
  return { count, ids };
}

async function* differingIds(
  ourDocs: DocStore,
  left: string,
  theirDocs: DocStore,
  right: string,
): AsyncGenerator<string> {
  const [leftRows, rightRows] = [rowsOf(ourDocs, left), rowsOf(theirDocs, right)];
  let [a, b] = [await nextRow(leftRows), await nextRow(rightRows)];
  while (a || b) {
    const order = !a ? 1 : !b ? -1 : compareScalars(a.id, b.id);
    if (order !== 0 || !isDeepStrictEqual(a?.doc, b?.doc)) yield (order <= 0 ? a : b)?.id ?? '';
    [a, b] = [order <= 0 ? await nextRow(leftRows) : a, order >= 0 ? await nextRow(rightRows) : b];
  }
}

async function nextRow(rows: AsyncGenerator<Row, undefined>): Promise<Row | undefined> {
  return (await rows.next()).value;
}

async function* rowsOf(docs: DocStore, c: string): AsyncGenerator<Row, undefined> {
  for await (const rows of scanPages({ index: 'id', eq: [], limit: PAGE }, (scan) => docs.scan(c, scan))) yield* rows;
  return undefined;
}
