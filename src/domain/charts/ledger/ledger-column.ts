// Columns of numbers of a ledger, growable and serialized by name: a few bytes per number, and no work for the garbage collector.

export type Numbers = Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer>;

export type Column<A extends Numbers = Numbers> = {
  /** Returns the whole buffer, valid until the next push; elements after the pushed ones are no values. */
  readonly values: () => A;
  /** Returns the pushed values, valid until the next push. */
  readonly pushed: () => A;
  push(value: number): void;
  /** Keeps only the given slices, moved next to each other. */
  keep(count: number, starts: Int32Array, ends: Int32Array): void;
};

/** Creates a column that takes over `values` as if they had been pushed. */
export const float64Column = (values = new Float64Array(0)): Column<Float64Array<ArrayBuffer>> =>
  column(values, (size) => new Float64Array(size));
export const int32Column = (values = new Int32Array(0)): Column<Int32Array<ArrayBuffer>> =>
  column(values, (size) => new Int32Array(size));

const MIN_CAPACITY = 1024;

/** Large columns grow by an eighth to limit unused memory. */
const roomFor = (length: number) => Math.max(MIN_CAPACITY, length + (length >> (length < 100_000 ? 1 : 3)));

function column<A extends Numbers>(filled: A, make: (size: number) => A): Column<A> {
  let values = filled;
  let length = filled.length;
  return {
    values: () => values,
    pushed: () => values.subarray(0, length) as A,
    push: (value) => {
      if (length === values.length) {
        const grown = make(roomFor(length));
        grown.set(values);
        values = grown;
      }
      values[length++] = value;
    },
    keep: (count, starts, ends) => {
      let keptLength = 0;
      for (let i = 0; i < count; i++) keptLength += (ends[i] ?? 0) - (starts[i] ?? 0);
      const before = values;
      values = make(roomFor(keptLength));
      length = 0;
      for (let i = 0; i < count; i++) {
        values.set(before.subarray(starts[i], ends[i]), length);
        length += (ends[i] ?? 0) - (starts[i] ?? 0);
      }
    },
  };
}

/** Version of the rows. Increment it when the same history leads to other rows: older snapshots are then ignored. */
export const ROWS_VERSION = 2;

/** Columns by name: table, dot, column. */
export type SerializedColumns = Readonly<Record<string, Numbers>>;

/** Thrown if serialized columns belong to a table of another format. */
class ColumnMismatch extends Error {}

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
