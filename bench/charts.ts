// Benchmark of charts over HTTP until the last byte, three years by day, with few customers and with twenty times as many: from the sums,
// and from the ledger with filters, segments and as of another time.
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { keyedHash } from '../src/domain/ids.js';
import { openEmbeddedDocuments } from '../src/adapters/documents/embedded/store.js';
import { DAY_MS, startOfDay } from '../src/domain/charts/calendar.js';
import { charts } from '../src/domain/charts/catalogue/catalogue.js';
import { systemRuntime } from '../src/adapters/runtime.js';
import { bulkBuild } from '../src/projections/rebuild/bulk-build.js';
import { customerHistories } from '../src/projections/charts/customer-histories.js';
import type { Projection } from '../src/projections/runtime/projection.js';
import { servingCollection } from '../src/projections/rebuild/serving.js';
import { atMost, median, quantile, type BenchRow } from './bench.js';
import { historiesLog } from './chart-histories.js';
import { serveCharts } from './processes.js';

const YEARS_MS = 3 * 365 * DAY_MS;
const MAX_MS = 50;
const MAX_TIMES = 1.5;
const MAX_FILTERED_MS = 150;
const MAX_THEN_MS = 300;
/** Chart with the largest response: a matrix of 600,000 values. */
const LARGEST_CHART = 'cohort_explorer';
/** Response times in milliseconds. */
type Times = {
  readonly byDay: ReadonlyMap<string, readonly number[]>;
  readonly others: ReadonlyMap<string, readonly number[]>;
  /** Times of all charts by day, by kind of filter. */
  readonly fromLedger: ReadonlyMap<string, readonly number[]>;
};
type ChartTimes = Times & { readonly perEventUs: number };

export async function benchCharts(short: boolean): Promise<BenchRow[]> {
  const [few, many] = short ? [1000, 20_000] : [10_000, 200_000];
  const rounds = short ? 5 : 20;
  const small = await measure(few, rounds);
  const large = await measure(many, rounds);
  const worst = ({ byDay }: Times) => quantile([...byDay.values()].flat(), 0.99);
  const longest = ({ byDay }: Times) => quantile(byDay.get(LARGEST_CHART) ?? [], 0.99);
  const named = (n: number) => `${n.toLocaleString('en')} customers`;
  const slowest = [...large.byDay].sort(([, a], [, b]) => median(b) - median(a))[0] ?? ['', []];
  return [
    { name: `all charts over HTTP, 3 years by day, p99, ${named(few)}`, value: worst(small), unit: 'ms' },
    atMost(`all charts over HTTP, 3 years by day, p99, ${named(many)}`, worst(large), MAX_MS, 'ms'),
    atMost(`p99, ${named(many)} : ${named(few)}`, worst(large) / worst(small), MAX_TIMES, 'ratio'),
    atMost(`${LARGEST_CHART} by day alone, p99, ${named(many)}`, longest(large), MAX_MS, 'ms'),
    atMost(`${LARGEST_CHART}, ${named(many)} : ${named(few)}`, longest(large) / longest(small), MAX_TIMES, 'ratio'),
    { name: `median of the slowest, ${slowest[0]}, ${named(many)}`, value: median(slowest[1]), unit: 'ms' },
    ...[...large.others].map(([what, ms]) => atMost(`${what}, p99, ${named(many)}`, quantile(ms, 0.99), MAX_MS, 'ms')),
    ...[...large.fromLedger].map(([what, ms]) => {
      const most = what.endsWith('Then') ? MAX_THEN_MS : MAX_FILTERED_MS;
      return atMost(`all charts by day, ${what}, p99, ${named(many)}`, quantile(ms, 0.99), most, 'ms');
    }),
    { name: `read model of the charts built, ${named(many)}`, value: large.perEventUs, unit: 'us/event' },
  ];
}

async function measure(customers: number, rounds: number): Promise<ChartTimes> {
  const directory = mkdtempSync(join(tmpdir(), 'subledger-bench-'));
  const file = join(directory, 'charts.sqlite');
  try {
    const now = startOfDay(Date.now()) + DAY_MS / 2;
    const perEventUs = await build(file, customers, now);
    const served = await serveCharts(file, now);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    try {
      const ask = (path: string) => measureMs(`${served.url}/${path}`, agent);
      return { ...(await timesOf(ask, rounds)), perEventUs };
    } finally {
      agent.destroy();
      await served.stop();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Returns microseconds per event. */
async function build(file: string, customers: number, now: number): Promise<number> {
  const docs = await openEmbeddedDocuments({ file });
  try {
    const log = historiesLog(customers, now - YEARS_MS, now);
    const projection = customerHistories as unknown as Projection;
    await docs.ensure([servingCollection]);
    const began = performance.now();
    await bulkBuild(
      { log, docs, hash: keyedHash(Buffer.alloc(32)), runtime: systemRuntime() },
      [{ projection, generation: 1 }],
      {
        signal: new AbortController().signal,
      },
    );
    return ((performance.now() - began) * 1000) / Number(await log.head());
  } finally {
    await docs.close();
  }
}

async function timesOf(ask: (path: string) => Promise<number>, rounds: number): Promise<Times> {
  const askings = async (path: string): Promise<readonly number[]> => {
    await ask(path);
    const found: number[] = [];
    for (let i = 0; i < rounds; i++) found.push(await ask(path));
    return found;
  };
  const byDay = new Map<string, readonly number[]>();
  const fromLedger = new Map<string, readonly number[]>();
  await waitForLedger(ask);
  const others = new Map<string, readonly number[]>();
  for (const { id, kind } of charts) {
    byDay.set(id, await askings(`${id}/day`));
    if (kind === 'cohort') others.set(`${id} by month`, await askings(`${id}/month`));
  }
  for (const what of ['filtered', 'segmented', 'filteredThen', 'segmentedThen']) {
    const all: number[] = [];
    for (const { id } of charts) all.push(...(await askings(`${id}/day/${what}`)));
    fromLedger.set(what, all);
  }
  return { byDay, fromLedger, others: others.set('overview', await askings('overview')) };
}

/** Repeats a request until the ledger is filled; before that a response takes longer. */
async function waitForLedger(ask: (path: string) => Promise<number>): Promise<void> {
  for (let i = 0; i < 100 && (await ask('customers_active/day/filtered')) > MAX_FILTERED_MS; i++) await sleep(1000);
}

/** Measures from the request to the last byte. Rejects unless the response is 200. */
function measureMs(url: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const asked = get(url, { agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} was answered with ${response.statusCode}`));
      response.resume();
      response.once('error', reject);
      response.once('end', () => resolve(performance.now() - start));
    });
    asked.once('error', reject);
  });
}
