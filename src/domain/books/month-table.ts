// The tables of a month of the books: what buyers paid, by app and currency, and what the stores pay to the account.
import {
  addAmounts,
  groupBy,
  NOTHING,
  subtractAmounts,
  type Amounts,
  causes,
  type BookEntry,
  type Cause,
} from './entries.js';
import type { ReportLine } from './lines.js';
import { typeOf } from './report-summary.js';

export type CauseSum = { readonly cause: Cause; readonly entries: number; readonly difference: Amounts };

/** One app and buyer's currency. `store` less `ours` is the sum of the differences of all causes, to the micro. */
export type BookTable = {
  readonly appId: string | null;
  readonly currency: string;
  readonly ours: Amounts;
  readonly store: Amounts;
  readonly difference: Amounts;
  readonly causes: readonly CauseSum[];
};

/** Sums the entries by app and currency, and within by cause. */
export function tablesOf(entries: readonly BookEntry[]): readonly BookTable[] {
  const groups = groupBy(entries, ({ appId, currency }) => `${appId ?? '~'}|${currency}`);
  const keys = [...groups.keys()].sort();
  return keys.flatMap((key) => {
    const group = groups.get(key) ?? [];
    const [first] = group;
    if (!first) return [];
    const ours = sumOf(group.map((entry) => entry.ours ?? NOTHING));
    const store = sumOf(group.map((entry) => entry.store ?? NOTHING));
    const difference = subtractAmounts(store, ours);
    return [{ appId: first.appId, currency: first.currency, ours, store, difference, causes: causesOf(group) }];
  });
}

function causesOf(entries: readonly BookEntry[]): readonly CauseSum[] {
  const groups = groupBy(entries, ({ cause }) => cause);
  return causes.flatMap((cause) => {
    const group = groups.get(cause);
    return group ? [{ cause, entries: group.length, difference: sumOf(group.map(differenceOf)) }] : [];
  });
}

export function differenceOf({ ours, store }: Pick<BookEntry, 'ours' | 'store'>): Amounts {
  return subtractAmounts(store ?? NOTHING, ours ?? NOTHING);
}

function sumOf(amounts: readonly Amounts[]): Amounts {
  return amounts.reduce(addAmounts, NOTHING);
}

/** Sum of what a store pays to an account in a currency, by type of line. */
export type PaidSum = {
  readonly account: string;
  readonly currency: string;
  readonly type: string;
  readonly lines: number;
  readonly micros: number;
};

/** Sums what the stores pay. Fees and taxes are taken off, refunds reverse the sign; lines of the account stand as they are printed. */
export function paidSums(account: string, lines: Iterable<ReportLine>): readonly PaidSum[] {
  const sums = new Map<string, { account: string; currency: string; type: string; lines: number; micros: number }>();
  for (const line of lines) {
    const type = typeOf(line);
    const key = `${line.paidCurrency}|${type}`;
    const sum = sums.get(key) ?? { account, currency: line.paidCurrency, type, lines: 0, micros: 0 };
    sum.micros += signOf(line) * line.paidMicros;
    sum.lines++;
    sums.set(key, sum);
  }
  return [...sums.values()];
}

function signOf(line: ReportLine): number {
  if (line.kind === 'finance_detail') return line.isRefund ? -1 : 1;
  if (line.part === 'other') return 1;
  const isTaken = line.part !== 'charge';
  return isTaken === line.isRefund ? 1 : -1;
}
