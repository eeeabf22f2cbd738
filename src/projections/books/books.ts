// The books of a project: for each month, what the stores report beside what we recorded. Computed on demand, from the reports in the log
// and the transactions; months and lines are remembered within limits, a month until one of them changes.
import { createWeightedCache, type WeightedCache } from '../../adapters/bounded-cache.js';
import type { EventLog } from '../../adapters/event-log/port.js';
import type { Runtime } from '../../adapters/runtime.js';
import type { ReportLine } from '../../domain/books/lines.js';
import type { Rates } from '../../domain/rates/rates.js';
import type { SettledDay } from '../../domain/books/settled-days.js';
import { addMonths, pacificDay, type DayRange } from '../../domain/books/report-values.js';
import { products } from '../models/catalogue.js';
import { apps } from '../models/projects.js';
import { storeReports, type StoreReportDoc } from '../models/store-reports.js';
import { transactions } from '../models/transactions.js';
import type { ReadModels } from '../queries/read-models.js';
import type { Progress } from '../runtime/progress.js';
import { computeMonth, type BooksMonth, type ListedReport, type MonthSources } from './compute-month.js';
import { readReportLines } from './report-lines.js';

export type Books = {
  /** Returns the reports of a project, the newest month first. */
  listReports(projectId: string): Promise<readonly ListedReport[]>;
  /** Returns a month, `yyyy-mm`. */
  month(projectId: string, month: string): Promise<BooksMonth>;
  /** Returns what reports settled on these UTC days, in US dollars. */
  settledDays(projectId: string, days: DayRange): Promise<readonly SettledDay[]>;
};

type BooksDeps = {
  readonly log: Pick<EventLog, 'read'>;
  readonly readModels: ReadModels;
  /** Returns the reference rates. */
  readonly rates: () => Promise<Rates>;
  readonly progress: Progress;
  readonly runtime: Pick<Runtime, 'now' | 'slice'>;
};

/** A project has a few reports a month; the oldest beyond this number are not listed. */
const MAX_REPORTS = 2000;
/** Months after that of a charge in whose reports it may be. */
const SETTLED_AFTER_MONTHS = 2;
/** Limits of what is remembered: comparisons of months, and lines of reports, which several months read. One takes some hundred bytes. */
const [MAX_CACHED_ENTRIES, MAX_CACHED_LINES] = [100_000, 100_000];
export function createBooks({ log, readModels, rates, progress, runtime }: BooksDeps): Books {
  const months = createCache<{ readonly version: string; readonly month: BooksMonth }>(
    MAX_CACHED_ENTRIES,
    ({ month }) => month.entries.length,
  );
  /** Computations in progress: two requests of a large month share one. */
  const computations = new Map<string, Promise<BooksMonth>>();
  const lines = createCache<readonly ReportLine[]>(MAX_CACHED_LINES, (all) => all.length);
  const sources: MonthSources = {
    log,
    rates,
    readModels,
    slice: runtime.slice,
    linesOf: async ({ projectId, reportId }) => {
      const cached = lines.get(reportId);
      if (cached) return cached;
      const found = await readReportLines(log, projectId, reportId, runtime.slice);
      lines.set(reportId, found);
      return found;
    },
  };
  const readMonth: Books['month'] = async (projectId, month) => {
    const reports = await listReports(readModels, projectId);
    const today = pacificDay(runtime.now());
    const positions = [transactions, apps, products].map(({ name }) => progress.at(name) ?? '');
    const version = [...positions, today, ...reports.map(({ reportId }) => reportId)].join('|');
    const key = `${projectId}|${month}`;
    const cached = months.get(key);
    if (cached?.version === version) return cached.month;
    const name = `${key}|${version}`;
    const computing = computations.get(name) ?? computeMonth(sources, { projectId, month, today, reports });
    computations.set(name, computing);
    try {
      const computed = await computing;
      months.set(key, { version, month: computed });
      return computed;
    } finally {
      computations.delete(name);
    }
  };
  return {
    listReports: (projectId) => listReports(readModels, projectId),
    month: readMonth,
    settledDays: async (projectId, { startDate, endDate }) => {
      const found: SettledDay[] = [];
      // A fiscal month may begin and end some days apart from the calendar month, and a sale may be settled later.
      const [from, to] = [addMonths(startDate.slice(0, 7), -1), addMonths(endDate.slice(0, 7), SETTLED_AFTER_MONTHS)];
      const reported = new Set((await listReports(readModels, projectId)).map(({ month }) => month));
      for (const month of [...reported].filter((one) => one >= from && one <= to).sort()) {
        const { settled } = await readMonth(projectId, month);
        found.push(...settled.filter(({ day }) => day >= startDate && day <= endDate));
      }
      return found;
    },
  };
}

/** Creates a cache with a limit on the items in all values; a larger value is not cached. */
function createCache<V extends object>(maxItems: number, countOf: (value: V) => number): WeightedCache<string, V> {
  return createWeightedCache(maxItems, {
    weightOf: (value) => Math.max(1, countOf(value)),
    onEvict: () => undefined,
  });
}

async function listReports(readModels: ReadModels, projectId: string): Promise<readonly ListedReport[]> {
  const scan = { index: 'project', eq: [projectId], limit: MAX_REPORTS, reverse: true };
  const docs = (await readModels.scan(storeReports, scan)).rows.map(({ doc }) => doc);
  const newest = new Map<string, StoreReportDoc>();
  for (const doc of docs) {
    const place = `${doc.kind}|${doc.account}|${doc.month}`;
    const other = newest.get(place);
    if (!other || doc.position > other.position) newest.set(place, doc);
  }
  const counted = new Set([...newest.values()].map(({ reportId }) => reportId));
  const ordered = docs.toSorted((a, b) => compareTexts(b.month, a.month) || compareTexts(b.position, a.position));
  return ordered.map((doc) => ({ ...doc, isCounted: counted.has(doc.reportId) }));
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
