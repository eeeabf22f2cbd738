// Money of the android-store. Pure.
import type { AndroidPrice } from '../../adapters/android-store/port.js';
import type { Charge } from '../../domain/catalog/assumed-price.js';
import type { Money } from '../../domain/money.js';

/** `units` whole units and `nanos` thousand-millionths of the currency. */
export function chargeOf(price: AndroidPrice): Charge {
  const amountMicros = (price.units ?? 0) * 1_000_000 + Math.round((price.nanos ?? 0) / 1000);
  return { amountMicros, currency: price.currencyCode };
}

/** The store keeps 15 % of subscriptions and 30 % of what is sold once; its lower rate for small turnovers is not followed. */
type Paid = { readonly amountMicros: number; readonly currency: string | null };

export function androidMoney(charge: Paid | null, isSubscription: boolean): Money {
  const { currency = null, amountMicros = null } = charge ?? {};
  const isUsd = currency === 'USD' || amountMicros === 0;
  return {
    currency,
    amountMicros,
    usdMicros: isUsd ? amountMicros : null,
    fxRate: isUsd && currency === 'USD' ? '1' : null,
    fxDate: null,
    taxRate: 0,
    commissionRate: isSubscription ? 0.15 : 0.3,
  };
}
