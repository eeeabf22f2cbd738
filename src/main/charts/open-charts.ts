// Setup of the chart threads of a service.
import { availableParallelism } from 'node:os';
import type { Config } from '../../adapters/configuration/config.js';
import { dataFiles, ledgerFolder } from '../../adapters/configuration/data-directory.js';
import { createChartThread, type ChartThread } from './chart-thread.js';
import { readdir } from 'node:fs/promises';
import type { Runtime } from '../../adapters/runtime.js';
import { customerHistories } from '../../projections/charts/customer-histories.js';
import type { ReadModels } from '../../projections/queries/read-models.js';

/** Opens the chart threads. With MongoDB they are warmed at once; with embedded storage only when there is enough data. */
export function openCharts(
  config: Pick<Config, 'DATA_DIR' | 'MONGODB_URL' | 'CHART_MEMORY_MB' | 'CHART_THREADS'>,
  reading: Pick<Warming, 'readModels' | 'runtime'>,
): ChartThread {
  const { DATA_DIR, MONGODB_URL, CHART_MEMORY_MB: memoryMb } = config;
  // One core remains for requests.
  const threads = config.CHART_THREADS ?? Math.max(1, availableParallelism() - 1);
  const file = dataFiles(DATA_DIR).documents;
  const charts = createChartThread({ file, mongodbUrl: MONGODB_URL, dataDir: DATA_DIR, memoryMb, threads });
  return MONGODB_URL === undefined ? warmOnceMany(charts, { ...reading, folder: ledgerFolder(DATA_DIR) }) : charts;
}

/** Number of customers in all projects: fewer are loaded within a fraction of a second, without a snapshot. */
const MANY = 1000;
/** Interval at which a running thread checks for changes. */
const LOOK_EVERY_MS = 15 * 60_000;

type Warming = {
  readonly readModels: Pick<ReadModels, 'scan'>;
  readonly runtime: Pick<Runtime, 'sleep'>;
  /** Folder of ledger snapshots; the thread removes those of deleted projects. */
  readonly folder: string;
};

/**
 * Delays `warm`: it starts the thread once there are snapshots or many customers, and checks for them until `close`. A request starts the
 * thread at any time.
 */
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
      // A request reports why documents cannot be read.
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
