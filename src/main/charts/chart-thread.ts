// The main thread's end of the thread that computes charts: a question over all customers never holds up the other requests.
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { Unavailable } from '../../domain/errors.js';
import { buffersOf, unpackAnswer, type PackedAnswer } from '../../projections/charts/questions/packed-results.js';
import {
  sentQuery,
  withQueries,
  type Answers,
  type AskCharts,
  type Questions,
} from '../../projections/charts/questions/questions.js';
import { startThread } from '../start-thread.js';
import { freeMemory } from './free-memory.js';
import type { ChartJob, ChartReply, ThreadData } from './thread.js';

type Pending = { readonly resolve: (answer: never) => void; readonly reject: (err: Error) => void };

export type ChartThread = {
  /** Throws `Unavailable` when the thread ended meanwhile. */
  readonly ask: AskCharts;
  /** Ledgers of the project whose customers are being taken in; none while nobody has asked about charts. */
  progress(projectId: string): Promise<Answers['progress']>;
  /** Takes in the customers of all projects before somebody asks about them. */
  warm(): void;
  close(): Promise<void>;
};

/** The thread starts on first use, and again after it died. It keeps the process alive only while somebody waits for it. */
export function createChartThread(data: ThreadData): ChartThread {
  const pending = new Map<number, Pending>();
  let running: Worker | undefined;
  let asked = 0;
  let isWarmed = false;
  let isClosed = false;

  const start = (): Worker => {
    const worker = startThread(new URL('./thread', import.meta.url), 'serveCharts', data);
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
      if ('answer' in reply) waiting?.resolve(releasable(reply.answer) as never);
      else waiting?.reject(errorOf(reply.failed, reply.retryAfterSeconds));
    });
    // One that takes the place of another goes on with what that had been told.
    if (isWarmed) worker.postMessage('warm');
    return worker;
  };

  const thread = (): Worker => (running ??= start());
  const ask: AskCharts = <K extends keyof Questions>(kind: K, projectId: string, question: Questions[K]) => {
    if (isClosed) return Promise.reject(new Unavailable('the service is closing; ask again'));
    const sent = withQueries(question, sentQuery);
    const job: ChartJob = { id: ++asked, kind, projectId, question: sent };
    return new Promise<Answers[K]>((resolve, reject) => {
      pending.set(job.id, { resolve, reject });
      const worker = thread();
      worker.ref();
      worker.postMessage(job);
    });
  };
  return {
    warm: () => {
      if (isClosed || isWarmed) return;
      isWarmed = true;
      if (running) running.postMessage('warm');
      else thread();
      if (pending.size === 0) running?.unref();
    },
    progress: (projectId) => (running ? ask('progress', projectId, {}) : Promise.resolve([])),
    ask,
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
function errorOf(message: string, retryAfterSeconds: number | null): Error {
  return retryAfterSeconds === null ? new Error(message) : new Unavailable(message, retryAfterSeconds);
}

function releasable(packed: PackedAnswer) {
  const buffers = buffersOf(packed);
  const answer = unpackAnswer(packed);
  return buffers.length === 0 ? answer : { ...answer, release: () => freeMemory(buffers) };
}
