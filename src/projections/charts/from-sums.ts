// Reads measures from the sums, which contain what is known up to the end of the current hour. A customer for whom something begins or ends
// between the instant of the query and that end is removed and added again as of that instant.
import { DAY_MS, startOf, startOfDay } from '../../domain/charts/calendar.js';
import type { Emit } from '../../domain/charts/contribution.js';
import { measures, type Measure } from '../../domain/charts/measures.js';
import type { BucketedRange, BucketSums } from '../../domain/charts/result/buckets.js';
import { knownHistoryOf, type Environment } from '../../domain/charts/history/known-history.js';
import { emitInto } from '../../domain/charts/result/contributions.js';
import type { SumDoc } from '../runtime/projection.js';
import { scopeOf } from './sums/chart-sums.js';
import { contribute, type MeasureGroup } from './sums/contribute.js';
import { HOUR_MS, isoDay } from './sums/document-sums.js';
import type { CustomerHistoryDoc } from './customer-histories.js';
import type { ChartDocuments } from './chart-documents.js';

/** Returns the end of the hour that contains the instant. UTC ms. */
export function hourEnd(at: number): number {
  return (Math.floor(at / HOUR_MS) + 1) * HOUR_MS;
}

/** Yields cells by place and name: their keys are two digits, then the name. */
export function* cellsOf(cells: SumDoc['cells']): Generator<[place: number, name: string, value: number]> {
  for (const [cell, value] of Object.entries(cells)) yield [Number(cell.slice(0, 2)), cell.slice(2), value];
}

/**
 * Adds everything before the end of the hour of `range.asOf`: years and months before the period, then its days, without the rest of the
 * last day.
 */
export async function addSums(
  documents: ChartDocuments,
  scope: string,
  range: BucketedRange,
  bucketSums: BucketSums,
): Promise<void> {
  const today = startOfDay(range.asOf);
  const end = hourEnd(range.asOf);
  const begins = startOf('month', Math.min(range.start, today));
  const [firstMonth, lastDay] = [isoDay(begins).slice(0, 7), isoDay(Math.min(range.end, today))];
  const [years, months, hours] = await Promise.all([
    documents.sums('years', scope, '', `${firstMonth.slice(0, 4)}~`),
    documents.sums('months', scope, firstMonth, lastDay),
    documents.sums('hours', scope, isoDay(today), `${isoDay(today)}~`),
  ]);
  for (const { period, cells } of years) {
    const months = monthsBetween(String(period), firstMonth);
    for (const [month, measure, value] of cellsOf(cells))
      if (month <= months) bucketSums.addTo(measure as Measure, -1, value);
  }
  for (const { period, cells } of months) {
    const first = Date.parse(`${String(period)}-01`);
    for (const [day, measure, value] of cellsOf(cells)) {
      const at = first + (day - 1) * DAY_MS;
      if (at <= today) bucketSums.add(measure as Measure, at, value);
    }
  }
  for (const { cells } of hours) {
    for (const [hour, measure, value] of cellsOf(cells)) {
      if (today + hour * HOUR_MS >= end) bucketSums.add(measure as Measure, today, -value);
    }
  }
}

/** Returns the number of months of the year before the month, `yyyy-mm`. */
function monthsBetween(year: string, month: string): number {
  return month.startsWith(year) ? Number(month.slice(5)) - 1 : 12;
}

/** Moves what lapses after the current hour back to pending. */
export async function movePending(
  documents: ChartDocuments,
  scope: string,
  asOf: number,
  bucketSums: BucketSums,
): Promise<void> {
  const end = hourEnd(asOf);
  for (const { period, cells } of await documents.sums('lapses', scope, isoDay(startOfDay(asOf)), '~')) {
    const day = Date.parse(String(period));
    for (const [hour, began, value] of cellsOf(cells)) {
      if (day + hour * HOUR_MS < end) continue;
      bucketSums.add('outcome.lapses', Date.parse(began), -value);
      bucketSums.add('outcome.pending', Date.parse(began), value);
    }
  }
}

/** Returns customers whose sums differ from their state at `at`, by what is known at `asOf`. */
export async function changingCustomers(
  documents: ChartDocuments,
  projectId: string,
  at: number,
  asOf: number,
): Promise<readonly CustomerHistoryDoc[]> {
  const [turning, ahead] = await Promise.all([
    documents.moments(projectId, 'turn', at, hourEnd(at)),
    documents.moments(projectId, 'ahead', asOf, Number.MAX_SAFE_INTEGER),
  ]);
  return documents.byIds([...new Set([...turning, ...ahead])]);
}

/** Removes what {@link addSums} added for these customers, and adds their state at `range.asOf`. */
export function correct(
  customers: readonly CustomerHistoryDoc[],
  group: MeasureGroup,
  environment: Environment,
  {
    range,
    bucketSums,
    asOf,
  }: { readonly range: BucketedRange; readonly bucketSums: BucketSums; readonly asOf: number },
): void {
  const exact = emitInto(bucketSums, range.asOf);
  const summed = emitSummed(range.asOf, bucketSums);
  for (const customer of customers) {
    const [whole, now] = [knownHistoryOf(customer, environment), knownHistoryOf(customer, environment, asOf)];
    if (whole) contribute(group, whole, summed);
    if (now) contribute(group, now, exact);
  }
}

function emitSummed(asOf: number, bucketSums: BucketSums): Emit {
  const today = startOfDay(asOf);
  const end = hourEnd(asOf);
  return (measure, at, value, effective) => {
    if (at >= (measures[measure].countsWithinDay ? end : today + DAY_MS)) return;
    const isPending = effective !== undefined && effective >= end;
    bucketSums.add(isPending ? 'outcome.pending' : measure, Math.min(at, today), -value);
  };
}

/** Returns the first day with data: UTC ms of the day on which the first customer was seen, or bought; Infinity without customers. */
export async function firstDay(
  documents: ChartDocuments,
  projectId: string,
  environment: Environment,
): Promise<number> {
  for (const { period, cells } of await documents.sums(
    'months',
    scopeOf(projectId, environment, 'customers'),
    '',
    '~',
  )) {
    const days = [...cellsOf(cells)].flatMap(([day, measure, value]) => {
      return measure === 'customers.new' && value > 0 ? [day] : [];
    });
    if (days.length > 0) return Date.parse(`${String(period)}-01`) + (Math.min(...days) - 1) * DAY_MS;
  }
  return Infinity;
}
