// Computes a month of the books: the lines of its reports and of its neighbours', compared with the charges that were recorded.
import type { EventLog } from '../../adapters/event-log/port.js';
import type { Runtime } from '../../adapters/runtime.js';
import type { BookEntry, OurCharge } from '../../domain/books/entries.js';
import { NEAR_DAYS } from '../../domain/books/group-units.js';
import type { ReportKind, ReportLine } from '../../domain/books/lines.js';
import { matchGroups } from '../../domain/books/match-groups.js';
import { isOfProduct, matchOrders, orderKey } from '../../domain/books/match-orders.js';
import type { CountedLines } from '../../domain/books/order-bundles.js';
import { paidSums, tablesOf, type BookTable, type PaidSum } from '../../domain/books/month-table.js';
import { isOfKind, orderKindsIn } from '../../domain/books/reversals.js';
import { addDays, addMonths, daysOfMonth, type DayRange } from '../../domain/books/report-values.js';
import { createSettledDays, type ChargedTransaction, type SettledDay } from '../../domain/books/settled-days.js';
import type { Steps } from '../../domain/books/steps.js';
import type { Rates } from '../../domain/rates/rates.js';
import { storeOfReport } from '../../domain/store-kinds.js';
import { products } from '../models/catalogue.js';
import { apps } from '../models/projects.js';
import { moneyMovesOf } from '../models/transaction-money.js';
import { transactionDocId, transactions } from '../models/transactions.js';
import type { StoreReportDoc } from '../models/store-reports.js';
import type { ReadModels } from '../queries/read-models.js';
import { addChargesNamed, chargesIn } from './our-charges.js';
import { nameUncollected } from './uncollected.js';

export type BooksMonth = {
  readonly month: string;
  readonly periods: Readonly<Record<ReportKind, DayRange>>;
  readonly reports: readonly ListedReport[];
  readonly entries: readonly BookEntry[];
  readonly tables: readonly BookTable[];
  readonly paid: readonly (PaidSum & { readonly kind: ReportKind })[];
  readonly settled: readonly SettledDay[];
  /** True if there are purchases and none of them waits for a report. */
  readonly isComplete: boolean;
};

/** `isCounted`: false for a report that a newer one of the same kind, account and month has replaced. */
export type ListedReport = StoreReportDoc & { readonly isCounted: boolean };

/** Data of which a month is computed. */
export type MonthSources = {
  readonly log: Pick<EventLog, 'read'>;
  readonly readModels: ReadModels;
  /** Returns the reference rates. */
  readonly rates: () => Promise<Rates>;
  /** Resolves when background work may continue. */
  readonly slice: Runtime['slice'];
  /** Returns the lines of a report, which never change. */
  readonly linesOf: (report: Pick<StoreReportDoc, 'projectId' | 'reportId'>) => Promise<readonly ReportLine[]>;
};

/** A catalogue has hundreds of products; one beyond this number counts once it was sold. */
const MAX_PRODUCTS = 5000;
/** Days after a sale within which the ios-store settles it. */
const SETTLED_WITHIN_DAYS = 62;
/** Months beside the one in question in whose reports an order may be. */
const ORDER_NEIGHBOURS = [-1, 1, 2];

/** A month of a project, with all its reports. `today`: Pacific day. */
export type MonthRequest = {
  readonly projectId: string;
  readonly month: string;
  readonly today: string;
  readonly reports: readonly ListedReport[];
};

export async function computeMonth(sources: MonthSources, request: MonthRequest): Promise<BooksMonth> {
  const { month, reports } = request;
  const periods = { earnings: daysOfMonth(month), finance_detail: fiscalDays(month, reports) };
  const earnings = await readLines(sources, request, 'earnings', month);
  const details = await readLines(sources, request, 'finance_detail', month);
  const orders = await orderEntries(sources, request, periods.earnings, earnings);
  const groups = await groupEntries(sources, request, periods.finance_detail, details);
  const entries = await nameUncollected(sources, request.projectId, orders.concat(groups));
  const paid: (PaidSum & { readonly kind: ReportKind })[] = [];
  for (const { account, lines } of [...earnings, ...details]) {
    const [first] = lines;
    const sums = first ? await inSlices(sources, paidSums(account, lines)) : [];
    paid.push(...sums.map((sum) => ({ ...sum, kind: first?.kind ?? 'earnings' })));
  }
  const settled = await settledIn(sources, request, entries, periods);
  const isComplete = entries.length > 0 && entries.every(({ cause }) => cause !== 'awaiting_report');
  const ofMonth = reports.filter((doc) => doc.month === month);
  const tables = await inSlices(sources, tablesOf(entries));
  return { month, periods, reports: ofMonth, entries, tables, paid, settled, isComplete };
}

/** Returns what was settled, in US dollars by day. */
async function settledIn(
  sources: MonthSources,
  { projectId }: MonthRequest,
  entries: readonly BookEntry[],
  periods: BooksMonth['periods'],
): Promise<readonly SettledDay[]> {
  const found = createSettledDays(await sources.rates());
  const reported = entries.filter(({ store, transactionIds }) => store !== null && transactionIds.length > 0);
  for (let at = 0; at < reported.length; at += STEPS_PER_SLICE) {
    const page = reported.slice(at, at + STEPS_PER_SLICE);
    const ids = page.flatMap(({ transactionIds }) => transactionIds.map((id) => transactionDocId(projectId, id)));
    const charged = new Map<string, ChargedTransaction>();
    for (const doc of (await sources.readModels.getMany(transactions, ids)).values()) {
      const { transactionId, appId, purchasedAt, quantity, money } = doc;
      charged.set(transactionId, { appId, purchasedAt, quantity, money, moves: moneyMovesOf(doc) });
    }
    for (const entry of page)
      found.add(entry, charged, entry.orderId === null ? periods.finance_detail : periods.earnings);
    await sources.slice();
  }
  return found.days();
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
  const ours = await chargesIn(sources, projectId, storeOfReport('earnings'), period);
  await addChargesNamed(sources, projectId, orderIdsIn(reports), ours);
  await addChargesNamed(sources, projectId, itemIdsIn(reports, ours), ours);
  const elsewhere = new Map<string, string>();
  for (const near of ours.size === 0 ? [] : ORDER_NEIGHBOURS.map((count) => addMonths(month, count))) {
    for (const { lines } of await readLines(sources, request, 'earnings', near)) {
      const kindOf = await inSlices(sources, orderKindsIn(lines));
      for (const [i, line] of lines.entries()) {
        if (line.orderId !== null) elsewhere.set(orderKey(kindOf(line), line.orderId), near);
        if (i % STEPS_PER_SLICE === 0) await sources.slice();
      }
    }
  }
  const found = await readModels.scan(apps, { index: 'project', eq: [projectId], limit: 1000 });
  const byPackage = new Map(found.rows.map(({ doc }) => [doc.storeIdentifier, doc.appId]));
  const hasReport = reports.length > 0;
  const books = { period, today, hasReport, reports, ours, apps: byPackage, elsewhere };
  return inSlices(sources, matchOrders(books));
}

function* orderIdsIn(reports: ReportLines<'earnings'>): Generator<string> {
  for (const { lines } of reports) for (const { orderId } of lines) if (orderId !== null) yield orderId;
}

/** Transactions of single items, of the orders whose own transaction is not there or of another product. */
function* itemIdsIn(reports: ReportLines<'earnings'>, ours: ReadonlyMap<string, OurCharge>): Generator<string> {
  for (const { lines } of reports) {
    for (const { orderId, sku } of lines) {
      const whole = orderId === null ? undefined : ours.get(orderId);
      if (orderId !== null && sku !== null && !(whole && isOfProduct(whole, sku))) yield `${orderId}#${sku}`;
    }
  }
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
  let earliest = addDays(period.startDate, -NEAR_DAYS);
  for (const { lines } of reports) for (const { day } of lines) if (day < earliest) earliest = day;
  const limit = addDays(period.startDate, -SETTLED_WITHIN_DAYS);
  const wide = { startDate: earliest < limit ? limit : earliest, endDate: addDays(period.endDate, NEAR_DAYS) };
  const found = await chargesIn(sources, projectId, storeOfReport('finance_detail'), wide);
  const before = await readLines(sources, request, 'finance_detail', addMonths(month, -1));
  const after = await readLines(sources, request, 'finance_detail', addMonths(month, 1));
  const sold = new Map<string, string>();
  const listed = await readModels.scan(products, { index: 'project', eq: [projectId], limit: MAX_PRODUCTS });
  for (const { doc } of listed.rows) sold.set(doc.storeProductId, doc.appId);
  for (const { sku, appId } of found.values()) sold.set(sku, appId);
  const hasReport = reports.length > 0;
  const ours = [...found.values()];
  const books = { period, today, hasReport, reports, neighbours: [...before, ...after], ours, apps: sold };
  return inSlices(sources, matchGroups(books));
}

/** Steps of some μs between two slices. */
const STEPS_PER_SLICE = 200;

/** Does the work, while requests of others come between. */
export async function inSlices<T>({ slice }: Pick<MonthSources, 'slice'>, steps: Steps<T>): Promise<T> {
  for (let count = 1; ; count++) {
    const step = steps.next();
    if (step.done) return step.value;
    if (count % STEPS_PER_SLICE === 0) await slice();
  }
}

type LineOf<K extends ReportKind> = Extract<ReportLine, { readonly kind: K }>;

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
