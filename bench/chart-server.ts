// Serves charts of one document file over HTTP with the service's own code, without authentication. Environment: DOCUMENTS is the file, NOW
// the current time in UTC ms.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { openEmbeddedDocumentsForReading } from '../src/adapters/documents/embedded/store.js';
import { systemRuntime } from '../src/adapters/runtime.js';
import { DAY_MS, startOfDay, type Interval } from '../src/domain/charts/calendar.js';
import { findChart } from '../src/domain/charts/catalogue/catalogue.js';
import { defaultSelectors } from '../src/domain/charts/catalogue/chart.js';
import type { ChartQuery, Filters } from '../src/domain/charts/catalogue/chart-query.js';
import { bucketedRangeOf } from '../src/domain/charts/result/buckets.js';
import { DEFAULT_SEGMENT_LIMIT, listSegments } from '../src/domain/charts/result/segment-counts.js';
import { presentChartData } from '../src/http/charts/present.js';
import { sendJson as send } from '../src/http/bodies/send-json.js';
import { createChartThread } from '../src/main/charts/thread-client.js';
import { readOverview } from '../src/projections/charts/overview.js';
import { customerHistories } from '../src/projections/charts/customer-histories.js';
import { readChart } from '../src/projections/charts/query-chart.js';
import { collectionsOf } from '../src/projections/runtime/projection.js';
import { createServing, servingCollection } from '../src/projections/rebuild/serving.js';
import { createReadModels } from '../src/projections/queries/read-models.js';
import { CHARTED_PROJECT } from './chart-histories.js';

const YEARS_MS = 3 * 365 * DAY_MS;

const docs = openEmbeddedDocumentsForReading({ file: process.env['DOCUMENTS'] ?? '' });
await docs.ensure([servingCollection, ...collectionsOf({ projection: customerHistories, generation: 1 })]);
const readModels = createReadModels(docs, createServing(docs, systemRuntime()));
const file = process.env['DOCUMENTS'] ?? '';
const thread = createChartThread({
  file,
  mongodbUrl: undefined,
  dataDir: dirname(file),
  memoryMb: undefined,
  threads: Number(process.env['CHART_THREADS'] ?? 1),
});
const sources = { readModels, chartLedger: thread };
const now = Number(process.env['NOW']);
const someFilters: Filters = new Map([
  ['store', new Set(['ios-store'])],
  ['country', new Set(['US', 'DE'])],
]);

/** Filters, segments and times by name. */
const requestVariants: Readonly<
  Record<string, Pick<ChartQuery, 'filters' | 'segment'> & { readonly daysAgo?: number }>
> = {
  filtered: { filters: someFilters, segment: null },
  segmented: { filters: new Map(), segment: 'country' },
  filteredThen: { filters: someFilters, segment: null, daysAgo: 400 },
  segmentedThen: { filters: new Map(), segment: 'country', daysAgo: 400 },
};

/** Handles `/overview`, and `/<chart>/<interval>`, optionally followed by a key of {@link requestVariants}. */
async function respond(path: string, res: ServerResponse): Promise<void> {
  const [first = '', interval, how] = path.slice(1).split('/');
  if (first === 'overview') {
    const metrics = await readOverview(sources, CHARTED_PROJECT, {
      environment: 'production',
      asOf: now,
      isLive: true,
    });
    return send(res, 'bench', 200, { metrics });
  }
  const chart = findChart(first);
  if (!chart) return send(res, 'bench', 404, { message: `chart not found: ${first}` });
  const end = startOfDay(now) + DAY_MS;
  const { filters = new Map(), segment = null, daysAgo = 0 } = requestVariants[how ?? ''] ?? {};
  const asOf = now - daysAgo * DAY_MS;
  const range = bucketedRangeOf({ start: end - YEARS_MS, end, interval: interval as Interval, asOf });
  const all = { filters, segment, selectors: defaultSelectors };
  const unlisted: ChartQuery = { chart, range, environment: 'production', ...all };
  const counts = segment && (await thread.ask('segments', CHARTED_PROJECT, { query: unlisted }));
  const query = { ...unlisted, ...(counts && { segments: listSegments(counts, DEFAULT_SEGMENT_LIMIT) }) };
  const read = await readChart(sources, CHARTED_PROJECT, query, how === undefined);
  const context = { asOf, askedAt: now, currency: 'USD', ignored: [], replay: {} };
  return send(res, 'bench', 200, presentChartData(query, read, context, new Map()));
}

const server = createServer((req, res) => void respond(req.url ?? '/', res));
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`listening on http://127.0.0.1:${port} ready\n`);
});
