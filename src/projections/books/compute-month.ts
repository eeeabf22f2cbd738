// Computes a month of the books: the lines of its reports and of its neighbours', compared with the charges that were recorded.
import { isAbsentFor, type Absence } from '../../domain/books/absences.js';
import type { BookEntry, OurCharge } from '../../domain/books/entries.js';
import { NEAR_DAYS } from '../../domain/books/group-units.js';
import { isEstimate } from '../../domain/books/counted-reports.js';
import type { GroupLine, OrderLine, ReportKind } from '../../domain/books/lines.js';
import { matchGroups } from '../../domain/books/match-groups.js';
import { isOfProduct, matchOrders, orderKey, orderOf } from '../../domain/books/match-orders.js';
import type { Payment } from '../../domain/books/payments.js';
import { paidSums, tablesOf, type BookTable, type PaidSum } from '../../domain/books/month-table.js';
import { orderKindsIn } from '../../domain/books/reversals.js';
import { addDays, addMonths, daysOfMonth, type DayRange } from '../../domain/books/report-values.js';
import {
  createSettledDays,
  type ChargedTransaction,
  type SettledCohort,
  type SettledDay,
  type SettledDays,
} from '../../domain/books/settled-days.js';
import type { Steps } from '../../domain/books/steps.js';
import { storeOfReport } from '../../domain/store-kinds.js';
import { products } from '../models/catalogue.js';
import { apps } from '../models/projects.js';
import { moneyMovesOf } from '../models/transaction-money.js';
import { transactionDocId, transactions, type TransactionDoc } from '../models/transactions.js';
import type { ListedReport, MonthRequest, MonthSources } from './month-sources.js';
import {
  fiscalCalendar,
  fiscalDays,
  groupLinesOf,
  orderLinesOf,
  paymentsOf,
  type MonthLines,
  ORDER_NEIGHBOURS,
} from './month-lines.js';
import { addChargesNamed, chargesIn } from './our-charges.js';
import { nameUncollected } from './uncollected.js';

export type BooksMonth = {
  readonly month: string;
  /** Days of the month as each store counts them, by the kind of report that states them. */
  readonly periods: Readonly<Record<(typeof periodKinds)[number], DayRange>>;
  readonly reports: readonly ListedReport[];
  /** Reports that will not come. Omitted in months that an earlier version stored. */
  readonly absences?: readonly Absence[];
  readonly entries: readonly BookEntry[];
  readonly tables: readonly BookTable[];
  readonly paid: readonly (PaidSum & { readonly kind: ReportKind })[];
  readonly payments: readonly Payment[];
  readonly settled: readonly SettledDay[];
  /** The same by the days on which the customers were first seen. */
  readonly settledCohorts: readonly SettledCohort[];
  /**
   * True if the month has ended, none of its purchases waits for a report, and the reports that count state what is settled, unless those
   * that would were declared absent.
   */
  readonly isComplete: boolean;
};

export const periodKinds = ['earnings', 'finance_detail'] as const;

/** A catalogue has hundreds of products; one beyond this number counts once it was sold. */
const MAX_PRODUCTS = 5000;
/** Days after a sale within which the ios-store settles it. */
const SETTLED_WITHIN_DAYS = 62;

export async function computeMonth(sources: MonthSources, request: MonthRequest): Promise<BooksMonth> {
  const { month, reports, absences } = request;
  const periods = { earnings: daysOfMonth(month), finance_detail: fiscalDays(month, reports) };
  const ofMonth = reports.filter((doc) => doc.month === month);
  const ofOrders = await orderLinesOf(sources, request, month);
  const ofGroups = await groupLinesOf(sources, request, month);
  const orders = await orderEntries(sources, request, periods.earnings, ofOrders);
  const groups = await groupEntries(sources, request, periods.finance_detail, ofGroups);
  const entries = await nameUncollected(sources, request.projectId, orders.concat(groups));
  const paid = new Map<string, PaidSum & { readonly kind: ReportKind }>();
  for (const { account, lines } of [...ofOrders, ...ofGroups]) {
    const kind = lines[0]?.kind;
    if (kind === undefined || isEstimate(kind)) continue;
    const sums = await inSlices(sources, paidSums(account, lines));
    for (const sum of sums) {
      const key = [kind, account, sum.currency, sum.type].join('|');
      const { lines: count, micros } = paid.get(key) ?? { lines: 0, micros: 0 };
      paid.set(key, { ...sum, kind, lines: count + sum.lines, micros: micros + sum.micros });
    }
  }
  const payments = await paymentsOf(sources, request, month);
  const sums = await settledIn(sources, request, entries, periods);
  const isSettled = ofMonth.every(
    ({ isCounted, kind, store }) => !isCounted || !isEstimate(kind) || isAbsentFor(absences, store, null),
  );
  const hasEnded = Object.values(periods).every(({ endDate }) => endDate < request.today);
  const waits = entries.some(({ cause }) => cause === 'awaiting_report');
  const isComplete = hasEnded && isSettled && entries.length > 0 && !waits;
  const tables = await inSlices(sources, tablesOf(entries));
  const [settled, settledCohorts] = [sums.days(), sums.cohorts()];
  const found = { entries, tables, paid: [...paid.values()], payments, settled, settledCohorts, isComplete };
  return { month, periods, reports: ofMonth, absences, ...found };
}

/** Sums what was settled, in US dollars. */
async function settledIn(
  sources: MonthSources,
  { projectId }: MonthRequest,
  entries: readonly BookEntry[],
  periods: BooksMonth['periods'],
): Promise<SettledDays> {
  const found = createSettledDays(await sources.rates());
  const reported = entries.filter(({ store, transactionIds }) => store !== null && transactionIds.length > 0);
  for (let at = 0; at < reported.length; at += STEPS_PER_SLICE) {
    const page = reported.slice(at, at + STEPS_PER_SLICE);
    const ids = page.flatMap(({ transactionIds }) => transactionIds.map((id) => transactionDocId(projectId, id)));
    const charged = new Map<string, ChargedTransaction>();
    const docs = [...(await sources.readModels.getMany(transactions, ids)).values()];
    const firstSeen = await sources.firstSeenDays?.([...new Set(docs.map(payerOf))]);
    for (const doc of docs) {
      const { transactionId, appId, purchasedAt, quantity, money } = doc;
      const firstSeenDay = firstSeen?.get(payerOf(doc));
      const about = { appId, purchasedAt, quantity, money, moves: moneyMovesOf(doc) };
      charged.set(transactionId, firstSeenDay === undefined ? about : { ...about, firstSeenDay });
    }
    for (const entry of page)
      found.add(entry, charged, entry.orderId === null ? periods.finance_detail : periods.earnings);
    await sources.slice();
  }
  return found;
}

function payerOf({ customerId, paidBy = customerId }: TransactionDoc): string {
  return paidBy;
}

async function orderEntries(
  sources: MonthSources,
  request: MonthRequest,
  period: DayRange,
  reports: MonthLines<OrderLine>,
): Promise<readonly BookEntry[]> {
  const { readModels } = sources;
  const { projectId, month, today } = request;
  const ours = await chargesIn(sources, projectId, storeOfReport('earnings'), period);
  await addChargesNamed(sources, projectId, orderIdsIn(reports), ours);
  await addChargesNamed(sources, projectId, itemIdsIn(reports, ours), ours);
  const elsewhere = new Map<string, string>();
  const orders = new Set([...ours.keys()].map(orderOf));
  for (const near of ours.size === 0 ? [] : ORDER_NEIGHBOURS.map((count) => addMonths(month, count))) {
    for (const { lines } of await orderLinesOf(sources, request, near)) {
      const kindOf = await inSlices(sources, orderKindsIn(lines));
      for (const [i, line] of lines.entries()) {
        if (line.orderId !== null && orders.has(line.orderId))
          elsewhere.set(orderKey(kindOf(line), line.orderId), near);
        if (i % STEPS_PER_SLICE === 0) await sources.slice();
      }
    }
  }
  const found = await readModels.scan(apps, { index: 'project', eq: [projectId], limit: 1000 });
  const byPackage = new Map(found.rows.map(({ doc }) => [doc.storeIdentifier, doc.appId]));
  // A sales report settles nothing: what it lacks waits for the earnings.
  const hasReport = reports.some(({ lines }) => lines[0]?.kind === 'earnings');
  const isAbsent = (country: string | null) => isAbsentFor(request.absences, storeOfReport('earnings'), country);
  const books = { period, today, hasReport, isAbsent, reports, ours, apps: byPackage, elsewhere };
  return inSlices(sources, matchOrders(books));
}

function* orderIdsIn(reports: MonthLines<OrderLine>): Generator<string> {
  for (const { lines } of reports) for (const { orderId } of lines) if (orderId !== null) yield orderId;
}

/** Transactions of single items, of the orders whose own transaction is not there or of another product. */
function* itemIdsIn(reports: MonthLines<OrderLine>, ours: ReadonlyMap<string, OurCharge>): Generator<string> {
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
  reports: MonthLines<GroupLine>,
): Promise<readonly BookEntry[]> {
  const { readModels } = sources;
  const { projectId, month, today } = request;
  // A sale that was settled late stands in the report with its own day, up to two months before.
  let earliest = addDays(period.startDate, -NEAR_DAYS);
  for (const { lines } of reports) for (const { day } of lines) if (day < earliest) earliest = day;
  const before = await groupLinesOf(sources, request, addMonths(month, -1));
  const after = await groupLinesOf(sources, request, addMonths(month, 1));
  const calendar = fiscalCalendar(month, request.reports);
  const limit = addDays(period.startDate, -SETTLED_WITHIN_DAYS);
  let wide = { startDate: earliest < limit ? limit : earliest, endDate: addDays(period.endDate, NEAR_DAYS) };
  // Lines of a whole month are compared with all sales of their month.
  if ([...reports, ...before, ...after].some(({ lines }) => lines[0]?.kind === 'financial'))
    wide = {
      startDate: minOf(wide.startDate, calendar.at(0)?.period.startDate),
      endDate: maxOf(wide.endDate, calendar.at(-1)?.period.endDate),
    };
  const found = await chargesIn(sources, projectId, storeOfReport('finance_detail'), wide);
  const sold = new Map<string, string>();
  const listed = await readModels.scan(products, { index: 'project', eq: [projectId], limit: MAX_PRODUCTS });
  for (const { doc } of listed.rows) sold.set(doc.storeProductId, doc.appId);
  for (const { sku, appId } of found.values()) sold.set(sku, appId);
  const hasReport = reports.length > 0;
  const ours = [...found.values()];
  const neighbours = [...before, ...after];
  const isAbsent = (country: string | null) => isAbsentFor(request.absences, storeOfReport('finance_detail'), country);
  const books = { month, calendar, period, today, hasReport, isAbsent, reports, neighbours, ours, apps: sold };
  return inSlices(sources, matchGroups(books));
}

function minOf(day: string, other: string | undefined): string {
  return other !== undefined && other < day ? other : day;
}

function maxOf(day: string, other: string | undefined): string {
  return other !== undefined && other > day ? other : day;
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
