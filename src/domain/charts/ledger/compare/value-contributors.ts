// Drilldown of one value of a chart: the contribution of each customer, rounded as in a result.
import type { SeriesChart } from '../../catalogue/chart.js';
import type { ChartQuery } from '../../catalogue/chart-query.js';
import { displayValue, type Unit } from '../../catalogue/display-values.js';
import { measureWeightsOf, timesIn, type SumName } from '../../compare/measure-weights.js';
import type { Measure } from '../../measures.js';
import { unitOf } from '../../result/result.js';
import type { LedgerColumns } from '../ledger.js';
import { createWindow, type EmitContribution } from './comparison-window.js';
import { KNOWLEDGE_STEP, type Reader, type Rows } from './ledger-changes.js';
import { withReader } from './compare-ledgers.js';

export type CustomerShare = { readonly customerId: string; readonly value: number };

/**
 * Returns the customers whose own result of the query is not zero in the first bucket, unordered. For cohorts, the value is that of the
 * column in the first row; `size` has only column 0.
 */
export function findContributors(
  ledger: LedgerColumns,
  query: ChartQuery,
  { measure, column = 0 }: { readonly measure: string; readonly column?: number | undefined },
): readonly CustomerShare[] {
  const q = { ...query, segment: null };
  const between = createWindow({ ledger, q }, { ledger, q }, null);
  const { last, until } = between;
  const { chart } = q;
  return withReader(between, <G extends Rows>(reader: Reader<G>) => {
    const found: CustomerShare[] = [];
    const gather = reader.gathererOf(ledger, 'nothing');
    const value =
      chart.kind === 'cohort'
        ? createCellValue({ ...q, chart }, reader.sums, measure, column)
        : createBucketValue({ ...q, chart }, reader.sums as readonly Measure[], measure);
    for (const [place, customerId] of ledger.customerIds.entries()) {
      const entries = gather(place);
      if (entries.count === 0) continue;
      reader.state(last, entries, until - KNOWLEDGE_STEP, until, value.put);
      const own = value.take();
      if (own !== 0) found.push({ customerId, value: own });
    }
    return found;
  });
}

type CustomerValue = {
  readonly put: EmitContribution;
  /** Returns the sum of the contributions since the last call, rounded. */
  take(): number;
};

/** Adds up the contributions of one customer to the first bucket of a series. */
function createBucketValue(
  { chart, selectors }: ChartQuery & { readonly chart: SeriesChart },
  sums: readonly Measure[],
  measure: string,
): CustomerValue {
  const numbers = new Map(sums.map((sum, i) => [sum, i]));
  /** Sums before the bucket and within it, by number of the sum. */
  const before = new Float64Array(sums.length);
  const flows = new Float64Array(sums.length);
  let isTouched = false;
  const of = (values: Float64Array) => (sum: Measure) => values[numbers.get(sum) ?? -1] ?? 0;
  const own = { flow: of(flows), before: of(before), stock: (sum: Measure) => of(before)(sum) + of(flows)(sum) };
  const valueOf = (): number => {
    const visibleMeasure = chart.measures.find((m) => m.id === measure);
    const unit: Unit = unitOf(chart, selectors, visibleMeasure?.unit);
    return displayValue(chart.values(own, selectors)[measure] ?? 0, unit) ?? 0;
  };
  return {
    put: (_part: number, sum: number, track: number, from: number, _to: number, value: number): void => {
      if (track > 0 || from > 0) return;
      const values = from < 0 ? before : flows;
      values[sum] = (values[sum] ?? 0) + value;
      isTouched = true;
    },
    take: (): number => {
      if (!isTouched) return 0;
      const value = valueOf();
      before.fill(0);
      flows.fill(0);
      isTouched = false;
      return value;
    },
  };
}

/** Adds up the contributions of one customer to a cell of the first cohort. */
function createCellValue(
  { chart, selectors }: ChartQuery,
  sums: readonly SumName[],
  measure: string,
  column: number,
): CustomerValue {
  const form = measureWeightsOf(chart, selectors).find(({ id }) => id === measure)?.form;
  const weights = sums.map((sum) => form?.get(sum));
  const own = chart.measures.find(({ id }) => id === measure)?.unit;
  const unit: Unit = own === undefined ? 'count' : unitOf(chart, selectors, own);
  let total = 0;
  return {
    put: (_part, sum, track, from, to, value) => {
      const weight = weights[sum];
      if (track > 0 || !weight) return;
      for (let at = from; at < to && at <= column; at++) total += timesIn(weight, at, column) * value;
    },
    take: () => {
      const visibleTotal = displayValue(total, unit) ?? 0;
      total = 0;
      return visibleTotal;
    },
  };
}
