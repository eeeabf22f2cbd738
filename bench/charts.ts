// How long a chart takes, three years by day, on a project of few customers and of twenty times as many: from the sums, and computed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedDocuments } from '../src/adapters/documents/embedded.js';
import { systemRuntime } from '../src/adapters/runtime.js';
import { DAY_MS, startOfDay } from '../src/domain/charts/calendar.js';
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
import { median, type BenchRow } from './bench.js';
import { CHARTED_PROJECT, livesLog } from './chart-lives.js';

const YEARS_MS = 3 * 365 * DAY_MS;
const MOST_MS = 50;
const MOST_TIMES = 1.5;
/** `slow`: matrices of a thousand rows by day, and what is counted from the people. Milliseconds. */
type Times = { readonly summed: number[]; readonly slow: Map<string, number> };

export async function benchCharts(short: boolean): Promise<BenchRow[]> {
  const [few, many] = short ? [1000, 20_000] : [10_000, 200_000];
  const small = await measure(few, short ? 3 : 10);
  const large = await measure(many, short ? 3 : 10);
  const [before, after] = [quantile(small.summed, 0.99), quantile(large.summed, 0.99)];
  const named = (n: number) => `${n.toLocaleString('en')} customers`;
  return [
    { name: `charts from sums, by day, p50, ${named(few)}`, value: median(small.summed), unit: 'ms' },
    { name: `charts from sums, by day, p99, ${named(few)}`, value: before, unit: 'ms' },
    { name: `charts from sums, by day, p50, ${named(many)}`, value: median(large.summed), unit: 'ms' },
    atMost(`charts from sums, by day, p99, ${named(many)}`, after, MOST_MS, 'ms'),
    atMost(`p99, ${named(many)} : ${named(few)}`, after / before, MOST_TIMES, 'ratio'),
    ...[...large.slow].map(([name, ms]) => atMost(`${name}, ${named(many)}`, ms, MOST_MS, 'ms')),
    { name: 'computed from the people, per 100,000', value: (large.computed / many) * 100, unit: 's' },
    { name: `read model of the charts built, ${named(many)}`, value: large.perEvent, unit: 'us/event' },
  ];
}

async function measure(customers: number, rounds: number): Promise<Times & { computed: number; perEvent: number }> {
  const directory = mkdtempSync(join(tmpdir(), 'subledger-bench-'));
  const docs = await openEmbeddedDocuments({ file: join(directory, 'charts.sqlite') });
  try {
    const now = startOfDay(Date.now()) + DAY_MS / 2;
    const log = livesLog(customers, now - YEARS_MS, now);
    const projection = chartPeople as unknown as Projection;
    const began = performance.now();
    await bulkBuild({ log, docs }, [{ projection, generation: 1 }], { signal: new AbortController().signal });
    const perEvent = ((performance.now() - began) * 1000) / Number(await log.head());
    await docs.ensure([servingCollection]);
    const source = chartSource(createViews(docs, createServing(docs, systemRuntime())));
    const times = await timesOf(source, now, rounds);
    const revenue = charts.find((c) => c.id === 'revenue');
    if (!revenue) throw new Error('there is no chart of revenue');
    const computed = await milliseconds(() => readChart(source, CHARTED_PROJECT, question(revenue, now), false));
    return { ...times, computed, perEvent };
  } finally {
    await docs.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function timesOf(source: ChartSource, now: number, rounds: number): Promise<Times> {
  const summed: number[] = [];
  const slow = new Map<string, number>();
  for (const chart of charts) {
    const ask = () => readChart(source, CHARTED_PROJECT, question(chart, now), true);
    if (chart.kind === 'cohort') {
      slow.set(`${chart.id}, by day`, await milliseconds(ask));
      continue;
    }
    await ask();
    for (let i = 0; i < rounds; i++) summed.push(await milliseconds(ask));
  }
  slow.set('overview', await milliseconds(() => readOverview(source, CHARTED_PROJECT, 'production', now, true)));
  return { summed, slow };
}

function question(chart: Chart, now: number): Question {
  const end = startOfDay(now) + DAY_MS;
  const frame = frameOf({ start: end - YEARS_MS, end, interval: 'day', asOf: now });
  const all = { filters: new Map(), segment: null, selectors: defaultSelectors };
  return { chart, frame, environment: 'production', ...all };
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function atMost(name: string, value: number, most: number, unit: string): BenchRow {
  return { name, value, unit, target: `<= ${most}`, ok: value <= most };
}
