// Lists the customers of one reason with their amounts.
import type { ChartQuery } from '../../../../src/domain/charts/catalogue/chart-query.js';
import type { CustomerHistory } from '../../../../src/domain/charts/history/history.js';
import { createCellReader, unpackCell, WHOLE } from '../../../../src/domain/charts/compare/cells.js';
import { changesBetween } from '../../../../src/domain/charts/compare/history-changes.js';
import { measureWeightsOf, timesIn } from '../../../../src/domain/charts/compare/measure-weights.js';
import type { ReasonPlace } from '../../../../src/domain/charts/compare/packed-reasons.js';

/** Unrounded; 0 for a customer that the reason is not about. `then` and `now` as for a comparison, without segments. */
export function createReasonReader(
  then: ChartQuery,
  now: ChartQuery,
  { kind, measure, track, index }: ReasonPlace,
): (then: CustomerHistory | undefined, now: CustomerHistory | undefined) => number {
  const { range } = then.range.asOf <= now.range.asOf ? now : then;
  const isSeries = now.chart.kind === 'series';
  const reader = createCellReader({ ...now, range }, isSeries ? index + 1 : track + 1);
  const between = changesBetween(then, now, reader);
  const form = measureWeightsOf(now.chart, now.selectors).find((f) => f.id === measure)?.form;
  return (thenCustomer, nowCustomer) => {
    let amount = 0;
    for (const change of between(thenCustomer, nowCustomer).changes) {
      if (change.kind !== kind) continue;
      for (const [key, value] of change.amounts) {
        const cell = unpackCell(key);
        const weight = form?.get(cell.sum);
        if (cell.part === WHOLE && cell.track === track && weight) amount += timesIn(weight, cell.index, index) * value;
      }
    }
    return amount;
  };
}
