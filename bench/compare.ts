// Benchmark of chart comparisons over HTTP: two times of three years with all reasons, until the last byte.
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEmbeddedDocuments } from '../src/adapters/documents/embedded/store.js';
import { DAY_MS, startOfDay, intervals } from '../src/domain/charts/calendar.js';
import { charts } from '../src/domain/charts/catalogue/catalogue.js';
import { keyedHash } from '../src/domain/ids.js';
import { systemRuntime } from '../src/adapters/runtime.js';
import { bulkBuild } from '../src/projections/rebuild/bulk-build.js';
import { servingCollection } from '../src/projections/rebuild/serving.js';
import { customerHistories } from '../src/projections/charts/customer-histories.js';
import type { Projection } from '../src/projections/runtime/projection.js';
import { atMost, quantile, type BenchRow } from './bench.js';
import { historiesLog } from './chart-histories.js';
import { serveComparisons } from './processes.js';

const YEARS_MS = 3 * 365 * DAY_MS;
const MAX_MS = 1000;
/** Long enough ago that the events of a third of the customers are recorded in between. */
const DAYS_AGO = 400;
/** Warm-up rounds, because code is compiled during the first request of a kind. */
const WARM_UP_ROUNDS = 2;

export async function benchCompare(short: boolean): Promise<BenchRow[]> {
  const customers = short ? 10_000 : 100_000;
  const rounds = short ? 3 : 10;
  const directory = mkdtempSync(join(tmpdir(), 'subledger-bench-'));
  try {
    const file = join(directory, 'charts.sqlite');
    const now = startOfDay(Date.now()) + DAY_MS / 2;
    await build(file, customers, now);
    const served = await serveComparisons(file, now);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    try {
      return await rowsOf((path) => measureMs(`${served.url}/${path}`, agent), customers, rounds);
    } finally {
      agent.destroy();
      await served.stop();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function build(file: string, customers: number, now: number): Promise<void> {
  const docs = await openEmbeddedDocuments({ file });
  try {
    const log = historiesLog(customers, now - YEARS_MS, now);
    const projection = customerHistories as unknown as Projection;
    await docs.ensure([servingCollection]);
    const signal = new AbortController().signal;
    await bulkBuild(
      { log, docs, hash: keyedHash(Buffer.alloc(32)), runtime: systemRuntime() },
      [{ projection, generation: 1 }],
      { signal },
    );
  } finally {
    await docs.close();
  }
}

async function rowsOf(ask: (path: string) => Promise<number>, customers: number, rounds: number): Promise<BenchRow[]> {
  const at = `${customers.toLocaleString('en')} customers, 3 years, ${DAYS_AGO} days apart`;
  await waitForLedger(ask);
  const rows: BenchRow[] = [];
  for (const [what, segment] of [
    ['all charts compared', '-'],
    ['all charts by store compared', 'store'],
  ] as const) {
    let slowest = { path: '', ms: 0 };
    const all: number[] = [];
    for (const { id } of charts) {
      for (const interval of intervals) {
        const path = `${id}/${interval}/${DAYS_AGO}/${segment}`;
        for (let i = 0; i < WARM_UP_ROUNDS; i++) await ask(path);
        const found: number[] = [];
        for (let i = 0; i < rounds; i++) found.push(await ask(path));
        all.push(...found);
        const ms = quantile(found, 0.99);
        if (ms > slowest.ms) slowest = { path, ms };
      }
    }
    rows.push(
      { name: `${what} at every interval, median, ${at}`, value: quantile(all, 0.5), unit: 'ms' },
      { name: `${what}, p99, ${at}`, value: quantile(all, 0.99), unit: 'ms' },
      atMost(`slowest of them, ${slowest.path}, p99, ${at}`, slowest.ms, MAX_MS, 'ms'),
    );
  }
  return rows;
}

/** Repeats a request until the ledger is filled; before that a response takes longer. */
async function waitForLedger(ask: (path: string) => Promise<number>): Promise<void> {
  for (let i = 0; i < 20 && (await ask(`trials/month/${DAYS_AGO}/-`)) > MAX_MS / 4; i++) await sleep(10_000);
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
