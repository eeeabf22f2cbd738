// Columns of a row that is given by its values.
import { columnSeries, type Columns } from '../../../src/domain/charts/result/columns.js';
import type { Unit } from '../../../src/domain/charts/catalogue/display-values.js';

type Series = readonly [name: string, unit: Unit, inParts: readonly number[]];

/** Other values lie before them, as those of other rows do. */
export function columnsOf(series: readonly Series[], complete: number): Columns {
  const others = [7, 7, 7];
  return {
    series: series.map(([name, unit]) => columnSeries(name, unit)),
    values: Float64Array.from([...others, ...series.flatMap(([, , inParts]) => inParts)]),
    count: series[0]?.[2].length ?? 0,
    complete,
    from: others.length,
  };
}
