// Advances one build of one projection along the feed, with exactly-once effect without transactions: every document contains its
// position, derived documents are written first, the checkpoint last. An interrupted run is simply repeated.
import type { BulkRow, DocStore, Write } from '../../adapters/documents/port.js';
import { readRecord, buildReplacement, recordsNamed } from '../../adapters/documents/records.js';
import { START, type EventLog, type Feed } from '../../adapters/event-log/port.js';
import type { Runtime } from '../../adapters/runtime.js';
import { continueTrace, inSpan, storedTraceparent, traceIdOf } from '../../adapters/tracing/spans.js';
import type { LogPosition, RecordedEvent } from '../../domain/envelope.js';
import type { KeyedHash } from '../../domain/ids.js';
import { familyOf } from '../../domain/streams.js';
import { foldBatch, type Poison } from './fold-batch.js';
import { parkedCollection, parkedWrites, readParked, retryParked } from './parked.js';
import { collectionOf, collectionsOf, type Build } from './projection.js';
import { cacheRecentWrites } from './recent-writes.js';

export const checkpointCollection = { name: recordsNamed<Checkpoint>('checkpoints'), indexes: [] };

/**
 * A run that advanced a build, with the position at which it began. Documents restored from a backup continue with another run than the
 * original, so that a snapshot stored outside of the build can detect whether it belongs to this build.
 */
type Run = { readonly id: string; readonly from: LogPosition };

/** Older runs are dropped. The list is written with every batch. */
const MAX_RUNS = 32;

/** `runs`: only for projections with snapshots. */
export type Checkpoint = {
  readonly position: LogPosition;
  readonly logIdentity: string;
  readonly runs?: readonly Run[];
};

/** A fold threw, and the projection must not continue without that event. */
export class ProjectionHalted extends Error {
  constructor(
    readonly projection: string,
    readonly poison: Poison,
  ) {
    super(`${projection} stopped at ${poison.event.type} ${poison.event.id} (position ${poison.event.position})`, {
      cause: poison.error,
    });
    this.name = 'ProjectionHalted';
  }
}

export type Runner = {
  readonly build: Build;
  /** Returns the position up to which every event has had its effect. */
  position(): LogPosition;
  /** Folds new events. Repeats after a lost race with another runner until the checkpoint covers the batch. */
  apply(feed: Feed): Promise<void>;
  /** Writes the position even if no event had to be folded. */
  save(): Promise<void>;
  parked(): number;
};

/** `hash`: keyed by the log's naming key. */
export type RunnerDeps = { readonly docs: DocStore; readonly log: EventLog; readonly hash: KeyedHash };
type IdSource = { readonly runtime: Pick<Runtime, 'newId'> };

/** Opens the build's collections and checkpoint and retries parked documents. Throws if the checkpoint belongs to another log. */
export async function openRunner(deps: RunnerDeps & IdSource, build: Build, signal: AbortSignal): Promise<Runner> {
  const { docs, log, hash, runtime } = deps;
  await docs.ensure([checkpointCollection, parkedCollection, ...collectionsOf(build)]);
  const { projection } = build;
  const logIdentity = await log.identity();
  const families = new Set<string>(projection.families);
  const name = collectionOf(build);
  let saved = await readCheckpoint(docs, name);
  if (saved.logIdentity !== '' && saved.logIdentity !== logIdentity) {
    throw new Error(`read model ${name} was built from another event log; delete it or restore the log it belongs to`);
  }
  await retryParked(deps, build, signal);
  let { position } = saved;
  let run = runtime.newId('run');
  let parked = await readParked(docs, build);
  const documents = cacheRecentWrites(docs);

  const commit = async (stages: readonly (readonly Write[])[], upTo: LogPosition): Promise<void> => {
    const runs = projection.hasSnapshots && withRun(saved.runs, { id: run, from: saved.position });
    const content: Checkpoint = { position: upTo, logIdentity, ...(runs && { runs }) };
    const checkpoint = buildReplacement(checkpointCollection.name, { id: name, guard: saved.guard }, content);
    const outcome = await docs.write([...stages, [checkpoint]]).catch((err: unknown) => {
      documents.forget();
      throw err;
    });
    if (outcome === 'lost') {
      documents.forget();
      saved = await readCheckpoint(docs, name);
      // The documents were restored to an earlier state: the following events may differ from those processed before.
      if (saved.position < position) run = runtime.newId('run');
      position = saved.position;
      parked = await readParked(docs, build);
      return;
    }
    documents.wrote(stages);
    saved = { ...content, guard: checkpoint.guard };
    position = upTo;
  };

  const foldAndCommit = async (fresh: readonly RecordedEvent[], upTo: LogPosition): Promise<void> => {
    const folded = await foldBatch({ docs: documents, hash }, build, fresh, (id) => parked.has(id));
    const [first] = folded.poison;
    if (first && projection.onPoison === 'halt') throw new ProjectionHalted(projection.name, first);
    const skippedUpTo = await parkedWrites(docs, build, folded, parked, position);
    await commit([folded.derived, folded.sources, skippedUpTo], upTo);
    if (skippedUpTo.length > 0) parked = await readParked(docs, build);
  };

  const apply = async (feed: Feed): Promise<void> => {
    while (feed.upTo > position) {
      const fresh = feed.events.filter((e) => e.position > position && families.has(familyOf(e.stream)));
      if (fresh.length === 0) {
        position = feed.upTo;
        return;
      }
      await traceBatch(projection.name, fresh, () => foldAndCommit(fresh, feed.upTo));
    }
  };

  return {
    build,
    position: () => position,
    apply,
    save: async () => {
      if (position > saved.position) await commit([], position);
    },
    parked: () => parked.size,
  };
}

export async function readCheckpoint(docs: DocStore, name: string): Promise<Checkpoint & { guard: string | null }> {
  const { guard, doc: checkpoint } = await readRecord(docs, checkpointCollection.name, name);
  const runs = checkpoint?.runs;
  return {
    guard,
    position: checkpoint?.position ?? START,
    logIdentity: checkpoint?.logIdentity ?? '',
    ...(runs && { runs }),
  };
}

/** Returns the checkpoint of a bulk build as a row of {@link checkpointCollection}. */
export function firstCheckpoint(
  build: Build,
  { position, logIdentity }: Pick<Checkpoint, 'position' | 'logIdentity'>,
  { newId }: Pick<Runtime, 'newId'>,
): BulkRow {
  const runs = build.projection.hasSnapshots && { runs: [{ id: newId('run'), from: '' }] };
  const doc = { position, logIdentity, ...runs };
  return { c: checkpointCollection.name, id: collectionOf(build), guard: '1', doc };
}

function withRun(runs: readonly Run[] = [], run: Run): readonly Run[] {
  return runs.some(({ id }) => id === run.id) ? runs : [...runs, run].slice(-MAX_RUNS);
}

/**
 * Returns true if this is the build that was at `upTo` with `runId` as its latest run: no later run has started from an earlier position.
 */
export function continuesRun({ position, runs = [] }: Checkpoint, runId: string, upTo: string): boolean {
  const place = runs.findIndex((run) => run.id === runId);
  return place >= 0 && position >= upTo && runs.slice(place + 1).every(({ from }) => from >= upTo);
}

/** Limit of links: a batch while catching up has thousands of events. */
const MAX_LINKS = 32;

/**
 * Runs the folding of a batch in its span. A batch whose events all follow from one trace is part of it; one of several traces is a trace
 * of its own with a link to each append.
 */
export function traceBatch<T>(name: string, events: readonly RecordedEvent[], fold: () => Promise<T>): Promise<T> {
  const appends = tracesOf(events);
  const isOneTrace = new Set(appends.map(traceIdOf)).size === 1;
  const [parent, links] = isOneTrace ? [appends[0], appends.slice(1)] : [undefined, appends];
  const attributes = { 'subledger.read_model': name, 'subledger.events.count': events.length };
  return continueTrace(parent, () => inSpan(`fold ${name}`, { attributes, links: links.slice(0, MAX_LINKS) }, fold));
}

/** Returns the appends of the events that are traced, each once. */
function tracesOf(events: readonly RecordedEvent[]): readonly string[] {
  return [...new Set(events.map(({ meta }) => storedTraceparent(meta)).filter((found) => found !== undefined))];
}
