// Builds a projection again from the start of the log, beside the one that is served, compares the two, then swaps.
import type { DocStore } from '../adapters/documents/port.js';
import type { EventLog } from '../adapters/event-log/port.js';
import { collectionsOf, type Build, type Projection } from './projection.js';
import { openRunner } from './runner.js';
import type { Serving } from './serving.js';

export type RebuildDeps = { readonly log: EventLog; readonly docs: DocStore; readonly serving: Serving };
export type RebuildOptions = {
  readonly signal: AbortSignal;
  readonly onProgress?: (events: number, caughtUp: boolean) => void;
};

/** `differences`: ids (of the served build or the new one) whose documents differ; a sound rebuild of unchanged code has none. */
export type Rebuilt = { readonly generation: number; readonly events: number; readonly differences: readonly string[] };

const BATCH = 2000;

/** Resumes a build of the same generation that was cut. Ends with `serving` moved, unless the signal aborts first. */
export async function rebuild(deps: RebuildDeps, projection: Projection, o: RebuildOptions): Promise<Rebuilt> {
  const { log, docs, serving } = deps;
  const served = await serving.build(projection);
  const fresh: Build = { projection, generation: served.generation + 1 };
  const runner = await openRunner(docs, fresh, await log.identity());
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
  const differences = await compare(docs, served, fresh);
  if (!(await serving.move(projection, served.generation, fresh.generation))) {
    throw new Error(`another rebuild of ${projection.name} was served meanwhile; nothing was changed`);
  }
  return { generation: fresh.generation, events, differences };
}

/** Document by document, in id order. A served build that is still moving may differ where events are under way. */
async function compare(docs: DocStore, served: Build, fresh: Build): Promise<string[]> {
  const differences: string[] = [];
  const old = collectionsOf(served);
  for (const [i, spec] of collectionsOf(fresh).entries()) {
    const [left, right] = [await allOf(docs, old[i]?.name ?? spec.name), await allOf(docs, spec.name)];
    for (const id of new Set([...left.keys(), ...right.keys()])) {
      if (left.get(id) !== right.get(id)) differences.push(id);
    }
  }
  return differences;
}

async function allOf(docs: DocStore, c: string): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  let after: string | undefined;
  do {
    const page = await docs.scan(c, { index: 'id', eq: [], limit: 1000, ...(after !== undefined && { after }) });
    for (const row of page.rows) all.set(row.id, JSON.stringify(row.doc));
    after = page.next;
  } while (after !== undefined);
  return all;
}
