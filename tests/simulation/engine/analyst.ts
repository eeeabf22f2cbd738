// Queries filtered charts now and then during a run, so that the chart ledgers are built in parts while the projectors run, by reads that
// are slow and fail as in every process. The ledger code is the service's own.
import type { DocStore } from '../../../src/adapters/documents/port.js';
import { charts } from '../../../src/domain/charts/catalogue/catalogue.js';
import { Unavailable } from '../../../src/domain/errors.js';
import { createServing } from '../../../src/projections/rebuild/serving.js';
import { createPartQueries } from '../../../src/projections/charts/requests/part-queries.js';
import { createChartQueries } from '../../../src/projections/charts/requests/chart-queries.js';
import type { QueryCharts } from '../../../src/projections/charts/requests/chart-requests.js';
import { createLedgers } from '../../../src/projections/charts/ledger/ledgers.js';
import { historiesIn } from '../../../src/projections/charts/chart-documents.js';
import { createReadModels } from '../../../src/projections/queries/read-models.js';
import { randomQuery } from '../../charts-reference/random-query.js';
import { DEFAULT_SEGMENT_LIMIT, listSegments } from '../../../src/domain/charts/result/segment-counts.js';
import { queryOf } from '../../domain/charts/run-query.js';
import { chance } from '../../projections/support/seeded.js';
import { documentsSeenBy } from './documents.js';
import { runtimeOf, type Installation } from './process.js';
import type { Host } from './weather.js';

export type Analyst = {
  /** Loads the ledger of the project and queries a random chart, in a share of the calls. */
  look(projectId: string): void;
  isLooking(): boolean;
  /** Errors other than `Unavailable`. */
  readonly surprises: readonly string[];
  /** Ends fault injection for this client. */
  rest(): void;
  readonly ask: QueryCharts;
};

const LOOKS = 0.3;
/** Share of reads that fail in addition to the injected faults, since this client reads little. */
const LOST = 0.06;

export function createAnalyst(
  world: Pick<Installation, 'timeline' | 'weather' | 'pace' | 'docs' | 'isShared' | 'wrap'>,
  seed: number,
): Analyst {
  const { timeline, weather, isShared } = world;
  const host: Host = { name: 'chart client', isAlive: true, pausedUntil: 0, skewMs: 0 };
  const random = chance(seed);
  const plain = world.wrap.charts(world.docs);
  const seen = documentsSeenBy(plain, host, weather, { isLocal: !isShared });
  let isResting = false;
  const read = async <T>(from: (docs: DocStore) => Promise<T>): Promise<T> => {
    if (isResting) return from(plain);
    const found = await from(seen);
    if (random.below(100) < 100 * LOST) throw new Unavailable('docs: response lost');
    return found;
  };
  const docs: DocStore = {
    ...plain,
    get: (c, ids) => read((from) => from.get(c, ids)),
    scan: (c, scan) => read((from) => from.scan(c, scan)),
  };
  const serving = createServing(docs, runtimeOf(world, host));
  const limits = { maxRows: 1_000_000, leastChanged: 1000, maxAwaited: 10_000, part: 0, parts: 1 };
  const deps = { docs, snapshots: null, turn: () => Promise.resolve(), ...limits };
  const ledgers = createLedgers(deps, serving, historiesIn(createReadModels(docs, serving)));
  const variant = () => Promise.reject(new Error('the simulation has no variant charts'));
  const ask = createChartQueries({ parts: [createPartQueries(ledgers)], variant });
  const surprises: string[] = [];
  let looking = 0;
  const lookAt = async (projectId: string, id: string): Promise<void> => {
    const query = queryOf(id, randomQuery(timeline.now(), random));
    looking++;
    try {
      await ledgers.warm(projectId);
      const segments = listSegments(await ask('segments', projectId, { query }), DEFAULT_SEGMENT_LIMIT);
      await ask('chart', projectId, { query: { ...query, segments } });
    } catch (err) {
      if (!(err instanceof Unavailable))
        surprises.push(err instanceof Error ? (err.stack ?? err.message) : String(err));
    } finally {
      looking--;
    }
  };
  return {
    look: (projectId) => {
      if (random.below(100) >= 100 * LOOKS) return;
      const { id = '' } = charts[random.below(charts.length)] ?? {};
      void lookAt(projectId, id);
    },
    isLooking: () => looking > 0,
    surprises,
    rest: () => void (isResting = true),
    ask,
  };
}
