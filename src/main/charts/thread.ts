// Runs in a worker thread: keeps the ledgers of the charts in memory, and computes from them what is asked, on a connection of its own.
import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { openEmbeddedDocumentsForReading } from '../../adapters/documents/embedded/store.js';
import type { DocStore } from '../../adapters/documents/port.js';
import { systemRuntime } from '../../adapters/runtime.js';
import { ledgerFolder } from '../../adapters/data-directory.js';
import { documentSnapshots, ledgerCollections } from '../../adapters/snapshots/documents.js';
import { fileSnapshots } from '../../adapters/snapshots/files.js';
import { seriesTexts } from '../../http/charts/series-text.js';
import { Unavailable } from '../../domain/errors.js';
import { allPages } from '../../adapters/documents/records.js';
import { createServing, servingCollection } from '../../projections/build/serving.js';
import { rowsIn } from '../../projections/charts/ledger/limits.js';
import { createLedgers } from '../../projections/charts/ledger/ledgers.js';
import { createChartAnswers } from '../../projections/charts/questions/answers.js';
import { createPartAnswers } from '../../projections/charts/questions/part-answers.js';
import {
  queryFrom,
  withQueries,
  type AskedVariant,
  type Questions,
  type SentQuery,
} from '../../projections/charts/questions/questions.js';
import { buffersOf, packAnswer, type PackedAnswer } from '../../projections/charts/questions/packed-results.js';
import { historiesIn } from '../../projections/charts/source.js';
import { projects } from '../../projections/models/projects.js';
import { readVariantResults } from '../../projections/queries/experiment-results.js';
import { createReadModels } from '../../projections/queries/read-models.js';
import { checkpointCollection } from '../../projections/runtime/runner.js';

/** Where the documents are, and the directory of ledgers. */
export type ThreadData = {
  readonly file: string;
  readonly mongodbUrl: string | undefined;
  readonly dataDir: string;
  /** For all ledgers together; undefined: half of what is free when the thread starts. */
  readonly memoryMb: number | undefined;
};

type Kind = keyof Questions;
export type ChartJob = {
  readonly id: number;
  readonly kind: Kind;
  readonly projectId: string;
  readonly question: Questions<SentQuery>[Kind];
};
export type ChartReply = { readonly id: number } & (
  { readonly answer: PackedAnswer } | { readonly failed: string; readonly retryAfterSeconds: number | null }
);

const LEAST_CHANGED = 1000;
/** Some two seconds. */
const MAX_AWAITED = 10_000;
const PROJECTS = 100;
/** How often what has changed is taken in although nobody asks, so that a snapshot is never far behind. */
const UPKEEP_MS = 15 * 60_000;

/** Serves the port until the message `close`. */
export async function serveCharts(): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('the thread of the charts runs as a worker only');
  giveWay();
  const runtime = systemRuntime();
  const data = workerData as ThreadData;
  const openAll = async () => {
    const docs = await openDocuments(data);
    await docs.ensure([servingCollection, checkpointCollection]);
    if (data.mongodbUrl !== undefined) await docs.ensure([ledgerCollections.heads, ledgerCollections.segments]);
    const serving = createServing(docs, runtime);
    const snapshots =
      data.mongodbUrl === undefined
        ? fileSnapshots(ledgerFolder(data.dataDir), runtime)
        : documentSnapshots(docs, runtime, ledgerCollections);
    const limits = {
      maxRows: rowsIn(data.memoryMb ?? freeMb() / 2),
      leastChanged: LEAST_CHANGED,
      maxAwaited: MAX_AWAITED,
    };
    const readModels = createReadModels(docs, serving);
    const deps = { docs, snapshots, turn: () => runtime.turn(), ...limits };
    const ledgers = createLedgers(deps, serving, historiesIn(readModels));
    const variant = (asked: AskedVariant) => readVariantResults(readModels, asked);
    const ask = createChartAnswers({ parts: [createPartAnswers(ledgers)], variant });
    return { close: () => docs.close(), readModels, ledgers, ask };
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
    await ledgers.sweep(async (projectId) => (await readModels.get(projects, projectId)) !== undefined);
  };
  const upkeep = async (): Promise<void> => {
    // Whoever asks finds out why it did not work, if it does not then either.
    for (;;) {
      await warm().catch(() => undefined);
      await runtime.sleep(UPKEEP_MS);
    }
  };
  let isKeptUp = false;
  const answer = async ({ id, kind, projectId, question }: ChartJob): Promise<ChartReply> => {
    try {
      // A turn later no read goes on in the snapshot of one before the request.
      await runtime.turn();
      const { ask } = await open();
      const asked = withQueries(question, queryFrom);
      const textsOf = 'query' in asked ? seriesTexts(asked.query) : undefined;
      return { id, answer: packAnswer(await ask(kind, projectId, asked), textsOf) };
    } catch (err) {
      const failed = err instanceof Error ? err.message : String(err);
      return { id, failed, retryAfterSeconds: err instanceof Unavailable ? err.retryAfterSeconds : null };
    }
  };
  port.on('message', (job: ChartJob | 'warm' | 'close') => {
    if (job === 'warm') {
      if (!isKeptUp) void upkeep();
      isKeptUp = true;
      return;
    }
    if (job !== 'close')
      return void answer(job).then((reply) =>
        port.postMessage(reply, 'answer' in reply ? buffersOf(reply.answer) : []),
      );
    // Nothing is written here: customers that are being taken in are let go of.
    void Promise.resolve(opening)
      .then((opened) => opened?.close())
      .catch(() => undefined)
      .then(() => process.exit());
  });
}

/** Requests come first where both want a core: Linux gives each thread a priority of its own. Elsewhere nothing happens. */
function giveWay(): void {
  try {
    const [, thread = ''] = /task\/(\d+)$/.exec(readlinkSync('/proc/thread-self')) ?? [];
    setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Charts are then computed as quickly as requests are answered.
  }
}

function freeMb(): number {
  return process.availableMemory() / (1 << 20);
}

type OpenDocuments = DocStore & { close(): Promise<void> };

async function openDocuments({ file, mongodbUrl }: ThreadData): Promise<OpenDocuments> {
  if (mongodbUrl === undefined) return openEmbeddedDocumentsForReading({ file });
  const { openMongoDocuments } = await import('../../adapters/documents/mongodb/store.js');
  return openMongoDocuments({ url: mongodbUrl, runtime: systemRuntime() });
}
