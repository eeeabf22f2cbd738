// Filter of ledger entries by query, and of rows by instant. Readers iterate over the rows in place: a call for each of millions of
// entries, or a copy of them, would dominate the cost.
import type { Cells } from './dictionaries.js';
import type { LedgerColumns } from './ledger.js';

/** Selected entries of each cell: those of cell `n` are at `ends[n]` to before `ends[n + 1]`. */
export type SelectedEntries = {
  readonly ends: Int32Array;
  readonly slots: Int32Array;
  readonly values: Float64Array;
  readonly lags: Float64Array;
};

const NO_SLOT = -1;

/** Selects the entries that have a slot, by entry code. */
export function selectEntries(cells: Cells, slots: ReadonlyMap<number, number>): SelectedEntries {
  const slotOf = new Int32Array(Math.max(0, ...slots.keys()) + 1).fill(NO_SLOT);
  for (const [entry, slot] of slots) slotOf[entry] = slot;
  const ends = new Int32Array(cells.count + 1);
  const found: number[] = [];
  let entry = 0;
  for (let cell = 0; cell < cells.count; cell++) {
    const last = cells.ends[cell] ?? 0;
    for (; entry < last; entry++) {
      if ((slotOf[cells.entries[entry] ?? 0] ?? NO_SLOT) !== NO_SLOT) found.push(entry);
    }
    ends[cell + 1] = found.length;
  }
  return {
    ends,
    slots: Int32Array.from(found, (i) => slotOf[cells.entries[i] ?? 0] ?? NO_SLOT),
    values: Float64Array.from(found, (i) => cells.values[i] ?? 0),
    lags: Float64Array.from(found, (i) => cells.lags[i] ?? 0),
  };
}

/** Returns, by cell number, 1 if the cell has a selected entry with the slot. */
export function cellsWith({ ends, slots }: SelectedEntries, slot: number): Uint8Array {
  const has = new Uint8Array(ends.length - 1);
  for (let cell = 0; cell < has.length; cell++) {
    has[cell] = Number(slots.subarray(ends[cell], ends[cell + 1]).includes(slot));
  }
  return has;
}

/** Returns whether the row at `i` is known at `asOf` and counts before it. */
export function isKnown({ at, from, to }: LedgerColumns['rows']['columns'], i: number, asOf: number): boolean {
  return (from[i] ?? 0) < asOf && asOf <= (to[i] ?? 0) && (at[i] ?? 0) < asOf;
}
