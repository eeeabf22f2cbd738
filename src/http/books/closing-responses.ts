// Response schemas of closed months: figures as closed, as known now, and the corrections between them.
import { z } from 'zod';
import { accountNames, accountsOf, type Accounts } from '../../domain/books/accounts.js';
import { subtractAmounts, NOTHING, type Amounts } from '../../domain/books/entries.js';
import type { ChangedEntry, Correction, FrozenMonth } from '../../domain/books/frozen-month.js';
import type { JournalEntry } from '../../domain/books/journal.js';
import type { BookTable } from '../../domain/books/month-table.js';
import { printAmount } from '../../domain/books/report-values.js';
import type { ClosingDoc } from '../../projections/models/book-closings.js';
import { actor } from '../bodies/actors.js';
import { money, time, type BodyOf } from '../bodies/response-schemas.js';
import { amounts, MAX_CANDIDATES, presentAmounts } from './responses.js';

const amount = money(z.string());
const sides = z.strictObject({ ours: amounts, store: amounts, difference: amounts });

export const closingMark = z.strictObject({
  number: z.int().meta({ description: 'How many times the month has been closed.' }),
  closedAt: time,
  closedBy: actor,
  incompleteReason: z.string().nullable(),
});

const revenueCorrection = z.strictObject({ billed: amount, recognised: amount, refunded: amount });
export const correction = z.strictObject({
  month: z.string(),
  appId: z.string().nullable(),
  currency: z.string(),
  ...{ ours: amounts, store: amounts },
  revenue: revenueCorrection,
});

export const closedTable = z.strictObject({
  appId: z.string().nullable(),
  currency: z.string(),
  asClosed: sides,
  corrections: sides,
  asKnownNow: sides.meta({ description: '`asClosed` plus `corrections`.' }),
});

export const monthClosing = z
  .strictObject({
    object: z.literal('month_closing'),
    month: z.string(),
    state: z.enum(['open', 'closed']),
    closing: closingMark.nullable(),
    tables: z.array(closedTable).meta({ description: 'Empty while the month is open.' }),
    corrections: z.array(correction).meta({
      description: 'Of the open month after the last closed one: what became known about closed months since.',
    }),
  })
  .meta({ id: 'MonthClosing' });

export const changedEntry = z
  .strictObject({
    object: z.literal('book_correction'),
    id: z.string(),
    cause: z.string().meta({ description: 'Cause as known now; as closed, if the comparison is gone.' }),
    causeAsClosed: z.string().nullable(),
    kind: z.string(),
    appId: z.string().nullable(),
    currency: z.string(),
    day: z.string(),
    sku: z.string().nullable(),
    country: z.string().nullable(),
    asClosed: z.strictObject({ ours: amounts, store: amounts }),
    asKnownNow: z.strictObject({ ours: amounts, store: amounts }),
    transactions: z.array(z.strictObject({ transactionId: z.string(), customerId: z.string().nullable() })),
  })
  .meta({ id: 'BookCorrection' });

const account = z.strictObject({ code: z.string(), name: z.string() });
export const booksAccounts = z
  .strictObject({ object: z.literal('books_accounts'), accounts: z.record(z.enum(accountNames), account) })
  .meta({ id: 'BooksAccounts' });

export function presentAccounts(accounts: Partial<Accounts> | null): BodyOf<typeof booksAccounts> {
  return { object: 'books_accounts', accounts: { ...accountsOf(accounts) } };
}

export const booksJournal = z
  .strictObject({
    object: z.literal('books_journal'),
    month: z.string(),
    entries: z.array(
      z.strictObject({
        id: z.string(),
        date: z.string(),
        memo: z.string(),
        appId: z.string().nullable(),
        currency: z.string(),
        lines: z.array(z.strictObject({ account: z.enum(accountNames), debit: amount, credit: amount })),
      }),
    ),
  })
  .meta({ id: 'BooksJournal' });

export function presentJournal(month: string, entries: readonly JournalEntry[]): BodyOf<typeof booksJournal> {
  return {
    ...{ object: 'books_journal', month },
    entries: entries.map(({ id, day, memo, appId, currency, lines }) => ({
      ...{ id, date: day, memo, appId, currency },
      lines: lines.map(({ account, micros }) => ({
        account,
        debit: printAmount(Math.max(0, micros), currency),
        credit: printAmount(Math.max(0, -micros), currency),
      })),
    })),
  };
}

export function presentMark(
  { number, closedAt, closedBy, incompleteReason }: ClosingDoc,
  withName: (of: ClosingDoc['closedBy']) => z.output<typeof actor>,
) {
  return { number, closedAt, closedBy: withName(closedBy), incompleteReason };
}

/** Returns each app and currency as closed, as known now, and the corrections. */
export function presentClosedTables(frozen: FrozenMonth, now: readonly BookTable[]) {
  const keyOf = ({ appId, currency }: Pick<BookTable, 'appId' | 'currency'>) => `${appId ?? '~'}|${currency}`;
  const [before, after] = [frozen.tables, now].map((all) => new Map(all.map((one) => [keyOf(one), one])));
  const places = new Map([...frozen.tables, ...now].map((one) => [keyOf(one), one]));
  return [...places].map(([key, { appId, currency }]) => {
    const [then, known] = [before?.get(key), after?.get(key)];
    const side = (name: 'ours' | 'store'): readonly [Amounts, Amounts] => [
      then?.[name] ?? NOTHING,
      known?.[name] ?? NOTHING,
    ];
    const [ours, store] = [side('ours'), side('store')];
    const present = (o: Amounts, s: Amounts) => ({
      ours: presentAmounts(o, currency),
      store: presentAmounts(s, currency),
      difference: presentAmounts(subtractAmounts(s, o), currency),
    });
    return {
      ...{ appId, currency, asClosed: present(ours[0], store[0]), asKnownNow: present(ours[1], store[1]) },
      corrections: present(subtractAmounts(ours[1], ours[0]), subtractAmounts(store[1], store[0])),
    };
  });
}

export function presentCorrection({
  month,
  appId,
  currency,
  ours,
  store,
  figures,
}: Correction): BodyOf<typeof correction> {
  const print = (micros: number) => printAmount(micros, currency);
  const { billed, recognised, reversed, refunded } = figures;
  return {
    ...{ month, appId, currency, ours: presentAmounts(ours, currency), store: presentAmounts(store, currency) },
    revenue: { billed: print(billed), recognised: print(recognised - reversed), refunded: print(refunded) },
  };
}

/** Returns the transactions that a changed comparison may mean. */
export function candidatesOf({ before, after }: ChangedEntry): readonly string[] {
  return [...new Set([...(before?.transactionIds ?? []), ...(after?.transactionIds ?? [])])].slice(0, MAX_CANDIDATES);
}

export function presentChange(
  change: ChangedEntry,
  index: number,
  customerOf: ReadonlyMap<string, string>,
): BodyOf<typeof changedEntry> | null {
  const { before, after } = change;
  const entry = after ?? before;
  if (!entry) return null;
  const { cause, kind, appId, currency, day, sku, country } = entry;
  const present = (of: ChangedEntry['before']) => ({
    ours: presentAmounts(of?.ours ?? NOTHING, currency),
    store: presentAmounts(of?.store ?? NOTHING, currency),
  });
  const transactions = candidatesOf(change).map((transactionId) => {
    return { transactionId, customerId: customerOf.get(transactionId) ?? null };
  });
  return {
    ...{ object: 'book_correction', id: String(index), cause, causeAsClosed: before?.cause ?? null, kind, appId },
    ...{ currency, day, sku, country, asClosed: present(before), asKnownNow: present(after), transactions },
  };
}
