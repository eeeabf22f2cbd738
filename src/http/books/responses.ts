// Response schemas of the books. Amounts are decimal texts beside their currency, as the stores print them.
import { z } from 'zod';
import { causes, entryKinds, entryLabels, type Amounts } from '../../domain/books/entries.js';
import { reportKinds } from '../../domain/books/lines.js';
import type { BookTable } from '../../domain/books/month-table.js';
import { printAmount } from '../../domain/books/report-values.js';
import { periodKinds } from '../../projections/books/compute-month.js';
import type { EntryPlace, MonthSummary } from '../../projections/books/month-view.js';
import type { OrderLookUpDoc } from '../../projections/models/order-look-ups.js';
import { lookUp, lookUpNameOf, presentLookUp } from './look-ups.js';
import type { BodyOf } from '../bodies/response-schemas.js';
import { amount, day, month, paymentLine, presentPayment, presentReport, storeReport } from './report-responses.js';

export const amounts = z.strictObject({
  charged: amount,
  refunded: amount,
  tax: amount,
  fee: amount,
  proceeds: amount,
});

export function presentAmounts(of: Amounts, currency: string): BodyOf<typeof amounts> {
  const print = (micros: number) => printAmount(micros, currency);
  const { charged, refunded, tax, fee, proceeds } = of;
  return {
    ...{ charged: print(charged), refunded: print(refunded) },
    ...{ tax: print(tax), fee: print(fee), proceeds: print(proceeds) },
  };
}

const table = z.strictObject({
  appId: z.string().nullable().meta({ description: 'Null: of no app of the project.' }),
  currency: z.string().meta({ description: 'The buyers’ currency.' }),
  ours: amounts,
  store: amounts,
  difference: amounts.meta({ description: '`store` less `ours`: the sum of the differences of all causes.' }),
  causes: z.array(z.strictObject({ cause: z.enum(causes), entries: z.int(), difference: amounts })),
});

export const reportRow = z.strictObject({
  reportId: z.string(),
  row: z.int().meta({ description: 'Line of the file, from 1.' }),
});

const monthState = z.enum(['empty', 'open', 'complete', 'closed']).meta({
  description:
    '`open`: it has not ended, a report is missing, or purchases wait for one. `complete`: nothing waits. `empty`: no purchase. `closed`: its figures are frozen; see `…/closing`.',
});

const isOutdated = z.literal(true).optional().meta({
  description:
    'A large month that is being compared with newer facts: ask again. Omitted for a result that has them all.',
});

const monthFields = { month, state: monthState, isOutdated, tables: z.array(table) };

export const booksMonth = z.strictObject({
  object: z.literal('books_month'),
  ...monthFields,
  periods: z
    .array(z.strictObject({ kind: z.enum(periodKinds), startDate: day, endDate: day }))
    .meta({ description: 'Days of the month as each store counts them.' }),
  reports: z.array(storeReport),
  payments: z.array(paymentLine).meta({
    description:
      'What the ios-store pays to the bank for the month, by region and currency, as its payments page states it.',
  }),
  paid: z
    .array(
      z.strictObject({
        kind: z.enum(reportKinds),
        account: z.string(),
        currency: z.string(),
        type: z.string(),
        lines: z.int(),
        amount,
      }),
    )
    .meta({
      description: 'What the stores pay to each account, by type of line: with all apps, and lines of no app.',
    }),
});

export const booksOverview = z.strictObject({
  object: z.literal('books'),
  months: z.array(z.strictObject({ ...monthFields, reports: z.int() })),
});

/** A month, and whether newer facts are being compared. */
type ReadMonth = { readonly summary: MonthSummary; readonly isOutdated: boolean };

export function presentMonth(read: ReadMonth, closedMonths: ReadonlySet<string>): BodyOf<typeof booksMonth> {
  const { periods, reports, paid, payments } = read.summary;
  return {
    object: 'books_month',
    ...presentMonthHead(read, closedMonths),
    periods: periodKinds.map((kind) => ({ kind, ...periods[kind] })),
    reports: reports.map(presentReport),
    payments: payments.map(presentPayment),
    paid: paid.map(({ micros, ...sum }) => ({ ...sum, amount: printAmount(micros, sum.currency) })),
  };
}

/** Returns the fields of a month that the overview has, too. */
export function presentMonthHead({ summary, isOutdated: isBehind }: ReadMonth, closedMonths: ReadonlySet<string>) {
  const { month: name, tables } = summary;
  const head = { month: name, state: stateOf(summary, closedMonths), tables: tables.map(presentTable) };
  return { ...head, ...(isBehind && { isOutdated: true as const }) };
}

function stateOf(
  { month: name, entryCount, isComplete }: MonthSummary,
  closedMonths: ReadonlySet<string>,
): z.output<typeof monthState> {
  if (closedMonths.has(name)) return 'closed';
  if (entryCount === 0) return 'empty';
  return isComplete ? 'complete' : 'open';
}

function presentTable({ appId, currency, ours, store, difference, causes: sums }: BookTable) {
  const present = (of: Amounts) => presentAmounts(of, currency);
  return {
    ...{ appId, currency, ours: present(ours), store: present(store), difference: present(difference) },
    causes: sums.map(({ cause, entries, difference: sum }) => ({ cause, entries, difference: present(sum) })),
  };
}

export const bookEntry = z
  .strictObject({
    object: z.literal('book_entry'),
    id: z.string().meta({ description: 'Place in the month, for the next page.' }),
    cause: z.enum(causes),
    kind: z.enum(entryKinds).meta({ description: '`reversal`: a refund that the store took back.' }),
    appId: z.string().nullable(),
    currency: z.string(),
    day,
    sku: z.string().nullable(),
    country: z.string().nullable(),
    count: z.int().meta({ description: 'Charges, refunds or reversals of a group; 1 for an order.' }),
    ours: amounts.nullable(),
    store: amounts.nullable(),
    orderId: z.string().nullable(),
    otherMonth: z.string().nullable().meta({ description: '`timing`: the month in which the other side has it.' }),
    labels: z.array(z.enum(entryLabels)).meta({
      description: '`fee_not_stated`: a sales report has no fee: it stands as ours, and is 0 where we have no charge.',
    }),
    transactions: z.array(z.strictObject({ transactionId: z.string(), customerId: z.string() })).meta({
      description: 'Ours; of a group all that may be meant, at most 20.',
    }),
    rows: z.array(reportRow),
    lookUp: lookUp
      .nullable()
      .meta({ description: 'Of what only the report had: whether it was read from the store since, or why not.' }),
  })
  .meta({ id: 'BookEntry' });

/** Transactions of one entry that are listed. */
export const MAX_CANDIDATES = 20;

export function presentEntry(
  { index, entry }: EntryPlace,
  customerOf: ReadonlyMap<string, string>,
  lookUps: ReadonlyMap<string, OrderLookUpDoc>,
): BodyOf<typeof bookEntry> {
  const { ours, store, paid: _paid, transactionIds, currency, labels, rows, ...fields } = entry;
  return {
    ...{ object: 'book_entry', id: String(index), ...fields, currency, labels: [...labels], rows: [...rows] },
    ours: ours && presentAmounts(ours, currency),
    store: store && presentAmounts(store, currency),
    transactions: transactionIds.slice(0, MAX_CANDIDATES).flatMap((transactionId) => {
      const customerId = customerOf.get(transactionId);
      return customerId === undefined ? [] : [{ transactionId, customerId }];
    }),
    lookUp: presentLookUp(entry, lookUps.get(lookUpNameOf(entry) ?? '')),
  };
}
