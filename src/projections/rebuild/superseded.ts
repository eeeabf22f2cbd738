// Read models of versions that the code no longer defines. They are not folded any more, so that an erased customer would remain in them.
import { scanPages, buildReplacement } from '../../adapters/documents/records.js';
import type { DocStore, Row } from '../../adapters/documents/port.js';
import { parkedCollection, readParked } from '../runtime/parked.js';
import { collectionOf, collectionsOf, type Build, type Projection } from '../runtime/projection.js';
import { checkpointCollection, readCheckpoint } from '../runtime/runner.js';

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
  const checkpoints: Row[] = [];
  for await (const rows of scanPages(scan, (page) => docs.scan(checkpointCollection.name, page)))
    checkpoints.push(...rows);
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
