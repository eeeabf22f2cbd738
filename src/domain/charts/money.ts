// Money of the charts in integer USD micros: the monthly value of a period, and the money movements of each transaction.
import { DAY_MS, spanOf } from './calendar.js';
import type { Adjustment, Period } from './history/history.js';

export const revenueTypes = ['revenue', 'revenue_net_of_taxes', 'proceeds'] as const;
export type RevenueType = (typeof revenueTypes)[number];

/** Money movement at an instant: a charge, a refund (negative) or its reversal. */
export type Movement = {
  readonly at: number;
  readonly kind: 'charge' | 'refund' | 'reversal';
  readonly usd: number;
  readonly tax: number;
  readonly fee: number;
};

export function movement(kind: Movement['kind'], at: number, usd: number, rates: Rates): Movement {
  return { at, kind, usd, tax: Math.round(usd * rates.tax), fee: Math.round(usd * rates.fee) };
}

type Rates = { readonly tax: number; readonly fee: number };

export function partOf({ usd, tax, fee }: Pick<Movement, 'usd' | 'tax' | 'fee'>, type: RevenueType): number {
  if (type === 'revenue') return usd;
  return type === 'proceeds' ? usd - tax - fee : usd - tax;
}

/** Returns the price as corrected: the correction recorded last replaces the amount at all times. */
export function priceOf({ usd }: Period, adjustments: readonly Adjustment[]): number | null {
  let price = usd;
  let known = -Infinity;
  for (const a of adjustments) if (a.kind === 'corrected' && a.known >= known) ({ usd: price, known } = a);
  return price;
}

type RefundAdjustment = Extract<Adjustment, { readonly kind: 'refund' }>;
/** Change of the money of a charge. */
export type MoneyAdjustment =
  Pick<RefundAdjustment, 'kind' | 'at' | 'share' | 'usd'> | Pick<Exclude<Adjustment, RefundAdjustment>, 'kind' | 'at'>;

/**
 * Returns the movements of a transaction. Adjustments are ordered by `at`. For an unknown price, only a refund of 100 % is a full refund.
 */
export function movementsOf(
  period: Pick<Period, 'at' | 'tax' | 'fee'>,
  price: number | null,
  adjustments: readonly MoneyAdjustment[],
) {
  const movements: Movement[] = [movement('charge', period.at, price ?? 0, period)];
  let undone = 0;
  let undoneShare = 0;
  let isRefunded = false;
  for (const a of adjustments) {
    if (a.kind === 'refund') {
      const remaining = Math.max(0, (price ?? 0) - undone);
      const usd = a.share === null ? (a.usd ?? 0) : Math.min(Math.round((price ?? 0) * a.share), remaining);
      movements.push(movement('refund', a.at, -usd, period));
      undone += usd;
      undoneShare += a.share ?? 0;
      isRefunded = true;
    } else if (a.kind === 'reversal' && isRefunded) {
      movements.push(movement('reversal', a.at, undone, period));
      undone = 0;
      undoneShare = 0;
      isRefunded = false;
    }
  }
  const isFull = isRefunded && (price === null ? undoneShare >= 1 : undone >= price);
  return { movements, isRefunded, isFullyRefunded: isFull };
}

/** Returns the monthly value of a period, usually by RevenueCat's table "Normalized Monthly Revenue"; an unknown duration is estimated. */
export function monthlyOf(period: Period, price: number | null, contractEnd: number, type: RevenueType): number {
  const usd = price ?? 0;
  if (usd === 0) return 0;
  const { times, by } = factorOf(period.duration ?? guessDuration(period.at, contractEnd));
  return roundHalfUp(usd * shareInMillionths(period, type) * times, by * 1_000_000);
}

type Factor = { readonly times: number; readonly by: number };
const factors = new Map<string, Factor>();

function factorOf(duration: string): Factor {
  const known = factors.get(duration);
  if (known) return known;
  const { months, days } = spanOf(duration) ?? { months: 1, days: 0 };
  const inDays = days % 7 === 0 ? { times: 28, by: days } : { times: 30, by: days };
  const factor = days === 0 ? { times: 1, by: Math.max(1, months) } : months === 0 ? inDays : mixed(months, days);
  if (factors.size < 1000) factors.set(duration, factor);
  return factor;
}

/** Returns the factor of a duration with both months and days: no store sells one, but the API allows it. */
function mixed(months: number, days: number): Factor {
  return { times: 30, by: months * 30 + days };
}

const GUESSES = [
  [28, 31, 'P1M'],
  [58, 62, 'P2M'],
  [88, 93, 'P3M'],
  [179, 186, 'P6M'],
  [360, 371, 'P1Y'],
] as const;

function guessDuration(from: number, to: number): string {
  const days = Math.max(1, Math.floor((to - from) / DAY_MS));
  const guess = GUESSES.find(([minDays, maxDays]) => days >= minDays && days <= maxDays);
  return guess ? guess[2] : `P${days}D`;
}

function shareInMillionths({ tax, fee }: Rates, type: RevenueType): number {
  const part = type === 'revenue' ? 0 : type === 'proceeds' ? tax + fee : tax;
  return Math.round((1 - part) * 1_000_000);
}

function roundHalfUp(value: number, by: number): number {
  if (!Number.isSafeInteger(2 * value)) return Math.round(value / by);
  const whole = Math.floor(value / by);
  return 2 * (value - whole * by) >= by ? whole + 1 : whole;
}
