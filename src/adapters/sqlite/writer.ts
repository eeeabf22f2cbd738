// Main-thread client of a writer thread: sends operations, and resolves them after their commit.
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { Unavailable } from '../../domain/errors.js';
import { startThread } from '../threads.js';
import { damageOr } from './database.js';
import { PROBE, type WriterReply } from './writer-thread.js';

type Pending = { readonly resolve: (result: unknown) => void; readonly reject: (err: Error) => void };

export type SqliteWriter = {
  /** Runs an operation, durable when it resolves. Throws {@link Unavailable} when the file cannot be written, or when the thread ended. */
  run<R>(operation: unknown): Promise<R>;
  /** Writes without changing anything: throws {@link Unavailable} when the file is not writable, also when nothing is written in time. */
  probe(): Promise<void>;
  /** Finishes pending operations, then closes the file. */
  close(): Promise<void>;
};

const BATCH_SIZE = 8;
/** A disk that hangs returns no error: after this time the file counts as not writable. */
export const PROBE_TIMEOUT_MS = 30_000;

/** Starts the thread. `module` is the URL of a `WriterModule`, as for {@link startThread}. */
export async function startWriter(file: string, module: URL): Promise<SqliteWriter> {
  const thread = new URL('./writer-thread', import.meta.url);
  const worker = startThread(thread, 'serveWriter', { argument: module, workerData: { file } });
  let pending: Pending[] = [];
  let outbox: unknown[] = [];
  let down: Error | undefined;
  const fail = (err: Error) => {
    down ??= err;
    for (const { reject } of pending) reject(new Unavailable(`${file}: the writer stopped: ${err.message}`));
    pending = [];
  };
  // A message costs as much as an operation, so operations of one turn of the event loop are sent in small batches; not in one, so that the
  // thread can start on the first while the others are being created.
  const send = () => {
    const operations = outbox;
    outbox = [];
    if (operations.length > 0) worker.postMessage(operations);
  };
  await Promise.race([once(worker, 'message'), rejectOnExit(worker, file)]).catch((err: unknown) => {
    throw damageOr(file, err);
  });
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('closed')));
  worker.on('message', ({ results, failed }: WriterReply) => {
    const callers = pending.slice(0, results.length);
    pending = pending.slice(results.length);
    callers.forEach(({ resolve, reject }, i) => {
      const failure = failed?.[i];
      if (failure === undefined) resolve(results[i]);
      else reject(new Unavailable(`${file} cannot be written: ${failure}`));
    });
  });
  const run = <R>(operation: unknown) =>
    new Promise<R>((resolve, reject) => {
      if (down) return reject(new Unavailable(`${file}: the writer stopped: ${down.message}`));
      pending.push({ resolve: resolve as (result: unknown) => void, reject });
      const waiting = outbox.push(operation);
      if (waiting === BATCH_SIZE) send();
      else if (waiting === 1) process.nextTick(send);
    });
  return {
    run,
    probe: () => withinProbeTime(run(PROBE), file),
    close: async () => {
      if (down) return;
      down = new Error('closed');
      send();
      const exit = once(worker, 'exit');
      worker.postMessage('close');
      await exit;
    },
  };
}

async function withinProbeTime(probing: Promise<void>, file: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const why = new Unavailable(`${file} cannot be written: no response of the disk within ${PROBE_TIMEOUT_MS} ms`);
    timer = setTimeout(() => reject(why), PROBE_TIMEOUT_MS);
  });
  await Promise.race([probing, late]).finally(() => clearTimeout(timer));
}

async function rejectOnExit(worker: Worker, file: string): Promise<never> {
  await once(worker, 'exit');
  throw new Unavailable(`${file}: the writer ended before it was ready`);
}
