// The event log as the rest of the code sees it. Adapters: embedded (SQLite), memory; one contract suite for all.
import type { LogPosition, NewEvent, RecordedEvent, Revision, StreamName } from '../../domain/envelope.js';
import type { Family } from '../../domain/streams.js';

/** `none`: the stream must not exist (an erased one does not). `any`: no check and no promise of deduplication. */
export type Expected = 'none' | 'any' | Revision;

/** Revision and position of the last event of the append. */
export type Appended = { readonly revision: Revision; readonly position: LogPosition };

/** A run of events in log order. `upTo` also passes events of families not asked for. */
export type Feed = { readonly events: RecordedEvent[]; readonly upTo: LogPosition; readonly caughtUp: boolean };

export type FollowOptions = {
  /** Exclusive. */
  readonly after: LogPosition | 'start';
  readonly families: readonly Family[];
  /** Most events in one {@link Feed}. */
  readonly max: number;
  readonly signal: AbortSignal;
};

/** A log of this process, in a file or in memory. */
export interface LocalLog {
  /** Events by their positions, in the order of the log; erased ones are left out. */
  at(positions: readonly LogPosition[]): Promise<RecordedEvent[]>;
  /** Throws `Unavailable` when the log takes no writes although it can be read. */
  probe(): Promise<void>;
}

export interface EventLog {
  /** Names this log; changes when the log is replaced. Checkpoints are bound to it. */
  identity(): Promise<string>;
  /**
   * Durable when it resolves. Expected equal to the current revision: appended, ids not looked at. Expected behind it: success
   * if the stored ids from expected + 1 on equal the given ones (a repeat), else `WrongRevision`. Expected ahead:
   * `WrongRevision`. Throws `Unavailable` when the log cannot be reached; the outcome is then unknown and the same
   * append (same ids, same expected revision) may be repeated.
   */
  append(stream: StreamName, expected: Expected, events: readonly NewEvent[]): Promise<Appended>;
  /** Events after a revision (exclusive), oldest first. A missing or erased stream is empty. */
  read(stream: StreamName, after?: Revision): AsyncIterable<RecordedEvent>;
  /** Catches up, then goes on live until the signal aborts. */
  follow(options: FollowOptions): AsyncIterable<Feed>;
  /** Position of the newest event of the log. */
  head(): Promise<LogPosition>;
  /** Null for a log on a server. */
  readonly local: LocalLog | null;
  /** Reads are empty afterwards and `none` is accepted again; the numbering goes on. */
  erase(stream: StreamName): Promise<void>;
}

export const START = '0'.repeat(20) as LogPosition;
