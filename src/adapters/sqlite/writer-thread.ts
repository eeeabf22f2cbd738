// Runs in a worker thread: the only writer of one SQLite file, with group commit. Operations that are waiting when a group starts join it,
// and the group costs one sync for all its callers. Operations that arrive later form the next group, and its callers continue while this
// one is written. Results are sent only after COMMIT.
import { statSync } from 'node:fs';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { openForWriting, readOne, type Database } from './database.js';

/** Module of a file: `writer` creates the tables and returns the function that applies one operation. */
export type WriterModule = { readonly writer: (db: Database) => (operation: unknown) => unknown };

/** Operations in order; replies have the same order, so operations need no ids. */
export type WriterMessage = readonly unknown[] | 'close';
/** Results of a group. `failed[i]` is the error of operation `i`. */
export type WriterReply = { readonly results: readonly unknown[]; readonly failed?: readonly (string | undefined)[] };

/** Operation that every file supports: it rewrites a page unchanged. */
export const PROBE = '(probe)';

/** Limit on the time that the first caller of a group waits for the others. */
const MAX_GROUP = 1000;

/** Opens the file in the thread's data and serves the port until the message `close`. */
export function serveWriter(module: WriterModule): void {
  const port = parentPort;
  if (!port) throw new Error('writer-thread must run in a worker thread');
  const { file }: { file: string } = workerData;
  const db = openForWriting(file);
  const ofModule = module.writer(db);
  const apply = (operation: unknown): unknown => (operation === PROBE ? rewritePage(db) : ofModule(operation));
  const expectInPlace = createLocationCheck(file);
  const commit = () => {
    expectInPlace();
    db.exec('COMMIT');
  };
  const nextMessage = (): WriterMessage | undefined => receiveMessageOnPort(port)?.message;

  port.on('message', (message: WriterMessage) => {
    const isLast = message === 'close' || serveGroup(message) === 'close';
    if (!isLast) return;
    // Checkpoints into the main file, which an operator may copy from now on.
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
    port.close();
  });
  port.postMessage('ready');

  /** Commits a group. Returns the message that ended it. */
  function serveGroup(first: readonly unknown[]): 'close' | undefined {
    const group = [...first];
    const results: unknown[] = [];
    let message: WriterMessage | undefined;
    while (group.length < MAX_GROUP && message !== 'close' && (message = nextMessage()) !== undefined) {
      if (message !== 'close') group.push(...message);
    }
    let reply: WriterReply = { results };
    try {
      db.exec('BEGIN IMMEDIATE');
      for (const operation of group) results.push(apply(operation));
      commit();
    } catch {
      // The whole group is rolled back; each operation is retried alone, so that a failing one affects no other and gets its own error.
      if (db.isTransaction) db.exec('ROLLBACK');
      reply = commitOneByOne(group);
    }
    port?.postMessage(reply);
    return message === 'close' ? message : undefined;
  }

  function commitOneByOne(group: readonly unknown[]): WriterReply {
    const failed: (string | undefined)[] = [];
    const results = group.map((operation, i) => {
      try {
        db.exec('BEGIN IMMEDIATE');
        const result = apply(operation);
        commit();
        return result;
      } catch (err) {
        if (db.isTransaction) db.exec('ROLLBACK');
        failed[i] = err instanceof Error ? err.message : String(err);
        return undefined;
      }
    });
    return { results, failed };
  }
}

function rewritePage(db: Database): void {
  const { user_version: version } = readOne<{ readonly user_version: number }>(db, 'PRAGMA user_version');
  db.exec(`PRAGMA user_version = ${version}`);
}

/**
 * Returns a check that throws once the files were moved or replaced: SQLite would continue to write into a deleted file, and acknowledged
 * writes would be lost when the process ends.
 */
function createLocationCheck(file: string): () => void {
  const places = new Map<string, string | undefined>();
  const check = () => {
    for (const path of [file, `${file}-wal`]) {
      const place = fileIdentity(path);
      const known = places.get(path);
      if (known === undefined) places.set(path, place);
      else if (known !== place)
        throw new Error(
          `${path} was removed or replaced while the service is running; stop the service, then restore the file`,
        );
    }
  };
  check();
  return check;
}

function fileIdentity(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}|${found.ino}`;
}
