// Closed months of the books: figures to freeze, frozen ones as they are in the log, and what has changed since.
import { createBoundedCache } from '../../adapters/bounded-cache.js';
import { unpackText } from '../../adapters/books/packed-text.js';
import { readStream, type EventLog } from '../../adapters/event-log/port.js';
import type { Runtime } from '../../adapters/runtime.js';
import type { BooksSettings } from '../../domain/books/closings.js';
import type { BookEntry } from '../../domain/books/entries.js';
import type { BookTable } from '../../domain/books/month-table.js';
import {
  compareEntries,
  correctionsOf,
  revenueLines,
  type ChangedEntry,
  type Correction,
  type FrozenMonth,
} from '../../domain/books/frozen-month.js';
import { unbookedPayments, type Payment } from '../../domain/books/payments.js';
import type { LogPosition } from '../../domain/envelope.js';
import { streams } from '../../domain/streams.js';
import { transactions } from '../models/transactions.js';
import type { Progress } from '../runtime/progress.js';
import type { Books } from './books.js';
import { inSlices, type BooksMonth } from './compute-month.js';
import type { Revenue } from './revenue.js';

/** A closing that holds. */
export type HeldClosing = { readonly month: string; readonly closingId: string };

/** Figures of a month to freeze, with the comparisons and the position up to which they are known. */
export type MonthToClose = {
  readonly frozen: FrozenMonth;
  readonly of: BooksMonth;
  readonly position: LogPosition | null;
};

export type Closings = {
  /** `closed`: closings that hold, in order. */
  freeze(
    projectId: string,
    month: string,
    settings: BooksSettings,
    closed: readonly HeldClosing[],
  ): Promise<MonthToClose>;
  /** Returns null if the data key of the project is gone. */
  frozen(projectId: string, closingId: string): Promise<FrozenMonth | null>;
  /**
   * Returns what has changed in closed months and is in no closing yet: corrections of the open month. Large months are as last compared.
   */
  corrections(projectId: string, closed: readonly HeldClosing[]): Promise<readonly Correction[]>;
  /** Returns the comparisons of a closed month that changed. */
  changes(projectId: string, closing: HeldClosing): Promise<readonly ChangedEntry[]>;
};

type ClosingsDeps = {
  readonly log: Pick<EventLog, 'read'>;
  readonly books: Books;
  readonly revenue: Revenue;
  readonly progress: Progress;
  readonly runtime: Pick<Runtime, 'slice'>;
};

/** Closed months whose comparisons are computed again for corrections, the newest ones. Revenue is corrected for all. */
const COMPARED_MONTHS = 13;
const MAX_CACHED = 200;
/** Entries between two slices. */
const ENTRIES_PER_SLICE = 100;

export function createClosings({ log, books, revenue, progress, runtime }: ClosingsDeps): Closings {
  const heads = createBoundedCache<string, FrozenMonth>(MAX_CACHED);
  /** Changes of a month since the closing that was asked for last. */
  const changed = new WeakMap<BooksMonth, { closingId: string; changes: Promise<readonly ChangedEntry[]> }>();
  const frozen: Closings['frozen'] = async (projectId, closingId) => {
    const known = heads.get(closingId);
    if (known) return known;
    for await (const row of readRows(log, projectId, closingId)) {
      const head = row as FrozenMonth;
      heads.set(closingId, head);
      return head;
    }
    return null;
  };
  const correct = async (
    projectId: string,
    closed: readonly HeldClosing[],
    tablesOf: (month: string) => Promise<readonly BookTable[]>,
  ): Promise<readonly Correction[]> => {
    const found: Correction[] = [];
    const closings: { readonly month: string; readonly head: FrozenMonth }[] = [];
    for (const { month, closingId } of closed) {
      const head = await frozen(projectId, closingId);
      if (head) closings.push({ month, head });
    }
    const settings = closings.at(-1)?.head.settings;
    if (!settings) return [];
    const schedule = await revenue.schedule(projectId, settings);
    const booked = closings.flatMap(({ head }) => head.corrections);
    for (const [i, { month, head }] of closings.entries()) {
      const isCompared = closings.length - i <= COMPARED_MONTHS;
      const tables = isCompared ? await tablesOf(month) : null;
      const now = { tables, revenue: revenueLines(schedule, month) };
      const ofMonth = booked.filter((one) => one.month === month);
      found.push(...correctionsOf(month, head, now, ofMonth));
    }
    return found;
  };
  /** Returns the payments of a month, and those of closed months that became known since. */
  const paymentsToBook = async (
    projectId: string,
    month: string,
    closed: readonly HeldClosing[],
  ): Promise<readonly Payment[]> => {
    const now = await books.payments(projectId, [month, ...closed.map((one) => one.month)]);
    const before: Payment[] = [];
    for (const { closingId } of closed) before.push(...((await frozen(projectId, closingId))?.payments ?? []));
    return unbookedPayments(now, before);
  };
  return {
    frozen,
    corrections: (projectId, closed) =>
      correct(projectId, closed, async (month) => (await books.view(projectId, month)).summary.tables),
    freeze: async (projectId, month, settings, closed) => {
      const position = progress.at(transactions.name) ?? null;
      const of = await books.month(projectId, month);
      const schedule = await revenue.schedule(projectId, settings);
      const booked = await correct(projectId, closed, async (one) => (await books.month(projectId, one)).tables);
      const revenueOf = revenueLines(schedule, month);
      const payments = await paymentsToBook(projectId, month, closed);
      const frozenNow = { settings, tables: of.tables, revenue: revenueOf, corrections: booked, payments };
      return { of, position, frozen: frozenNow };
    },
    changes: async (projectId, { month, closingId }) => {
      const of = await books.month(projectId, month);
      const compute = async () => {
        const comparison = await inSlices(runtime, compareEntries(of.entries));
        let count = 0;
        for await (const row of readRows(log, projectId, closingId)) {
          if (count++ > 0) comparison.add(row as BookEntry);
          if (count % ENTRIES_PER_SLICE === 0) await runtime.slice();
        }
        return inSlices(runtime, comparison.end());
      };
      const known = changed.get(of);
      if (known?.closingId === closingId) return known.changes;
      const changes = compute();
      changed.set(of, { closingId, changes });
      changes.catch(() => changed.delete(of));
      return changes;
    },
  };
}

/** Reads the frozen figures of a closing, then its comparisons. */
async function* readRows(log: Pick<EventLog, 'read'>, projectId: string, closingId: string): AsyncGenerator<unknown> {
  for await (const event of readStream(log, streams.books(projectId, closingId))) {
    if (event.type !== 'MonthClosingPartRecorded' || event.data.rows === null) continue;
    yield* JSON.parse(await unpackText(event.data.rows)) as readonly unknown[];
  }
}
