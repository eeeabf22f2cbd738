// The tables of a month of the books: what buyers paid, by app and currency, and what the stores pay to the account.
import {
  addAmounts,
  causes,
  NOTHING,
  subtractAmounts,
  type Amounts,
  type BookEntry,
  type Cause,
  type EntryKind,
} from './entries.js';
import { isGroupLine, type ComparedLine } from './lines.js';
import { typeOf } from './report-summary.js';
import { lineKindsIn } from './reversals.js';
import type { Steps } from './steps.js';

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

type Sum = { entries: number; ours: Amounts; store: Amounts };

/** Sums the entries by app and currency, and within by cause. */
export function* tablesOf(entries: readonly BookEntry[]): Steps<readonly BookTable[]> {
  const tables = new Map<string, Pick<BookEntry, 'appId' | 'currency'> & { readonly sums: Map<Cause, Sum> }>();
  for (const { appId, currency, cause, ours, store } of entries) {
    const key = `${appId ?? '~'}|${currency}`;
    const table = tables.get(key) ?? { appId, currency, sums: new Map<Cause, Sum>() };
    const sum = table.sums.get(cause) ?? { entries: 0, ours: NOTHING, store: NOTHING };
    sum.entries++;
    if (ours) sum.ours = addAmounts(sum.ours, ours);
    if (store) sum.store = addAmounts(sum.store, store);
    table.sums.set(cause, sum);
    tables.set(key, table);
    yield;
  }
  return [...tables]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { appId, currency, sums }]) => {
      const all = [...sums.values()];
      const ours = sumOf(all.map((sum) => sum.ours));
      const store = sumOf(all.map((sum) => sum.store));
      return { appId, currency, ours, store, difference: subtractAmounts(store, ours), causes: causesOf(sums) };
    });
}

function causesOf(sums: ReadonlyMap<Cause, Sum>): readonly CauseSum[] {
  return causes.flatMap((cause) => {
    const sum = sums.get(cause);
    return sum ? [{ cause, entries: sum.entries, difference: differenceOf(sum) }] : [];
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
export function* paidSums(account: string, lines: readonly ComparedLine[]): Steps<readonly PaidSum[]> {
  const kindOf = yield* lineKindsIn(lines);
  const sums = new Map<string, { account: string; currency: string; type: string; lines: number; micros: number }>();
  for (const line of lines) {
    const type = typeOf(line);
    const key = `${line.paidCurrency}|${type}`;
    const sum = sums.get(key) ?? { account, currency: line.paidCurrency, type, lines: 0, micros: 0 };
    sum.micros += signOf(line, kindOf(line)) * line.paidMicros;
    sum.lines++;
    sums.set(key, sum);
    yield;
  }
  return [...sums.values()];
}

function signOf(line: ComparedLine, kind: EntryKind): number {
  const isRefund = kind === 'refund';
  if (isGroupLine(line)) return isRefund ? -1 : 1;
  if (line.part === 'other') return 1;
  const isTaken = line.part !== 'charge';
  return isTaken === isRefund ? 1 : -1;
}
