// Money of the android-store. Pure.
import type { AndroidPrice } from '../../../../adapters/android-store/port.js';
import type { Charge } from '../../../../domain/catalog/assumed-price.js';
import { unconverted, type Amount, type Money } from '../../../../domain/money.js';

/** `units` whole units and `nanos` thousand-millionths of the currency. */
export function chargeOf(price: AndroidPrice): Charge {
  const amountMicros = (price.units ?? 0) * 1_000_000 + Math.round((price.nanos ?? 0) / 1000);
  return { amountMicros, currency: price.currencyCode };
}

/** The store keeps 15 % of subscriptions and 30 % of what is sold once; its lower rate for small turnovers is not followed. */
export function androidMoney(charge: Amount | null, isSubscription: boolean): Money {
  const amount = unconverted(charge ?? { currency: null, amountMicros: null });
  return { ...amount, taxRate: 0, commissionRate: isSubscription ? 0.15 : 0.3 };
}
