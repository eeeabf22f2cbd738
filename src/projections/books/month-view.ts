// A month of the books as it is read: its sums, and its comparisons by page or by transaction.
import type { BookEntry, Cause } from '../../domain/books/entries.js';
import type { SettledCohort } from '../../domain/books/settled-days.js';
import type { BooksMonth } from './compute-month.js';

/** A month without its comparisons. */
export type MonthSummary = Omit<BooksMonth, 'entries' | 'settledCohorts'> & { readonly entryCount: number };

/** Comparisons to select; undefined: all. */
export type EntrySelection = {
  readonly cause?: Cause | undefined;
  readonly appId?: string | undefined;
  readonly currency?: string | undefined;
};

/** A comparison with its place in the month. */
export type EntryPlace = { readonly index: number; readonly entry: BookEntry };

export type MonthView = {
  readonly summary: MonthSummary;
  /** Yields the selected comparisons behind a place, in pieces. */
  entries(selection: EntrySelection, after: number): AsyncIterable<readonly EntryPlace[]>;
  /** Returns the comparisons that name a transaction. */
  entriesOf(transactionId: string): Promise<readonly BookEntry[]>;
  settledCohorts(): Promise<readonly SettledCohort[]>;
};

export function summaryOf({ entries, settledCohorts: _, ...month }: BooksMonth): MonthSummary {
  return { ...month, entryCount: entries.length };
}

export function isSelected(
  entry: Pick<BookEntry, 'cause' | 'appId' | 'currency'>,
  { cause, appId, currency }: EntrySelection,
): boolean {
  return (
    (cause === undefined || entry.cause === cause) &&
    (appId === undefined || entry.appId === appId) &&
    (currency === undefined || entry.currency === currency)
  );
}

const PIECE = 1000;

/** Returns the view of a month in memory. */
export function viewOf(month: BooksMonth): MonthView {
  const { entries } = month;
  return {
    summary: summaryOf(month),
    entries: async function* (selection, after) {
      for (let from = after + 1; from < entries.length; from += PIECE) {
        const piece = entries.slice(from, from + PIECE).map((entry, i) => ({ index: from + i, entry }));
        yield piece.filter(({ entry }) => isSelected(entry, selection));
      }
    },
    entriesOf: (transactionId) =>
      Promise.resolve(entries.filter(({ transactionIds }) => transactionIds.includes(transactionId))),
    settledCohorts: () => Promise.resolve(month.settledCohorts),
  };
}
