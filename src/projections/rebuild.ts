// Builds a projection again from the start of the log, beside the one that is served, compares the two, then swaps.
import type { DocStore } from '../adapters/documents/port.js';
import type { EventLog } from '../adapters/event-log/port.js';
import { compareBuilds, type Differences } from './compare-builds.js';
import { collectionsOf, type Build, type Projection } from './projection.js';
import { openRunner } from './runner.js';
import { servingCollection, type Serving } from './serving.js';

export type RebuildDeps = { readonly log: EventLog; readonly docs: DocStore; readonly serving: Serving };
export type RebuildOptions = {
  readonly signal: AbortSignal;
  readonly onProgress?: (events: number, caughtUp: boolean) => void;
};

/** `differences`: documents that the served build and the new one do not agree on; a sound rebuild of unchanged code has none. */
export type Rebuilt = { readonly generation: number; readonly events: number; readonly differences: Differences };

const BATCH = 2000;

/**
 * Resumes a build of the same generation that was cut. Ends with `serving` moved, unless the signal aborts first or a fold throws:
 * a build that lacks something is not served, also where the running projection would park the document.
 */
export async function rebuild(deps: RebuildDeps, projection: Projection, o: RebuildOptions): Promise<Rebuilt> {
  const { log, docs, serving } = deps;
  await docs.ensure([servingCollection]);
  const served = await serving.build(projection);
  const fresh: Build = { projection, generation: served.generation + 1 };
  await docs.ensure(collectionsOf(served));
  const runner = await openRunner(deps, fresh, o.signal);
  let events = 0;
  const feed = { after: runner.position(), families: projection.families, max: BATCH, signal: o.signal };
  for await (const batch of log.follow(feed)) {
    await runner.apply(batch);
    events += batch.events.length;
    o.onProgress?.(events, batch.caughtUp);
    if (batch.caughtUp) break;
  }
  if (o.signal.aborted) throw new Error(`the rebuild of ${projection.name} was stopped; run it again to go on`);
  await runner.save();
  if (runner.parked() > 0) {
    throw new Error(
      `${runner.parked()} documents of ${projection.name} cannot be folded; repair that and run it again`,
    );
  }
  const differences = await compareBuilds(docs, served, fresh);
  if (!(await serving.move(projection, served.generation, fresh.generation))) {
    throw new Error(`another rebuild of ${projection.name} was served meanwhile; nothing was changed`);
  }
  return { generation: fresh.generation, events, differences };
}
