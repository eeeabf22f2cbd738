// The served build of each projection. The version is in the code; the generation is data, which a rebuild increments. Builds of versions
// that the code no longer defines are dropped: they are not folded any more, so that an erased customer would remain in them.
import type { DocStore } from '../../adapters/documents/port.js';
import {
  readRecord,
  replaceRecord,
  type StoredRecord,
  collectRows,
  buildReplacement,
} from '../../adapters/documents/records.js';
import type { Runtime } from '../../adapters/runtime.js';
import { parkedCollection, readParked } from '../runtime/parked.js';
import { collectionOf, collectionsOf, plainCollectionsOf, type Build, type Projection } from '../runtime/projection.js';
import { checkpointCollection, readCheckpoint } from '../runtime/runner.js';

export const servingCollection = { name: 'serving', indexes: [] };

const CACHED_MS = 1000;

export type Serving = {
  /** Returns the collection of a projection's own documents, or of those derived from it under `name`. */
  collection(projection: Projection, name?: string): Promise<string>;
  /** Returns the served build, cached for one second. */
  build(projection: Projection): Promise<Build>;
  /** Switches to another generation; returns false if another process has changed it. */
  move(projection: Projection, from: number, to: number): Promise<boolean>;
};

export function createServing(docs: DocStore, runtime: Runtime): Serving {
  const cache = new Map<string, { build: Build; collections: Map<string, string>; until: number }>();
  const idOf = (p: Projection) => `${p.name}_v${p.version}`;

  const lookUp = async (projection: Projection) => {
    const id = idOf(projection);
    const cached = cache.get(id);
    const now = runtime.elapsed();
    if (cached && now < cached.until) return cached;
    const generation = generationOf(await readRecord(docs, servingCollection.name, id));
    const build = { projection, generation };
    // The build may come from another process: a store reads only collections whose indexes were declared to it.
    if (cached?.build.generation !== generation) await docs.ensure(collectionsOf(build));
    const names = plainCollectionsOf(projection).map((d) => d.name);
    const collections = new Map(names.map((name) => [name, collectionOf(build, name)]));
    const fresh = { build, collections, until: now + CACHED_MS };
    cache.set(id, fresh);
    return fresh;
  };

  return {
    collection: async (projection, name = projection.name) => {
      const found = (await lookUp(projection)).collections.get(name);
      if (found === undefined) throw new Error(`${projection.name} has no documents named ${name}`);
      return found;
    },
    build: async (projection) => (await lookUp(projection)).build,
    move: async (projection, from, to) => {
      const id = idOf(projection);
      const found = await readRecord(docs, servingCollection.name, id);
      if (generationOf(found) !== from) return false;
      const isMoved = (await replaceRecord(docs, servingCollection.name, found, { generation: to })) !== null;
      // Deleted after the write, or a concurrent lookup would cache the old generation for a second.
      cache.delete(id);
      return isMoved;
    },
  };
}

/** Returns the stored generation; 1 if it was never changed. */
function generationOf({ doc }: StoredRecord): number {
  return Number(doc?.['generation'] ?? 1);
}

const PAGE = 1000;

/** Returns the projections whose served build has a checkpoint: it has replaced the read models of earlier versions. */
export async function projectionsWithHistory(docs: DocStore, builds: readonly Build[]): Promise<readonly Projection[]> {
  await docs.ensure([checkpointCollection]);
  const checkpoints = await Promise.all(builds.map((b) => readCheckpoint(docs, collectionOf(b))));
  return builds.filter((_, i) => checkpoints[i]?.guard !== null).map((b) => b.projection);
}

/** Drops all builds of earlier versions of these projections, by their current and former names. Safe to repeat. */
export async function dropSuperseded(docs: DocStore, projections: readonly Projection[]): Promise<void> {
  await docs.ensure([checkpointCollection, parkedCollection]);
  const scan = { index: 'id', eq: [], limit: PAGE };
  const checkpoints = await collectRows(scan, (page) => docs.scan(checkpointCollection.name, page));
  for (const checkpoint of checkpoints) {
    const { id } = checkpoint;
    const build = supersededBy(projections, id);
    if (!build) continue;
    for (const { name } of collectionsOf(build)) await docs.drop(name);
    const parked = [...(await readParked(docs, build))].map(([document, row]) => {
      return buildReplacement(parkedCollection.name, { id: `${id}|${document}`, guard: row.guard }, null);
    });
    // The checkpoint is deleted last, because it identifies the build.
    await docs.write([parked, [buildReplacement(checkpointCollection.name, checkpoint, null)]]);
  }
}

function namesOf({ name, formerNames = [] }: Projection): readonly string[] {
  return [name, ...formerNames];
}

/** Returns the build of the checkpoint's name if it is an earlier version of one of the projections. */
function supersededBy(projections: readonly Projection[], name: string): Build | null {
  const [, of, version, generation] = /^(.+)_v(\d+)_g(\d+)$/.exec(name) ?? [];
  const projection = projections.find((p) => namesOf(p).includes(of ?? '') && Number(version) < p.version);
  return projection
    ? { projection: { ...projection, name: of ?? '', version: Number(version) }, generation: Number(generation) }
    : null;
}
