// Runs in a worker thread: the one writer of one SQLite file. Operations that wait while a commit is under way form the next group,
// which costs one sync however many callers it has. Answers leave only after COMMIT.
import { parentPort, workerData } from 'node:worker_threads';
import { openForWriting, type Database } from './database.js';

/** What a file's own module exports as `writer`: makes the tables, returns the function that applies one operation. */
export type WriterModule = { readonly writer: (db: Database) => (operation: unknown) => unknown };

export type WriterRequest = { readonly ticket: number; readonly operation: unknown };
export type WriterReply =
  | { readonly ticket: number; readonly ok: true; readonly result: unknown }
  | { readonly ticket: number; readonly ok: false; readonly message: string };

const port = parentPort;
if (!port) throw new Error('writer-thread runs as a worker only');
const { file, module } = workerData as { file: string; module: string };
const db = openForWriting(file);
const apply = ((await import(module)) as WriterModule).writer(db);

let waiting: WriterRequest[] = [];
port.on('message', (message: WriterRequest | 'close') => {
  if (message === 'close') {
    flush();
    db.close();
    port.close();
    return;
  }
  if (waiting.push(message) === 1) setImmediate(flush);
});
port.postMessage('ready');

function flush(): void {
  const group = waiting;
  waiting = [];
  if (group.length > 0) port?.postMessage(commit(group));
}

/** An operation that throws undoes the whole group (disk full, say): nobody in it is told that it was written. */
function commit(group: readonly WriterRequest[]): WriterReply[] {
  try {
    db.exec('BEGIN IMMEDIATE');
    const replies = group.map(({ ticket, operation }) => ({ ticket, ok: true as const, result: apply(operation) }));
    db.exec('COMMIT');
    return replies;
  } catch (err) {
    if (db.isTransaction) db.exec('ROLLBACK');
    const message = err instanceof Error ? err.message : String(err);
    return group.map(({ ticket }) => ({ ticket, ok: false as const, message }));
  }
}
