// Queries filtered charts now and then during a run, so that the chart ledgers are built in parts while the projectors run, by reads that
// are slow and fail as in every process. The ledger code is the service's own.
import type { DocStore } from '../../../src/adapters/documents/port.js';
import { charts } from '../../../src/domain/charts/catalogue/catalogue.js';
import { Unavailable } from '../../../src/domain/errors.js';
import { createServing } from '../../../src/projections/rebuild/serving.js';
import {
  createChartQueries,
  createPartQueries,
  type QueryCharts,
} from '../../../src/projections/charts/requests/chart-queries.js';
import { createLedgers } from '../../../src/projections/charts/ledger/ledgers.js';
import { createReadModels } from '../../../src/projections/queries/read-models.js';
import { randomQuery } from '../../charts-reference/random-query.js';
import { DEFAULT_SEGMENT_LIMIT, listSegments } from '../../../src/domain/charts/result/segment-counts.js';
import { queryOf } from '../../domain/charts/run-query.js';
import { chance } from '../../projections/support/seeded-random.js';
import { connectDocuments } from './documents.js';
import { createHostRuntime, type Installation } from './process.js';
import type { Host } from './fault-injector.js';

export type ChartClient = {
  /** Loads the ledger of the project and queries a random chart, in a share of the calls. */
  queryOccasionally(projectId: string): void;
  isBusy(): boolean;
  /** Errors other than `Unavailable`. */
  readonly unexpectedErrors: readonly string[];
  /** Ends fault injection for this client. */
  disableFaults(): void;
  readonly query: QueryCharts;
};

const QUERY_SHARE = 0.3;
/** Share of reads that fail in addition to the injected faults, since this client reads little. */
const FAILURE_SHARE = 0.06;

export function createChartClient(
  installation: Pick<Installation, 'timeline' | 'faults' | 'pace' | 'docs' | 'isShared' | 'interceptors'>,
  seed: number,
): ChartClient {
  const { timeline, faults, isShared } = installation;
  const host: Host = { name: 'chart client', isAlive: true, pausedUntil: 0, skewMs: 0 };
  const random = chance(seed);
  const plain = installation.interceptors.charts(installation.docs);
  const faulty = connectDocuments(plain, host, faults, { isLocal: !isShared });
  let areFaultsDisabled = false;
  const read = async <T>(from: (docs: DocStore) => Promise<T>): Promise<T> => {
    if (areFaultsDisabled) return from(plain);
    const found = await from(faulty);
    if (random.below(100) < 100 * FAILURE_SHARE) throw new Unavailable('docs: response lost');
    return found;
  };
  const docs: DocStore = {
    ...plain,
    get: (c, ids) => read((from) => from.get(c, ids)),
    scan: (c, scan) => read((from) => from.scan(c, scan)),
  };
  const serving = createServing(docs, createHostRuntime(installation, host));
  const limits = { maxRows: 1_000_000, leastChanged: 1000, maxAwaited: 10_000, part: 0, parts: 1 };
  const deps = { docs, snapshots: null, turn: () => Promise.resolve(), ...limits };
  const ledgers = createLedgers(deps, serving, createReadModels(docs, serving));
  const variant = () => Promise.reject(new Error('the simulation has no variant charts'));
  const ask = createChartQueries({ parts: [createPartQueries(ledgers)], variant });
  const unexpectedErrors: string[] = [];
  let pending = 0;
  const queryChart = async (projectId: string, id: string): Promise<void> => {
    const query = queryOf(id, randomQuery(timeline.now(), random));
    pending++;
    try {
      await ledgers.warm(projectId);
      const segments = listSegments(await ask('segments', projectId, { query }), DEFAULT_SEGMENT_LIMIT);
      await ask('chart', projectId, { query: { ...query, segments } });
    } catch (err) {
      if (!(err instanceof Unavailable))
        unexpectedErrors.push(err instanceof Error ? (err.stack ?? err.message) : String(err));
    } finally {
      pending--;
    }
  };
  return {
    queryOccasionally: (projectId) => {
      if (random.below(100) >= 100 * QUERY_SHARE) return;
      const { id = '' } = charts[random.below(charts.length)] ?? {};
      void queryChart(projectId, id);
    },
    isBusy: () => pending > 0,
    unexpectedErrors,
    disableFaults: () => void (areFaultsDisabled = true),
    query: ask,
  };
}
