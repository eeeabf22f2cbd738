// The sums behind one result, added up customer by customer.
import { ageResult, renewalResult, seriesResult, emptyRow, unitOf, type ChartResult, type Row } from './result.js';
import type { CohortChart, SeriesChart } from '../catalogue/chart.js';
import { renewalsOf, worthByAge, type Member } from './cohorts.js';
import {
  contributeCustomer,
  contributeMoney,
  contributeOutcomes,
  contributeStatus,
  contributeStays,
  firstCharge,
  type Emit,
} from '../contribution.js';
import { bucketAt, createBucketSums, type BucketSums } from './buckets.js';
import type { KnownHistory, LiveLine } from '../history/known-history.js';
import type { ChartQuery } from '../catalogue/chart-query.js';

/** `sign` -1 takes off what was added. */
export type PartialSums = {
  add(history: KnownHistory, lines: readonly LiveLine[], sign: 1 | -1): void;
  addAll(other: PartialSums): void;
  result(): ChartResult;
};

export function createPartialSums(q: ChartQuery): PartialSums {
  const { chart } = q;
  return chart.kind === 'series' ? seriesSums(q, chart) : cohortSums(q, chart);
}

type SeriesSums = PartialSums & { readonly bucketSums: BucketSums };

function seriesSums({ range, selectors }: ChartQuery, chart: SeriesChart): SeriesSums {
  const bucketSums = createBucketSums(range);
  const emitter = (sign: 1 | -1): Emit => emitInto(bucketSums, range.asOf, sign);
  const emitters = { '1': emitter(1), '-1': emitter(-1) };
  return {
    bucketSums,
    add: (history, lines, sign) => contributeTo(chart, { range, selectors }, history, lines, emitters[sign]),
    addAll: (other) => bucketSums.addAll((other as SeriesSums).bucketSums),
    result: () => seriesResult(chart, selectors, range, bucketSums),
  };
}

/** What is not there yet at `asOf` is left out; an outcome that time has not brought yet is pending. */
export function emitInto(bucketSums: Pick<BucketSums, 'add'>, asOf: number, sign: 1 | -1 = 1): Emit {
  return (measure, at, value, effective = at) => {
    if (at >= asOf) return;
    bucketSums.add(effective >= asOf ? 'outcome.pending' : measure, at, sign * value);
  };
}

/** What a customer adds to the sums of a chart, as its history and these of its purchases are. */
export function contributeTo(
  { needs }: SeriesChart,
  { range, selectors }: Pick<ChartQuery, 'range' | 'selectors'>,
  history: KnownHistory,
  lines: readonly LiveLine[],
  emit: Emit,
): void {
  if (needs === 'activity') {
    const buckets = new Set(history.active.map((at) => bucketAt(range, at) ?? -1));
    for (const b of buckets) if (b >= 0) emit('customers.active', range.buckets[b]?.start ?? 0, 1);
  } else if (needs === 'customers') {
    contributeCustomer(history, lines, selectors, emit);
  } else {
    const first = needs === 'money' ? firstCharge(history.lines) : null;
    for (const line of lines) {
      if (needs === 'stays') contributeStays(line, selectors, emit);
      else if (needs === 'status') contributeStatus(line, selectors, emit);
      else if (needs === 'money') contributeMoney(line, first, emit);
      else contributeOutcomes(line, emit);
    }
  }
}

type CohortSums = PartialSums & { readonly rows: Row[] };

function cohortSums({ range, selectors, chart }: ChartQuery, { of }: CohortChart): CohortSums {
  const rows = range.buckets.map(emptyRow);
  const { productDuration } = selectors;
  return {
    rows,
    add: (history, lines, sign) => {
      for (const { at, columns } of membersOf({ of }, { range, selectors }, history, lines)) {
        const row = rows[bucketAt(range, at) ?? -1];
        if (row) addMember(row, at, columns, sign);
      }
    },
    addAll: (other) => {
      for (const [i, theirs] of (other as CohortSums).rows.entries()) addRow(rows[i], theirs);
    },
    result: () =>
      of === 'subscriptions'
        ? renewalResult(range, productDuration, rows)
        : ageResult(range, selectors, unitOf(chart, selectors), rows),
  };
}

/** What a customer adds to the rows of a chart of cohorts: renewals that were paid as 1, else 0. */
export function membersOf(
  { of }: Pick<CohortChart, 'of'>,
  { range: { interval, asOf }, selectors }: Pick<ChartQuery, 'range' | 'selectors'>,
  history: KnownHistory,
  lines: readonly LiveLine[],
): readonly Member<number>[] {
  if (of === 'customers') {
    const member = worthByAge(history, lines, { ...selectors, interval, asOf });
    return member ? [member] : [];
  }
  return lines.flatMap((line) => {
    const member = renewalsOf(line, selectors.productDuration, asOf);
    return member ? [{ at: member.at, columns: member.columns.map((c) => Number(c.isRetained)) }] : [];
  });
}

function addMember(row: Row, at: number, columns: readonly number[], sign: 1 | -1): void {
  row.size += sign;
  row.earliest = Math.min(row.earliest, at);
  for (const [k, value] of columns.entries()) {
    row.eligible[k] = (row.eligible[k] ?? 0) + sign;
    row.sums[k] = (row.sums[k] ?? 0) + sign * value;
  }
}

function addRow(row: Row | undefined, other: Row): void {
  if (!row) return;
  row.size += other.size;
  row.earliest = Math.min(row.earliest, other.earliest);
  other.eligible.forEach((v, k) => (row.eligible[k] = (row.eligible[k] ?? 0) + v));
  other.sums.forEach((v, k) => (row.sums[k] = (row.sums[k] ?? 0) + v));
}
