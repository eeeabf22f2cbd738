// The main thread's end of a writer thread: sends operations, resolves them after their commit.
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Unavailable } from '../event-log/port.js';
import type { WriterReply } from './writer-thread.js';

type Pending = { readonly resolve: (result: unknown) => void; readonly reject: (err: Error) => void };

export type SqliteWriter = {
  /** Durable when it resolves. Throws {@link Unavailable} when the file cannot be written; nothing was stored then. */
  run<R>(operation: unknown): Promise<R>;
  /** Finishes what was sent, then closes the file. */
  close(): Promise<void>;
};

/** `module` is the URL of a `WriterModule`, without extension (compiled and source trees differ in it). */
export async function startWriter(file: string, module: URL): Promise<SqliteWriter> {
  const extension = extname(fileURLToPath(import.meta.url));
  const worker = new Worker(new URL(`./writer-thread${extension}`, import.meta.url), {
    workerData: { file, module: module.href + extension },
  });
  const pending = new Map<number, Pending>();
  let ticket = 0;
  let down: Error | undefined;
  const fail = (err: Error) => {
    down = err;
    for (const { reject } of pending.values()) reject(new Unavailable(`${file}: the writer stopped: ${err.message}`));
    pending.clear();
  };
  await once(worker, 'message');
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('closed')));
  worker.on('message', (replies: readonly WriterReply[]) => {
    for (const reply of replies) {
      const caller = pending.get(reply.ticket);
      pending.delete(reply.ticket);
      if (reply.ok) caller?.resolve(reply.result);
      else caller?.reject(new Unavailable(`${file} cannot be written: ${reply.message}`));
    }
  });
  return {
    run: <R>(operation: unknown) =>
      new Promise<R>((resolve, reject) => {
        if (down) return reject(new Unavailable(`${file}: the writer stopped: ${down.message}`));
        pending.set(++ticket, { resolve: resolve as (result: unknown) => void, reject });
        worker.postMessage({ ticket, operation });
      }),
    close: async () => {
      if (down) return;
      worker.postMessage('close');
      await once(worker, 'exit');
    },
  };
}
