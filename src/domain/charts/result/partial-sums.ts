// The sums behind one result, added up customer by customer.
import { ageResult, renewalResult, seriesResult, emptyRow, unitOf, type ChartResult, type Row } from './result.js';
import type { CohortChart, SeriesChart } from '../catalogue/chart.js';
import { renewalsOf, worthByAge } from './cohorts.js';
import {
  contributeCustomer,
  contributeMoney,
  contributeOutcomes,
  contributeStatus,
  contributeStays,
  firstCharge,
  type Emit,
} from '../contribution.js';
import { bucketAt, createBucketSums, type BucketedRange, type BucketSums } from './buckets.js';
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
    add: (history, lines, sign) => {
      const emit = emitters[sign];
      if (chart.needs === 'activity') {
        const buckets = new Set(history.active.map((at) => bucketAt(range, at)));
        for (const b of buckets) if (b !== undefined && b >= 0) bucketSums.addTo('customers.active', b, sign);
      } else if (chart.needs === 'customers') {
        contributeCustomer(history, lines, selectors, emit);
      } else {
        const first = chart.needs === 'money' ? firstCharge(history.lines) : null;
        for (const line of lines) {
          if (chart.needs === 'stays') contributeStays(line, selectors, emit);
          else if (chart.needs === 'status') contributeStatus(line, selectors, emit);
          else if (chart.needs === 'money') contributeMoney(line, first, emit);
          else contributeOutcomes(line, emit);
        }
      }
    },
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

type CohortSums = PartialSums & { readonly rows: Row[] };

function cohortSums({ range, selectors, chart }: ChartQuery, { of }: CohortChart): CohortSums {
  const rows = range.buckets.map(emptyRow);
  const { asOf, interval } = range;
  const { productDuration } = selectors;
  return {
    rows,
    add: (history, lines, sign) => {
      if (of === 'subscriptions') {
        for (const line of lines) {
          const member = renewalsOf(line, productDuration, asOf);
          const row = member && rowOf(range, rows, member.at);
          if (row)
            addMember(
              row,
              member.at,
              member.columns.map((c) => Number(c.isRetained)),
              sign,
            );
        }
        return;
      }
      const member = worthByAge(history, lines, { ...selectors, interval, asOf });
      const row = member && rowOf(range, rows, member.at);
      if (row) addMember(row, member.at, member.columns, sign);
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

function rowOf(range: BucketedRange, rows: readonly Row[], at: number): Row | undefined {
  const bucket = bucketAt(range, at);
  return bucket === undefined ? undefined : rows[bucket];
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
