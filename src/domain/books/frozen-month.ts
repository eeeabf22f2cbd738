// Figures of a month as they were when it was closed, and what has changed since: the corrections, which sum to the difference.
import { hash } from 'node:crypto';
import type { BooksSettings } from './closings.js';
import { addFigures, deferredChange, NO_REVENUE, subtractFigures, type RevenueFigures } from './delivery.js';
import { addAmounts, NOTHING, subtractAmounts, type Amounts, type BookEntry, type Cause } from './entries.js';
import type { BookTable } from './month-table.js';
import type { Payment } from './payments.js';
import type { Schedule } from './schedule.js';
import type { Steps } from './steps.js';

/** Revenue of one app and currency in a month. `opening`: deferred at its start. */
export type RevenueLine = {
  readonly appId: string;
  readonly currency: string;
  readonly opening: number;
  readonly figures: RevenueFigures;
};

/** Change of a closed month. `settled`: of what the store reports otherwise than we recorded it. */
export type Correction = {
  readonly month: string;
  readonly appId: string | null;
  readonly currency: string;
  readonly ours: Amounts;
  readonly store: Amounts;
  readonly settled: Amounts;
  readonly figures: RevenueFigures;
};

/**
 * `corrections`: changes of earlier months that became known while this one was open. `payments`: what arrived at the bank and is in no
 * earlier closing; months that an earlier version closed have none.
 */
export type FrozenMonth = {
  readonly settings: BooksSettings;
  readonly tables: readonly BookTable[];
  readonly revenue: readonly RevenueLine[];
  readonly corrections: readonly Correction[];
  readonly payments?: readonly Payment[];
};

/** Figures of a month for corrections: as frozen, or as known now. Null tables: not compared. */
type MonthFigures = { readonly tables: readonly BookTable[] | null; readonly revenue: readonly RevenueLine[] };

/** Causes by which the store's amounts replace ours: it charged, taxed or kept something else. */
const SETTLING_CAUSES: ReadonlySet<Cause> = new Set(['price', 'tax', 'commission', 'partial_refund']);

/** Returns what the store reports otherwise, as amounts to add to ours. */
export function settledDifference({ causes }: BookTable): Amounts {
  return causes
    .filter(({ cause }) => SETTLING_CAUSES.has(cause))
    .reduce((sum, { difference }) => addAmounts(sum, difference), NOTHING);
}

/** Returns the revenue of a month by app and currency. */
export function revenueLines({ lines }: Schedule, month: string): readonly RevenueLine[] {
  return [...lines.values()].flatMap(({ appId, currency, months }) => {
    let opening = 0;
    for (const [at, figures] of months) if (at < month) opening += deferredChange(figures);
    const figures = months.get(month) ?? NO_REVENUE;
    return opening === 0 && isZero(figures) ? [] : [{ appId, currency, opening, figures }];
  });
}

/** Returns what has changed in a month, without what was booked as a correction before. */
export function correctionsOf(
  month: string,
  frozen: MonthFigures,
  now: MonthFigures,
  booked: readonly Correction[],
): readonly Correction[] {
  const sums = new Map<string, Correction>();
  const add = (one: Omit<Correction, 'month'>, sign: 1 | -1): void => {
    const key = `${one.appId ?? '~'}|${one.currency}`;
    const known = sums.get(key) ?? { ...NO_CORRECTION, month, appId: one.appId, currency: one.currency };
    const [combine, combineFigures] = sign === 1 ? [addAmounts, addFigures] : [subtractAmounts, subtractFigures];
    sums.set(key, {
      ...known,
      ours: combine(known.ours, one.ours),
      store: combine(known.store, one.store),
      settled: combine(known.settled, one.settled),
      figures: combineFigures(known.figures, one.figures),
    });
  };
  for (const [of, sign] of [
    [now, 1],
    [frozen, -1],
  ] as const) {
    for (const table of (now.tables && frozen.tables && of.tables) ?? []) {
      const { appId, currency, ours, store } = table;
      add({ ...NO_CORRECTION, appId, currency, ours, store, settled: settledDifference(table) }, sign);
    }
    for (const { appId, currency, figures } of of.revenue) add({ ...NO_CORRECTION, appId, currency, figures }, sign);
  }
  for (const one of booked) {
    const isCompared = now.tables !== null && frozen.tables !== null;
    add(isCompared ? one : { ...NO_CORRECTION, appId: one.appId, currency: one.currency, figures: one.figures }, -1);
  }
  return [...sums.values()].filter((one) => !isZero(one));
}

const NO_CORRECTION = { ours: NOTHING, store: NOTHING, settled: NOTHING, figures: NO_REVENUE };

/** Returns true if every number in the value is zero. */
function isZero(value: unknown): boolean {
  if (typeof value === 'number') return value === 0;
  return typeof value !== 'object' || value === null || Object.values(value).every(isZero);
}

/** Comparison that is not what it was: `before` null if it is new, `after` null if it is gone. */
export type ChangedEntry = { readonly before: BookEntry | null; readonly after: BookEntry | null };

/** Collects the frozen comparisons one after another, and returns those that changed. Equal ones are forgotten at once. */
export function* compareEntries(now: readonly BookEntry[]): Steps<{
  readonly add: (frozen: BookEntry) => void;
  readonly end: () => Steps<readonly ChangedEntry[]>;
}> {
  const counts = new Map<string, number>();
  for (const entry of now) {
    const digest = digestOf(entry);
    counts.set(digest, (counts.get(digest) ?? 0) + 1);
    yield;
  }
  const gone: BookEntry[] = [];
  return {
    add: (frozen) => {
      const digest = digestOf(frozen);
      const left = counts.get(digest) ?? 0;
      if (left === 0) gone.push(frozen);
      else if (left === 1) counts.delete(digest);
      else counts.set(digest, left - 1);
    },
    end: function* () {
      const added: BookEntry[] = [];
      for (const entry of counts.size === 0 ? [] : now) {
        yield;
        const digest = digestOf(entry);
        const left = counts.get(digest) ?? 0;
        if (left > 0) {
          added.push(entry);
          counts.set(digest, left - 1);
        }
      }
      return (yield* pairEntries(gone, added)).filter(changesAmounts);
    },
  };
}

function digestOf({ rows: _rows, labels: _labels, otherMonth: _otherMonth, ...entry }: BookEntry): string {
  return hash('sha1', JSON.stringify(entry), 'base64');
}

/** Pairs what is gone with what is new of the same transaction, else of the same product, day and country. */
function* pairEntries(gone: readonly BookEntry[], added: readonly BookEntry[]): Steps<readonly ChangedEntry[]> {
  const free = new Set(added);
  const queues = new Map<string, { readonly entries: BookEntry[]; from: number }>();
  for (const entry of added) {
    yield;
    for (const key of keysOf(entry)) {
      const queue = queues.get(key) ?? { entries: [], from: 0 };
      queue.entries.push(entry);
      queues.set(key, queue);
    }
  }
  /** Returns the first entry with the key that has no pair yet; it has one then. */
  const take = (key: string): BookEntry | null => {
    const queue = queues.get(key);
    while (queue && queue.from < queue.entries.length) {
      const entry = queue.entries[queue.from++];
      if (entry && free.delete(entry)) return entry;
    }
    return null;
  };
  const pairs: ChangedEntry[] = [];
  for (const before of gone) {
    yield;
    let after: BookEntry | null = null;
    for (const key of keysOf(before)) after ??= take(key);
    pairs.push({ before, after });
  }
  return [...pairs, ...[...free].map((after) => ({ before: null, after }))];
}

function keysOf({ kind, transactionIds, orderId, sku, day, country, currency, appId }: BookEntry): readonly string[] {
  const group = `${kind}|${appId ?? ''}|${sku ?? ''}|${day}|${country ?? ''}|${currency}`;
  return [...transactionIds.slice(0, 20).map((id) => `${kind}|${id}`), `${kind}|${orderId ?? group}`, group];
}

function changesAmounts({ before, after }: ChangedEntry): boolean {
  const change = (side: 'ours' | 'store') => subtractAmounts(after?.[side] ?? NOTHING, before?.[side] ?? NOTHING);
  return !isZero(change('ours')) || !isZero(change('store'));
}
