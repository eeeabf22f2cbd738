// Benchmark of chart requests to the running service, over HTTP to the last byte: any chart, three years by day, with filters, segments and
// as of any time, and comparisons of two times; their effect on other requests; and the memory of the ledger. `--long`: a million customers.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { request, Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ledgerFolder } from '../src/adapters/configuration/data-directory.js';
import { DAY_MS, startOfDay } from '../src/domain/charts/calendar.js';
import { charts } from '../src/domain/charts/catalogue/catalogue.js';
import { isoFromMs, utcDay } from '../src/domain/time.js';
import { atMost, quantile, type BenchRow } from './bench.js';
import { seedCharted } from './charted-project.js';
import { zipf } from './request-distribution.js';
import { serveService, type ServerProcess } from './processes.js';
import type { SeededData } from './seed.js';
import { ownMemoryOf, waitUntilIdle } from './service-observer.js';

const YEARS_MS = 3 * 365 * DAY_MS;
const ANALYSTS = 4;
/** Timeout that is longer than filling the ledger of a million customers takes. */
const LEDGER_TIMEOUT_MS = 600_000;
/** Argument that starts this file as the process of an analyst. */
const ANALYST = 'analyst';
const HOT_EVERY_MS = 5;
const LIVE_EVERY_MS = 20;
/** Time between the two compared times; the events of a third of the customers are recorded in between. */
const COMPARED_MS = 400 * DAY_MS;
const MAX_LAG_MS = 1000;
const MAX_HOT_TIMES = 2;

type ChartRequest = {
  readonly name: string;
  readonly asked: () => string;
  readonly maxMs: number;
  readonly only?: string;
  readonly isComparison?: boolean;
};
/** Response times in milliseconds, by chart. */
type Times = ReadonlyMap<string, readonly number[]>;
type Client = {
  ask(method: 'GET' | 'POST', path: string, body?: object): Promise<number>;
  statusOf(path: string): Promise<number>;
  close(): void;
};

export async function benchQuestions(short: boolean, long: boolean): Promise<BenchRow[]> {
  const customers = short ? 5000 : long ? 1_000_000 : 100_000;
  const now = startOfDay(Date.now()) + DAY_MS / 2;
  const seeded = await seedCharted(customers, now - YEARS_MS, now);
  try {
    const first = await serveService(seeded.dataDir, { MASTER_KEY: seeded.masterKey });
    await waitUntilIdle(first.pid);
    const idleMb = ownMemoryOf(first.pid);
    await waitForLedger(first, seeded);
    await first.stop();
    const service = await serveService(seeded.dataDir, { MASTER_KEY: seeded.masterKey });
    try {
      const readyMs = await waitForLedger(service, seeded);
      await waitUntilIdle(service.pid);
      const rounds = short ? 2 : 5;
      const at = `at ${customers.toLocaleString('en')} customers`;
      const rows: BenchRow[] = [];
      for (const question of chartRequests(now, customers))
        rows.push(...(await requestRows(service, seeded, question, rounds, at)));
      rows.push(...(await loadRows(service, seeded, { customers, now, seconds: short ? 3 : 20, at })));
      const perMillion = 1_000_000 / customers;
      return [
        ...rows,
        { name: `memory of the process before and after all requests, ${at}`, value: idleMb, unit: 'MB' },
        { name: `the same, after`, value: ownMemoryOf(service.pid), unit: 'MB' },
        {
          name: 'ledger snapshot on disk, for a million customers',
          value: snapshotMb(seeded) * perMillion,
          unit: 'MB',
        },
        { name: `from ready until charts respond from the snapshot, ${at}`, value: readyMs / 1000, unit: 's' },
      ];
    } finally {
      await service.stop();
    }
  } finally {
    rmSync(seeded.dataDir, { recursive: true, force: true });
  }
}

function chartRequests(now: number, customers: number): readonly ChartRequest[] {
  const [most, mostThen, mostCohorts, mostCompared] =
    customers > 100_000 ? [500, 1000, 150, 1500] : [150, 300, 80, 400];
  const some = 'filter=country:US,DE&filter=store:ios-store&filter=productDuration:P1M';
  const then = () => `asOf=${isoFromMs(Math.floor(Math.min(now, Date.now()) - Math.random() * (YEARS_MS - DAY_MS)))}`;
  return [
    { name: 'one filter', asked: () => 'filter=country:US', maxMs: most },
    { name: 'three filters', asked: () => some, maxMs: most },
    { name: 'a segment with 10 values', asked: () => 'segment=country', maxMs: most },
    { name: 'one filter as of any time', asked: () => `filter=country:US&${then()}`, maxMs: mostThen },
    { name: 'three filters as of any time', asked: () => `${some}&${then()}`, maxMs: mostThen },
    { name: 'a segment with 10 values as of any time', asked: () => `segment=country&${then()}`, maxMs: mostThen },
    {
      name: 'two times compared with reasons',
      asked: () => `thenAsOf=${isoFromMs(now - COMPARED_MS)}`,
      maxMs: mostCompared,
      isComparison: true,
    },
    { name: '', asked: () => '', maxMs: mostCohorts, only: LARGEST_CHART },
  ];
}

/** The chart with the most values. */
const LARGEST_CHART = 'cohort_explorer';

async function requestRows(
  service: ServerProcess,
  seeded: SeededData,
  { name, asked, maxMs: mostMs, only, isComparison }: ChartRequest,
  rounds: number,
  at: string,
): Promise<BenchRow[]> {
  const asker = openClient(service, seeded);
  const times = new Map<string, number[]>();
  for (const { id } of charts.filter((c) => only === undefined || c.id === only)) {
    const path = () => chartPath(seeded, isComparison ? `${id}/compare` : id, asked());
    await asker.ask('GET', path());
    const own: number[] = [];
    for (let i = 0; i < rounds; i++) own.push(await asker.ask('GET', path()));
    times.set(id, own);
  }
  asker.close();
  const p99 = (found: Times) => quantile([...found.values()].flat(), 0.99);
  if (only !== undefined) return [atMost(`${only} by week, three years, p99, ${at}`, p99(times), mostMs, 'ms')];
  const others = new Map([...times].filter(([id]) => id !== LARGEST_CHART));
  const slowest = [...others].sort(([, a], [, b]) => quantile(b, 0.5) - quantile(a, 0.5))[0] ?? ['', []];
  return [
    atMost(`any chart, ${name}, p99, ${at}`, p99(times), mostMs, 'ms'),
    { name: `any but ${LARGEST_CHART}, ${name}, p99`, value: p99(others), unit: 'ms' },
    { name: 'the same, median', value: quantile([...others.values()].flat(), 0.5), unit: 'ms' },
    { name: `median of the slowest of these, ${slowest[0]}`, value: quantile(slowest[1], 0.5), unit: 'ms' },
  ];
}

type LoadOptions = { readonly customers: number; readonly now: number; readonly seconds: number; readonly at: string };

/** Measures reads and writes without chart requests, and with analysts who request charts without pause. */
async function loadRows(service: ServerProcess, seeded: SeededData, o: LoadOptions): Promise<BenchRow[]> {
  const alone = await measureReadsAndLag(service, seeded, o);
  const starting = Array.from({ length: ANALYSTS }, (_, i) => startAnalyst(service, seeded, o, i));
  const analysts = await Promise.all(starting);
  const beside = await measureReadsAndLag(service, seeded, o);
  const requestCount = (await Promise.all(analysts.map((end) => end()))).reduce((a, b) => a + b, 0);
  const [quiet, busy] = [quantile(alone.hot, 0.99), quantile(beside.hot, 0.99)];
  return [
    { name: `cached read, p99, ${o.at}`, value: quiet, unit: 'ms' },
    { name: `the same with ${ANALYSTS} analysts, p99`, value: busy, unit: 'ms' },
    { name: `the same, median`, value: quantile(beside.hot, 0.5), unit: 'ms' },
    atMost(`cached read p99 with ${ANALYSTS} analysts : without`, busy / quiet, MAX_HOT_TIMES, 'ratio'),
    { name: 'chart requests during that time', value: requestCount / o.seconds, unit: '/s' },
    atMost(
      `from a write until the read models contain it, during that time, p99, ${o.at}`,
      beside.lagMs,
      MAX_LAG_MS,
      'ms',
    ),
  ];
}

/** Measures in milliseconds: response times of reads, and the time from the response to a write until the read models contain it. */
async function measureReadsAndLag(service: ServerProcess, seeded: SeededData, { customers, seconds }: LoadOptions) {
  const end = performance.now() + seconds * 1000;
  const [hot, live]: [number[], number[]] = [[], []];
  const [reader, writer] = [openClient(service, seeded), openClient(service, seeded)];
  const read = async () => {
    for (; performance.now() < end; await sleep(HOT_EVERY_MS)) {
      hot.push(await reader.ask('GET', `/v1/subscribers/user-${zipf(Math.random(), customers)}`));
    }
  };
  const write = async () => {
    for (; performance.now() < end; await sleep(LIVE_EVERY_MS)) {
      const appUserId = `fresh-${Math.random()}`;
      await writer.ask('POST', `/v1/subscribers/${appUserId}`, {});
      const writtenAt = performance.now();
      const path = `/v1/projects/${seeded.projectId}/customers/${appUserId}`;
      while ((await writer.statusOf(path)) === 404) await sleep(1);
      live.push(performance.now() - writtenAt);
    }
  };
  try {
    await Promise.all([read(), write()]);
    return { hot, lagMs: quantile(live, 0.99) };
  } finally {
    reader.close();
    writer.close();
  }
}

type Analyst = {
  readonly service: ServerProcess;
  readonly seeded: SeededData;
  readonly o: LoadOptions;
  readonly first: number;
};

/**
 * Starts an analyst in a separate process, because reading megabytes would delay the reads that are measured here. Resolves once it sends
 * requests, with a function that ends it and returns the number of responses.
 */
async function startAnalyst(
  service: ServerProcess,
  seeded: SeededData,
  o: LoadOptions,
  first: number,
): Promise<() => Promise<number>> {
  const child = fork(fileURLToPath(import.meta.url), [ANALYST]);
  const analyst: Analyst = { service: { ...service }, seeded, o, first };
  const asks = once(child, 'message');
  child.send(analyst);
  await asks;
  return async () => {
    const answered = once(child, 'message');
    child.send('end');
    const [count] = (await answered) as [number];
    return count;
  };
}

async function requestCharts(
  { service, seeded, o, first }: Analyst,
  isOver: { readonly value: boolean },
): Promise<number> {
  const asker = openClient(service, seeded);
  const isAsked = ({ only, isComparison }: ChartRequest) => only === undefined && !isComparison;
  const questions = chartRequests(o.now, o.customers).filter(isAsked);
  let count = 0;
  for (let i = first; !isOver.value; i++) {
    const { id } = charts[(i * 5) % charts.length] ?? { id: LARGEST_CHART };
    await asker.ask('GET', chartPath(seeded, id, questions[i % questions.length]?.asked() ?? ''));
    count++;
  }
  asker.close();
  return count;
}

function chartPath({ projectId }: SeededData, path: string, parameters: string): string {
  const [id] = path.split('/');
  const today = startOfDay(Date.now());
  const days = `startDate=${utcDay(isoFromMs(today - YEARS_MS + DAY_MS))}&endDate=${utcDay(isoFromMs(today))}`;
  // By day and with segments, cohorts exceed the maximum of values in a response.
  const interval = charts.find((chart) => chart.id === id)?.kind === 'cohort' ? 'week' : 'day';
  return `/v1/projects/${projectId}/metrics/charts/${path}?${days}&interval=${interval}&${parameters}`;
}

/** Returns the milliseconds from the first filtered request until it is answered from the ledger. The write causes a snapshot. */
async function waitForLedger(service: ServerProcess, seeded: SeededData): Promise<number> {
  const asker = openClient(service, seeded);
  const start = performance.now();
  await asker.ask('POST', `/v1/subscribers/first-${Math.random()}`, {});
  for (;;) {
    const status = await asker.statusOf(chartPath(seeded, 'actives', 'filter=country:US'));
    const sinceMs = performance.now() - start;
    if (status === 200) {
      for (let i = 0; i < SNAPSHOT_TIMEOUT_S && snapshotMb(seeded) === 0; i++) await sleep(1000);
      asker.close();
      return sinceMs;
    }
    if (status !== 503 || sinceMs > LEDGER_TIMEOUT_MS) throw new Error(`the ledger is not there: status ${status}`);
    await sleep(LEDGER_POLL_MS);
  }
}

const LEDGER_POLL_MS = 20;
const SNAPSHOT_TIMEOUT_S = 30;

function snapshotMb({ dataDir }: SeededData): number {
  const folder = ledgerFolder(dataDir);
  try {
    const whole = readdirSync(folder).filter((file) => file.endsWith('.snapshot'));
    const sizes = whole.map((file) => statSync(join(folder, file)).size);
    return sizes.reduce((a, b) => a + b, 0) / 2 ** 20;
  } catch {
    return 0;
  }
}

/** Opens a client with its own connections. It measures milliseconds until the last byte, and rejects unless the response is 2xx. */
function openClient({ url }: ServerProcess, { apiKey }: SeededData): Client {
  const agent = new Agent({ keepAlive: true });
  const send = (method: string, path: string, body?: object): Promise<number> =>
    new Promise((resolve, reject) => {
      const text = body && JSON.stringify(body);
      const headers = { 'x-api-key': apiKey, ...(text !== undefined && { 'content-type': 'application/json' }) };
      const sent = request(`${url}${path}`, { method, agent, headers }, (response) => {
        response.resume().once('error', reject);
        response.once('end', () => resolve(response.statusCode ?? 0));
      });
      sent.once('error', reject);
      sent.end(text);
    });
  const ask: Client['ask'] = async (method, path, body) => {
    const start = performance.now();
    const status = await send(method, path, body);
    if (status < 200 || status > 299) throw new Error(`${path} returned ${status}`);
    return performance.now() - start;
  };
  return { ask, statusOf: (path) => send('GET', path), close: () => agent.destroy() };
}

if (process.argv[2] === ANALYST) {
  const isOver = { value: false };
  process.once('message', (analyst: Analyst) => {
    process.once('message', () => (isOver.value = true));
    process.send?.('asks');
    void requestCharts(analyst, isOver).then((count) => process.send?.(count, () => process.exit()));
  });
}
