// Setup of the chart threads of a service.
import { availableParallelism } from 'node:os';
import type { Config } from '../../adapters/configuration/config.js';
import { dataFiles, ledgerFolder } from '../../adapters/configuration/data-directory.js';
import { createChartThread, type ChartThread } from './thread-client.js';
import { readdir } from 'node:fs/promises';
import type { Runtime } from '../../adapters/runtime.js';
import { customerHistories } from '../../projections/charts/customer-histories.js';
import type { ReadModels } from '../../projections/queries/read-models.js';

/** Opens the chart threads. With MongoDB they are warmed at once; with embedded storage only when there is enough data. */
export function openCharts(
  config: Pick<Config, 'DATA_DIR' | 'MONGODB_URL' | 'CHART_MEMORY_MB' | 'CHART_THREADS'>,
  reading: Pick<WarmingDeps, 'readModels' | 'runtime'>,
): ChartThread {
  const { DATA_DIR, MONGODB_URL, CHART_MEMORY_MB: memoryMb } = config;
  // One core remains for requests.
  const threads = config.CHART_THREADS ?? Math.max(1, availableParallelism() - 1);
  const file = dataFiles(DATA_DIR).documents;
  const charts = createChartThread({ file, mongodbUrl: MONGODB_URL, dataDir: DATA_DIR, memoryMb, threads });
  return MONGODB_URL === undefined ? warmWhenNeeded(charts, { ...reading, folder: ledgerFolder(DATA_DIR) }) : charts;
}

/** Number of customers in all projects: fewer are loaded within a fraction of a second, without a snapshot. */
const MIN_CUSTOMERS_TO_WARM = 1000;
/** Interval at which a running thread checks for changes. */
const CHECK_INTERVAL_MS = 15 * 60_000;

type WarmingDeps = {
  readonly readModels: Pick<ReadModels, 'scan'>;
  readonly runtime: Pick<Runtime, 'sleep'>;
  /** Folder of ledger snapshots; the thread removes those of deleted projects. */
  readonly folder: string;
};

/**
 * Delays `warm`: it starts the thread once there are snapshots or many customers, and checks for them until `close`. A request starts the
 * thread at any time.
 */
export function warmWhenNeeded(charts: ChartThread, { readModels, runtime, folder }: WarmingDeps): ChartThread {
  const closing = new AbortController();
  let warming: Promise<void> | undefined;
  const isWorthIt = async (): Promise<boolean> => {
    const snapshots = await readdir(folder).catch(() => []);
    if (snapshots.length > 0) return true;
    const { rows } = await readModels.scan(customerHistories, { index: 'id', eq: [], limit: MIN_CUSTOMERS_TO_WARM });
    return rows.length === MIN_CUSTOMERS_TO_WARM;
  };
  const warmIfNeeded = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      // A request reports why documents cannot be read.
      if (await isWorthIt().catch(() => false)) return charts.warm();
      await runtime.sleep(CHECK_INTERVAL_MS, closing.signal);
    }
  };
  return {
    ask: charts.ask,
    progress: charts.progress,
    warm: () => void (warming ??= warmIfNeeded()),
    close: async () => {
      closing.abort();
      await warming;
      await charts.close();
    },
  };
}
