// Main-thread client of the chart threads: a query over all customers never blocks other requests.
import { buffersOf, unpackResponse, type PackedResponse } from '../../projections/charts/requests/packed-results.js';
import type { ChartResponses, QueryCharts } from '../../projections/charts/requests/chart-requests.js';
import { createThreadClient, type ThreadData } from './thread-client.js';
import { MessageChannel } from 'node:worker_threads';

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
  const ask: QueryCharts = async (kind, projectId, question) =>
    withRelease(await client.ask(kind, projectId, question)) as never;
  return {
    ask,
    warm: client.warm,
    progress: (projectId) => (client.isRunning() ? ask('progress', projectId, {}) : Promise.resolve([])),
    close: client.close,
  };
}

function withRelease(packed: PackedResponse) {
  const buffers = buffersOf(packed);
  const answer = unpackResponse(packed);
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
