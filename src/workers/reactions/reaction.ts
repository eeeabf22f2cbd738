// Follows the log and handles each event at least once. Events with the same serial key are handled in order, other keys concurrently. The
// checkpoint, a record, never passes an unhandled event; an event that fails is parked, visible, and skipped.
import type { Logger } from 'pino';
import type { DocStore, Doc } from '../../adapters/documents/port.js';
import { createRecord, readRecord, recordsNamed, replaceRecord } from '../../adapters/documents/records.js';
import { START, type EventLog } from '../../adapters/event-log/port.js';
import { continueTrace, storedTraceparent } from '../../adapters/tracing/spans.js';
import { Unavailable } from '../../domain/errors.js';
import type { Runtime } from '../../adapters/runtime.js';
import { createKeyedMutex } from '../../commands/handling/keyed-mutex.js';
import { parkedEventCollection, parkedEventId, RETRY_REQUEST_FIELD } from '../../commands/handling/parked-events.js';
import type { LogPosition, RecordedEvent } from '../../domain/envelope.js';
import type { Family } from '../../domain/streams.js';
import type { Progress } from '../../projections/runtime/progress.js';
import { MAX_OUTAGE_PAUSE_MS, superviseLoop } from '../coordination/supervise.js';

/** `log`: identity of the log of the position. Missing in older records. */
type ReactionCheckpoint = { readonly position: LogPosition; readonly log?: string };
export const reactionCheckpointCollection = {
  name: recordsNamed<ReactionCheckpoint>('reaction_checkpoints'),
  indexes: [],
};

export type Reaction = {
  readonly name: string;
  readonly families: readonly Family[];
  /** Returns the serial key: events with the same key are handled in order, one at a time. Null: this reaction ignores the event. */
  serialKeyOf(event: RecordedEvent): string | null;
  /** Returns true for a barrier event: all events before it are handled first, and none after it has started. */
  isBarrier?(event: RecordedEvent): boolean;
  /**
   * For reactions that must not handle past events: without a checkpoint of this log the reaction starts at the head, as {@link
   * ensureCheckpoint} determines it, and calls this with the head, to read the state before it. Other reactions start at the beginning.
   */
  startAt?(head: LogPosition): Promise<void>;
  /** Called before each start, and before a parked event is retried: other processes may have handled events since. */
  resetCache?(): void;
  /** Called before an event is handled: resolves when no urgent work needs the processor more. */
  waitForQuiet?(event: RecordedEvent): Promise<void>;
  /**
   * Handles an event; may be called again for the same one. Throws {@link Unavailable} to be retried; any other error parks the event. Work
   * that may take minutes calls `onOutcome` as it advances.
   */
  handle(event: RecordedEvent, onOutcome?: () => void): Promise<void>;
};

export type ReactionDeps = {
  readonly log: EventLog;
  readonly docs: DocStore;
  readonly runtime: Runtime;
  readonly logger: Logger;
  readonly progress: Progress;
  /** Wraps the handling of each event. */
  readonly around?: HandlerWrapper | undefined;
  /** Called for each event handled. */
  readonly onOutcome?: (() => void) | undefined;
  /** Called for each attempt that failed. */
  readonly onFailure?: (() => void) | undefined;
};

export type HandlerWrapper = (event: RecordedEvent, handle: () => Promise<void>) => Promise<void>;

const BATCH = 500;
const MAX_IN_FLIGHT = 128;
/** Events started together, so that their appends share commits; between two such groups, work of higher priority goes first. */
const STARTED_TOGETHER = 16;
const SAVE_INTERVAL_MS = 1000;

/** Event in progress, and the position up to which all events before it were read. */
type EventInProgress = { readonly before: LogPosition; readonly work: Promise<void> };

/** Runs until the signal aborts; events in flight are finished first. */
export function runReaction(reaction: Reaction, deps: ReactionDeps, signal: AbortSignal): Promise<void> {
  return superviseLoop(reaction.name, deps, signal, () => runOnce(reaction, deps, signal));
}

/** Runs until the first event that can be neither handled nor parked: no event starts after it, and the checkpoint stays before it. */
async function runOnce(reaction: Reaction, deps: ReactionDeps, signal: AbortSignal): Promise<void> {
  reaction.resetCache?.();
  const checkpoint = await openCheckpoint(deps, reaction);
  const mutex = createKeyedMutex();
  const failure = new AbortController();
  const stopping = AbortSignal.any([signal, failure.signal]);
  /** Events in progress, in log order. */
  const open = new Map<LogPosition, EventInProgress>();
  let passedPosition = checkpoint.position;
  const done = (): LogPosition => {
    const [oldest] = open.values();
    return oldest?.before ?? passedPosition;
  };
  const report = () => {
    deps.onOutcome?.();
    deps.progress.reportPosition(reaction.name, done());
  };
  let onEnded = () => {};
  const nextEnd = () => new Promise<void>((resolve) => (onEnded = resolve));
  let startedCount = 0;
  const begin = (event: RecordedEvent, key: string) => {
    startedCount++;
    const run = async () => {
      if (failure.signal.aborted) return;
      try {
        await handleUntilDone(reaction, deps, event, stopping);
        open.delete(event.position);
        report();
      } catch (err) {
        failure.abort(err);
      }
      onEnded();
    };
    open.set(event.position, { before: passedPosition, work: mutex.run(key, run) });
  };
  let savedAt = deps.runtime.elapsed();
  try {
    for await (const feed of deps.log.follow({
      after: passedPosition,
      families: reaction.families,
      max: BATCH,
      signal: stopping,
    })) {
      for (const event of feed.events) {
        while (open.size >= MAX_IN_FLIGHT && !failure.signal.aborted) await nextEnd();
        const key = reaction.serialKeyOf(event);
        if (key !== null && startedCount % STARTED_TOGETHER === 0) await reaction.waitForQuiet?.(event);
        if (stopping.aborted) break;
        const isBarrier = key !== null && reaction.isBarrier?.(event) === true;
        if (isBarrier) await Promise.all(pendingWork(open));
        if (key !== null) begin(event, key);
        if (isBarrier) await Promise.all(pendingWork(open));
        passedPosition = event.position;
      }
      if (stopping.aborted) break;
      passedPosition = feed.upTo;
      report();
      if (deps.runtime.elapsed() - savedAt >= SAVE_INTERVAL_MS) {
        await checkpoint.save(done());
        savedAt = deps.runtime.elapsed();
      }
    }
  } finally {
    await Promise.all(pendingWork(open));
  }
  await checkpoint.save(done());
  failure.signal.throwIfAborted();
}

function pendingWork(open: ReadonlyMap<LogPosition, EventInProgress>): Promise<void>[] {
  return [...open.values()].map(({ work }) => work);
}

/** Resolves when the event is handled or parked; only a shutdown leaves it unhandled, and the checkpoint then stays before it. */
async function handleUntilDone(
  reaction: Reaction,
  deps: ReactionDeps,
  event: RecordedEvent,
  signal: AbortSignal,
): Promise<void> {
  for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, MAX_OUTAGE_PAUSE_MS)) {
    try {
      const handle = () => reaction.handle(event, () => deps.onOutcome?.());
      const handled = () => continueTrace(storedTraceparent(event.meta), handle);
      return await (deps.around ? deps.around(event, handled) : handled());
    } catch (err) {
      if (!(err instanceof Unavailable)) return await parkEvent(reaction, deps, event, err);
      if (signal.aborted) throw err;
      deps.onFailure?.();
      deps.logger.warn({ reaction: reaction.name, eventId: event.id, pauseMs }, 'dependency unavailable; retrying');
      await deps.runtime.sleep(pauseMs, signal);
    }
  }
}

async function parkEvent(
  reaction: Reaction,
  { docs, logger }: ReactionDeps,
  event: RecordedEvent,
  err: unknown,
): Promise<void> {
  const error = err instanceof Error ? (err.stack ?? err.message) : String(err);
  logger.error({ reaction: reaction.name, eventId: event.id, stack: error }, 'event parked');
  const doc: Doc = {
    reaction: reaction.name,
    position: event.position,
    eventId: event.id,
    stream: event.stream,
    error,
    [RETRY_REQUEST_FIELD]: '',
  };
  // Also called for an event that was parked and handled before, and is read again from before the checkpoint.
  await createRecord(docs, parkedEventCollection.name, parkedEventId(reaction.name, event.id), doc);
}

type CheckpointDeps = Pick<ReactionDeps, 'docs' | 'log' | 'logger'>;

/** Reads the checkpoint. A position is valid only in its own log: a checkpoint of a replaced log is ignored. */
async function readCheckpoint({ docs, log }: CheckpointDeps, name: string) {
  const identity = await log.identity();
  const { doc, guard } = await readRecord(docs, reactionCheckpointCollection.name, name);
  const isOfThisLog = doc?.log === undefined || doc.log === identity;
  return { identity, guard, position: isOfThisLog ? doc?.position : undefined };
}

/**
 * Creates the checkpoint of a reaction that starts at the head, unless this log has one. Every process calls it at start, whatever its
 * roles: events recorded from then on are handled, however late the first process that runs the reaction starts.
 */
export async function ensureCheckpoint(reaction: Reaction, deps: CheckpointDeps): Promise<void> {
  if (!reaction.startAt) return;
  const { docs, log, logger } = deps;
  const { name } = reaction;
  const { identity, guard, position: existing } = await readCheckpoint(deps, name);
  if (existing !== undefined) return;
  const position = await log.head();
  // A log without events is a new installation: nothing is skipped.
  if (position > START) logger.warn({ reaction: name, position }, 'no checkpoint for this log; starting at its head');
  await reaction.startAt(position);
  // A lost race means that another process, starting at the same moment, has created it.
  await replaceRecord(docs, reactionCheckpointCollection.name, { id: name, guard }, { position, log: identity });
}

async function openCheckpoint(deps: ReactionDeps, reaction: Reaction) {
  const { name } = reaction;
  await ensureCheckpoint(reaction, deps);
  const stored = await readCheckpoint(deps, name);
  let { guard } = stored;
  const position = stored.position ?? START;
  let saved = position;
  const save = async (at: LogPosition): Promise<void> => {
    if (at <= saved) return;
    const next = { position: at, log: stored.identity };
    const outcome = await replaceRecord(deps.docs, reactionCheckpointCollection.name, { id: name, guard }, next);
    if (outcome === null) throw new Error(`another process runs the reaction ${name}`);
    guard = outcome;
    saved = at;
  };
  return { position, save };
}
