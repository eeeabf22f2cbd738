// The sums behind one result, added up customer by customer.
import {
  ageResult,
  createRenewalResults,
  seriesResult,
  emptyRow,
  unitOf,
  type ChartResult,
  type Row,
} from '../../../../src/domain/charts/result/result.js';
import type { CohortChart, SeriesChart } from '../../../../src/domain/charts/catalogue/chart.js';
import type { Emit } from '../../../../src/domain/charts/contribution.js';
import { contributeTo, emitInto, membersOf } from '../../../../src/domain/charts/result/contributions.js';
import { bucketAt, createBucketSums, type BucketSums } from '../../../../src/domain/charts/result/buckets.js';
import type { KnownHistory, LiveLine } from '../../../../src/domain/charts/history/known-history.js';
import type { ChartQuery } from '../../../../src/domain/charts/catalogue/chart-query.js';

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
  const more = emitInto(bucketSums, range.asOf);
  const less: Emit = (measure, at, value, effective) => more(measure, at, -value, effective);
  return {
    bucketSums,
    add: (history, lines, sign) => contributeTo(chart, { range, selectors }, history, lines, sign === 1 ? more : less),
    addAll: (other) => bucketSums.addAll((other as SeriesSums).bucketSums),
    result: () => seriesResult(chart, selectors, range, bucketSums),
  };
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
        ? createRenewalResults(range, productDuration)(rows)
        : ageResult(range, selectors, unitOf(chart, selectors), rows),
  };
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
