// The entries of the ledger that a query needs, and those of them that are known at an instant, some thousand customers at a time: plain
// columns again, since a call for each of millions of entries would take more time than all else.
import type { Cells } from './dictionaries.js';
import type { LedgerColumns } from './ledger.js';

/** Of each cell the entries that are asked for: those of cell `n` lie from `ends[n]` to `ends[n + 1]`. */
export type Picked = {
  readonly ends: Int32Array;
  readonly slots: Int32Array;
  readonly values: Float64Array;
  readonly lags: Float64Array;
};

const PASSED_OVER = -1;

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
    slots: Int32Array.from(found, (i) => slotOf[cells.entries[i] ?? 0] ?? PASSED_OVER),
    values: Float64Array.from(found, (i) => cells.values[i] ?? 0),
    lags: Float64Array.from(found, (i) => cells.lags[i] ?? 0),
  };
}

/** Entries in the order of the customers and of their rows; all of a customer's are in one block. Good until the next block. */
export type Block = {
  readonly count: number;
  readonly customers: Int32Array;
  readonly slots: Int32Array;
  readonly at: Float64Array;
  readonly values: Float64Array;
  readonly attributes: Int32Array;
  readonly lags: Float64Array;
};

/** More than this and what one customer has. */
const BLOCK_SIZE = 8192;

/** Those of the entries in `slots` that are known at `asOf` and count before it. */
export function* blocksOf(
  { rows, cells, customerIds }: Pick<LedgerColumns, 'rows' | 'cells' | 'customerIds'>,
  slots: ReadonlyMap<number, number>,
  asOf: number,
): Generator<Block> {
  const picked = pick(cells, slots);
  const { columns, kinds, starts, ends } = rows;
  let block = emptyBlock(2 * BLOCK_SIZE);
  let count = 0;
  for (let customer = 0; customer < customerIds.length; customer++) {
    const end = ends[customer] ?? 0;
    for (let i = starts[customer] ?? 0; i < end; i++) {
      const kind = kinds[i] ?? 0;
      const last = picked.ends[kind + 1] ?? 0;
      const first = picked.ends[kind] ?? 0;
      if (first === last) continue;
      const at = columns.at[i] ?? 0;
      if ((columns.from[i] ?? 0) >= asOf || asOf > (columns.to[i] ?? 0) || at >= asOf) continue;
      if (count + last - first > block.at.length) block = grown(block);
      for (let entry = first; entry < last; entry++) {
        block.customers[count] = customer;
        block.slots[count] = picked.slots[entry] ?? PASSED_OVER;
        block.at[count] = at;
        block.values[count] = picked.values[entry] ?? 0;
        block.attributes[count] = columns.attributes[i] ?? 0;
        block.lags[count] = picked.lags[entry] ?? 0;
        count++;
      }
    }
    if (count < BLOCK_SIZE) continue;
    yield { ...block, count };
    count = 0;
  }
  if (count > 0) yield { ...block, count };
}

/** Where the entries of the customer end that has the one at `i`. */
export function endOfCustomer({ customers, count }: Block, i: number): number {
  const customer = customers[i];
  let end = i + 1;
  while (end < count && customers[end] === customer) end++;
  return end;
}

type Room = Omit<Block, 'count'>;

function emptyBlock(size: number): Room {
  return {
    customers: new Int32Array(size),
    slots: new Int32Array(size),
    at: new Float64Array(size),
    values: new Float64Array(size),
    attributes: new Int32Array(size),
    lags: new Float64Array(size),
  };
}

function grown(block: Room): Room {
  const larger = emptyBlock(2 * block.at.length);
  for (const name of ['customers', 'slots', 'at', 'values', 'attributes', 'lags'] as const)
    larger[name].set(block[name]);
  return larger;
}
