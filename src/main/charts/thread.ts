// Worker thread that holds the ledgers of the charts in memory and computes charts from them, with its own database connection.
import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { openEmbeddedDocumentsForReading } from '../../adapters/documents/embedded/store.js';
import type * as MongoDocuments from '../../adapters/documents/mongodb/store.js';
import type { DocStore } from '../../adapters/documents/port.js';
import { systemRuntime } from '../../adapters/runtime.js';
import type { NumberedMessage } from '../../adapters/threads.js';
import { ledgerFolder } from '../../adapters/configuration/data-directory.js';
import { createDocumentSnapshots, ledgerCollections } from '../../adapters/snapshots/documents.js';
import { createFileSnapshots } from '../../adapters/snapshots/files.js';
import { createSeriesSerializer } from '../../http/charts/chart-text.js';
import { scanPages } from '../../adapters/documents/records.js';
import { createServing, servingCollection } from '../../projections/rebuild/serving.js';
import { rowsIn } from '../../projections/charts/ledger/limits.js';
import { createLedgers } from '../../projections/charts/ledger/ledgers.js';
import {
  createChartQueries,
  createPartQueries,
  type PartResults,
  type QueryPart,
  type VariantRequest,
} from '../../projections/charts/requests/chart-queries.js';
import { buffersIn, packResponse, unpackRequest } from '../../projections/charts/requests/chart-messages.js';
import { projects } from '../../projections/models/projects.js';
import { readVariantResults } from '../../projections/queries/experiment-results.js';
import { createReadModels } from '../../projections/queries/read-models.js';
import {
  type ChartJob,
  type ChartReply,
  createThreadClient,
  failureOf,
  type ThreadClient,
  type ThreadData,
} from './thread-client.js';
import { checkpointCollection } from '../../projections/runtime/runner.js';

const MIN_CHANGED = 1000;
/** Customers loaded in about two seconds. */
const MAX_AWAITED = 10_000;
const PROJECTS = 100;
/** Interval at which changes are loaded without requests, so that snapshots never lag far. */
const UPKEEP_MS = 15 * 60_000;

/** Serves the port until the message `close`. `mongodb`: module of the document store, if it is configured. */
export async function serveCharts(mongodb: MongoStore | undefined): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('a chart thread must run in a worker thread');
  lowerPriority();
  const runtime = systemRuntime();
  const data: ThreadData = workerData;
  const { part, parts } = data;
  const memoryMb = data.memoryMb ?? freeMb() / 2;
  const isFirst = part === 0;
  const others = Array.from({ length: isFirst ? parts - 1 : 0 }, (_, i) =>
    createThreadClient<PartResults[keyof PartResults]>({ ...data, memoryMb, part: i + 1 }),
  );
  const openAll = async () => {
    const docs = openDocuments(data, mongodb);
    await docs.ensure([servingCollection, checkpointCollection]);
    if (data.mongodbUrl !== undefined) await docs.ensure([ledgerCollections.heads, ledgerCollections.segments]);
    const serving = createServing(docs, runtime);
    const snapshots =
      data.mongodbUrl === undefined
        ? createFileSnapshots(ledgerFolder(data.dataDir), runtime)
        : createDocumentSnapshots(docs, runtime, ledgerCollections);
    const limits = {
      maxRows: Math.floor(rowsIn(memoryMb) / parts),
      leastChanged: MIN_CHANGED,
      maxAwaited: MAX_AWAITED,
    };
    const readModels = createReadModels(docs, serving);
    const deps = { docs, snapshots, turn: () => runtime.turn(), ...limits, part, parts };
    const ledgers = createLedgers(deps, serving, readModels);
    const variant = (request: VariantRequest) => readVariantResults(readModels, request);
    const own = createPartQueries(ledgers);
    const ask = createChartQueries({ parts: [own, ...others.map(queryPart)], variant });
    return { close: () => docs.close(), readModels, ledgers, own, ask };
  };
  let opening: ReturnType<typeof openAll> | null = null;
  /** Opens everything once; the next request retries after a failure. */
  const open = () =>
    (opening ??= openAll().catch((err: unknown) => {
      opening = null;
      throw err;
    }));
  const warm = async (): Promise<void> => {
    const { readModels, ledgers } = await open();
    const scan = { index: 'id', eq: [], limit: PROJECTS };
    for await (const rows of scanPages(scan, (page) => readModels.scan(projects, page))) {
      for (const { id } of rows) await ledgers.warm(id);
    }
    await ledgers.sweep(async (projectId) => (await readModels.get(projects, projectId)) !== undefined);
  };
  const upkeep = async (): Promise<void> => {
    // A request reports why it fails, if it still does.
    for (;;) {
      await warm().catch(() => undefined);
      await runtime.sleep(UPKEEP_MS);
    }
  };
  let isUpkeepRunning = false;
  const answer = async ({
    id,
    kind,
    projectId,
    request: packed,
  }: NumberedMessage<ChartJob>): Promise<NumberedMessage<ChartReply<unknown>>> => {
    try {
      // After one turn, no read continues in a snapshot from before the request.
      await runtime.turn();
      const { ask, own } = await open();
      const request = unpackRequest(packed);
      if (!isFirst) return { id, answer: await own(kind as keyof PartResults, projectId, request as never) };
      const textsOf = 'query' in request ? createSeriesSerializer(request.query) : undefined;
      return { id, answer: packResponse(await ask(kind, projectId, request), textsOf) };
    } catch (err) {
      return { id, failure: failureOf(err) };
    }
  };
  port.on('message', (job: NumberedMessage<ChartJob> | 'warm' | 'close') => {
    if (job === 'warm') {
      if (!isUpkeepRunning) void upkeep();
      isUpkeepRunning = true;
      for (const other of others) other.warm();
      return;
    }
    if (job !== 'close') return void answer(job).then((reply) => port.postMessage(reply, buffersIn(reply)));
    // Nothing is written here: customers that are being loaded are abandoned.
    void Promise.all([opening?.then((opened) => opened.close()), ...others.map((other) => other.close())])
      .catch(() => undefined)
      .then(() => process.exit());
  });
}

/** Returns the client of a part of the customers in another thread. */
function queryPart(thread: ThreadClient<PartResults[keyof PartResults]>): QueryPart {
  return async (kind, projectId, request) => (await thread.ask(kind, projectId, request)) as never;
}

/** Lowers the priority of the thread, so that requests have precedence. Linux has a priority per thread; elsewhere nothing happens. */
function lowerPriority(): void {
  try {
    const [, thread = ''] = /task\/(\d+)$/.exec(readlinkSync('/proc/thread-self')) ?? [];
    setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Charts then have the same priority as requests.
  }
}

function freeMb(): number {
  return process.availableMemory() / (1 << 20);
}

type OpenDocuments = DocStore & { close(): Promise<void> };
type MongoStore = Pick<typeof MongoDocuments, 'openMongoDocuments'>;

function openDocuments({ file, mongodbUrl }: ThreadData, mongodb: MongoStore | undefined): OpenDocuments {
  if (mongodbUrl === undefined || !mongodb) return openEmbeddedDocumentsForReading({ file });
  return mongodb.openMongoDocuments({ url: mongodbUrl, runtime: systemRuntime() });
}
