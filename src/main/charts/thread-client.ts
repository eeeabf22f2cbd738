// Client of a chart thread.
import { MessageChannel } from 'node:worker_threads';
import {
  LARGE_YOUNG_GENERATION,
  startThread,
  createThreadClient as createWorkerClient,
} from '../../adapters/threads.js';
import { RetryLater, Unavailable } from '../../domain/errors.js';
import type { ChartRequests, ChartResponses, QueryCharts } from '../../projections/charts/requests/chart-queries.js';
import {
  buffersIn,
  packRequest,
  unpackResponse,
  type PackedRequest,
  type PackedResponse,
} from '../../projections/charts/requests/chart-messages.js';

/** Settings of a chart thread: its document store, the folder of ledgers, and its part of the customers. */
export type ThreadData = {
  readonly file: string;
  readonly mongodbUrl: string | undefined;
  readonly dataDir: string;
  /** Memory limit of all ledgers of all threads together; undefined for half of the free memory when the first thread starts. */
  readonly memoryMb: number | undefined;
  /** Number of the thread, from 0 on. The first one starts the others and merges their responses. */
  readonly part: number;
  readonly parts: number;
};

type Kind = keyof ChartRequests;
export type ChartJob = {
  readonly kind: Kind;
  readonly projectId: string;
  readonly request: PackedRequest;
};
export type ChartReply<A> = { readonly answer: A } | { readonly failure: ChartFailure };
/** An error as it crosses threads; `seconds` until a retry. */
export type ChartFailure = {
  readonly kind: 'retryLater' | 'unavailable' | 'fault';
  readonly message: string;
  readonly seconds: number;
};

/** Client with `A` as the type of responses. */
export type ThreadClient<A> = {
  /** Throws `Unavailable` if the thread ends before it responds. */
  ask<K extends Kind>(kind: K, projectId: string, request: ChartRequests[K]): Promise<A>;
  isRunning(): boolean;
  /** Starts filling the ledgers of all projects before the first request. */
  warm(): void;
  close(): Promise<void>;
};

const MONGODB_STORE = '../../adapters/documents/mongodb/store';

/** Creates the client. */
export function createThreadClient<A>(data: ThreadData): ThreadClient<A> {
  let isWarmed = false;
  const client = createWorkerClient<ChartJob, ChartReply<A>>({
    start: () => {
      const worker = startThread(new URL('./thread', import.meta.url), 'serveCharts', {
        workerData: data,
        resourceLimits: LARGE_YOUNG_GENERATION,
        // The driver takes a quarter of a second to load, so it is loaded only when configured.
        argument: data.mongodbUrl === undefined ? undefined : new URL(MONGODB_STORE, import.meta.url),
      });
      // A replacement thread receives the earlier `warm` message again.
      if (isWarmed) worker.postMessage('warm');
      return worker;
    },
    endedError: (why) => new Unavailable(`a chart thread ended: ${why}; retry`),
  });
  return {
    isRunning: client.isRunning,
    warm: () => {
      if (client.isClosed() || isWarmed) return;
      client.send('warm');
      isWarmed = true;
    },
    ask: async (kind, projectId, request) => {
      if (client.isClosed()) throw new Unavailable('the service is shutting down; retry');
      const reply = await client.ask({ kind, projectId, request: packRequest(request) });
      if ('answer' in reply) return reply.answer;
      throw errorOf(reply.failure);
    },
    close: client.close,
  };
}

export function failureOf(err: unknown): ChartFailure {
  const message = err instanceof Error ? err.message : String(err);
  if (!(err instanceof Unavailable)) return { kind: 'fault', message, seconds: 0 };
  return { kind: err instanceof RetryLater ? 'retryLater' : 'unavailable', message, seconds: err.retryAfterSeconds };
}

function errorOf({ kind, message, seconds }: ChartFailure): Error {
  if (kind === 'fault') return new Error(message);
  return kind === 'retryLater' ? new RetryLater(message, seconds) : new Unavailable(message, seconds);
}

export type ChartThread = {
  /** Throws `Unavailable` if a thread ends before it responds. */
  readonly ask: QueryCharts;
  /** Returns the ledgers of the project that are being filled; none before the first chart request. */
  progress(projectId: string): Promise<ChartResponses['progress']>;
  /** Starts filling the ledgers of all projects before the first request. */
  warm(): void;
  close(): Promise<void>;
};

/** Creates the client. `threads` is the number of threads, including the first one, which starts the others. */
export function createChartThread(o: Omit<ThreadData, 'part' | 'parts'> & { readonly threads: number }): ChartThread {
  const { threads: parts, ...data } = o;
  const client = createThreadClient<PackedResponse>({ ...data, part: 0, parts });
  const ask: QueryCharts = async (kind, projectId, request) =>
    withRelease(await client.ask(kind, projectId, request)) as never;
  return {
    ask,
    warm: client.warm,
    progress: (projectId) => (client.isRunning() ? ask('progress', projectId, {}) : Promise.resolve([])),
    close: client.close,
  };
}

function withRelease(packed: PackedResponse) {
  const buffers = buffersIn(packed);
  const answer = unpackResponse(packed);
  return buffers.length === 0 ? answer : { ...answer, release: () => freeMemory(buffers) };
}

const { port1: closedPort, port2: otherEnd } = new MessageChannel();
otherEnd.close();

/**
 * Frees memory immediately: with garbage collection alone, megabytes of each response count as used until a collection runs, which then
 * runs several times a second through the whole heap. Memory transferred to a port without a receiver is freed. Nothing in it may be read
 * afterwards.
 */
export function freeMemory(buffers: readonly ArrayBuffer[]): void {
  closedPort.postMessage(
    null,
    buffers.filter(({ byteLength }) => byteLength > 0),
  );
}
