// Documents whose fold threw. They keep their last good state, and the range of skipped events is stored, so that fixed code can fold it.
import { scanPages, buildReplacement } from '../../adapters/documents/records.js';
import type { DocStore, Write } from '../../adapters/documents/port.js';
import type { EventLog } from '../../adapters/event-log/port.js';
import { logPosition, type LogPosition } from '../../domain/envelope.js';
import type { KeyedHash } from '../../domain/ids.js';
import { foldBatch, type FoldResult, type Poison } from './fold-batch.js';
import { collectionOf, type Build } from './projection.js';

export const parkedCollection = { name: 'parked', indexes: [{ name: 'build', fields: ['build'] }] };

/** Skipped events of the document: all are after `after`, and the last one skipped so far is at `upTo`. */
type SkippedRange = { readonly after: LogPosition; readonly upTo: LogPosition };
export type ParkedRecord = SkippedRange & { readonly guard: string; readonly doc: NonNullable<Write['doc']> };
export type ParkedById = ReadonlyMap<string, ParkedRecord>;

export type RetryDeps = { readonly docs: DocStore; readonly log: EventLog; readonly hash: KeyedHash };

export async function readParked(docs: DocStore, build: Build): Promise<Map<string, ParkedRecord>> {
  const found = new Map<string, ParkedRecord>();
  const ofBuild = { index: 'build', eq: [collectionOf(build)], limit: 1000 };
  for await (const rows of scanPages(ofBuild, (scan) => docs.scan(parkedCollection.name, scan))) {
    for (const { guard, doc } of rows) {
      const range = { after: logPosition(String(doc['after'])), upTo: logPosition(String(doc['upTo'])) };
      found.set(String(doc['id']), { ...range, guard, doc });
    }
  }
  return found;
}

/**
 * Parks documents whose fold threw, and extends the skipped range of parked ones. The guard resolves conflicts of two runners: an event is
 * skipped only if the document is still parked when the batch is written, and only an unchanged range is removed.
 */
export async function parkedWrites(
  docs: DocStore,
  build: Build,
  { poison, skippedUpTo }: Pick<FoldResult, 'poison' | 'skippedUpTo'>,
  parked: ParkedById,
  after: LogPosition,
): Promise<Write[]> {
  const poisonOf = new Map(poison.map((p) => [p.id, p]));
  const fresh = [...skippedUpTo.keys()].filter((id) => !parked.has(id));
  const names = fresh.map((id) => recordId(build, id));
  const tombstones = names.length > 0 ? await docs.get(parkedCollection.name, names) : new Map<string, never>();
  return [...skippedUpTo].flatMap(([id, upTo]) => {
    const known = parked.get(id);
    if (known && upTo <= known.upTo) return [];
    const expect = known?.guard ?? tombstones.get(recordId(build, id))?.guard ?? null;
    const cause = poisonOf.get(id);
    const doc = known ? { ...known.doc, upTo } : { ...describe(build, id, cause), after, upTo };
    return [recordWrite(build, id, expect, doc)];
  });
}

/** Folds the skipped events of parked documents and unparks those that no longer throw. Derived documents are updated as in any batch. */
export async function retryParked(deps: RetryDeps, build: Build, signal: AbortSignal): Promise<void> {
  const { docs } = deps;
  let parked = await readParked(docs, build);
  while (parked.size > 0 && !signal.aborted) {
    const failed = await foldSkipped(deps, build, parked, signal);
    if (signal.aborted) return;
    const writes =
      failed && [...parked].map(([id, { guard, doc }]) => afterRetry(build, id, guard, doc, failed.get(id)));
    if (writes && (await docs.write([writes])) === 'ok') return;
    // Another runner skipped more events, or wrote these documents: start again with the stored state.
    parked = await readParked(docs, build);
  }
}

/** Returns the documents that still throw, by id; null after a lost race. */
async function foldSkipped(
  deps: RetryDeps,
  build: Build,
  parked: ParkedById,
  signal: AbortSignal,
): Promise<Map<string, Poison> | null> {
  const { docs, log } = deps;
  const ranges = [...parked.values()];
  const after = ranges.map((r) => r.after).reduce((a, b) => (a < b ? a : b));
  const upTo = ranges.map((r) => r.upTo).reduce((a, b) => (a > b ? a : b));
  const failed = new Map<string, Poison>();
  const { families, keys } = build.projection;
  for await (const feed of log.follow({ after, families, max: 1000, signal })) {
    const events = feed.events.filter((e) => e.position <= upTo && keys(e).some((id) => parked.has(id)));
    const folded = await foldBatch(deps, build, events, (id) => !parked.has(id) || failed.has(id));
    if ((await docs.write([folded.derived, folded.sources])) === 'lost') return null;
    for (const one of folded.poison) failed.set(one.id, one);
    if (feed.upTo >= upTo || feed.caughtUp) break;
  }
  return failed;
}

function afterRetry(
  build: Build,
  id: string,
  guard: string,
  doc: ParkedRecord['doc'],
  again: Poison | undefined,
): Write {
  return recordWrite(build, id, guard, again ? { ...doc, ...describe(build, id, again) } : null);
}

function describe(build: Build, id: string, cause: Poison | undefined) {
  const { event, error } = cause ?? {};
  const text = error instanceof Error ? error.message : String(error);
  const at = { eventId: event?.id, position: event?.position, stream: event?.stream, revision: event?.revision };
  return { build: collectionOf(build), id, ...at, error: text };
}

function recordWrite(build: Build, id: string, expect: string | null, doc: Write['doc']): Write {
  return buildReplacement(parkedCollection.name, { id: recordId(build, id), guard: expect }, doc);
}

function recordId(build: Build, id: string): string {
  return `${collectionOf(build)}|${id}`;
}
