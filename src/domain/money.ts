// Money in integer micro-units with an ISO 4217 code. The rate that made `usdMicros` is frozen in the event that uses it.
import { z } from 'zod';
import { rulesOfStore } from './store-kinds.js';
import { addDuration, msFromIso } from './time.js';
import { inGroups } from './values/field-groups.js';

const micros = z.int().nullable();

/** `taxRate` and `commissionRate` are shares (0..1) of the gross price. Unknown price or rate: null, never a guess. */
const moneyFields = z.strictObject({
  currency: z.string().length(3).nullable(),
  amountMicros: micros,
  usdMicros: micros,
  fxRate: z.string().nullable(),
  fxDate: z.string().nullable(),
  taxRate: z.number().min(0).max(1),
  commissionRate: z.number().min(0).max(1),
});
export const moneySchema = inGroups(moneyFields, 'money');
export type Money = z.output<typeof moneySchema>;

export type Amount = Pick<Money, 'currency' | 'amountMicros'>;

/** A billion of the currency's units: sums of charges stay exact integers. No store sells for more. */
const MAX_CHARGE_MICROS = 1_000_000_000_000_000;

/** Returns whether an amount can be a charge. A larger one is unknown money, and the purchase is recorded without it. */
export function isPlausible(amountMicros: number): boolean {
  return Math.abs(amountMicros) <= MAX_CHARGE_MICROS;
}

/**
 * Returns the money before any exchange rate is applied: the USD value is known for US dollars and for zero, otherwise null. An amount that
 * is not plausible is unknown.
 */
export function toUnconvertedMoney(amount: Amount): Omit<Money, 'taxRate' | 'commissionRate'> {
  const { currency } = amount;
  const amountMicros = amount.amountMicros !== null && isPlausible(amount.amountMicros) ? amount.amountMicros : null;
  const isUsd = currency === 'USD';
  const usdMicros = isUsd || amountMicros === 0 ? amountMicros : null;
  return { currency, amountMicros, usdMicros, fxRate: isUsd ? '1' : null, fxDate: null };
}

/** Splits a charge in USD micros into gross, tax, commission and proceeds, as charts and totals need it. Each part is rounded by itself. */
export function splitRevenue(
  money: Money,
  share = 1,
): { gross: number; tax: number; commission: number; proceeds: number } {
  const gross = Math.round((money.usdMicros ?? 0) * share);
  const tax = Math.round(gross * money.taxRate);
  const commission = Math.round(gross * money.commissionRate);
  return { gross, tax, commission, proceeds: gross - tax - commission };
}

/** Converts the store's units (`milli` = thousandths) to micro-units. */
export function microsFromMilli(milli: number): number {
  return Math.round(milli) * 1000;
}

const LONG_RUNNING = 'P12M';
/** Minimum length of twelve months, so that most charges need no calendar arithmetic. */
const MIN_LONG_RUNNING_MS = 365 * 86_400_000;

/**
 * The ios-store takes 30 %; 15 % from members of its small-business programme, and for a subscription from twelve months after its
 * original purchase. The rate is fixed when the charge is recorded; a later change of the flag does not rewrite history.
 */
export function iosStoreCommission(o: {
  readonly smallBusiness: boolean;
  readonly isSubscription: boolean;
  readonly originallyPurchasedAt: string;
  readonly purchasedAt: string;
}): number {
  if (o.smallBusiness) return 0.15;
  if (!o.isSubscription || msFromIso(o.purchasedAt) - msFromIso(o.originallyPurchasedAt) < MIN_LONG_RUNNING_MS)
    return 0.3;
  return o.purchasedAt >= addDuration(o.originallyPurchasedAt, LONG_RUNNING) ? 0.15 : 0.3;
}

/** The android-store takes 15 % of subscriptions and 30 % of one-time purchases; its lower rate for small revenues is not supported. */
export function androidStoreCommission(isSubscription: boolean): number {
  return isSubscription ? 0.15 : 0.3;
}

/** Usual commission of a store, for a charge that no message of it describes. Throws `UnknownStore`. */
export function storeCommission({
  store,
  ...o
}: Parameters<typeof iosStoreCommission>[0] & { readonly store: string }): number {
  return rulesOfStore(store).hasSmallBusiness ? iosStoreCommission(o) : androidStoreCommission(o.isSubscription);
}

/** Returns true when the learned money adds a price or a rate that was unknown. A known price is never replaced. */
export function completesMoney(learned: Money, known: Money): boolean {
  if (known.amountMicros === null) return learned.amountMicros !== null;
  const isSame = learned.amountMicros === known.amountMicros && learned.currency === known.currency;
  return isSame && known.usdMicros === null && learned.usdMicros !== null;
}
