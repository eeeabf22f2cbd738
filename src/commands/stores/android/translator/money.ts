// Money of the android-store. Pure.
import type { AndroidPrice } from '../../../../adapters/android-store/port.js';
import type { Charge } from '../../../../domain/catalog/products.js';
import {
  androidStoreCommission,
  isPlausible,
  toUnconvertedMoney,
  type Amount,
  type Money,
} from '../../../../domain/money.js';

/** Converts `units` (whole units) and `nanos` (billionths) of the currency. */
export function chargeOf(price: AndroidPrice): Charge {
  const amountMicros = (price.units ?? 0) * 1_000_000 + Math.round((price.nanos ?? 0) / 1000);
  return { amountMicros, currency: price.currencyCode };
}

/** Returns null for an amount that is no price. */
export function plausibleChargeOf(price: AndroidPrice): Charge | null {
  const charge = chargeOf(price);
  return isPlausible(charge.amountMicros) ? charge : null;
}

export function androidMoney(charge: Amount | null, isSubscription: boolean): Money {
  const amount = toUnconvertedMoney(charge ?? { currency: null, amountMicros: null });
  return { ...amount, taxRate: 0, commissionRate: androidStoreCommission(isSubscription) };
}
