// Charts as the service reads them, from ledgers in the same thread, and beside them as the customers give them one by one.
import type { DocStore } from '../../../src/adapters/documents/port.js';
import { countSegments } from '../../../src/domain/charts/ledger/count-segments.js';
import { queryLedger } from '../../../src/domain/charts/ledger/query-ledger.js';
import { listSegments } from '../../../src/domain/charts/result/segment-counts.js';
import { createServing, servingCollection, type Serving } from '../../../src/projections/rebuild/serving.js';
import type { LedgerDeps } from '../../../src/projections/charts/ledger/limits.js';
import { createLedgers, type Ledgers } from '../../../src/projections/charts/ledger/ledgers.js';
import type { ChartQuery } from '../../../src/domain/charts/catalogue/chart-query.js';
import type { ChartSources } from '../../../src/projections/charts/query-chart.js';
import type { ChartResponses, QueryCharts } from '../../../src/projections/charts/requests/chart-queries.js';
import { createReadModels, type ReadModels } from '../../../src/projections/queries/read-models.js';
import { fakeRuntime } from '../../commands/support/memory-deps.js';
import { chartOf, customersIn } from '../../domain/charts/one-by-one/ask-customers.js';
import { withSegments } from '../../domain/charts/one-by-one/segment-counts.js';

export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
export const limits = { maxRows: 1_000_000, leastChanged: 1, maxAwaited: 10_000, part: 0, parts: 1 };

/** Few, so that some segments are others. */
const MAX_LISTED = 2;

type Compute = (projectId: string, q: ChartQuery) => Promise<ChartResponses['chart']>;

export type Reading = {
  readonly serving: Serving;
  readonly readModels: ReadModels;
  readonly ledgers: Ledgers;
  /** Computes from the ledgers. */
  readonly compute: Compute;
  readonly sources: ChartSources;
  /** Computes from the customers. */
  readonly expected: Compute;
};

export async function openReading(
  docs: DocStore,
  o: Partial<Pick<LedgerDeps, 'snapshots' | 'maxRows' | 'part' | 'parts'>> = {},
): Promise<Reading> {
  await docs.ensure([servingCollection]);
  const serving = createServing(docs, fakeRuntime().runtime);
  const readModels = createReadModels(docs, serving);
  const deps = { docs, turn, ...limits, snapshots: null, ...o };
  const ledgers = createLedgers(deps, serving, readModels);
  const compute: Compute = (projectId, q) =>
    ledgers.one(projectId, q, (ledger) => {
      const { segment } = q;
      const listed = segment && { segments: listSegments(countSegments(ledger, { ...q, segment }), MAX_LISTED) };
      return queryLedger(ledger, { ...q, ...listed });
    });
  return {
    ...{ serving, readModels, ledgers, compute },
    sources: sourcesWith(readModels, compute),
    expected: expectedOf(readModels),
  };
}

/** Returns the read models beside a ledger that computes charts only. */
export function sourcesWith(readModels: ReadModels, compute: Compute): ChartSources {
  const ask = (_: 'chart', projectId: string, { query }: { readonly query: ChartQuery }) => compute(projectId, query);
  return { readModels, chartLedger: { ask: ask as QueryCharts } };
}

export function expectedOf(readModels: ReadModels): Compute {
  return async (projectId, q) => {
    const customers = await customersIn(readModels, projectId);
    const [listed] = withSegments([q] as const, () => customers, MAX_LISTED);
    return chartOf(customers, listed);
  };
}
