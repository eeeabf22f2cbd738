// Columns of a ledger by their names: what is kept of one, and from which it is made again.
import type { Numbers } from './growing.js';

/** Changes when rows of the same history become others: what was kept of a ledger before is not read any more. */
export const ROWS_VERSION = 2;

/** By their names: the table, a dot, the column. */
export type Columns = Readonly<Record<string, Numbers>>;

/** The parts were made from a table of other columns. */
export class OtherColumns extends Error {}

/** The columns of one table, empty where nothing was kept. They throw {@link OtherColumns} for one of another name or type. */
export function partsUnder(columns: Columns, table: string) {
  const isEmpty = Object.keys(columns).length === 0;
  const find = (name: string): Numbers | undefined => {
    const found = columns[`${table}.${name}`];
    if (!found && !isEmpty) throw new OtherColumns(`${table} has no column ${name}`);
    return found;
  };
  return {
    float64: (name: string): Float64Array<ArrayBuffer> => {
      const found = find(name) ?? new Float64Array(0);
      if (found instanceof Float64Array) return found;
      throw new OtherColumns(`${table}.${name} is of another type`);
    },
    int32: (name: string): Int32Array<ArrayBuffer> => {
      const found = find(name) ?? new Int32Array(0);
      if (found instanceof Int32Array) return found;
      throw new OtherColumns(`${table}.${name} is of another type`);
    },
  };
}
