// Serialized columns of a ledger by name, from which it is restored.
import type { Numbers } from './growable-column.js';

/** Version of the rows. Increment it when the same history leads to other rows: older snapshots are then ignored. */
export const ROWS_VERSION = 2;

/** Columns by name: table, dot, column. */
export type SerializedColumns = Readonly<Record<string, Numbers>>;

/** Thrown if serialized columns belong to a table of another format. */
export class ColumnMismatch extends Error {}

/**
 * Returns access to the columns of one table, which are empty if nothing was serialized. Throws {@link ColumnMismatch} if a column is missing
 * or has another type.
 */
export function columnsOfTable(columns: SerializedColumns, table: string) {
  const isEmpty = Object.keys(columns).length === 0;
  const find = (name: string): Numbers | undefined => {
    const found = columns[`${table}.${name}`];
    if (!found && !isEmpty) throw new ColumnMismatch(`${table} has no column ${name}`);
    return found;
  };
  return {
    float64: (name: string): Float64Array<ArrayBuffer> => {
      const found = find(name) ?? new Float64Array(0);
      if (found instanceof Float64Array) return found;
      throw new ColumnMismatch(`${table}.${name} has another type`);
    },
    int32: (name: string): Int32Array<ArrayBuffer> => {
      const found = find(name) ?? new Int32Array(0);
      if (found instanceof Int32Array) return found;
      throw new ColumnMismatch(`${table}.${name} has another type`);
    },
  };
}
