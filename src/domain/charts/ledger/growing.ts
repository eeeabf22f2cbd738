// Columns of numbers that grow: a few bytes for each number, and nothing for the collector of garbage to look at.

type Numbers = Float64Array | Int32Array;

export type Column<A extends Numbers = Numbers> = {
  /** Good until the next push; what lies at or behind the number of pushes is no value. */
  readonly values: () => A;
  push(value: number): void;
  /** Lets go of all but some slices, which then lie one behind the other. */
  keep(count: number, starts: Int32Array, ends: Int32Array): void;
};

export const float64Column = (): Column<Float64Array> => column((size) => new Float64Array(size));
export const int32Column = (): Column<Int32Array> => column((size) => new Int32Array(size));

const LEAST = 1024;

function column<A extends Numbers>(make: (size: number) => A): Column<A> {
  let values = make(LEAST);
  let length = 0;
  return {
    values: () => values,
    push: (value) => {
      if (length === values.length) {
        const grown = make(length + (length >> 1));
        grown.set(values);
        values = grown;
      }
      values[length++] = value;
    },
    keep: (count, starts, ends) => {
      let kept = 0;
      for (let i = 0; i < count; i++) kept += (ends[i] ?? 0) - (starts[i] ?? 0);
      const before = values;
      values = make(Math.max(LEAST, kept + (kept >> 2)));
      length = 0;
      for (let i = 0; i < count; i++) {
        values.set(before.subarray(starts[i], ends[i]), length);
        length += (ends[i] ?? 0) - (starts[i] ?? 0);
      }
    },
  };
}
