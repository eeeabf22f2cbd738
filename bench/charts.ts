// How long a chart takes, three years by day, on a project of few customers and of twenty times as many: from the sums, and computed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedDocuments } from '../src/adapters/documents/embedded.js';
import { systemRuntime } from '../src/adapters/runtime.js';
import { DAY_MS, startOfDay, type Interval } from '../src/domain/charts/calendar.js';
import { charts } from '../src/domain/charts/catalogue.js';
import { defaultSelectors, type Chart } from '../src/domain/charts/chart.js';
import { frameOf } from '../src/domain/charts/frame.js';
import type { Question } from '../src/domain/charts/question.js';
import { bulkBuild } from '../src/projections/bulk-build.js';
import { readOverview } from '../src/projections/charts/overview.js';
import { chartPeople } from '../src/projections/charts/people.js';
import { readChart } from '../src/projections/charts/read.js';
import { chartSource, type ChartSource } from '../src/projections/charts/source.js';
import type { Projection } from '../src/projections/projection.js';
import { createServing, servingCollection } from '../src/projections/serving.js';
import { createViews } from '../src/projections/views.js';
import { atMost, median, quantile, type BenchRow } from './bench.js';
import { CHARTED_PROJECT, livesLog } from './chart-lives.js';

const YEARS_MS = 3 * 365 * DAY_MS;
const MOST_MS = 50;
const MOST_TIMES = 1.5;
/** Milliseconds, of many askings: `byDay` of all charts but the explorer, whose answer by day is a matrix of a million figures. */
type Times = {
  readonly byDay: ReadonlyMap<string, readonly number[]>;
  readonly others: ReadonlyMap<string, readonly number[]>;
};
type Measured = Times & { readonly computedMs: number; readonly perEventUs: number };

export async function benchCharts(short: boolean): Promise<BenchRow[]> {
  const [few, many] = short ? [1000, 20_000] : [10_000, 200_000];
  const rounds = short ? 5 : 20;
  const small = await measure(few, rounds);
  const large = await measure(many, rounds);
  const [before, after] = [small, large].map(({ byDay }) => quantile([...byDay.values()].flat(), 0.99));
  const named = (n: number) => `${n.toLocaleString('en')} customers`;
  const slowest = [...large.byDay].sort(([, a], [, b]) => median(b) - median(a))[0] ?? ['', []];
  return [
    { name: `20 charts, 3 years by day, p99, ${named(few)}`, value: before ?? 0, unit: 'ms' },
    atMost(`20 charts, 3 years by day, p99, ${named(many)}`, after ?? Infinity, MOST_MS, 'ms'),
    atMost(`p99, ${named(many)} : ${named(few)}`, (after ?? Infinity) / (before ?? 0), MOST_TIMES, 'ratio'),
    { name: `median of the slowest, ${slowest[0]}, ${named(many)}`, value: median(slowest[1]), unit: 'ms' },
    ...[...large.others].map(([what, ms]) => atMost(`${what}, p99, ${named(many)}`, quantile(ms, 0.99), MOST_MS, 'ms')),
    { name: 'computed from the people, per 100,000', value: (large.computedMs / many) * 100, unit: 's' },
    { name: `read model of the charts built, ${named(many)}`, value: large.perEventUs, unit: 'us/event' },
  ];
}

async function measure(customers: number, rounds: number): Promise<Measured> {
  const directory = mkdtempSync(join(tmpdir(), 'subledger-bench-'));
  const docs = await openEmbeddedDocuments({ file: join(directory, 'charts.sqlite') });
  try {
    const now = startOfDay(Date.now()) + DAY_MS / 2;
    const log = livesLog(customers, now - YEARS_MS, now);
    const projection = chartPeople as unknown as Projection;
    const began = performance.now();
    await bulkBuild({ log, docs }, [{ projection, generation: 1 }], { signal: new AbortController().signal });
    const perEventUs = ((performance.now() - began) * 1000) / Number(await log.head());
    await docs.ensure([servingCollection]);
    const source = chartSource(createViews(docs, createServing(docs, systemRuntime())));
    const times = await timesOf(source, now, rounds);
    const revenue = charts.find((c) => c.id === 'revenue');
    if (!revenue) throw new Error('there is no chart of revenue');
    const computedMs = await milliseconds(() => {
      return readChart(source, CHARTED_PROJECT, question(revenue, now, 'day'), false);
    });
    return { ...times, computedMs, perEventUs };
  } finally {
    await docs.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function timesOf(source: ChartSource, now: number, rounds: number): Promise<Times> {
  const askings = async (ask: () => Promise<unknown>): Promise<readonly number[]> => {
    await ask();
    const found: number[] = [];
    for (let i = 0; i < rounds; i++) found.push(await milliseconds(ask));
    return found;
  };
  const byDay = new Map<string, readonly number[]>();
  const others = new Map<string, readonly number[]>();
  for (const chart of charts) {
    const ask = (interval: Interval) => readChart(source, CHARTED_PROJECT, question(chart, now, interval), true);
    const isMatrix = chart.kind === 'cohort' && chart.of === 'customers';
    (isMatrix ? others : byDay).set(isMatrix ? `${chart.id} by day` : chart.id, await askings(() => ask('day')));
    if (chart.kind === 'cohort') others.set(`${chart.id} by month`, await askings(() => ask('month')));
  }
  const overview = () => readOverview(source, CHARTED_PROJECT, 'production', now, true);
  return { byDay, others: others.set('overview', await askings(overview)) };
}

function question(chart: Chart, now: number, interval: Interval): Question {
  const end = startOfDay(now) + DAY_MS;
  const frame = frameOf({ start: end - YEARS_MS, end, interval, asOf: now });
  const all = { filters: new Map(), segment: null, selectors: defaultSelectors };
  return { chart, frame, environment: 'production', ...all };
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
