// The thread of the charts as a service opens it.
import { availableParallelism } from 'node:os';
import type { Config } from '../../adapters/configuration/config.js';
import { dataFiles, ledgerFolder } from '../../adapters/configuration/data-directory.js';
import { createChartThread, type ChartThread } from './chart-thread.js';
import { readdir } from 'node:fs/promises';
import type { Runtime } from '../../adapters/runtime.js';
import { customerHistories } from '../../projections/charts/customer-histories.js';
import type { ReadModels } from '../../projections/queries/read-models.js';

/** On servers the thread is warmed at once; in a process of its own files, when there is something to warm it for. */
export function openCharts(
  config: Pick<Config, 'DATA_DIR' | 'MONGODB_URL' | 'CHART_MEMORY_MB' | 'CHART_THREADS'>,
  reading: Pick<Warming, 'readModels' | 'runtime'>,
): ChartThread {
  const { DATA_DIR, MONGODB_URL, CHART_MEMORY_MB: memoryMb } = config;
  // One core is left to the requests.
  const threads = config.CHART_THREADS ?? Math.max(1, availableParallelism() - 1);
  const file = dataFiles(DATA_DIR).documents;
  const charts = createChartThread({ file, mongodbUrl: MONGODB_URL, dataDir: DATA_DIR, memoryMb, threads });
  return MONGODB_URL === undefined ? warmOnceMany(charts, { ...reading, folder: ledgerFolder(DATA_DIR) }) : charts;
}

/** Customers of all projects: fewer are taken in within a fraction of a second, and no snapshot of them is kept. */
const MANY = 1000;
/** As often as a running thread looks what has changed. */
const LOOK_EVERY_MS = 15 * 60_000;

type Warming = {
  readonly readModels: Pick<ReadModels, 'scan'>;
  readonly runtime: Pick<Runtime, 'sleep'>;
  /** Where snapshots of ledgers are: those of deleted projects are removed by the thread. */
  readonly folder: string;
};

/** `warm` starts the thread once there are snapshots or many customers, and looks for them until `close`. Questions start it at any time. */
export function warmOnceMany(charts: ChartThread, { readModels, runtime, folder }: Warming): ChartThread {
  const closing = new AbortController();
  let looking: Promise<void> | undefined;
  const isWorthIt = async (): Promise<boolean> => {
    const kept = await readdir(folder).catch(() => []);
    if (kept.length > 0) return true;
    const { rows } = await readModels.scan(customerHistories, { index: 'id', eq: [], limit: MANY });
    return rows.length === MANY;
  };
  const look = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      // Whoever asks finds out why documents cannot be read.
      if (await isWorthIt().catch(() => false)) return charts.warm();
      await runtime.sleep(LOOK_EVERY_MS, closing.signal);
    }
  };
  return {
    ask: charts.ask,
    progress: charts.progress,
    warm: () => void (looking ??= look()),
    close: async () => {
      closing.abort();
      await looking;
      await charts.close();
    },
  };
}
