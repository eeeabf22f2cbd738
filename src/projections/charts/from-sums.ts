// Reads measures from the sums, which contain what is known up to the end of the current hour. A customer for whom something begins or ends
// between the instant of the query and that end is removed and added again as of that instant.
import { DAY_MS, startOf, startOfDay } from '../../domain/charts/calendar.js';
import type { ChartQuery } from '../../domain/charts/catalogue/chart-query.js';
import { defaultSelectors, type CohortChart } from '../../domain/charts/catalogue/chart.js';
import type { Emit } from '../../domain/charts/contribution.js';
import { knownHistoryOf, type Environment } from '../../domain/charts/history/known-history.js';
import { measures, type Measure } from '../../domain/charts/measures.js';
import { type BucketedRange, type BucketSums, bucketAt } from '../../domain/charts/result/buckets.js';
import { ageOf, type Member } from '../../domain/charts/result/cohorts.js';
import { emitInto } from '../../domain/charts/result/contributions.js';
import { ageResult, unitOf, type ChartResult } from '../../domain/charts/result/result.js';
import type { SumDoc, SumCells } from '../runtime/projection.js';
import type { ChartDocuments } from './chart-documents.js';
import type { CustomerHistoryDoc } from './customer-histories.js';
import { scopeOf, cohortScopeOf } from './sums/chart-sums.js';
import { memberOf, SIZE_CELL } from './sums/cohort-accumulator.js';
import { contribute, type MeasureGroup } from './sums/contribute.js';
import { HOUR_MS, isoDay } from './sums/document-sums.js';

/** Returns the end of the hour that contains the instant. UTC ms. */
export function hourEnd(at: number): number {
  return (Math.floor(at / HOUR_MS) + 1) * HOUR_MS;
}

/** Yields cells by place and name: their keys are two digits, then the name. */
export function* cellsOf(cells: SumDoc['cells']): Generator<[place: number, name: string, value: number]> {
  for (const [cell, value] of Object.entries(cells)) yield [Number(cell.slice(0, 2)), cell.slice(2), value];
}

/** Yields cells by place and measure: a build writes no other names, and other names are of another version. */
function* measureCellsOf(cells: SumDoc['cells']): Generator<[place: number, measure: Measure, value: number]> {
  for (const [place, name, value] of cellsOf(cells)) yield [place, name as Measure, value];
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
    for (const [month, measure, value] of measureCellsOf(cells))
      if (month <= months) bucketSums.addTo(measure, -1, value);
  }
  for (const { period, cells } of months) {
    const first = Date.parse(`${String(period)}-01`);
    for (const [day, measure, value] of measureCellsOf(cells)) {
      const at = first + (day - 1) * DAY_MS;
      if (at <= today) bucketSums.add(measure, at, value);
    }
  }
  for (const { cells } of hours) {
    for (const [hour, measure, value] of measureCellsOf(cells)) {
      if (today + hour * HOUR_MS >= end) bucketSums.add(measure, today, -value);
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
  const [turning, early] = await Promise.all([
    documents.moments(projectId, 'turn', at, hourEnd(at)),
    documents.moments(projectId, 'ahead', asOf, Number.MAX_SAFE_INTEGER),
  ]);
  return documents.byIds([...new Set([...turning, ...early])]);
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
    const days = [...measureCellsOf(cells)].flatMap(([day, measure, value]) => {
      return measure === 'customers.new' && value > 0 ? [day] : [];
    });
    if (days.length > 0) return Date.parse(`${String(period)}-01`) + (Math.min(...days) - 1) * DAY_MS;
  }
  return Infinity;
}

/** Returns whether the sums contain the query: money of all new customers, by first day, cumulative or not. */
export function isCohortSummed(q: ChartQuery): q is ChartQuery & { readonly chart: CohortChart } {
  const { chart, selectors } = q;
  if (chart.kind !== 'cohort' || chart.of !== 'customers' || q.conversion) return false;
  if (q.filters.size > 0 || q.segment !== null) return false;
  const isOfNew =
    selectors.cohort === defaultSelectors.cohort && selectors.revenueType === defaultSelectors.revenueType;
  return isOfNew && selectors.cohortMeasure !== 'retained_subscriptions';
}

export async function cohortsFromSums(
  documents: ChartDocuments,
  projectId: string,
  { chart, environment, range, selectors }: ChartQuery & { readonly chart: CohortChart },
): Promise<ChartResult> {
  const { interval, asOf } = range;
  const rows = range.buckets.map(({ start }) => rowFrom(start, range));
  const sizes = new Map<number, number>();
  const grow = (day: number, size: number) => sizes.set(day, (sizes.get(day) ?? 0) + size);
  const put = (member: Member<number> | null, sign: 1 | -1): void => {
    if (!member) return;
    const day = startOfDay(member.at);
    const row = rows[bucketAt(range, day) ?? -1];
    if (!row) return;
    grow(day, sign);
    for (const [k, value] of member.columns.entries()) row.sums[k] = (row.sums[k] ?? 0) + sign * value;
  };
  const [from, to] = [isoDay(range.start), isoDay(Math.min(range.end, asOf) + DAY_MS)];
  const scope = cohortScopeOf(projectId, environment, interval);
  for (const { period, cells } of await documents.sums('cohorts', scope, from, to)) {
    const day = Date.parse(String(period));
    const row = rows[bucketAt(range, day) ?? -1];
    if (!row) continue;
    grow(day, cells[SIZE_CELL] ?? 0);
    addCells(row.sums, cells);
  }
  // The sums also contain what takes effect later: each customer with such events is removed and added again as of now.
  for (const customer of await documents.byIds(
    await documents.moments(projectId, 'ahead', asOf, Number.MAX_SAFE_INTEGER),
  )) {
    const [whole, now] = [knownHistoryOf(customer, environment), knownHistoryOf(customer, environment, asOf)];
    if (whole) put(memberOf(whole, interval), -1);
    if (now) put(memberOf(now, interval, asOf), 1);
  }
  for (const [day, size] of sizes) {
    const row = rows[bucketAt(range, day) ?? -1];
    if (!row || size === 0) continue;
    row.size += size;
    row.earliest = Math.min(row.earliest, day);
  }
  return ageResult(range, selectors, unitOf(chart, selectors), rows);
}

/** Creates a row with the columns that a customer first seen at `start` has by now; later values are dropped. */
function rowFrom(start: number, { interval, asOf }: BucketedRange) {
  const columns = ageOf(interval, startOfDay(start), asOf) + 1;
  return { size: 0, earliest: Infinity, sums: new Float64Array(columns) };
}

/** Threshold of columns per value above which cells are read by name instead of by number: listing the names takes the most time. */
const SPARSE = 4;

function addCells(sums: Float64Array, cells: SumCells): void {
  const add = (k: number, value: number | undefined) => {
    if (value !== undefined && k < sums.length) sums[k] = (sums[k] ?? 0) + value;
  };
  const names = Object.keys(cells);
  if (names.length * SPARSE < sums.length) for (const name of names) add(Number(name), cells[name]);
  else for (let k = 0; k < sums.length; k++) add(k, cells[k]);
}
