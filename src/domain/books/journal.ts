// Journal of a closed month: balanced entries by app and currency. Their IDs are stable, so that exporting twice books once; closing again
// adds entries with the difference, and never changes those of the first closing.
import { accountNames, type AccountName, type JournalLine } from './accounts.js';
import type { RevenueBasis, RevenueFigures } from './delivery.js';
import type { Amounts } from './entries.js';
import { settledDifference, type FrozenMonth } from './frozen-month.js';
import { postPayment } from './payments.js';
import { daysOfMonth } from './report-values.js';

/** The lines sum to zero. `day`: last day of the month. */
export type JournalEntry = {
  readonly id: string;
  readonly day: string;
  readonly month: string;
  readonly memo: string;
  readonly appId: string | null;
  readonly currency: string;
  readonly lines: readonly JournalLine[];
};

type Posting = Omit<JournalEntry, 'lines'> & { readonly amounts: ReadonlyMap<AccountName, number> };

/** Returns the entries of a month. `closings`: its frozen figures, the first closing first. */
export function journalOf(month: string, closings: readonly FrozenMonth[]): readonly JournalEntry[] {
  let before: ReadonlyMap<string, Posting> = new Map();
  return closings.flatMap((closing, i) => {
    const postings = postingsOf(month, closing);
    const ids = [...new Set([...before.keys(), ...postings.keys()])].toSorted();
    const entries = ids.flatMap((id) => {
      const [old, now] = [before.get(id), postings.get(id)];
      const either = now ?? old;
      if (!either) return [];
      const amounts = new Map(now?.amounts);
      for (const [account, micros] of old?.amounts ?? []) amounts.set(account, (amounts.get(account) ?? 0) - micros);
      const entry = toEntry(either, amounts);
      if (i === 0 || !entry) return entry ?? [];
      return { ...entry, id: `${id}.${i + 1}`, memo: `${entry.memo}, changed by closing ${i + 1}` };
    });
    before = postings;
    return entries;
  });
}

/** Returns null for an entry without amounts. */
function toEntry({ amounts: _, ...posting }: Posting, amounts: ReadonlyMap<AccountName, number>): JournalEntry | null {
  const lines = accountNames.flatMap((account) => {
    const micros = amounts.get(account) ?? 0;
    return micros === 0 ? [] : [{ account, micros }];
  });
  return lines.length === 0 ? null : { ...posting, lines };
}

function postingsOf(
  month: string,
  { settings, revenue, tables, corrections, payments = [] }: FrozenMonth,
): Map<string, Posting> {
  const { basis } = settings;
  const postings = new Map<string, Posting>();
  const add = (
    appId: string | null,
    currency: string,
    name: string,
    memo: string,
    lines: readonly JournalLine[],
  ): void => {
    const amounts = new Map<AccountName, number>();
    for (const { account, micros } of lines) amounts.set(account, (amounts.get(account) ?? 0) + micros);
    // The parts of what a store reports may not add up to what it pays.
    const rest = [...amounts.values()].reduce((sum, micros) => sum + micros, 0);
    amounts.set('exchangeDifference', (amounts.get('exchangeDifference') ?? 0) - rest);
    const id = `${month}-${appId ?? 'none'}-${currency}-${name}`;
    postings.set(id, { id, day: daysOfMonth(month).endDate, month, memo, appId, currency, amounts });
  };
  for (const { appId, currency, figures } of revenue)
    for (const [name, memo, lines] of linesOf(figures, basis)) add(appId, currency, name, `${memo} ${month}`, lines);
  for (const table of tables) {
    const lines = settlementLines(settledDifference(table), basis);
    add(table.appId, table.currency, 'settlement', `Amounts as settled by the store ${month}`, lines);
  }
  for (const { month: of, appId, currency, figures, settled } of corrections) {
    for (const [name, memo, lines] of linesOf(figures, basis))
      add(appId, currency, `correction-${of}-${name}`, `Correction of ${of}: ${memo}`, lines);
    const lines = settlementLines(settled, basis);
    add(appId, currency, `correction-${of}-settlement`, `Correction of ${of}: Amounts as settled by the store`, lines);
  }
  for (const payment of payments)
    for (const { currency, name, memo, lines } of postPayment(payment)) add(null, currency, name, memo, lines);
  return postings;
}

type NamedLines = readonly [name: string, memo: string, lines: readonly JournalLine[]];

function linesOf(figures: RevenueFigures, basis: RevenueBasis): readonly NamedLines[] {
  const { billed, recognised, reversed, refunded, sold, returned } = figures;
  return [
    ['sales', 'Sales', [...storeLines(sold, basis), { account: 'deferredRevenue', micros: 0 - billed }]],
    [
      'recognition',
      'Revenue recognised',
      [
        { account: 'deferredRevenue', micros: recognised },
        { account: 'revenue', micros: 0 - recognised },
      ],
    ],
    [
      'refunds',
      'Refunds',
      [
        ...storeLines(returned, basis),
        { account: 'deferredRevenue', micros: refunded - reversed },
        { account: 'refunds', micros: reversed },
      ],
    ],
  ];
}

/** Returns what the store owes, and what it takes off: revenue that is net has neither fee nor tax. */
function storeLines({ proceeds, fee, tax }: Amounts, basis: RevenueBasis): readonly JournalLine[] {
  const receivable = { account: 'receivable', micros: proceeds } as const;
  if (basis === 'net') return [receivable];
  return [receivable, { account: 'storeFees', micros: fee }, { account: 'tax', micros: tax }];
}

function settlementLines(settled: Amounts, basis: RevenueBasis): readonly JournalLine[] {
  const { charged, refunded, proceeds } = settled;
  const micros = basis === 'net' ? proceeds : charged - refunded;
  return [...storeLines(settled, basis), { account: 'revenue', micros: 0 - micros }];
}
