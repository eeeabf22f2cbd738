// What rows of the ledger have in common, each kept once and named by a number.
import type { RenewalStatus } from '../result/cohorts.js';
import type { Cell } from './customer/cells.js';
import { float64Column, int32Column } from './growing.js';
import type { Attributes } from './customer/rows.js';

/** How renewals stand, but for the instants. */
export type RenewalKind = Omit<RenewalStatus, 'at' | 'lapsesAt'>;

export type Numbered<T> = { readonly all: readonly T[]; numberOf(item: T): number };

/** Cells that are known again: list prices come again and again, converted ones do not. */
const MOST_KNOWN = 300_000;

export function numberAttributes(): Numbered<Attributes> {
  return numbered(({ country, platform, about }) => {
    const said = about && [
      ...[about.store, about.appId, about.productId, about.storeProductId, about.productDuration],
      ...[about.offeringId, about.offerType, about.startReason, about.country],
    ];
    return JSON.stringify([country, platform, said]);
  });
}

export function numberRenewals(): Numbered<RenewalKind> {
  return numbered(({ span, payments, revoked, calendarFrom }) => {
    return `${span.months}|${span.days}|${payments}|${calendarFrom}|${revoked.join()}`;
  });
}

function numbered<T>(textOf: (item: T) => string): Numbered<T> {
  const all: T[] = [];
  const numbers = new Map<string, number>();
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

/** The entries of cell `n` lie before `ends[n]`, behind those of the cell before. */
export type Cells = {
  readonly count: number;
  readonly ends: Int32Array;
  readonly entries: Int32Array;
  readonly values: Float64Array;
  readonly lags: Float64Array;
};

export type NumberedCells = { numberOf(cell: Cell): number; read(): Cells };

export function numberCells(): NumberedCells {
  const [ends, entries, values, lags] = [int32Column(), int32Column(), float64Column(), float64Column()];
  const numbers = new Map<string, number>();
  let [count, entryCount] = [0, 0];
  return {
    numberOf: (cell) => {
      const content = `${cell.entries.join()}|${cell.values.join()}|${cell.lags.join()}`;
      const found = numbers.get(content);
      if (found !== undefined) return found;
      for (const [i, entry] of cell.entries.entries()) {
        entries.push(entry);
        values.push(cell.values[i] ?? 0);
        lags.push(cell.lags[i] ?? 0);
      }
      entryCount += cell.entries.length;
      ends.push(entryCount);
      if (numbers.size < MOST_KNOWN) numbers.set(content, count);
      return count++;
    },
    read: () => {
      return { count, ends: ends.values(), entries: entries.values(), values: values.values(), lags: lags.values() };
    },
  };
}
