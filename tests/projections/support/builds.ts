// Runs builds of projections over the events of a log in batches of any size, and shows what came out.
import type { Doc, DocStore } from '../../../src/adapters/documents/port.js';
import { systemRuntime } from '../../../src/adapters/runtime.js';
import type { EventLog, Feed } from '../../../src/adapters/event-log/port.js';
import type { RecordedEvent } from '../../../src/domain/envelope.js';
import { keyedHash } from '../../../src/domain/ids.js';
import {
  collectionOf,
  plainCollectionsOf,
  type Build,
  type Projection,
} from '../../../src/projections/runtime/projection.js';
import { checkpointCollection, openRunner, type Runner } from '../../../src/projections/runtime/runner.js';

export type Documents = Readonly<Record<string, Readonly<Record<string, Doc>>>>;
type GuardedDocuments = Readonly<
  Record<string, Readonly<Record<string, { readonly guard: string; readonly doc: Doc }>>>
>;

export const never = new AbortController().signal;
/** Keyed hash with a constant key for tests. */
export const hash = keyedHash(Buffer.from('naming'));

export function firstBuild(projection: Projection): Build {
  return { projection, generation: 1 };
}

export function open(log: EventLog, docs: DocStore, build: Build): Promise<Runner> {
  return openRunner({ log, docs, hash, runtime: systemRuntime() }, build, never);
}

/** The log's order is kept; `size` is asked before each batch. */
export function feedsOf(events: readonly RecordedEvent[], size: () => number): Feed[] {
  const feeds: Feed[] = [];
  for (let at = 0; at < events.length;) {
    const batch = events.slice(at, at + Math.max(1, size()));
    at += batch.length;
    const upTo = batch.at(-1)?.position;
    if (upTo !== undefined) feeds.push({ events: batch, upTo, caughtUp: at === events.length });
  }
  return feeds;
}

/** Applies batches like a projector: saves the position at the end even if the last batches contained no event for the runner. */
export async function runAll(runner: Runner, feeds: readonly Feed[]): Promise<void> {
  for (const feed of feeds) await runner.apply(feed);
  await runner.save();
}

/** Own and derived documents by the name without version and generation, with their guards. */
export async function guardedOf(docs: DocStore, build: Build): Promise<GuardedDocuments> {
  const { projection } = build;
  const names = plainCollectionsOf(projection).map((d) => d.name);
  const found = names.map(async (name) => {
    const { rows } = await docs.scan(collectionOf(build, name), { index: 'id', eq: [], limit: 100_000 });
    return [name, Object.fromEntries(rows.map(({ id, guard, doc }) => [id, { guard, doc }]))] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}

export function documentsOf(guarded: GuardedDocuments): Documents {
  const bare = (rows: GuardedDocuments[string]) =>
    Object.fromEntries(Object.entries(rows).map(([id, { doc }]) => [id, doc]));
  return Object.fromEntries(Object.entries(guarded).map(([name, rows]) => [name, bare(rows)]));
}

/** Without who has moved it. */
export async function checkpointOf(docs: DocStore, build: Build): Promise<Doc | null | undefined> {
  const id = collectionOf(build);
  const found = (await docs.get(checkpointCollection.name, [id])).get(id)?.doc;
  if (!found) return found;
  const { runs: _, ...doc } = found;
  return doc;
}
