// Builds many generations at once from the start of the log, before they are served: each document is folded in memory and written once,
// without reading guards, stored documents or indexes. The first pass reads the whole log, builds the small projections and records which
// events the documents of the partitioned ones need. The second pass reads these events again, portion by portion, and folds them, so that
// memory stays bounded. The progress is stored in a transaction at the end of each part, and an interrupted build resumes there.
import type { BulkRow, BulkSpec, BulkWrites, DocStore } from '../../adapters/documents/port.js';
import type { Runtime } from '../../adapters/runtime.js';
import type { LogPosition, RecordedEvent } from '../../domain/envelope.js';
import { createBulkFold, createEventFold, createIdLookup, type BulkFold } from './bulk-fold.js';
import { isOfKnownType } from '../runtime/fold-batch.js';
import { collectionOf, collectionsOf, replace, type Build } from '../runtime/projection.js';
import { createRouting } from '../runtime/routing.js';
import { checkpointCollection, firstCheckpoint, type RunnerDeps } from '../runtime/runner.js';
import { recordsNamed, readRecord } from '../../adapters/documents/records.js';

export const buildCollection = { name: recordsNamed<Progress>('builds'), indexes: [] };

export type BulkDeps = RunnerDeps & { readonly runtime: Pick<Runtime, 'newId'> };
export type BulkOptions = {
  readonly signal: AbortSignal;
  /** Last position to include; default: the head of the log. */
  readonly upTo?: LogPosition;
  /** Description of the build: an interrupted build is resumed only for the same purpose. */
  readonly purpose?: string;
  /** Approximate number of events that are folded again after an interruption. */
  readonly partSize?: number;
  /** Reports events done of all: reading counts as one half, folding as the other. The last call reports all. */
  readonly onProgress?: (done: number, total: number) => void;
};

type Plan = {
  readonly purpose: string;
  readonly logIdentity: string;
  readonly upTo: LogPosition;
};
/** `done`: number of completed transactions: one for the first pass, then one per part. `bounds`: of the parts, known after that pass. */
type Progress = Plan & { readonly done: number; readonly bounds?: readonly number[] };

/** Events of one part, approximately the work that is repeated after an interruption. */
const PART_SIZE = 200_000;
/** Events in memory at once. Objects that survive a collection of the young generation cost more than their creation. */
const BATCH = 500;
const ROWS = 500;
/** Batches of rows in flight to the writer: enough that it never waits, few enough to use little memory. */
const MAX_UNDER_WAY = 24;

/** Returns true if the storage engine supports {@link bulkBuild}: log and documents are in its own files. */
export function canBulkBuild({ log, docs }: Pick<BulkDeps, 'log' | 'docs'>): boolean {
  return docs.bulk !== null && log.local !== null;
}

/** Ends with a checkpoint per build, from which its runner continues. Returns the last included position. Throws `CannotFold`. */
export async function bulkBuild(deps: BulkDeps, builds: readonly Build[], o: BulkOptions): Promise<LogPosition> {
  const { log, docs, hash } = deps;
  const { bulk } = docs;
  const { local } = log;
  if (!bulk || !local) throw new Error('this storage engine does not support bulk builds');
  const name = builds.map((b) => collectionOf(b)).join();
  const progress = await resume(deps, bulk, name, builds, o);
  const whole = builds.filter((b) => !b.projection.isPartitioned).map((b) => createBulkFold(b, hash));
  const split = builds.filter((b) => b.projection.isPartitioned);
  const steps = Number(progress.upTo);
  const onProgress = (halves: number) => o.onProgress?.(Math.min(halves / 2, steps), steps);
  const endOf = (done: number, bounds: readonly number[]): BulkRow => {
    return { c: buildCollection.name, id: name, guard: '1', doc: { ...progress, done, bounds } };
  };

  const routing = createRouting(BATCH);
  const foldWhole = createEventFold(progress.done === 0 ? whole : []);
  const idsOf = createIdLookup(split);
  for await (const { events, upTo } of feeds(deps, builds, progress.upTo, o)) {
    for (const event of events) {
      foldWhole(event);
      const ids = idsOf(event);
      if (ids.length > 0) routing.add(event.position, ids);
    }
    onProgress(Math.min(Number(upTo), steps));
  }
  const { bounds, size, portionsOf } = routing.deal(o.partSize ?? PART_SIZE, progress.bounds);
  if (progress.done === 0) {
    const writer = createRowWriter(bulk);
    await writer.take(whole);
    await writer.end(whole, docs, endOf(1, bounds));
  }

  let folded = 0;
  for (const part of bounds.keys()) {
    const isDone = part + 1 < progress.done;
    const folds = split.map((b) => createBulkFold(b, hash));
    const fold = createEventFold(folds);
    const writer = createRowWriter(bulk);
    for (const positions of portionsOf(part)) {
      for (let from = 0; from < positions.length && !isDone; from += BATCH) {
        if (o.signal.aborted) throw stoppedError();
        for (const event of await local.at(positions.slice(from, from + BATCH))) fold(event);
      }
      await writer.take(folds);
      folded += positions.length;
      onProgress(steps + (steps * folded) / size);
    }
    if (!isDone) await writer.end(folds, docs, endOf(part + 2, bounds));
  }
  await bulk.finish(builds.flatMap(collectionsOf));
  const { upTo: position, logIdentity } = progress;
  const checkpoints = builds.map((b) => firstCheckpoint(b, { position, logIdentity }, deps.runtime));
  await bulk.put([...checkpoints, { ...endOf(0, []), doc: null }]);
  onProgress(2 * steps);
  return position;
}

/** Resumes the same build of the same log, or begins with empty collections. */
async function resume(
  { log, docs }: BulkDeps,
  bulk: BulkWrites,
  name: string,
  builds: readonly Build[],
  o: BulkOptions,
): Promise<Progress> {
  const collections = [buildCollection, checkpointCollection, ...builds.flatMap(bulkSpecsOf)];
  await docs.ensure([buildCollection]);
  const logIdentity = await log.identity();
  const found = (await readRecord(docs, buildCollection.name, name)).doc;
  const purpose = o.purpose ?? '';
  const isBegun = found?.logIdentity === logIdentity && found.purpose === purpose;
  // A build that was interrupted before bounds were stored had other parts.
  if (isBegun && (found.done === 0 || found.bounds)) {
    await bulk.begin(collections);
    return found;
  }
  for (const { name: c } of builds.flatMap(collectionsOf)) await docs.drop(c);
  await bulk.begin(collections);
  const head = await log.head();
  const upTo = o.upTo !== undefined && o.upTo < head ? o.upTo : head;
  const fresh = { purpose, logIdentity, upTo, done: 0 };
  await bulk.put([{ c: buildCollection.name, id: name, guard: '1', doc: fresh }]);
  return fresh;
}

/** Marks the collections whose documents are put once; sums and other shared documents are read and put again at the end of each part. */
function bulkSpecsOf(build: Build): BulkSpec[] {
  const { name, derived = [] } = build.projection;
  const own = [name, ...derived.filter((d) => d.apply === replace).map((d) => d.name)];
  const putOnce = new Set(own.map((c) => collectionOf(build, c)));
  return collectionsOf(build).map((spec) => ({ ...spec, isPutOnce: putOnce.has(spec.name) }));
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
    yield { events: feed.events.filter(isWanted), upTo: feed.upTo };
    if (feed.upTo >= upTo || feed.caughtUp) break;
  }
  if (o.signal.aborted) throw stoppedError();
}

function createRowWriter(bulk: BulkWrites) {
  const underWay: Promise<void>[] = [];
  let rows: BulkRow[] = [];
  const send = async () => {
    const sent = bulk.put(rows);
    // The error is reported where the promise is awaited.
    sent.catch(() => undefined);
    underWay.push(sent);
    rows = [];
    if (underWay.length > MAX_UNDER_WAY) await underWay.shift();
  };
  return {
    /** Sends the documents folded since the previous call; they are written while others are folded. */
    take: async (folds: readonly BulkFold[]): Promise<void> => {
      for (const fold of folds) for (const row of fold.rows()) if (rows.push(row) === ROWS) await send();
    },
    /** Waits for all writes. `last`: row that records their completion, in the transaction of the shared documents. */
    end: async (folds: readonly BulkFold[], docs: DocStore, last: BulkRow): Promise<void> => {
      await send();
      await Promise.all(underWay);
      const totals = await Promise.all(folds.map((f) => f.totals(docs)));
      await bulk.put([...totals.flat(), last]);
    },
  };
}

function stoppedError(): Error {
  return new Error('the build was stopped; run it again to continue');
}
