// The thread of the charts as a service opens it.
import { availableParallelism } from 'node:os';
import type { Config } from '../../adapters/config.js';
import { dataFiles, ledgerFolder } from '../../adapters/data-directory.js';
import { createChartThread, type ChartThread } from './chart-thread.js';
import { warmOnceMany, type Warming } from './warm-once-many.js';

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
