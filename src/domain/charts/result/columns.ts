// The columns of a cohort's row, packed: by day a chart has a million of them, too many to make an object of each.
import { partsOf, type Unit } from '../catalogue/display-values.js';

/** Columns from 0 on. The first `complete` of them are so, the others are not. */
export type Columns = {
  readonly count: number;
  readonly complete: number;
  readonly series: readonly ColumnSeries[];
};

/** One value of every column, in parts of one (see {@link partsOf}); NaN where there is none. */
export type ColumnSeries = { readonly name: string; readonly parts: 1 | 100; readonly values: Float64Array };

export type ColumnResult = { readonly [name: string]: number | boolean | null };

export function columnSeries(name: string, unit: Unit, values: Float64Array): ColumnSeries {
  return { name, parts: partsOf(unit), values };
}

/** One by one, as results show them. */
export function unpackColumns({ count, complete, series }: Columns): readonly ColumnResult[] {
  return Array.from({ length: count }, (_, k) => {
    const shown = series.map(({ name, parts, values }) => {
      const value = values[k] ?? NaN;
      return [name, Number.isNaN(value) ? null : value / parts] as const;
    });
    return { index: k, ...Object.fromEntries(shown), incomplete: k >= complete };
  });
}
