// Runs in a worker thread: keeps the ledgers of the charts in memory, and computes from them what is asked, on a connection of its own.
import { parentPort, workerData } from 'node:worker_threads';
import { openEmbeddedDocumentsForReading } from '../../adapters/documents/embedded/store.js';
import type { DocStore } from '../../adapters/documents/port.js';
import { systemRuntime } from '../../adapters/runtime.js';
import { findChart } from '../../domain/charts/catalogue/catalogue.js';
import type { ChartQuery } from '../../domain/charts/catalogue/chart-query.js';
import type { ChartResult, SegmentedResult } from '../../domain/charts/result/result.js';
import { Unavailable } from '../../domain/errors.js';
import { allPages } from '../../adapters/documents/records.js';
import { createServing, servingCollection } from '../../projections/build/serving.js';
import { createLedgers } from '../../projections/charts/ledger/ledgers.js';
import { chartSource } from '../../projections/charts/source.js';
import { projects } from '../../projections/models/projects.js';
import { createReadModels } from '../../projections/queries/read-models.js';
import { checkpointCollection } from '../../projections/runtime/runner.js';

/** Where the documents are. */
export type ThreadData = { readonly file: string; readonly mongodbUrl: string | undefined };

/** A query as it crosses threads. */
export type SentQuery = Omit<ChartQuery, 'chart' | 'conversion'> & { readonly chartId: string };
export type ChartJob = {
  readonly id: number;
  readonly projectId: string;
  readonly query: SentQuery;
  readonly also: readonly string[];
};
export type ChartReply = { readonly id: number } & (
  { readonly result: SegmentedResult } | { readonly failed: string; readonly isUnavailable: boolean }
);

/** A row takes 32 bytes, and as much again with all that belongs to it: some 2 GB. */
const MOST_ROWS = 32_000_000;
const PROJECTS = 100;

/** Serves the port until the message `close`. */
export async function serveCharts(): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('the thread of the charts runs as a worker only');
  const runtime = systemRuntime();
  const openAll = async () => {
    const docs = await openDocuments(workerData as ThreadData);
    await docs.ensure([servingCollection, checkpointCollection]);
    const serving = createServing(docs, runtime);
    const ledgers = createLedgers({ docs, turn: () => runtime.turn(), mostRows: MOST_ROWS }, serving);
    const readModels = createReadModels(docs, serving);
    return { docs, readModels, ledgers, source: chartSource(readModels, ledgers.read) };
  };
  let opening: ReturnType<typeof openAll> | null = null;
  /** Tried again by the next who asks when it failed. */
  const open = () =>
    (opening ??= openAll().catch((err: unknown) => {
      opening = null;
      throw err;
    }));
  const warm = async (): Promise<void> => {
    const { readModels, ledgers } = await open();
    const scan = { index: 'id', eq: [], limit: PROJECTS };
    for await (const rows of allPages(scan, (page) => readModels.scan(projects, page))) {
      for (const { id } of rows) await ledgers.warm(id);
    }
  };
  const compute = async ({ id, projectId, query, also }: ChartJob): Promise<ChartReply> => {
    try {
      // A turn later no read goes on in the snapshot of one before the request.
      await runtime.turn();
      const { source } = await open();
      const { chartId, ...rest } = query;
      const chart = findChart(chartId);
      if (!chart) throw new Error(`there is no chart ${chartId}`);
      return { id, result: await source.compute(projectId, { ...rest, chart }, also) };
    } catch (err) {
      const failed = err instanceof Error ? err.message : String(err);
      return { id, failed, isUnavailable: err instanceof Unavailable };
    }
  };
  port.on('message', (job: ChartJob | 'warm' | 'close') => {
    // Whoever asks finds out why it did not work, if it does not then either.
    if (job === 'warm') return void warm().catch(() => undefined);
    if (job !== 'close') return void compute(job).then((reply) => port.postMessage(reply, buffersOf(reply)));
    // Nothing is written here: customers that are being taken in are let go of.
    void Promise.resolve(opening)
      .then((opened) => opened?.docs.close())
      .catch(() => undefined)
      .then(() => process.exit());
  });
}

/** What is handed over instead of copied: values of cohorts, of which there may be millions. */
function buffersOf(reply: ChartReply): ArrayBuffer[] {
  if (!('result' in reply)) return [];
  const { result, segments = new Map<string, ChartResult>() } = reply.result;
  const rows = [result, ...segments.values()].flatMap((one) => (one.kind === 'cohort' ? one.rows : []));
  return [...new Set(rows.flatMap(({ columns }) => columns.series.map(({ values }) => values.buffer as ArrayBuffer)))];
}

type OpenDocuments = DocStore & { close(): Promise<void> };

async function openDocuments({ file, mongodbUrl }: ThreadData): Promise<OpenDocuments> {
  if (mongodbUrl === undefined) return openEmbeddedDocumentsForReading({ file });
  const { openMongoDocuments } = await import('../../adapters/documents/mongodb/store.js');
  return openMongoDocuments({ url: mongodbUrl, runtime: systemRuntime() });
}
