// Main-thread client of the chart threads: a query over all customers never blocks other requests.
import { buffersOf, unpackAnswer, type PackedAnswer } from '../../projections/charts/questions/packed-results.js';
import type { Answers, AskCharts } from '../../projections/charts/questions/questions.js';
import { createThreadClient, type ThreadData } from './thread-client.js';
import { MessageChannel } from 'node:worker_threads';

export type ChartThread = {
  /** Throws `Unavailable` if a thread ends before it responds. */
  readonly ask: AskCharts;
  /** Returns the ledgers of the project that are being filled; none before the first chart request. */
  progress(projectId: string): Promise<Answers['progress']>;
  /** Starts filling the ledgers of all projects before the first request. */
  warm(): void;
  close(): Promise<void>;
};

/** Creates the client. `threads` is the number of threads, including the first one, which starts the others. */
export function createChartThread(o: Omit<ThreadData, 'part' | 'parts'> & { readonly threads: number }): ChartThread {
  const { threads: parts, ...data } = o;
  const client = createThreadClient<PackedAnswer>({ ...data, part: 0, parts });
  const ask: AskCharts = async (kind, projectId, question) =>
    releasable(await client.ask(kind, projectId, question)) as never;
  return {
    ask,
    warm: client.warm,
    progress: (projectId) => (client.isRunning() ? ask('progress', projectId, {}) : Promise.resolve([])),
    close: client.close,
  };
}

function releasable(packed: PackedAnswer) {
  const buffers = buffersOf(packed);
  const answer = unpackAnswer(packed);
  return buffers.length === 0 ? answer : { ...answer, release: () => freeMemory(buffers) };
}

const { port1: nowhere, port2: otherEnd } = new MessageChannel();
otherEnd.close();

/**
 * Frees memory immediately: with garbage collection alone, megabytes of each response count as used until a collection runs, which then
 * runs several times a second through the whole heap. Memory transferred to a port without a receiver is freed. Nothing in it may be read
 * afterwards.
 */
export function freeMemory(buffers: readonly ArrayBuffer[]): void {
  nowhere.postMessage(
    null,
    buffers.filter(({ byteLength }) => byteLength > 0),
  );
}
