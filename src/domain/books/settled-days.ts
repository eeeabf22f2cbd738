// Settled amounts in US dollars by day, and by the day on which the customer was first seen, beside what charts estimate for the same charges
// and refunds.
import { movementsOf, type Movement } from '../charts/money.js';
import type { Money } from '../money.js';
import { convertToUsd } from '../rates/convert.js';
import type { Rates } from '../rates/rates.js';
import { isoFromMs, msFromIso, utcDay } from '../time.js';
import type { Amounts, BookEntry, EntryKind } from './entries.js';
import { pacificDay, type DayRange } from './report-values.js';

/** Sums in USD micros, as the charts define them: refunds are positive, and give tax and commission back. */
export type UsdSums = {
  readonly gross: number;
  readonly refunds: number;
  readonly tax: number;
  readonly commission: number;
};

/** Settled amounts of a UTC day of an app, and those that charts estimate for the same charges and refunds. */
export type SettledDay = {
  readonly day: string;
  readonly appId: string;
  readonly estimated: UsdSums;
  readonly settled: UsdSums;
};

/** Settled amounts of a UTC day that count at an earlier one: that on which the customers who paid were first seen. */
export type SettledCohort = Omit<SettledDay, 'appId'> & { readonly firstSeenDay: string };

/** A transaction of ours, with its refunds and reversals by time. */
export type ChargedTransaction = {
  readonly appId: string;
  /** UTC day on which the customer who paid was first seen; omitted if it is not known. */
  readonly firstSeenDay?: string;
  readonly purchasedAt: string;
  readonly quantity: number;
  readonly money: Money;
  readonly moves: readonly (
    | { readonly kind: 'refund'; readonly at: string; readonly share: number }
    | { readonly kind: 'reversal'; readonly at: string }
  )[];
};

type Transactions = ReadonlyMap<string, ChargedTransaction>;

export type SettledDays = {
  /** Adds an entry; `transactions` has those that it names. `period`: the month as its store counts it. */
  add(entry: BookEntry, transactions: Transactions, period: DayRange): void;
  days(): readonly SettledDay[];
  cohorts(): readonly SettledCohort[];
};

/**
 * Sums the entries that a report has. The store's amounts become US dollars by the rate of its report to the currency that it pays, and from
 * there by the reference rate of the day; without one, or without a price of ours, a charge stays an estimate.
 */
export function createSettledDays(rates: Rates): SettledDays {
  const [days, cohorts] = [new Map<string, SettledDay>(), new Map<string, SettledCohort>()];
  return {
    add: (entry, transactions, period) => {
      for (const { movement, about, settled } of settledMovements(entry, transactions, period, rates)) {
        const { appId, firstSeenDay } = about;
        const day = utcDay(isoFromMs(movement.at));
        const extend = <S extends Sums>(sum: S): S => ({
          ...sum,
          estimated: addMovement(sum.estimated, entry.kind, movement),
          settled: addMovement(sum.settled, entry.kind, settled),
        });
        const ofDay = `${day}|${appId}`;
        days.set(ofDay, extend(days.get(ofDay) ?? { day, appId, ...NO_SUMS }));
        if (firstSeenDay === undefined) continue;
        const ofCohort = `${firstSeenDay}|${day}`;
        cohorts.set(ofCohort, extend(cohorts.get(ofCohort) ?? { firstSeenDay, day, ...NO_SUMS }));
      }
    },
    days: () => inOrder(days),
    cohorts: () => inOrder(cohorts),
  };
}

type Sums = Pick<SettledDay, 'estimated' | 'settled'>;

function inOrder<S>(sums: ReadonlyMap<string, S>): readonly S[] {
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}

const NONE: UsdSums = { gross: 0, refunds: 0, tax: 0, commission: 0 };
const NO_SUMS: Sums = { estimated: NONE, settled: NONE };

type Parts = Pick<Movement, 'usd' | 'tax' | 'fee'>;

function addMovement(sum: UsdSums, kind: EntryKind, { usd, tax, fee }: Parts): UsdSums {
  return {
    gross: sum.gross + (kind === 'charge' ? usd : 0),
    refunds: sum.refunds + (kind === 'charge' ? 0 : 0 - usd),
    tax: sum.tax + tax,
    commission: sum.commission + fee,
  };
}

type SettledMovement = { readonly movement: Movement; readonly about: ChargedTransaction; readonly settled: Parts };

/** Divides what the store has of an entry among the movements of money that it means. */
function settledMovements(
  { kind, store, paid, transactionIds }: BookEntry,
  transactions: Transactions,
  period: DayRange,
  rates: Rates,
): readonly SettledMovement[] {
  if (!store || !paid) return [];
  const found: (Omit<SettledMovement, 'settled'> & { readonly weight: number })[] = [];
  for (const id of transactionIds) {
    const one = transactions.get(id);
    if (!one || one.money.usdMicros === null) return [];
    for (const movement of movementsIn(kind, one, period))
      found.push({
        movement,
        about: one,
        weight: transactionIds.length > 1 ? one.quantity : Math.abs(movement.usd),
      });
  }
  const total = found.reduce((sum, { weight }) => sum + weight, 0);
  let [before, done]: [number, Amounts] = [0, { ...store, charged: 0, refunded: 0, tax: 0, fee: 0 }];
  const settled: SettledMovement[] = [];
  for (const { movement, about, weight } of found) {
    before += weight;
    const upTo = scale(store, total === 0 ? 1 : before / total);
    const at = isoFromMs(movement.at);
    const toUsd = (micros: number): number | null => {
      const amountMicros = Math.round(micros * paid.rate);
      const unknown = { currency: paid.currency, amountMicros, usdMicros: null, fxRate: null, fxDate: null };
      return convertToUsd({ ...unknown, taxRate: 0, commissionRate: 0 }, at, rates).usdMicros;
    };
    const usd = toUsd(upTo.charged - upTo.refunded - (done.charged - done.refunded));
    const [tax, fee] = [toUsd(upTo.tax - done.tax), toUsd(upTo.fee - done.fee)];
    if (usd === null || tax === null || fee === null) return [];
    settled.push({ movement, about, settled: { usd, tax, fee } });
    done = upTo;
  }
  return settled;
}

function scale(amounts: Amounts, share: number): Amounts {
  const part = (micros: number) => Math.round(micros * share);
  const { charged, refunded, tax, fee, proceeds } = amounts;
  return { charged: part(charged), refunded: part(refunded), tax: part(tax), fee: part(fee), proceeds: part(proceeds) };
}

/** Returns the movements of a kind in the month; where they are in another month, the last. */
function movementsIn(
  kind: EntryKind,
  { purchasedAt, money, moves }: ChargedTransaction,
  { startDate, endDate }: DayRange,
): readonly Movement[] {
  const rates = { at: msFromIso(purchasedAt), tax: money.taxRate, fee: money.commissionRate };
  const adjustments = moves.map((move) =>
    move.kind === 'refund'
      ? { kind: 'refund' as const, at: msFromIso(move.at), share: move.share, usd: null }
      : { kind: 'reversal' as const, at: msFromIso(move.at) },
  );
  const all = movementsOf(rates, money.usdMicros, adjustments).movements.filter((one) => one.kind === kind);
  const here = all.filter(({ at }) => pacificDay(at) >= startDate && pacificDay(at) <= endDate);
  return here.length > 0 ? here : all.slice(-1);
}
