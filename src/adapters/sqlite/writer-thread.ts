// Runs in a worker thread: the one writer of one SQLite file. What waits when a group begins joins it, and the group costs one sync however
// many callers it has. What arrives later is the next group, whose callers are heard while this one is written. Results leave only after
// COMMIT.
import { statSync } from 'node:fs';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { openForWriting, type Database } from './database.js';

/** What a file's own module exports as `writer`: makes the tables, returns the function that applies one operation. */
export type WriterModule = { readonly writer: (db: Database) => (operation: unknown) => unknown };

/** Operations in order; they are answered in the same order, which is why they carry no names. */
export type WriterMessage = readonly unknown[] | 'close';
/** `failed[i]`: why operation `i` was not done. */
export type WriterReply = { readonly results: readonly unknown[]; readonly failed?: readonly (string | undefined)[] };

/** An operation of every file: a page is written as it is. */
export const PROBE = '(probe)';

/** Bounds how long the first caller of a group waits for the others. */
const MAX_GROUP = 1000;

/** Opens the file named by the thread's data and serves the port until the message `close`. */
export function serveWriter(module: WriterModule): void {
  const port = parentPort;
  if (!port) throw new Error('writer-thread runs as a worker only');
  const { file }: { file: string } = workerData;
  const db = openForWriting(file);
  const ofModule = module.writer(db);
  const apply = (operation: unknown): unknown => (operation === PROBE ? rewritePage(db) : ofModule(operation));
  const expectInPlace = watchPlace(file);
  const commit = () => {
    expectInPlace();
    db.exec('COMMIT');
  };
  const nextMessage = (): WriterMessage | undefined => receiveMessageOnPort(port)?.message;

  port.on('message', (message: WriterMessage) => {
    const isLast = message === 'close' || serveGroup(message) === 'close';
    if (!isLast) return;
    // Everything into the one file: an operator may copy it now.
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
    port.close();
  });
  port.postMessage('ready');

  /** Returns the message that ended the group. */
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
      // All of the group is undone; each is tried alone, so that one that cannot be done harms no other and gets its own error.
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
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { readonly user_version: number };
  db.exec(`PRAGMA user_version = ${version}`);
}

/**
 * Returns what throws once the files are not where they were: SQLite would go on writing into a removed file, and what was answered for
 * would be gone at the end of the process.
 */
function watchPlace(file: string): () => void {
  const places = new Map<string, string | undefined>();
  const look = () => {
    for (const path of [file, `${file}-wal`]) {
      const place = placeOf(path);
      const known = places.get(path);
      if (known === undefined) places.set(path, place);
      else if (known !== place)
        throw new Error(`${path} was removed or replaced under the service; stop it, then restore`);
    }
  };
  look();
  return look;
}

function placeOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}|${found.ino}`;
}
