// The books of a project: for each month, what the stores report beside what we recorded. Computed on demand, from the reports in the log
// and the transactions; months and lines are remembered within limits, a month until one of them changes.
import { createWeightedCache, type WeightedCache } from '../../adapters/bounded-cache.js';
import type { EventLog } from '../../adapters/event-log/port.js';
import type { Runtime } from '../../adapters/runtime.js';
import type { ReportLine } from '../../domain/books/lines.js';
import type { Payment } from '../../domain/books/payments.js';
import type { Rates } from '../../domain/rates/rates.js';
import type { SettledCohort, SettledDay } from '../../domain/books/settled-days.js';
import { addMonths, pacificDay, type DayRange } from '../../domain/books/report-values.js';
import { bookClosings } from '../models/book-closings.js';
import { products } from '../models/catalogue.js';
import { apps } from '../models/projects.js';
import { transactions } from '../models/transactions.js';
import type { Progress } from '../runtime/progress.js';
import { customerHistories } from '../charts/customer-histories.js';
import { computeMonth, type BooksMonth } from './compute-month.js';
import { createComputations } from './computations.js';
import { readFirstSeenDays } from './first-seen.js';
import { listReports, type ReportListDeps } from './list-reports.js';
import type { ListedReport, MonthRequest, MonthSources, VersionedRequest } from './month-sources.js';
import { paymentsOf } from './month-lines.js';
import { viewOf, type MonthView } from './month-view.js';
import type { MonthStore, StoredMonth } from './stored-months.js';
import { readReportLines } from './report-lines.js';

export type Books = {
  /** Returns the reports of a project, the newest month first. */
  listReports(projectId: string): Promise<readonly ListedReport[]>;
  /** Returns a month, `yyyy-mm`. */
  month(projectId: string, month: string): Promise<BooksMonth>;
  /**
   * Returns a month to be read. A large month has its last result at once, which `isOutdated` while newer facts are being compared; the
   * others are as known now.
   */
  view(projectId: string, month: string): Promise<ReadMonth>;
  /**
   * Returns a month of any size as {@link view} returns a large one, for readers of many months: each event of any project may change a
   * month. A small month with another report is compared first.
   */
  lastView(projectId: string, month: string): Promise<ReadMonth>;
  /** Returns what the payments reports of the months state. */
  payments(projectId: string, months: readonly string[]): Promise<readonly Payment[]>;
  /** Returns what reports settled on these UTC days, in US dollars. */
  settledDays(projectId: string, days: DayRange): Promise<readonly SettledDay[]>;
  /** Returns what reports settled of customers who were first seen on these UTC days, in US dollars. */
  settledCohorts(projectId: string, days: DayRange): AsyncIterable<SettledCohort>;
};

export type ReadMonth = MonthView & { readonly isOutdated: boolean };

type BooksDeps = ReportListDeps & {
  readonly log: Pick<EventLog, 'read'>;
  /** Returns the reference rates. */
  readonly rates: () => Promise<Rates>;
  readonly progress: Progress;
  readonly runtime: Pick<Runtime, 'now' | 'elapsed' | 'slice'>;
  /** Stores large months; null: they are always computed. */
  readonly monthStore: MonthStore | null;
  /** Gets the error of a comparison for which no request waits. */
  readonly onError: (err: unknown) => void;
  /** Entries of a month from which on its result is stored, and a newer one does not delay a request. */
  readonly largeMonth?: number;
};

type ComputedMonth = Omit<StoredMonth, 'view'> & { readonly month: BooksMonth };

/** Changes when stored months have to be compared again, because they lack something. */
const FORM = 'cohorts';
/** Months after that of a charge in whose reports it may be. */
const SETTLED_AFTER_MONTHS = 2;
/** Limits of what is remembered: comparisons of months, and lines of reports, which several months read. One takes some hundred bytes. */
const [MAX_CACHED_ENTRIES, MAX_CACHED_LINES] = [100_000, 100_000];
const LARGE_MONTH = 5000;
/** A large month is compared again after this many times the duration of the last comparison. */
const REST_AFTER = 10;

export function createBooks(deps: BooksDeps): Books {
  const { log, readModels, rates, progress, runtime, monthStore, onError, largeMonth = LARGE_MONTH } = deps;
  const months = createCache<ComputedMonth>(MAX_CACHED_ENTRIES, ({ month }) => month.entries.length);
  const lines = createCache<readonly ReportLine[]>(MAX_CACHED_LINES, (all) => all.length);
  const sources: MonthSources = {
    log,
    rates,
    readModels,
    slice: runtime.slice,
    firstSeenDays: (ids) => readFirstSeenDays(readModels, ids),
    linesOf: async ({ projectId, reportId }) => {
      const cached = lines.get(reportId);
      if (cached) return cached;
      const found = await readReportLines(log, projectId, reportId, runtime.slice);
      lines.set(reportId, found);
      return found;
    },
  };
  const requestOf = async (projectId: string, month: string): Promise<VersionedRequest> => {
    const reports = await listReports(deps, projectId);
    const absences = ((await readModels.get(bookClosings, projectId))?.absences ?? []).filter(
      (one) => one.month === month,
    );
    const today = pacificDay(runtime.now());
    const positions = [transactions, apps, products, customerHistories].map(({ name }) => progress.at(name) ?? '');
    const ids = [...reports.map(({ reportId }) => reportId), ...absences.map(({ absenceId }) => absenceId)];
    const version = [FORM, ...positions, today, ...ids].join('|');
    return { projectId, month, today, reports, absences, version };
  };
  const compute = async ({ version, ...request }: VersionedRequest): Promise<BooksMonth> => {
    const [computedAt, began] = [runtime.now(), runtime.elapsed()];
    const month = await computeMonth(sources, request);
    const about = { version, computedAt, tookMs: Math.round(runtime.elapsed() - began) };
    months.set(`${request.projectId}|${request.month}`, { ...about, month });
    if (monthStore && month.entries.length > largeMonth) await monthStore.put(request.projectId, month, about);
    return month;
  };
  const computations = createComputations(compute);
  const readMonth: Books['month'] = async (projectId, month) => {
    const request = await requestOf(projectId, month);
    const cached = months.get(`${projectId}|${month}`);
    return cached?.version === request.version ? cached.month : computations.newest(request);
  };
  /** Large months that are compared in the background: one at a time of each. */
  const refreshing = new Set<string>();
  const refresh = (request: VersionedRequest): void => {
    const key = `${request.projectId}|${request.month}`;
    if (refreshing.has(key)) return;
    refreshing.add(key);
    computations
      .newest(request)
      .catch(onError)
      .finally(() => refreshing.delete(key));
  };
  /** Returns a result at once, and compares again in the background if it is not the newest. Null: the month is compared first. */
  const readResult = async (request: VersionedRequest, last: StoredMonth | null): Promise<ReadMonth> => {
    if (!last) {
      const { month, version } = await computations.shared(request);
      return { ...viewOf(month), isOutdated: version !== request.version };
    }
    const isNewest = last.version === request.version;
    if (!isNewest && runtime.now() >= last.computedAt + REST_AFTER * last.tookMs) refresh(request);
    return { ...last.view, isOutdated: !isNewest };
  };
  const readStored = async (projectId: string, month: string) => (await monthStore?.read(projectId, month)) ?? null;
  const readCached = ({ projectId, month }: VersionedRequest): StoredMonth | null => {
    const cached = months.get(`${projectId}|${month}`);
    return cached ? { ...cached, view: viewOf(cached.month) } : null;
  };
  const readView: Books['view'] = async (projectId, month) => {
    const request = await requestOf(projectId, month);
    const cached = readCached(request);
    const isNewest = cached?.version === request.version;
    return readResult(request, isNewest ? cached : await readStored(projectId, month));
  };
  const readLastView: Books['lastView'] = async (projectId, month) => {
    const request = await requestOf(projectId, month);
    const cached = readCached(request);
    const last = cached && hasReportsOf(cached.view.summary, request) ? cached : await readStored(projectId, month);
    return readResult(request, last);
  };
  return {
    listReports: (projectId) => listReports(deps, projectId),
    month: readMonth,
    view: readView,
    lastView: readLastView,
    payments: async (projectId, of) => {
      const request = { reports: await listReports(deps, projectId) };
      const found: Payment[] = [];
      for (const month of of) found.push(...(await paymentsOf(sources, request, month)));
      return found;
    },
    settledDays: async (projectId, { startDate, endDate }) => {
      const found: SettledDay[] = [];
      // A fiscal month may begin and end some days apart from the calendar month, and a sale may be settled later.
      const [from, to] = [addMonths(startDate.slice(0, 7), -1), addMonths(endDate.slice(0, 7), SETTLED_AFTER_MONTHS)];
      const reported = new Set((await listReports(deps, projectId)).map(({ month }) => month));
      for (const month of [...reported].filter((one) => one >= from && one <= to).sort()) {
        const { settled } = (await readLastView(projectId, month)).summary;
        found.push(...settled.filter(({ day }) => day >= startDate && day <= endDate));
      }
      return found;
    },
    settledCohorts: async function* (projectId, { startDate, endDate }) {
      const from = addMonths(startDate.slice(0, 7), -1);
      const reported = new Set((await listReports(deps, projectId)).map(({ month }) => month));
      for (const month of [...reported].filter((one) => one >= from).sort()) {
        for (const one of await (await readLastView(projectId, month)).settledCohorts())
          if (one.firstSeenDay >= startDate && one.firstSeenDay <= endDate) yield one;
        await deps.runtime.slice();
      }
    },
  };
}

function hasReportsOf({ reports }: MonthView['summary'], { month, reports: all }: MonthRequest): boolean {
  const idsOf = (some: readonly ListedReport[]) =>
    some.filter((one) => one.month === month && one.isCounted).map(({ reportId }) => reportId);
  return idsOf(reports).join('|') === idsOf(all).join('|');
}

/** Creates a cache with a limit on the items in all values; a larger value is not cached. */
function createCache<V extends object>(maxItems: number, countOf: (value: V) => number): WeightedCache<string, V> {
  return createWeightedCache(maxItems, {
    weightOf: (value) => Math.max(1, countOf(value)),
    onEvict: () => undefined,
  });
}
