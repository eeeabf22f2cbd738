// `subledger compare charts`: compares the 21 charts with those of RevenueCat for one period, with or without a running service.
import { z } from 'zod';
import { scanPages } from '../../adapters/documents/records.js';
import { readConfig } from '../../adapters/configuration/config.js';
import { readRevenueCatChart } from '../../adapters/revenuecat/charts.js';
import { RevenueCatRefusal, type RevenueCatRequests } from '../../adapters/revenuecat/requests.js';
import { systemRuntime } from '../../adapters/runtime.js';
import { addIntervals, DAY_MS, startOf, type Interval } from '../../domain/charts/calendar.js';
import { charts as catalogue, findChart } from '../../domain/charts/catalogue/catalogue.js';
import { defaultSelectors, type Chart } from '../../domain/charts/catalogue/chart.js';
import { bucketedRangeOf } from '../../domain/charts/result/buckets.js';
import type { ChartResult } from '../../domain/charts/result/result.js';
import { compareChart } from '../../domain/comparison/charts.js';
import type { ConvertedAmount } from '../../domain/comparison/other-currencies.js';
import { openCharts } from '../../main/charts/open-charts.js';
import { readChart } from '../../projections/charts/query-chart.js';
import { transactions } from '../../projections/models/transactions.js';
import type { ReadModels } from '../../projections/queries/read-models.js';
import { WrongUse, printResult } from '../support/outcome.js';
import { withReading, openChartReadModels, requireProject } from '../support/open-for-reading.js';
import { startProgressBar } from '../support/progress-bar.js';
import { chartReportText, chartResult, reportCharts, type ChartComparisonResult } from './chart-report.js';
import { openResultFile } from './result-file.js';
import { requireProjectId, withRevenueCat } from '../support/long-work.js';

export type CompareChartsOptions = {
  readonly project: string;
  readonly from: string;
  readonly to: string;
  readonly interval: Interval;
  readonly chart?: readonly string[];
  readonly progress?: string;
  readonly json?: true;
};

/** Period in UTC ms, half-open. */
type Period = { readonly start: number; readonly end: number };
/** Returns a chart of ours from the start of the period until now. */
type ReadOwnChart = (chart: Chart) => Promise<ChartResult>;

/** Exits with 1 for a difference without a known reason, and for a chart that cannot be compared. */
export async function compareChartsWithRevenueCat(o: CompareChartsOptions): Promise<void> {
  await withRevenueCat(async (revenueCat, signal) => {
    const period = periodOf(o);
    const chosen = chooseCharts(o.chart);
    const projectId = requireProjectId(revenueCat);
    const { project, from, to, interval } = o;
    const terms = { kind: 'charts', project, other: projectId, from, to, interval };
    const file = openResultFile(o.progress, terms, chartResult);
    const compared = new Set(file.results.map(({ chartId }) => chartId));
    const remaining = chosen.filter(({ id }) => !compared.has(id));
    await withOwnCharts(o, period, async (readOwn, converted) => {
      const bar = startProgressBar('comparing', remaining.length, 'charts');
      try {
        for (const chart of remaining) {
          const vendor = { projectId, chartId: chart.id, from, to, interval };
          file.add(
            await compareOne(revenueCat.requests, vendor, { chart, readOwn, converted, end: period.end, signal }),
          );
          bar.step();
        }
      } finally {
        bar.stop();
      }
    });
    const chosenResults = file.results.filter(({ chartId }) => chosen.some(({ id }) => id === chartId));
    const report = reportCharts({ projectId: project, from, to, interval }, chosenResults);
    printResult(o, report, chartReportText(report));
    if (report.unexplained > 0 || report.missing.length > 0) process.exitCode = 1;
  });
}

type Own = {
  readonly chart: Chart;
  readonly readOwn: ReadOwnChart;
  readonly converted: readonly ConvertedAmount[];
  readonly end: number;
  readonly signal: AbortSignal;
};

async function compareOne(
  requests: RevenueCatRequests,
  query: Parameters<typeof readRevenueCatChart>[1],
  { chart, readOwn, converted, end, signal }: Own,
): Promise<ChartComparisonResult> {
  const none = { chartId: chart.id, cells: [], notCompared: { there: [], here: [] } };
  try {
    const vendor = await readRevenueCatChart(requests, query, signal);
    const { cells, notCompared } = compareChart(chart, await readOwn(chart), vendor, { end, converted });
    const plain = cells.map((cell) => ({ ...cell, reasons: [...cell.reasons] }));
    const gaps = { there: [...notCompared.there], here: [...notCompared.here] };
    const failure = cells.length === 0 ? 'RevenueCat returned no value of a known measure' : null;
    return { chartId: chart.id, failure, cells: plain, notCompared: gaps };
  } catch (err) {
    // The account may lack a chart; a refused key is refused for all.
    if (!(err instanceof RevenueCatRefusal) || err.status === 401 || err.status === 403) throw err;
    return { ...none, failure: err.message };
  }
}

/** Opens our charts as of now. Throws `Failure` for an unknown project. */
async function withOwnCharts(
  { project: projectId, interval }: Pick<CompareChartsOptions, 'project' | 'interval'>,
  { start, end }: Period,
  work: (readOwn: ReadOwnChart, converted: readonly ConvertedAmount[]) => Promise<void>,
): Promise<void> {
  const runtime = systemRuntime();
  await withReading(async ({ docs }) => {
    const readModels = await openChartReadModels(docs, [transactions]);
    await requireProject(readModels, projectId);
    const converted = await readConvertedAmounts(readModels, projectId);
    const thread = openCharts(readConfig(process.env), { readModels, runtime });
    const sources = { readModels, chartLedger: thread };
    const asOf = runtime.now() + 1;
    const until = addIntervals(interval, startOf(interval, Math.max(end - 1, asOf)), 1);
    try {
      await work(async (chart) => {
        const range = bucketedRangeOf({ start, end: chart.id === 'revenue' ? until : end, interval, asOf });
        const terms = { environment: 'production' as const, filters: new Map(), segment: null };
        const query = { chart, range, ...terms, selectors: defaultSelectors };
        const { result, release } = await readChart(sources, projectId, query, true);
        // A result of the thread is in memory that is freed after use.
        const copy = structuredClone(result);
        release?.();
        return copy;
      }, converted);
    } finally {
      await thread.close();
    }
  });
}

/** Number of transactions per page. */
const PAGE = 1000;

/** Reads the charges and refunds of the project in other currencies than US dollars. */
async function readConvertedAmounts(readModels: ReadModels, projectId: string): Promise<readonly ConvertedAmount[]> {
  const found: ConvertedAmount[] = [];
  for (const kind of ['purchase', 'renewal']) {
    const ofProject = { index: 'money', eq: [projectId, 'production', kind], limit: PAGE };
    for await (const page of scanPages(ofProject, (scan) => readModels.scan(transactions, scan))) {
      for (const { doc } of page) {
        const { money, purchasedAt, expiresAt, refundedAt, refundedUsdMicros } = doc;
        if (money.currency === 'USD' || !money.usdMicros) continue;
        const until = expiresAt === null ? null : Date.parse(expiresAt);
        found.push({ at: Date.parse(purchasedAt), until, usd: money.usdMicros / 1_000_000 });
        if (refundedAt !== null)
          found.push({ at: Date.parse(refundedAt), until: null, usd: (refundedUsdMicros ?? 0) / 1_000_000 });
      }
    }
  }
  return found;
}

const day = z.iso.date();

function periodOf({ from, to, interval }: Pick<CompareChartsOptions, 'from' | 'to' | 'interval'>): Period {
  for (const text of [from, to]) {
    if (!day.safeParse(text).success) throw new WrongUse(`${text}: give a UTC day such as 2026-01-31`);
  }
  const [start, end] = [Date.parse(from), Date.parse(to) + DAY_MS];
  if (start >= end) throw new WrongUse(`--from ${from} is after --to ${to}`);
  // Services cut the first and last bucket of a period in different ways.
  if (startOf(interval, start) !== start || startOf(interval, end) !== end) {
    throw new WrongUse(`--from and --to must be the first and the last day of a ${interval}; or add --interval day`);
  }
  return { start, end };
}

function chooseCharts(ids: readonly string[] | undefined): readonly Chart[] {
  if (ids === undefined) return catalogue;
  return ids.map((id) => {
    const chart = findChart(id);
    if (!chart) throw new WrongUse(`--chart ${id}: give one of ${catalogue.map((c) => c.id).join(', ')}`);
    return chart;
  });
}
