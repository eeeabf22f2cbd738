// Computes subscription retention from the sums: the due and the paid columns of each day's cohort.
import { createRenewalResults, emptyRow, type ChartResult, type Row } from '../../domain/charts/result/result.js';
import { addSpan, DAY_MS, spanOf, spansUntil, startOf, startOfDay, type Span } from '../../domain/charts/calendar.js';
import { renewalsOf } from '../../domain/charts/result/cohorts.js';
import { bucketAt, type BucketedRange } from '../../domain/charts/result/buckets.js';
import { knownHistoryOf } from '../../domain/charts/history/known-history.js';
import type { ChartQuery } from '../../domain/charts/catalogue/chart-query.js';
import { renewalScopeOf } from './sums/chart-sums.js';
import { cellsOf, changingCustomers, hourEnd } from './from-sums.js';
import { HOUR_MS, isoDay } from './sums/document-sums.js';
import { CALENDAR, lapseOf, MINUTE_MS, PAID, REVOKED, startOfCell, startsScopeOf } from './sums/renewal-accumulator.js';
import type { ChartDocuments } from './chart-documents.js';

export function areRenewalsSummed({ chart, filters, segment, selectors }: ChartQuery): boolean {
  const span = spanOf(selectors.productDuration);
  const isOfRenewals = chart.kind === 'cohort' && chart.of === 'subscriptions';
  return isOfRenewals && filters.size === 0 && segment === null && span !== null && span.months + span.days > 0;
}

/** Numbers of members; `running` are columns of members that lapse after the end of the current hour. */
type Cohort = {
  readonly byPayments: number[];
  readonly byCalendarFrom: number[];
  readonly revoked: number[];
  readonly running: number[];
};
type RenewalQuery = {
  readonly documents: ChartDocuments;
  readonly scope: string;
  readonly span: Span;
  readonly range: BucketedRange;
};
/** Day whose column due by the calendar is partly due by the end of the hour; `from` is on the day of the first payment. */
type PartialDay = { readonly from: number; readonly to: number };

export async function renewalsFromSums(
  documents: ChartDocuments,
  projectId: string,
  q: ChartQuery,
): Promise<ChartResult> {
  const { environment, range, selectors } = q;
  const { productDuration } = selectors;
  const { asOf } = range;
  const span = spanOf(productDuration) ?? { months: 1, days: 0 };
  const query = { documents, scope: renewalScopeOf(projectId, environment, span), span, range };
  const cohorts = await cohortsOf(query);
  await addRunning(query, cohorts);
  const rows = range.buckets.map(emptyRow);
  const rowAt = (day: number) => rows[bucketAt(range, day) ?? -1];
  const partials: PartialDay[] = [];
  for (const [day, cohort] of cohorts) {
    const row = rowAt(day);
    if (row) partials.push(...(await addDay(query, row, day, cohort)));
  }
  const changing = await changingCustomers(documents, projectId, asOf, asOf);
  const falling = new Set<string>();
  for (const { from, to } of partials) {
    for (const id of await documents.moments(projectId, 'first', from, to)) falling.add(id);
  }
  for (const { customerId } of changing) falling.delete(customerId);
  const customers = [...changing, ...(await documents.byIds([...falling]))];
  for (const customer of customers) {
    for (const [history, until, calendarUntil, sign] of [
      [knownHistoryOf(customer, environment), hourEnd(asOf), minuteEnd(asOf), -1],
      [knownHistoryOf(customer, environment, asOf), asOf, asOf, 1],
    ] as const) {
      for (const line of history?.lines ?? []) {
        const member = renewalsOf(line, productDuration, until, calendarUntil);
        const row = member && rowAt(startOfDay(member.at));
        if (row) addColumns(row, sign, member.columns.length, (k) => [sign, member.columns[k]?.isRetained ? sign : 0]);
      }
    }
  }
  for (const { eligible } of rows) while (eligible.at(-1) === 0) eligible.pop();
  return createRenewalResults(range, productDuration)(rows);
}

async function cohortsOf({ documents, scope, range }: RenewalQuery): Promise<Map<number, Cohort>> {
  const [from, to] = [isoDay(range.start).slice(0, 7), isoDay(Math.min(range.end, range.asOf) + DAY_MS)];
  const found = new Map<number, Cohort>();
  for (const { period, cells } of await documents.sums('cohorts', scope, from, to)) {
    const first = Date.parse(`${String(period)}-01`);
    for (const [place, cell, value] of cellsOf(cells)) {
      const day = first + (place - 1) * DAY_MS;
      const cohort = found.get(day) ?? { byPayments: [], byCalendarFrom: [], revoked: [], running: [] };
      found.set(day, cohort);
      const [kind, number] = [cell.charAt(0), Number(cell.slice(1))];
      if (kind === PAID) cohort.byPayments[number] = value;
      else if (kind === CALENDAR) cohort.byCalendarFrom[number] = value;
      else if (kind === REVOKED) cohort.revoked[number] = value;
    }
  }
  return found;
}

/** Adds members that lapse later. */
async function addRunning(
  { documents, scope, range }: RenewalQuery,
  cohorts: ReadonlyMap<number, Cohort>,
): Promise<void> {
  const today = startOfDay(range.asOf);
  const end = hourEnd(range.asOf);
  const add = (cell: string, value: number) => {
    const { day, payments, calendarFrom } = lapseOf(cell);
    const running = cohorts.get(Date.parse(day))?.running;
    for (let k = payments; running && k < calendarFrom; k++) running[k] = (running[k] ?? 0) + value;
  };
  for (const { period, cells } of await documents.sums(
    'months',
    scope,
    isoDay(startOf('month', today)).slice(0, 7),
    '~',
  )) {
    const first = Date.parse(`${String(period)}-01`);
    for (const [day, cell, value] of cellsOf(cells)) if (first + (day - 1) * DAY_MS > today) add(cell, value);
  }
  for (const { cells } of await documents.sums('hours', scope, isoDay(today), `${isoDay(today)}~`)) {
    for (const [hour, cell, value] of cellsOf(cells)) if (today + hour * HOUR_MS >= end) add(cell, value);
  }
}

function minuteEnd(at: number): number {
  return (Math.floor(at / MINUTE_MS) + 1) * MINUTE_MS;
}

/**
 * Adds the columns due by the end of the current hour; of those due by the calendar, by the end of the minute. Returns the days whose
 * columns may not be due by then.
 */
async function addDay(query: RenewalQuery, row: Row, day: number, c: Cohort): Promise<readonly PartialDay[]> {
  const { asOf } = query.range;
  const end = minuteEnd(asOf);
  /** The last column that is due by the calendar, for all members of the day or for those that began early enough on it. */
  const last = spansUntil(day, query.span, end - 1);
  const due = addSpan(day, query.span, last);
  const isPartial = due + DAY_MS > asOf && c.byCalendarFrom.some((n, from) => n > 0 && from <= last);
  const dueInPart = isPartial ? countDue(await startsOf(query, day), last, end - due) : 0;
  let [size, unpaid, calendar] = [0, 0, 0];
  for (const n of c.byPayments) size += n ?? 0;
  const columns = Math.max(c.byPayments.length, c.byCalendarFrom.length, last + 1);
  addColumns(row, size, columns, (k) => {
    unpaid += c.byPayments[k] ?? 0;
    calendar += c.byCalendarFrom[k] ?? 0;
    const paid = size - unpaid;
    const lapsed = unpaid - calendar - (c.running[k] ?? 0);
    const due = k > last ? 0 : k === last && isPartial ? dueInPart : calendar;
    return [paid + lapsed + due, paid - (c.revoked[k] ?? 0)];
  });
  return isPartial ? [{ from: day + Math.max(0, asOf - due), to: day + end - due }] : [];
}

type StartGroup = { readonly after: number; readonly calendarFrom: number; readonly count: number };

/** Returns the day's members by the minute of their first payment, in ms after the start of the day. */
async function startsOf({ documents, scope }: RenewalQuery, day: number): Promise<readonly StartGroup[]> {
  const found: StartGroup[] = [];
  for (const { cells } of await documents.sums('hours', startsScopeOf(scope), isoDay(day), `${isoDay(day)}~`)) {
    for (const [hour, cell, count] of cellsOf(cells)) {
      const { minute, calendarFrom } = startOfCell(cell);
      found.push({ after: hour * HOUR_MS + minute * MINUTE_MS, calendarFrom, count });
    }
  }
  return found;
}

function countDue(starts: readonly StartGroup[], column: number, before: number): number {
  let due = 0;
  for (const { after, calendarFrom, count } of starts) if (calendarFrom <= column && after < before) due += count;
  return due;
}

function addColumns(row: Row, size: number, count: number, of: (k: number) => readonly [number, number]): void {
  row.size += size;
  for (let k = 0; k < count; k++) {
    const [eligible, retained] = of(k);
    row.eligible[k] = (row.eligible[k] ?? 0) + eligible;
    row.sums[k] = (row.sums[k] ?? 0) + retained;
  }
}
