// Port of the event log. Adapters: embedded (SQLite), EventStoreDB, memory; one contract suite for all.
import {
  logPosition,
  type LogPosition,
  type NewEvent,
  type RecordedEvent,
  type Revision,
  type StreamName,
} from '../../domain/envelope.js';
import type { Family } from '../../domain/streams.js';
import type { EventOfFamily } from '../../domain/vocabulary.js';

/**
 * Expected revision of an append. `none`: the stream must not exist (an erased one does not). `any`: no check and no guaranteed
 * deduplication.
 */
export type ExpectedRevision = 'none' | 'any' | Revision;

/** Revision and position of the last event of the append. */
export type AppendReceipt = { readonly revision: Revision; readonly position: LogPosition };

/** Batch of events in log order. `upTo` may pass events of families that were not requested. */
export type Feed = { readonly events: RecordedEvent[]; readonly upTo: LogPosition; readonly caughtUp: boolean };

export type FollowOptions = {
  /** Exclusive. */
  readonly after: LogPosition | 'start';
  readonly families: readonly Family[];
  /** Maximum events in one {@link Feed}. */
  readonly max: number;
  readonly signal: AbortSignal;
};

/** Methods of a log that belongs to this process, in a file or in memory. */
interface LocalLog {
  /** Returns events by position in log order; erased ones are omitted. */
  at(positions: readonly LogPosition[]): Promise<RecordedEvent[]>;
  /** Throws `Unavailable` when the log is readable but not writable. */
  probe(): Promise<void>;
}

export interface EventLog {
  /** Identifies this log; changes when the log is replaced. Checkpoints are bound to it. */
  identity(): Promise<string>;
  /**
   * Appends events, durable when it resolves. Expected equal to the current revision: appended without comparing ids. Expected earlier:
   * success if the stored ids from expected + 1 on equal the given ones (a repeat), else `WrongRevision`. Expected later: `WrongRevision`.
   * Throws `Unavailable` when the log cannot be reached; the outcome is then unknown and the same append (same ids, same expected revision)
   * may be repeated.
   */
  append(stream: StreamName, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendReceipt>;
  /** Reads events after a revision (exclusive), oldest first. A missing or erased stream is empty. */
  read(stream: StreamName, after?: Revision): AsyncIterable<RecordedEvent>;
  /** Yields existing events, then new ones until the signal aborts. */
  follow(options: FollowOptions): AsyncIterable<Feed>;
  /** Returns the position of the newest event of the log. */
  head(): Promise<LogPosition>;
  /** Null for a log on a server. */
  readonly local: LocalLog | null;
  /** Erases a stream: reads are then empty and `none` is accepted again; revisions continue. */
  erase(stream: StreamName): Promise<void>;
}

/** Reads one stream like {@link EventLog.read}, typed by the family in its name: a stream contains events of no other. */
export function readStream<F extends Family>(
  log: Pick<EventLog, 'read'>,
  stream: StreamName<F>,
  after?: Revision,
): AsyncIterable<EventOfFamily<F>> {
  return log.read(stream, after) as AsyncIterable<EventOfFamily<F>>;
}

export const START = logPosition(0);
