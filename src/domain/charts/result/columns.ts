// Packed columns of cohort rows: by day, a chart has a million of them, too many for an object or an array each.
import { partsOf, type Unit } from '../catalogue/display-values.js';

/** Values of all rows of a result in sequence, row by row and in each row series by series. */
export type ColumnSet = {
  readonly series: readonly ColumnSeries[];
  /** Values in rounding steps (see {@link partsOf}); NaN for no value. */
  readonly values: Float64Array<ArrayBuffer>;
};

/** Series with one value per column. */
export type ColumnSeries = { readonly name: string; readonly parts: 1 | 100 };

/** Columns of a row from 0 on. The first `complete` columns are complete. `from` is the start of their values among all values. */
export type Columns = ColumnSet & { readonly count: number; readonly complete: number; readonly from: number };

export type ColumnResult = { readonly [name: string]: number | boolean | null };

export function columnSeries(name: string, unit: Unit): ColumnSeries {
  return { name, parts: partsOf(unit) };
}

/** Returns the start of the values of the `i`th series. */
export function startOfSeries({ from, count }: Pick<Columns, 'from' | 'count'>, i: number): number {
  return from + i * count;
}

/** Returns the columns as objects, with displayed values. */
export function unpackColumns(columns: Columns): readonly ColumnResult[] {
  const { count, complete, series, values } = columns;
  return Array.from({ length: count }, (_, k) => {
    const presented = series.map(({ name, parts }, i) => {
      const value = values[startOfSeries(columns, i) + k] ?? NaN;
      return [name, Number.isNaN(value) ? null : value / parts] as const;
    });
    return { index: k, ...Object.fromEntries(presented), incomplete: k >= complete };
  });
}
