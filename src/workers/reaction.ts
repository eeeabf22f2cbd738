// Follows the log and does something about each event, at least once. Events of one lane are handled in order, lanes beside each other.
// The cursor, a record, never passes an event that is not done; an event that cannot be handled is parked, visible, and passed.
import type { Logger } from 'pino';
import type { DocStore, Doc } from '../adapters/documents/port.js';
import { START, Unavailable, type EventLog } from '../adapters/event-log/port.js';
import type { Runtime } from '../adapters/runtime.js';
import { createLanes } from '../commands/lanes.js';
import type { LogPosition, RecordedEvent } from '../domain/envelope.js';
import type { Family } from '../domain/streams.js';
import type { Progress } from '../projections/progress.js';
import { superviseLoop } from './supervise.js';

export const cursorCollection = { name: 'cursors', indexes: [] };
export const parkedEventCollection = {
  name: 'parked_events',
  indexes: [{ name: 'reaction', fields: ['reaction', 'position'] }],
};

export type Reaction = {
  readonly name: string;
  readonly families: readonly Family[];
  /** Null: the event is none of this reaction's. */
  laneOf(event: RecordedEvent): string | null;
  /** May be called again for the same event. Throws {@link Unavailable} to be asked again, anything else parks the event. */
  handle(event: RecordedEvent): Promise<void>;
};

export type ReactionDeps = {
  readonly log: EventLog;
  readonly docs: DocStore;
  readonly runtime: Runtime;
  readonly logger: Logger;
  readonly progress: Progress;
};

const BATCH = 500;
const MOST_IN_FLIGHT = 128;
const SAVE_EVERY_MS = 1000;

/** An event under way, and the position up to which all before it was seen. */
type Open = { readonly before: LogPosition; readonly work: Promise<void> };

/** Runs until the signal aborts; what is in flight is finished first. Begins at the start of the log when it never ran before. */
export function runReaction(reaction: Reaction, deps: ReactionDeps, signal: AbortSignal): Promise<void> {
  return superviseLoop(reaction.name, deps, signal, () => runOnce(reaction, deps, signal));
}

/** Ends at the first event that can be neither handled nor parked: nothing is begun after it, and the cursor stays before it. */
async function runOnce(reaction: Reaction, deps: ReactionDeps, signal: AbortSignal): Promise<void> {
  const cursor = await openCursor(deps, reaction.name);
  const lanes = createLanes();
  const failure = new AbortController();
  const ending = AbortSignal.any([signal, failure.signal]);
  /** In log order. Only what is done is taken out. */
  const open = new Map<LogPosition, Open>();
  let seen = cursor.position;
  const done = (): LogPosition => {
    const [oldest] = open.values();
    return oldest?.before ?? seen;
  };
  const report = () => deps.progress.moved(reaction.name, done());
  const begin = (event: RecordedEvent, lane: string) => {
    const run = async () => {
      if (failure.signal.aborted) return;
      try {
        await handle(reaction, deps, event, ending);
        open.delete(event.position);
        report();
      } catch (err) {
        failure.abort(err);
      }
    };
    open.set(event.position, { before: seen, work: lanes.run(lane, run) });
  };
  let savedAt = deps.runtime.now();
  try {
    for await (const feed of deps.log.follow({
      after: seen,
      families: reaction.families,
      max: BATCH,
      signal: ending,
    })) {
      for (const event of feed.events) {
        while (open.size >= MOST_IN_FLIGHT && !failure.signal.aborted) await Promise.race(worksOf(open));
        if (ending.aborted) break;
        const lane = reaction.laneOf(event);
        if (lane !== null) begin(event, lane);
        seen = event.position;
      }
      if (ending.aborted) break;
      seen = feed.upTo;
      report();
      if (deps.runtime.now() - savedAt >= SAVE_EVERY_MS) {
        await cursor.save(done());
        savedAt = deps.runtime.now();
      }
    }
  } finally {
    await Promise.all(worksOf(open));
  }
  await cursor.save(done());
  failure.signal.throwIfAborted();
}

function worksOf(open: ReadonlyMap<LogPosition, Open>): Promise<void>[] {
  return [...open.values()].map(({ work }) => work);
}

/** Ends when the event is done or parked; only shutting down leaves it undone, and then the cursor stays before it. */
async function handle(
  reaction: Reaction,
  deps: ReactionDeps,
  event: RecordedEvent,
  signal: AbortSignal,
): Promise<void> {
  for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, 10_000)) {
    try {
      return await reaction.handle(event);
    } catch (err) {
      if (!(err instanceof Unavailable)) return await park(reaction, deps, event, err);
      if (signal.aborted) throw err;
      deps.logger.warn({ reaction: reaction.name, eventId: event.id, pauseMs }, 'a dependency is away; trying again');
      await deps.runtime.sleep(pauseMs, signal);
    }
  }
}

async function park(
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
  };
  const id = `${reaction.name}|${event.id}`;
  await docs.write([[{ c: parkedEventCollection.name, id, expect: null, guard: '1', doc }]]);
}

async function openCursor({ docs }: ReactionDeps, name: string) {
  const found = (await docs.get(cursorCollection.name, [name])).get(name);
  let guard = found?.guard ?? null;
  let saved = (found?.doc?.['position'] ?? START) as LogPosition;
  const position = saved;
  const save = async (at: LogPosition): Promise<void> => {
    if (at <= saved) return;
    const next = String(Number(guard ?? 0) + 1);
    const write = { c: cursorCollection.name, id: name, expect: guard, guard: next, doc: { position: at } };
    if ((await docs.write([[write]])) === 'lost') throw new Error(`another process runs the reaction ${name}`);
    [guard, saved] = [next, at];
  };
  return { position, save };
}
