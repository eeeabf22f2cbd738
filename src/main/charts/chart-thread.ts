// The main thread's end of the thread that computes charts: a question over all customers never holds up the other requests.
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Config } from '../../adapters/config.js';
import { dataFiles } from '../../adapters/data-directory.js';
import { isInLedger } from '../../domain/charts/ledger/read-ledger.js';
import type { SegmentedResult } from '../../domain/charts/result/result.js';
import { Unavailable } from '../../domain/errors.js';
import type { Compute } from '../../projections/charts/source.js';
import type { ChartJob, ChartReply, ThreadData } from './thread.js';

/** Customers that are taken in leave much behind that is short-lived. */
const resourceLimits = { maxYoungGenerationSizeMb: 64 };

type Pending = { readonly resolve: (result: SegmentedResult) => void; readonly reject: (err: Error) => void };

export type ChartThread = {
  /** Null for a query that must be computed by the caller. Throws `Unavailable` when the thread ended meanwhile. */
  readonly compute: Compute;
  /** Takes in the customers of all projects before somebody asks about them. */
  warm(): void;
  close(): Promise<void>;
};

export function chartThreadOf({ DATA_DIR, MONGODB_URL }: Pick<Config, 'DATA_DIR' | 'MONGODB_URL'>): ChartThread {
  return createChartThread({ file: dataFiles(DATA_DIR).documents, mongodbUrl: MONGODB_URL });
}

/** The thread starts on first use, and again after it died. It keeps the process alive only while somebody waits for it. */
export function createChartThread(data: ThreadData): ChartThread {
  const pending = new Map<number, Pending>();
  let running: Worker | undefined;
  let asked = 0;
  let isClosed = false;

  const start = (): Worker => {
    const worker = startThread(data);
    const end = (why: string) => {
      if (running !== worker) return;
      running = undefined;
      const left = [...pending.values()];
      pending.clear();
      for (const { reject } of left) reject(new Unavailable(`the thread of the charts ended: ${why}; ask again`));
    };
    worker.on('error', (err) => end(err instanceof Error ? err.message : String(err)));
    worker.on('exit', () => end('closed'));
    worker.on('message', (reply: ChartReply) => {
      const waiting = pending.get(reply.id);
      pending.delete(reply.id);
      if (pending.size === 0) worker.unref();
      if ('result' in reply) waiting?.resolve(reply.result);
      else waiting?.reject(reply.isUnavailable ? new Unavailable(reply.failed) : new Error(reply.failed));
    });
    return worker;
  };

  const thread = (): Worker => (running ??= start());
  return {
    warm: () => {
      if (isClosed) return;
      const worker = thread();
      worker.postMessage('warm');
      if (pending.size === 0) worker.unref();
    },
    compute: (projectId, q, also) => {
      if (isClosed || !isInLedger(q)) return Promise.resolve(null);
      const { chart, conversion: _, ...rest } = q;
      const job: ChartJob = { id: ++asked, projectId, query: { ...rest, chartId: chart.id }, also };
      return new Promise((resolve, reject) => {
        pending.set(job.id, { resolve, reject });
        const worker = thread();
        worker.ref();
        worker.postMessage(job);
      });
    },
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

/** Run from source (tests), a thread installs the TypeScript loader itself: on Node 20 it does not inherit the main thread's. */
function startThread(data: ThreadData): Worker {
  const isCompiled = import.meta.url.endsWith('.js');
  const url = new URL(`./thread${extname(import.meta.url)}`, import.meta.url).href;
  const script = isCompiled
    ? `import(${JSON.stringify(url)}).then((thread) => thread.serveCharts());`
    : `require('tsx/cjs/api').register(); require(${JSON.stringify(fileURLToPath(url))}).serveCharts();`;
  return new Worker(script, { eval: true, execArgv: [], workerData: data, resourceLimits });
}
