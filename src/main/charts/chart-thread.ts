// The main thread's end of the threads that compute charts: a question over all customers never holds up the other requests.
import { buffersOf, unpackAnswer, type PackedAnswer } from '../../projections/charts/questions/packed-results.js';
import type { Answers, AskCharts } from '../../projections/charts/questions/questions.js';
import { createThreadClient, type ThreadData } from './thread-client.js';
import { MessageChannel } from 'node:worker_threads';

export type ChartThread = {
  /** Throws `Unavailable` when a thread ended meanwhile. */
  readonly ask: AskCharts;
  /** Ledgers of the project whose customers are being taken in; none while nobody has asked about charts. */
  progress(projectId: string): Promise<Answers['progress']>;
  /** Takes in the customers of all projects before somebody asks about them. */
  warm(): void;
  close(): Promise<void>;
};

/** `threads`: how many there are, with the first one, which starts the others. */
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
 * Left to the collector of garbage, megabytes of each answer count as in use until it runs, and then it runs for nothing else: several times
 * a second, and through all that the process keeps. Who hands memory over to a port without another end frees it. Nothing in it may be read
 * from then on.
 */
export function freeMemory(buffers: readonly ArrayBuffer[]): void {
  nowhere.postMessage(
    null,
    buffers.filter(({ byteLength }) => byteLength > 0),
  );
}
