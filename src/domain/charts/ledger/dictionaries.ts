// Dictionaries of values that ledger rows share, each stored once and referenced by number.
import type { RenewalStatus } from '../result/cohorts.js';
import type { Cell } from './customer/cells.js';
import { columnsOfTable, float64Column, int32Column, type SerializedColumns } from './ledger-column.js';
import type { Attributes } from './customer/rows.js';

/** Renewal status without its instants. */
export type RenewalKind = Omit<RenewalStatus, 'at' | 'lapsesAt'>;

export type NumberedItems<T> = { readonly all: readonly T[]; numberOf(item: T): number };

/** Creates the dictionary of attributes. `known` are those already numbered, in the order of their numbers. */
export function numberAttributes(known: readonly Attributes[] = []): NumberedItems<Attributes> {
  return numbered(known, ({ country, platform, about }) => {
    const purchase = about && [
      ...[about.store, about.appId, about.productId, about.storeProductId, about.productDuration],
      ...[about.offeringId, about.offerType, about.startReason, about.country],
    ];
    return JSON.stringify([country, platform, purchase]);
  });
}

export function numberRenewals(known: readonly RenewalKind[] = []): NumberedItems<RenewalKind> {
  return numbered(known, ({ span, payments, revoked, calendarFrom }) => {
    return `${span.months}|${span.days}|${payments}|${calendarFrom}|${revoked.join()}`;
  });
}

function numbered<T>(known: readonly T[], textOf: (item: T) => string): NumberedItems<T> {
  const all = [...known];
  const numbers = new Map(all.map((item, number) => [textOf(item), number]));
  return {
    all,
    numberOf: (item) => {
      const text = textOf(item);
      let number = numbers.get(text);
      if (number === undefined) numbers.set(text, (number = all.push(item) - 1));
      return number;
    },
  };
}

/** All cells in columns. The entries of cell `n` end before `ends[n]` and start at the end of the previous cell. */
export type Cells = {
  readonly count: number;
  readonly ends: Int32Array;
  readonly entries: Int32Array;
  readonly values: Float64Array;
  readonly lags: Float64Array;
};

export type NumberedCells = { numberOf(cell: Cell): number; read(): Cells; parts(): SerializedColumns };

/** Creates the dictionary of cells. Cells are compared number by number: building a text key of each would dominate the cost. */
export function numberCells(serialized: SerializedColumns = {}): NumberedCells {
  const before = columnsOfTable(serialized, 'cells');
  const [ends, entries] = [int32Column(before.int32('ends')), int32Column(before.int32('entries'))];
  const [values, lags] = [float64Column(before.float64('values')), float64Column(before.float64('lags'))];
  let count = ends.pushed().length;
  let entryCount = entries.pushed().length;
  /** Hash table with the number of a cell + 1 at or after the place of its hash; 0 if empty. */
  let table = new Int32Array(1024);
  const enter = (hash: number, number: number): void => {
    let place = hash & (table.length - 1);
    while (table[place] !== 0) place = (place + 1) & (table.length - 1);
    table[place] = number + 1;
  };
  const grow = (): void => {
    table = new Int32Array(Math.max(1024, 2 ** Math.ceil(Math.log2(4 * (count + 1)))));
    const [last, e, v, l] = [ends.values(), entries.values(), values.values(), lags.values()];
    for (let number = 0; number < count; number++)
      enter(hashOf(e, v, l, last[number - 1] ?? 0, last[number] ?? 0), number);
  };
  const isCell = (number: number, cell: Cell): boolean => {
    const last = ends.values();
    const first = last[number - 1] ?? 0;
    if ((last[number] ?? 0) - first !== cell.entries.length) return false;
    const [e, v, l] = [entries.values(), values.values(), lags.values()];
    for (let i = 0; i < cell.entries.length; i++) {
      if (e[first + i] !== cell.entries[i] || v[first + i] !== cell.values[i] || l[first + i] !== cell.lags[i])
        return false;
    }
    return true;
  };
  grow();
  return {
    numberOf: (cell) => {
      const hash = hashOf(cell.entries, cell.values, cell.lags, 0, cell.entries.length);
      for (let place = hash & (table.length - 1); table[place] !== 0; place = (place + 1) & (table.length - 1)) {
        const number = (table[place] ?? 0) - 1;
        if (isCell(number, cell)) return number;
      }
      for (const [i, entry] of cell.entries.entries()) {
        entries.push(entry);
        values.push(cell.values[i] ?? 0);
        lags.push(cell.lags[i] ?? 0);
      }
      entryCount += cell.entries.length;
      ends.push(entryCount);
      count++;
      if (2 * count > table.length) grow();
      else enter(hash, count - 1);
      return count - 1;
    },
    read: () => {
      return { count, ends: ends.values(), entries: entries.values(), values: values.values(), lags: lags.values() };
    },
    parts: () => ({
      'cells.ends': ends.pushed(),
      'cells.entries': entries.pushed(),
      'cells.values': values.pushed(),
      'cells.lags': lags.pushed(),
    }),
  };
}

const double = new Float64Array(1);
const words = new Int32Array(double.buffer);

function hashOf(
  entries: ArrayLike<number>,
  values: ArrayLike<number>,
  lags: ArrayLike<number>,
  from: number,
  to: number,
): number {
  let hash = to - from;
  const mix = (word: number) => {
    hash = Math.imul(hash ^ word, 0x5bd1e995);
    hash ^= hash >>> 15;
  };
  for (let i = from; i < to; i++) {
    mix(entries[i] ?? 0);
    for (const part of [values[i] ?? 0, lags[i] ?? 0]) {
      double[0] = part;
      mix(words[0] ?? 0);
      mix(words[1] ?? 0);
    }
  }
  return hash >>> 0;
}
