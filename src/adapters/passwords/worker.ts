// Password hashing by bcrypt in one worker thread, so that many concurrent logins do not block other requests.
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { RetryLater, Unavailable } from '../../domain/errors.js';
import type { Passwords } from './port.js';
import type { PasswordResult, PasswordJob } from './thread.js';

type Pending = { readonly resolve: (result: string | boolean) => void; readonly reject: (err: Error) => void };

/** Maximum queued jobs, about five seconds of work at the default cost: further ones are refused immediately instead of waiting longer. */
const MAX_WAITING = 20;
const RETRY_AFTER_SECONDS = 5;

/** Creates the port. The thread starts on first use, and again after a crash. It keeps the process alive only while a job is pending. */
export function createPasswords({ cost = 12 }: { readonly cost?: number } = {}): Passwords {
  const unmatchable = unmatchableHash(cost);
  let pending: Pending[] = [];
  let running: Worker | undefined;
  let isClosed = false;

  const run = (job: PasswordJob) =>
    new Promise<string | boolean>((resolve, reject) => {
      // One job in addition to the queued ones is in progress.
      if (isClosed || pending.length > MAX_WAITING) {
        return reject(
          new RetryLater(
            `too many logins at the same time; retry in ${RETRY_AFTER_SECONDS} seconds`,
            RETRY_AFTER_SECONDS,
          ),
        );
      }
      pending.push({ resolve, reject });
      running ??= start();
      running.ref();
      running.postMessage(job);
    });

  return {
    hash: async (password) => String(await run({ kind: 'hash', password, cost })),
    verify: async (password, hash) => (await run({ kind: 'verify', password, hash })) === true,
    verifyDummy: async (password) => {
      await run({ kind: 'verify', password, hash: unmatchable });
      return false;
    },
    isOutdated: (hash) => costOf(hash) < cost,
    close: async () => {
      isClosed = true;
      if (!running) return;
      const exit = once(running, 'exit');
      running.ref();
      running.postMessage('close');
      await exit;
    },
  };

  function start(): Worker {
    const worker = startThread();
    const end = (why: string) => {
      if (running !== worker) return;
      running = undefined;
      const left = pending;
      pending = [];
      for (const { reject } of left) reject(new Unavailable(`the password thread ended: ${why}`, RETRY_AFTER_SECONDS));
    };
    worker.on('error', (err) => end(err instanceof Error ? err.message : String(err)));
    worker.on('exit', () => end('closed'));
    worker.on('message', (result: PasswordResult) => {
      const [first, ...rest] = pending;
      pending = rest;
      if (rest.length === 0) worker.unref();
      if ('failed' in result) first?.reject(new Error(result.failed));
      else first?.resolve(result.result);
    });
    return worker;
  }
}

/** Returns a hash of the current cost that no password matches: its end is a single repeated letter. */
function unmatchableHash(cost: number): string {
  return `$2b$${String(cost).padStart(2, '0')}$${'O'.repeat(22)}${'u'.repeat(31)}`;
}

function costOf(hash: string): number {
  return Number(/^\$2[aby]\$(\d\d)\$/.exec(hash)?.[1] ?? Infinity);
}

/** When run from source (tests), a thread installs the TypeScript loader itself: on Node 20 it does not inherit the main thread's. */
function startThread(): Worker {
  const isCompiled = import.meta.url.endsWith('.js');
  const url = new URL(`./thread${extname(import.meta.url)}`, import.meta.url).href;
  const script = isCompiled
    ? `import(${JSON.stringify(url)}).then((thread) => thread.servePasswords());`
    : `require('tsx/cjs/api').register(); require(${JSON.stringify(fileURLToPath(url))}).servePasswords();`;
  return new Worker(script, { eval: true, execArgv: [] });
}
