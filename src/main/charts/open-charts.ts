// The thread of the charts as a service opens it.
import type { Config } from '../../adapters/config.js';
import { dataFiles, ledgerFolder } from '../../adapters/data-directory.js';
import { createChartThread, type ChartThread } from './chart-thread.js';
import { warmOnceMany, type Warming } from './warm-once-many.js';

/** On servers the thread is warmed at once; in a process of its own files, when there is something to warm it for. */
export function openCharts(
  { DATA_DIR, MONGODB_URL, CHART_MEMORY_MB: memoryMb }: Pick<Config, 'DATA_DIR' | 'MONGODB_URL' | 'CHART_MEMORY_MB'>,
  reading: Pick<Warming, 'readModels' | 'runtime'>,
): ChartThread {
  const file = dataFiles(DATA_DIR).documents;
  const charts = createChartThread({ file, mongodbUrl: MONGODB_URL, dataDir: DATA_DIR, memoryMb });
  return MONGODB_URL === undefined ? warmOnceMany(charts, { ...reading, folder: ledgerFolder(DATA_DIR) }) : charts;
}
