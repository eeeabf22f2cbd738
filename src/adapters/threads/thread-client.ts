// Client of a worker thread that responds to requests. The thread starts with the first one, and again after a crash; it keeps the process
// alive only while a request is pending.
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import type { Unavailable } from '../../domain/errors.js';

/** A request or a response as it is sent; both have the number of the request. */
export type NumberedMessage<M> = M & { readonly id: number };

export type ThreadClientOptions = {
  readonly start: () => Worker;
  /** Returns the error of the requests that were pending when the thread ended. */
  readonly endedError: (why: string) => Unavailable;
};

export type ThreadClient<Request extends object, Response extends object> = {
  ask(request: Request): Promise<Response>;
  /** Sends a message without a response. Starts the thread if it is not running. */
  send(message: unknown): void;
  isRunning(): boolean;
  isClosed(): boolean;
  /** Returns the number of requests without a response. */
  pending(): number;
  /** Sends `close`, and resolves when the thread has ended. */
  close(): Promise<void>;
};

type Pending<R> = { readonly resolve: (response: R) => void; readonly reject: (err: Error) => void };

export function createThreadClient<Request extends object, Response extends object>(
  o: ThreadClientOptions,
): ThreadClient<Request, Response> {
  const pending = new Map<number, Pending<Response>>();
  let running: Worker | undefined;
  let lastId = 0;
  let isClosed = false;

  const start = (): Worker => {
    const worker = o.start();
    const end = (why: string) => {
      if (running !== worker) return;
      running = undefined;
      const left = [...pending.values()];
      pending.clear();
      for (const { reject } of left) reject(o.endedError(why));
    };
    worker.on('error', (err) => end(err instanceof Error ? err.message : String(err)));
    worker.on('exit', () => end('closed'));
    worker.on('message', (response: NumberedMessage<Response>) => {
      const request = pending.get(response.id);
      pending.delete(response.id);
      if (pending.size === 0) worker.unref();
      request?.resolve(response);
    });
    return worker;
  };

  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        const id = ++lastId;
        pending.set(id, { resolve, reject });
        running ??= start();
        running.ref();
        running.postMessage({ ...request, id });
      }),
    send: (message) => {
      running ??= start();
      running.postMessage(message);
      if (pending.size === 0) running.unref();
    },
    isRunning: () => running !== undefined,
    isClosed: () => isClosed,
    pending: () => pending.size,
    close: async () => {
      isClosed = true;
      if (!running) return;
      const exit = once(running, 'exit');
      running.ref();
      running.postMessage('close');
      await exit;
    },
  };
}
