// The columns of a cohort's row, packed: by day a chart has a million of them, too many to make an object or an array of each.
import { partsOf, type Unit } from '../catalogue/display-values.js';

/** What all rows of a result have in common: their values lie one behind the other, row by row and in each row series by series. */
export type ColumnSet = {
  readonly series: readonly ColumnSeries[];
  /** In parts of one (see {@link partsOf}); NaN where there is none. */
  readonly values: Float64Array<ArrayBuffer>;
};

/** One value of every column. */
export type ColumnSeries = { readonly name: string; readonly parts: 1 | 100 };

/** Columns from 0 on. The first `complete` of them are so, the others are not. `from`: where their values begin in those of all. */
export type Columns = ColumnSet & { readonly count: number; readonly complete: number; readonly from: number };

export type ColumnResult = { readonly [name: string]: number | boolean | null };

export function columnSeries(name: string, unit: Unit): ColumnSeries {
  return { name, parts: partsOf(unit) };
}

/** Where the values of the `i`th series begin. */
export function startOfSeries({ from, count }: Pick<Columns, 'from' | 'count'>, i: number): number {
  return from + i * count;
}

/** One by one, as results show them. */
export function unpackColumns(columns: Columns): readonly ColumnResult[] {
  const { count, complete, series, values } = columns;
  return Array.from({ length: count }, (_, k) => {
    const shown = series.map(({ name, parts }, i) => {
      const value = values[startOfSeries(columns, i) + k] ?? NaN;
      return [name, Number.isNaN(value) ? null : value / parts] as const;
    });
    return { index: k, ...Object.fromEntries(shown), incomplete: k >= complete };
  });
}
