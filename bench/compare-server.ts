// Serves chart comparisons of one document file over HTTP with the service's own code, without authentication. Environment: DOCUMENTS is
// the file, NOW the current time in UTC ms. Path: `/<chart>/<interval>/<days ago>/<segment, or ->`.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { openEmbeddedDocumentsForReading } from '../src/adapters/documents/embedded/store.js';
import { Unavailable } from '../src/domain/errors.js';
import { systemRuntime } from '../src/adapters/runtime.js';
import { findChart } from '../src/domain/charts/catalogue/catalogue.js';
import { defaultSelectors } from '../src/domain/charts/catalogue/chart.js';
import type { ChartQuery, Dimension } from '../src/domain/charts/catalogue/chart-query.js';
import { DAY_MS, startOfDay, type Interval } from '../src/domain/charts/calendar.js';
import { bucketedRangeOf } from '../src/domain/charts/result/buckets.js';
import { sendJson as send } from '../src/http/bodies/send-json.js';
import { countSegments, withSegments } from '../src/http/charts/segments.js';
import { DEFAULT_SEGMENT_LIMIT } from '../src/domain/charts/result/segment-counts.js';
import { readComparison } from '../src/http/charts/compare/comparison-response.js';
import { presentComparison } from '../src/http/charts/compare/present.js';
import type { ChartRequest } from '../src/http/charts/chart-request.js';
import { createChartThread } from '../src/main/charts/thread-client.js';
import { createServing, servingCollection } from '../src/projections/rebuild/serving.js';
import { customerHistories } from '../src/projections/charts/customer-histories.js';
import { createReadModels } from '../src/projections/queries/read-models.js';
import { collectionsOf, type Projection } from '../src/projections/runtime/projection.js';
import { CHARTED_PROJECT } from './chart-histories.js';

const YEARS_MS = 3 * 365 * DAY_MS;

const file = process.env['DOCUMENTS'] ?? '';
const now = Number(process.env['NOW']);
const docs = openEmbeddedDocumentsForReading({ file });
const projection = customerHistories as unknown as Projection;
await docs.ensure([servingCollection, ...collectionsOf({ projection, generation: 1 })]);
const chartLedger = createChartThread({
  file,
  mongodbUrl: undefined,
  dataDir: dirname(file),
  memoryMb: undefined,
  threads: Number(process.env['CHART_THREADS'] ?? 1),
});
const readModels = createReadModels(docs, createServing(docs, systemRuntime()));
chartLedger.warm();
await untilFilled();

/** Repeats a request until the ledger is filled; until then requests are rejected after some time. */
async function untilFilled(): Promise<void> {
  const bucket = { start: now - DAY_MS, end: now, horizon: now };
  const range = { start: now - DAY_MS, end: now, interval: 'day' as const, asOf: now, buckets: [bucket] };
  const chart = findChart('actives');
  if (!chart) throw new Error('chart not found: actives');
  const asked = { filters: new Map(), segment: null, selectors: defaultSelectors };
  const query: ChartQuery = { chart, range, environment: 'production', ...asked };
  for (;;) {
    try {
      return void (await chartLedger.ask('chart', CHARTED_PROJECT, { query }));
    } catch (err) {
      if (!(err instanceof Unavailable)) throw err;
    }
  }
}

async function respond(path: string, res: ServerResponse): Promise<void> {
  const [id = '', interval, daysAgo, segment] = path.slice(1).split('/');
  const chart = findChart(id);
  if (!chart) return send(res, 'bench', 404, { message: `chart not found: ${id}` });
  const end = startOfDay(now) + DAY_MS;
  const sideAsOf = (until: number, isLive: boolean): ChartRequest => {
    const range = bucketedRangeOf({ start: end - YEARS_MS, end, interval: interval as Interval, asOf: until });
    const by = segment === '-' ? null : (segment as Dimension);
    const all = { filters: new Map(), segment: by, selectors: defaultSelectors };
    const chartQuery: ChartQuery = { chart, range, environment: 'production', ...all };
    const shown = Math.min(until, now);
    return { now, asOf: shown, until, isLive, staleSince: undefined, replay: {}, chartQuery, ignoredFilters: [] };
  };
  const then = sideAsOf(now - Number(daysAgo) * DAY_MS, false);
  const later = sideAsOf(now + 1, true);
  const counts = await countSegments({ chartLedger }, CHARTED_PROJECT, [then, later]);
  const show = (side: ChartRequest) => withSegments(side, counts, DEFAULT_SEGMENT_LIMIT);
  const sides = { then: show(then), now: show(later), isOfPeriods: false };
  const compared = await readComparison({ readModels, chartLedger }, CHARTED_PROJECT, sides);
  const context = { asOf: now, askedAt: now, currency: 'USD', ignored: [] };
  return send(res, 'bench', 200, presentComparison(sides, compared, context, new Map()));
}

const server = createServer((req, res) => void respond(req.url ?? '/', res));
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`listening on http://127.0.0.1:${port} ready\n`);
});
