// When the thread of the charts starts although nobody has asked: it takes memory, and with few customers the first question waits for
// little more than its start.
import { readdir } from 'node:fs/promises';
import type { Runtime } from '../../adapters/runtime.js';
import { customerHistories } from '../../projections/charts/customer-histories.js';
import type { ReadModels } from '../../projections/queries/read-models.js';
import type { ChartThread } from './chart-thread.js';

/** Customers of all projects: fewer are taken in within a fraction of a second, and no snapshot of them is kept. */
const MANY = 1000;
/** As often as a running thread looks what has changed. */
const LOOK_EVERY_MS = 15 * 60_000;

export type Warming = {
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
