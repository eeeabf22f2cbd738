// Worker threads: their start, and a client for one that responds to requests. The thread starts with the first request, and again after a
// crash; it keeps the process alive only while a request is pending.
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker, type ResourceLimits } from 'node:worker_threads';
import type { Unavailable } from '../domain/errors.js';

/** For work that produces much short-lived garbage. */
export const LARGE_YOUNG_GENERATION: ResourceLimits = { maxYoungGenerationSizeMb: 64 };

type ThreadOptions = {
  readonly workerData?: unknown;
  readonly resourceLimits?: ResourceLimits;
  /** URL of a module that the function gets as its argument. From source, a thread cannot import another one later. */
  readonly argument?: URL | undefined;
};

/**
 * Starts a thread. `module` is the URL of its module, without extension where compiled and source trees differ in it; `serve` is the name of
 * the function that is called. When run from source (tests), a thread installs the TypeScript loader itself: on Node 20 it does not inherit
 * the main thread's. It uses the loader for `require`, which starts in a fifth of the time.
 */
export function startThread(module: URL, serve: string, { argument, ...options }: ThreadOptions = {}): Worker {
  const isCompiled = import.meta.url.endsWith('.js');
  const loads = [module, ...(argument ? [argument] : [])].map(({ href }) => {
    const url = extname(href) ? href : href + extname(import.meta.url);
    return isCompiled ? `import(${JSON.stringify(url)})` : `require(${JSON.stringify(fileURLToPath(url))})`;
  });
  const script = `${isCompiled ? '' : "require('tsx/cjs/api').register();"}
    Promise.all([${loads.join()}]).then(([thread, argument]) => thread.${serve}(argument));`;
  return new Worker(script, { eval: true, execArgv: [], ...options });
}

/** A request or a response as it is sent; both have the number of the request. */
export type NumberedMessage<M> = M & { readonly id: number };

/** Longest time without a response while one is pending. Work of a thread takes seconds, so that one silent for longer is stuck. */
export const SILENCE_MS = 300_000;
export const CLOSE_TIMEOUT_MS = 10_000;

type ThreadClientOptions = {
  readonly start: () => Worker;
  /** Returns the error of the requests that were pending when the thread ended. */
  readonly endedError: (why: string) => Unavailable;
};

type ThreadClient<Request extends object, Response extends object> = {
  ask(request: Request): Promise<Response>;
  /** Sends a message without a response. Starts the thread if it is not running. */
  send(message: unknown): void;
  isRunning(): boolean;
  isClosed(): boolean;
  /** Returns the number of requests without a response. */
  pending(): number;
  /** Sends `close`, and resolves when the thread has ended. A stuck thread is ended after a while. */
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
  /** Runs while a response is pending. */
  let silence: NodeJS.Timeout | undefined;
  let endSilent = (): void => undefined;

  const start = (): Worker => {
    const worker = o.start();
    const end = (why: string) => {
      if (running !== worker) return;
      running = undefined;
      clearTimeout(silence);
      const unanswered = [...pending.values()];
      pending.clear();
      for (const { reject } of unanswered) reject(o.endedError(why));
    };
    // Its callers are answered, and the next request starts another thread.
    endSilent = () => {
      end(`no response within ${SILENCE_MS} ms`);
      void worker.terminate();
    };
    worker.on('error', (err) => end(err instanceof Error ? err.message : String(err)));
    worker.on('exit', () => end('closed'));
    worker.on('message', (response: NumberedMessage<Response>) => {
      const request = pending.get(response.id);
      pending.delete(response.id);
      if (pending.size === 0) {
        clearTimeout(silence);
        worker.unref();
      } else if (running === worker) silence?.refresh();
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
        if (pending.size === 1) silence = setTimeout(() => endSilent(), SILENCE_MS).unref();
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
      const closing = running;
      const exit = once(closing, 'exit');
      closing.ref();
      closing.postMessage('close');
      const late = setTimeout(() => void closing.terminate(), CLOSE_TIMEOUT_MS);
      await exit.finally(() => clearTimeout(late));
    },
  };
}
