// Runs in the writer thread: tables and write operations of the embedded log. The only writer assigns positions inside the transaction, so
// that log order is commit order and readers never see a gap that is filled later.
import { randomUUID } from 'node:crypto';
import type { Revision } from '../../../domain/envelope.js';
import type { Database } from '../../sqlite/database.js';
import { readEventId, addPosition } from '../placed-event.js';
import type { ExpectedRevision } from '../port.js';

/** Operations as tuples: without property names, transfer to another thread is cheaper. */
export type LogOperation = AppendOperation | readonly [erase: string];
type AppendOperation = readonly [stream: string, expected: ExpectedRevision, drafts: readonly string[]];

/** Result of an append. With a third entry it was refused, and the entry is the stream's revision. */
export type AppendReply = readonly [revision: Revision, position: number, wrong?: Revision | 'none'];

const LAYOUT = 1;

/** Tables of the log. `floor` is the head at the last erase, so that positions are not reused when the newest events were erased. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS events (position INTEGER PRIMARY KEY, family TEXT NOT NULL, body TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS streams (
    stream TEXT, revision INTEGER, position INTEGER NOT NULL, PRIMARY KEY (stream, revision)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS erased (stream TEXT PRIMARY KEY, revision INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS log (identity TEXT NOT NULL, floor INTEGER NOT NULL);
`;

export const HEAD = 'SELECT max(ifnull((SELECT max(position) FROM events), 0), floor) AS position FROM log';
export const LAST = 'SELECT revision, position FROM streams WHERE stream = ? ORDER BY revision DESC LIMIT 1';
export const ERASED = 'SELECT revision FROM erased WHERE stream = ?';

/** Creates the tables and returns the function that applies one operation; called by the writer thread. */
export function writer(db: Database): (operation: LogOperation) => AppendReply {
  createTables(db);
  const last = db.prepare(LAST);
  const erased = db.prepare(ERASED);
  const addEvent = db.prepare('INSERT INTO events (position, family, body) VALUES (?, ?, ?)');
  const addToStream = db.prepare('INSERT INTO streams (stream, revision, position) VALUES (?, ?, ?)');
  const storedAfter = db.prepare(
    `SELECT e.body, e.position FROM streams s JOIN events e ON e.position = s.position
     WHERE s.stream = ? AND s.revision > ? ORDER BY s.revision LIMIT ?`,
  );
  const eraseEvents = db.prepare(
    'DELETE FROM events WHERE position IN (SELECT position FROM streams WHERE stream = ?)',
  );
  const eraseStream = db.prepare('DELETE FROM streams WHERE stream = ?');
  const insertErased = db.prepare(
    'INSERT INTO erased VALUES (?, ?) ON CONFLICT (stream) DO UPDATE SET revision = excluded.revision',
  );
  const updateFloor = db.prepare('UPDATE log SET floor = ?');
  // May exceed the position in the file when a group is rolled back: positions need not be dense.
  let { position: head }: { position: number } = db.prepare(HEAD).get();
  let anyErased = db.prepare('SELECT 1 FROM erased LIMIT 1').get() !== undefined;

  return (operation) => (operation.length === 1 ? erase(operation[0]) : append(operation));

  function append([stream, expected, drafts]: AppendOperation): AppendReply {
    const state = stateOf(stream, expected);
    const verdict = checkCommit(expected, state);
    if (verdict === 'append') return store(stream, state.current, drafts);
    const repeated = verdict === 'refuse' ? undefined : findRepeat(stream, verdict.repeatAfter, drafts);
    return repeated ?? [0, 0, actualRevision(state)];
  }

  /**
   * Returns the state of a stream. The erased revision is read only when it can matter: an ordinary append after existing events needs one
   * lookup.
   */
  function stateOf(stream: string, expected: ExpectedRevision): StreamState {
    const stored: { revision: Revision } | undefined = last.get(stream);
    const current = stored?.revision;
    if (current !== undefined && (current === expected || expected === 'any')) return { base: -1, current };
    const former: { revision: Revision } | undefined = anyErased ? erased.get(stream) : undefined;
    const base = former?.revision ?? -1;
    return { base, current: current ?? base };
  }

  function store(stream: string, current: Revision, drafts: readonly string[]): AppendReply {
    const family = stream.slice(0, stream.indexOf('-'));
    let revision = current;
    for (const draft of drafts) {
      revision++;
      head++;
      addEvent.run(head, family, addPosition(draft, revision, head));
      addToStream.run(stream, revision, head);
    }
    return [revision, head];
  }

  function findRepeat(stream: string, after: Revision, drafts: readonly string[]): AppendReply | undefined {
    const stored: { body: string; position: number }[] = storedAfter.all(stream, after, drafts.length);
    const isRepeat =
      stored.length === drafts.length &&
      stored.every((row, i) => readEventId(row.body) === readEventId(drafts[i] ?? ''));
    const position = stored.at(-1)?.position;
    return isRepeat && position !== undefined ? [after + drafts.length, position] : undefined;
  }

  function erase(stream: string): AppendReply {
    const found: { revision: Revision; position: number } | undefined = last.get(stream);
    if (!found) return [-1, 0];
    anyErased = true;
    updateFloor.run(head);
    insertErased.run(stream, found.revision);
    eraseEvents.run(stream);
    eraseStream.run(stream);
    return [found.revision, found.position];
  }
}

function createTables(db: Database): void {
  const { user_version: layout }: { user_version: number } = db.prepare('PRAGMA user_version').get();
  if (layout > LAYOUT) throw new Error(`the event log was written by a newer version (layout ${layout})`);
  db.exec(`BEGIN IMMEDIATE; ${TABLES} PRAGMA user_version = ${LAYOUT};`);
  db.prepare('INSERT INTO log SELECT ?, 0 WHERE NOT EXISTS (SELECT 1 FROM log)').run(randomUUID());
  db.exec('COMMIT');
}

/**
 * State of a stream. `current` is the last revision, `base` the last erased one. Both are -1 for a stream that never existed; equal means
 * no events.
 */
type StreamState = { readonly base: Revision; readonly current: Revision };

/** Decision on an append. `repeatAfter`: it succeeds iff the stored ids after this revision begin with the given ones. */
type AppendDecision = 'append' | 'refuse' | { readonly repeatAfter: Revision };

/** Rule for the expected revision of an append, as EventStoreDB's CheckCommit. */
export function checkCommit(expected: ExpectedRevision, { base, current }: StreamState): AppendDecision {
  if (expected === 'any') return 'append';
  const revision = expected === 'none' ? base : expected;
  if (revision === current) return 'append';
  // Erased events have no ids left to compare with.
  return revision > current || revision < base ? 'refuse' : { repeatAfter: revision };
}

export function actualRevision({ base, current }: StreamState): Revision | 'none' {
  return current === base ? 'none' : current;
}
