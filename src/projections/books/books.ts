// The books of a project: for each month, what the stores report beside what we recorded. Computed on demand, from the reports in the log
// and the transactions; months and lines are remembered within limits, a month until one of them changes.
import { createWeightedCache, type WeightedCache } from '../../adapters/bounded-cache.js';
import type { EventLog } from '../../adapters/event-log/port.js';
import type { BookEntry } from '../../domain/books/entries.js';
import type { ReportKind, ReportLine } from '../../domain/books/lines.js';
import { matchGroups, NEAR_DAYS } from '../../domain/books/match-groups.js';
import { matchOrders, orderKey, type CountedLines } from '../../domain/books/match-orders.js';
import { paidSums, tablesOf, type BookTable, type PaidSum } from '../../domain/books/month-table.js';
import { addDays, addMonths, daysOfMonth, pacificDay, type DayRange } from '../../domain/books/report-values.js';
import { storeOfReport } from '../../domain/store-kinds.js';
import { apps } from '../models/projects.js';
import { products } from '../models/catalogue.js';
import { storeReports, type StoreReportDoc } from '../models/store-reports.js';
import { transactions } from '../models/transactions.js';
import type { ReadModels } from '../queries/read-models.js';
import type { Progress } from '../runtime/progress.js';
import { addChargesNamed, chargesIn } from './our-charges.js';
import { readReportLines } from './report-lines.js';

export type BooksMonth = {
  readonly month: string;
  readonly periods: Readonly<Record<ReportKind, DayRange>>;
  readonly reports: readonly ListedReport[];
  readonly entries: readonly BookEntry[];
  readonly tables: readonly BookTable[];
  readonly paid: readonly (PaidSum & { readonly kind: ReportKind })[];
  /** True if there are purchases and none of them waits for a report. */
  readonly isComplete: boolean;
};

/** `isCounted`: false for a report that a newer one of the same kind, account and month has replaced. */
export type ListedReport = StoreReportDoc & { readonly isCounted: boolean };

export type Books = {
  /** Returns the reports of a project, the newest month first. */
  listReports(projectId: string): Promise<readonly ListedReport[]>;
  /** Returns a month, `yyyy-mm`. */
  month(projectId: string, month: string): Promise<BooksMonth>;
};

type BooksDeps = {
  readonly log: Pick<EventLog, 'read'>;
  readonly readModels: ReadModels;
  readonly progress: Progress;
  readonly now: () => number;
};

/** A project has a few reports a month; the oldest beyond this number are not listed. */
const MAX_REPORTS = 2000;
/** A catalogue has hundreds of products; one beyond this number counts once it was sold. */
const MAX_PRODUCTS = 5000;
/** Limits of what is remembered: comparisons of months, and lines of reports, which several months read. One takes some hundred bytes. */
const [MAX_CACHED_ENTRIES, MAX_CACHED_LINES] = [100_000, 100_000];
/** Days after a sale within which the ios-store settles it. */
const SETTLED_WITHIN_DAYS = 62;
/** Months beside the one in question in whose reports an order may be. */
const ORDER_NEIGHBOURS = [-1, 1, 2];

export function createBooks({ log, readModels, progress, now }: BooksDeps): Books {
  const months = createCache<{ readonly version: string; readonly month: BooksMonth }>(
    MAX_CACHED_ENTRIES,
    ({ month }) => month.entries.length,
  );
  const lines = createCache<readonly ReportLine[]>(MAX_CACHED_LINES, (all) => all.length);
  const sources: MonthSources = {
    readModels,
    linesOf: async ({ projectId, reportId }) => {
      const cached = lines.get(reportId);
      if (cached) return cached;
      const found = await readReportLines(log, projectId, reportId);
      lines.set(reportId, found);
      return found;
    },
  };
  return {
    listReports: (projectId) => listReports(readModels, projectId),
    month: async (projectId, month) => {
      const reports = await listReports(readModels, projectId);
      const today = pacificDay(now());
      const positions = [transactions, apps, products].map(({ name }) => progress.at(name) ?? '');
      const version = [...positions, today, ...reports.map(({ reportId }) => reportId)].join('|');
      const key = `${projectId}|${month}`;
      const cached = months.get(key);
      if (cached?.version === version) return cached.month;
      const computed = await computeMonth(sources, { projectId, month, today, reports });
      months.set(key, { version, month: computed });
      return computed;
    },
  };
}

/** Data of which a month is computed. */
type MonthSources = {
  readonly readModels: ReadModels;
  /** Returns the lines of a report, which never change. */
  readonly linesOf: (report: Pick<StoreReportDoc, 'projectId' | 'reportId'>) => Promise<readonly ReportLine[]>;
};

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

/** A month of a project, with all its reports. `today`: Pacific day. */
type MonthRequest = {
  readonly projectId: string;
  readonly month: string;
  readonly today: string;
  readonly reports: readonly ListedReport[];
};

async function computeMonth(sources: MonthSources, request: MonthRequest): Promise<BooksMonth> {
  const { month, reports } = request;
  const periods = { earnings: daysOfMonth(month), finance_detail: fiscalDays(month, reports) };
  const earnings = await readLines(sources, request, 'earnings', month);
  const details = await readLines(sources, request, 'finance_detail', month);
  const entries = [
    ...(await orderEntries(sources, request, periods.earnings, earnings)),
    ...(await groupEntries(sources, request, periods.finance_detail, details)),
  ];
  const paid = [...earnings, ...details].flatMap(({ account, lines }) => {
    const [first] = lines;
    return first ? paidSums(account, lines).map((sum) => ({ ...sum, kind: first.kind })) : [];
  });
  const isComplete = entries.length > 0 && entries.every(({ cause }) => cause !== 'awaiting_report');
  const ofMonth = reports.filter((doc) => doc.month === month);
  return { month, periods, reports: ofMonth, entries, tables: tablesOf(entries), paid, isComplete };
}

type ReportLines<K extends ReportKind> = readonly (CountedLines<LineOf<K>> & { readonly month: string })[];

/** Reads the lines of the reports of a month that count. */
async function readLines<K extends ReportKind>(
  { linesOf }: MonthSources,
  { reports }: MonthRequest,
  kind: K,
  month: string,
): Promise<ReportLines<K>> {
  const found: (CountedLines<LineOf<K>> & { readonly month: string })[] = [];
  for (const report of reports.filter((r) => r.isCounted && r.kind === kind && r.month === month)) {
    const { reportId, account } = report;
    const lines = (await linesOf(report)).filter((line) => isOfKind(line, kind));
    found.push({ reportId, account, month, lines });
  }
  return found;
}

async function orderEntries(
  sources: MonthSources,
  request: MonthRequest,
  period: DayRange,
  reports: ReportLines<'earnings'>,
): Promise<readonly BookEntry[]> {
  const { readModels } = sources;
  const { projectId, month, today } = request;
  const ours = await chargesIn(readModels, projectId, storeOfReport('earnings'), period);
  const orderIds = reports.flatMap(({ lines }) =>
    lines.flatMap(({ orderId, sku }) => (orderId === null ? [] : [orderId, `${orderId}#${sku}`])),
  );
  await addChargesNamed(readModels, projectId, orderIds, ours);
  const elsewhere = new Map<string, string>();
  for (const near of ours.size === 0 ? [] : ORDER_NEIGHBOURS.map((count) => addMonths(month, count))) {
    for (const { lines } of await readLines(sources, request, 'earnings', near))
      for (const { orderId, isRefund } of lines)
        if (orderId !== null) elsewhere.set(orderKey(isRefund ? 'refund' : 'charge', orderId), near);
  }
  const found = await readModels.scan(apps, { index: 'project', eq: [projectId], limit: 1000 });
  const byPackage = new Map(found.rows.map(({ doc }) => [doc.storeIdentifier, doc.appId]));
  const hasReport = reports.length > 0;
  return matchOrders({ period, today, hasReport, reports, ours, apps: byPackage, elsewhere });
}

async function groupEntries(
  sources: MonthSources,
  request: MonthRequest,
  period: DayRange,
  reports: ReportLines<'finance_detail'>,
): Promise<readonly BookEntry[]> {
  const { readModels } = sources;
  const { projectId, month, today } = request;
  // A sale that was settled late stands in the report with its own day, up to two months before.
  const days = reports.flatMap(({ lines }) => lines.map(({ day }) => day));
  const earliest = days.reduce((a, b) => (a < b ? a : b), addDays(period.startDate, -NEAR_DAYS));
  const limit = addDays(period.startDate, -SETTLED_WITHIN_DAYS);
  const wide = { startDate: earliest < limit ? limit : earliest, endDate: addDays(period.endDate, NEAR_DAYS) };
  const found = await chargesIn(readModels, projectId, storeOfReport('finance_detail'), wide);
  const before = await readLines(sources, request, 'finance_detail', addMonths(month, -1));
  const after = await readLines(sources, request, 'finance_detail', addMonths(month, 1));
  const sold = new Map<string, string>();
  const listed = await readModels.scan(products, { index: 'project', eq: [projectId], limit: MAX_PRODUCTS });
  for (const { doc } of listed.rows) sold.set(doc.storeProductId, doc.appId);
  for (const { sku, appId } of found.values()) sold.set(sku, appId);
  const hasReport = reports.length > 0;
  const ours = [...found.values()];
  return matchGroups({ period, today, hasReport, reports, neighbours: [...before, ...after], ours, apps: sold });
}

type LineOf<K extends ReportKind> = Extract<ReportLine, { readonly kind: K }>;

function isOfKind<K extends ReportKind>(line: ReportLine, kind: K): line is LineOf<K> {
  return line.kind === kind;
}

/** Returns the fiscal month of the ios-store, as its reports state it; else the days between those of its neighbours in the calendar month. */
function fiscalDays(month: string, reports: readonly ListedReport[]): DayRange {
  const stated = (one: string) =>
    reports.find((doc) => doc.kind === 'finance_detail' && doc.isCounted && doc.month === one);
  const own = stated(month);
  if (own) return { startDate: own.startDate, endDate: own.endDate };
  const [before, after] = [stated(addMonths(month, -1)), stated(addMonths(month, 1))];
  const { startDate, endDate } = daysOfMonth(month);
  return {
    startDate: before ? addDays(before.endDate, 1) : startDate,
    endDate: after ? addDays(after.startDate, -1) : endDate,
  };
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
