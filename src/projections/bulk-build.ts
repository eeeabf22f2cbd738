// Builds many generations at once from the start of the log, where nobody reads them yet. The log is read and decoded once for all of
// them; each document is folded in memory and written once, so that no guard, no stored document and no index is looked at on the way.
// A long log is built in parts that fit in memory. Every part ends in one transaction that also says so, and a build that was cut goes on.
import type { BulkRow, BulkWrites, DocStore } from '../adapters/documents/port.js';
import type { EventLog } from '../adapters/event-log/port.js';
import type { LogPosition, RecordedEvent } from '../domain/envelope.js';
import { familyOf } from '../domain/streams.js';
import { isKnown } from '../domain/vocabulary.js';
import { createBulkFold, type BulkFold } from './bulk-fold.js';
import { collectionOf, collectionsOf, type Build } from './projection.js';
import { createRouting, type Routing } from './routing.js';
import { checkpointCollection } from './runner.js';

export const buildCollection = { name: 'builds', indexes: [] };

export type BulkDeps = { readonly log: EventLog; readonly docs: DocStore };
export type BulkOptions = {
  readonly signal: AbortSignal;
  /** The last position to take in; the head of the log when it is left out. */
  readonly upTo?: LogPosition;
  /** What each event is taken for, null for not at all: makes a build that must not be served. */
  readonly seenAs?: (event: RecordedEvent) => RecordedEvent | null;
  /** What is built, in words: a build that was cut is gone on with only for the same. */
  readonly purpose?: string;
  /** About as many events as one part may be made from; what it folds is all in memory. */
  readonly partSize?: number;
  /** Steps are events, counted once for reading and once more when they are folded in parts. */
  readonly onProgress?: (done: number, total: number) => void;
};

type Plan = {
  readonly purpose: string;
  readonly logIdentity: string;
  readonly upTo: LogPosition;
  readonly parts: number;
};
type Progress = Plan & { readonly done: number };

/** Events; a log of no more than these is built in one part, and read once. */
const WHOLE_SIZE = 200_000;
const PART_SIZE = 80_000;
const BATCH = 5000;
const ROWS = 2000;
/** Rows on their way to the writer: enough that it never waits, few enough that they are no memory. */
const MOST_UNDER_WAY = 4;

/** True where {@link bulkBuild} works: the engine keeps log and documents in files of its own. */
export function canBulkBuild({ log, docs }: BulkDeps): boolean {
  return docs.bulk !== undefined && log.at !== undefined;
}

/** Ends with a checkpoint per build, from which its runner goes on. Throws `CannotFold`; returns the last position taken in. */
export async function bulkBuild(deps: BulkDeps, builds: readonly Build[], o: BulkOptions): Promise<LogPosition> {
  const { log, docs } = deps;
  const { bulk } = docs;
  if (!bulk || !log.at) throw new Error('this engine builds read models event by event');
  const name = builds.map((b) => collectionOf(b)).join();
  const progress = await resume(deps, bulk, name, builds, o);
  const writer = createRowWriter(bulk);
  const isSplit = progress.parts > 0;
  const whole = builds.filter((b) => !isSplit || !b.projection.isPartitioned).map(createBulkFold);
  const split = builds.filter((b) => isSplit && b.projection.isPartitioned);
  const routing = isSplit ? createRouting(progress.parts) : null;
  const steps = Number(progress.upTo);
  const total = isSplit ? 2 * steps : steps;
  const ended = (done: number): BulkRow => {
    return { c: buildCollection.name, id: name, guard: '1', doc: { ...progress, done } };
  };

  const readBy = [...whole.map((f) => f.build), ...split];
  for await (const { events, upTo } of feeds(deps, readBy, progress.upTo, o)) {
    for (const event of events) {
      if (progress.done === 0) foldInto(whole, event);
      if (routing) route(routing, split, event);
    }
    o.onProgress?.(Math.min(Number(upTo), steps), total);
  }
  // A part is written while the next one is folded.
  let written: Promise<void> | undefined;
  const write = async (folds: readonly BulkFold[], done: number): Promise<void> => {
    await written;
    written = writer.end(folds, docs, ended(done));
    written.catch(() => undefined);
  };
  try {
    if (progress.done === 0) await write(whole, 1);
    for (let part = Math.max(0, progress.done - 1); routing && part < progress.parts; part++) {
      const folds = split.map(createBulkFold);
      const positions = routing.positionsOf(part);
      for (let from = 0; from < positions.length && !o.signal.aborted; from += BATCH) {
        const isMine = (id: string) => routing.partOf(id) === part;
        const events = seen(await log.at(positions.slice(from, from + BATCH)), o);
        for (const event of events) foldInto(folds, event, isMine);
        o.onProgress?.(
          steps + (steps * (part + Math.min(1, (from + BATCH) / positions.length))) / progress.parts,
          total,
        );
      }
      if (o.signal.aborted) throw stopped();
      await write(folds, part + 2);
    }
  } finally {
    await written;
  }
  await bulk.finish(builds.flatMap(collectionsOf));
  const { upTo: position, logIdentity } = progress;
  const checkpoints = builds.map((b): BulkRow => {
    return { c: checkpointCollection.name, id: collectionOf(b), guard: '1', doc: { position, logIdentity } };
  });
  await bulk.put([...checkpoints, { ...ended(0), doc: null }]);
  return position;
}

/** Goes on with the same build of the same log, or begins with empty collections. */
async function resume(
  { log, docs }: BulkDeps,
  bulk: BulkWrites,
  name: string,
  builds: readonly Build[],
  o: BulkOptions,
): Promise<Progress> {
  const collections = [buildCollection, checkpointCollection, ...builds.flatMap(collectionsOf)];
  await docs.ensure([buildCollection]);
  const logIdentity = await log.identity();
  const found = (await docs.get(buildCollection.name, [name])).get(name)?.doc as Progress | null | undefined;
  const purpose = o.purpose ?? '';
  if (found?.logIdentity === logIdentity && found.purpose === purpose) {
    await bulk.begin(collections);
    return found;
  }
  for (const { name: c } of builds.flatMap(collectionsOf)) await docs.drop(c);
  await bulk.begin(collections);
  const head = await log.head();
  const upTo = o.upTo !== undefined && o.upTo < head ? o.upTo : head;
  const isWhole = Number(upTo) <= (o.partSize ?? WHOLE_SIZE);
  const parts = isWhole ? 0 : Math.ceil(Number(upTo) / (o.partSize ?? PART_SIZE));
  const fresh = { purpose, logIdentity, upTo, parts, done: 0 };
  await bulk.put([{ c: buildCollection.name, id: name, guard: '1', doc: fresh }]);
  return fresh;
}

async function* feeds(
  { log }: BulkDeps,
  builds: readonly Build[],
  upTo: LogPosition,
  o: BulkOptions,
): AsyncGenerator<{ readonly events: readonly RecordedEvent[]; readonly upTo: LogPosition }> {
  const families = [...new Set(builds.flatMap((b) => b.projection.families))];
  const isWanted = (e: RecordedEvent) => e.position <= upTo && isOfKnownType(e);
  for await (const feed of log.follow({ after: 'start', families, max: BATCH, signal: o.signal })) {
    yield { events: seen(feed.events.filter(isWanted), o), upTo: feed.upTo };
    if (feed.upTo >= upTo || feed.caughtUp) break;
  }
  if (o.signal.aborted) throw stopped();
}

function seen(events: readonly RecordedEvent[], { seenAs }: BulkOptions): readonly RecordedEvent[] {
  return seenAs ? events.flatMap((event) => seenAs(event) ?? []) : events;
}

/** Types that only newer code knows are passed over, as everywhere. */
function isOfKnownType({ type }: RecordedEvent): boolean {
  return isKnown({ type, v: 1 });
}

function foldInto(folds: readonly BulkFold[], event: RecordedEvent, isMine?: (id: string) => boolean): void {
  const family = familyOf(event.stream);
  for (const fold of folds) {
    const { projection } = fold.build;
    if (!projection.families.includes(family)) continue;
    const ids = projection.keys(event);
    if (ids.length > 0) fold.fold(event, isMine ? ids.filter(isMine) : ids);
  }
}

function route(routing: Routing, builds: readonly Build[], event: RecordedEvent): void {
  const family = familyOf(event.stream);
  for (const { projection } of builds) {
    const ids = projection.families.includes(family) ? projection.keys(event) : [];
    if (ids.length > 0) routing.note(event.position, ids);
  }
}

function createRowWriter(bulk: BulkWrites) {
  return {
    /** Writes all that was folded; `last` tells, in the transaction of the shared documents, that it is there. */
    end: async (folds: readonly BulkFold[], docs: DocStore, last: BulkRow): Promise<void> => {
      const underWay: Promise<void>[] = [];
      let rows: BulkRow[] = [];
      const send = async () => {
        underWay.push(bulk.put(rows));
        rows = [];
        if (underWay.length > MOST_UNDER_WAY) await underWay.shift();
      };
      for (const fold of folds) {
        for (const row of fold.rows()) if (rows.push(row) === ROWS) await send();
      }
      await send();
      await Promise.all(underWay);
      const totals = await Promise.all(folds.map((f) => f.totals(docs)));
      await bulk.put([...totals.flat(), last]);
    },
  };
}

function stopped(): Error {
  return new Error('the build was stopped; run it again to go on');
}
