// The entries of the ledger that a query needs, cell by cell, and the rows of a customer that count.
import { NOT } from './asked.js';
import type { Cells } from './dictionaries.js';
import type { Table } from './ledger.js';

/** Of each cell the entries that are asked for: those of cell `n` lie from `ends[n]` to `ends[n + 1]`. */
export type Picked = {
  readonly ends: Int32Array;
  readonly slots: Int32Array;
  readonly values: Float64Array;
  readonly lags: Float64Array;
};

const PASSED_OVER = NOT - 1;

/** `slots` by the number of the entry. */
export function pick(cells: Cells, slots: ReadonlyMap<number, number>): Picked {
  const slotOf = new Int32Array(Math.max(0, ...slots.keys()) + 1).fill(PASSED_OVER);
  for (const [entry, slot] of slots) slotOf[entry] = slot;
  const ends = new Int32Array(cells.count + 1);
  const found: number[] = [];
  let entry = 0;
  for (let cell = 0; cell < cells.count; cell++) {
    const last = cells.ends[cell] ?? 0;
    for (; entry < last; entry++) {
      if ((slotOf[cells.entries[entry] ?? 0] ?? PASSED_OVER) !== PASSED_OVER) found.push(entry);
    }
    ends[cell + 1] = found.length;
  }
  return {
    ends,
    slots: Int32Array.from(found, (i) => slotOf[cells.entries[i] ?? 0] ?? NOT),
    values: Float64Array.from(found, (i) => cells.values[i] ?? 0),
    lags: Float64Array.from(found, (i) => cells.lags[i] ?? 0),
  };
}

/** What one row adds to one slot. */
export type Visit = (slot: number, at: number, value: number, attributes: number, lag: number) => void;

/** Visits the picked entries of a customer that are known at `asOf`, in the order of its rows. */
export function createVisitor(
  { columns, kinds, starts, ends }: Table<never>,
  picked: Picked,
  asOf: number,
): (customer: number, visit: Visit) => void {
  const { at, from, to, attributes } = columns;
  return (customer, visit) => {
    const end = ends[customer] ?? 0;
    for (let i = starts[customer] ?? 0; i < end; i++) {
      const kind = kinds[i] ?? 0;
      const last = picked.ends[kind + 1] ?? 0;
      let entry = picked.ends[kind] ?? 0;
      if (entry === last || (from[i] ?? 0) >= asOf || asOf > (to[i] ?? 0)) continue;
      for (; entry < last; entry++) {
        const [slot, value, lag] = [picked.slots[entry] ?? NOT, picked.values[entry] ?? 0, picked.lags[entry] ?? 0];
        visit(slot, at[i] ?? 0, value, attributes[i] ?? 0, lag);
      }
    }
  };
}
