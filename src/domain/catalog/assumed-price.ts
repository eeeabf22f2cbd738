// The price that is assumed when a store reports none.
import type { Products } from './products.js';

export type Charge = { readonly amountMicros: number; readonly currency: string };

/** Returns the product's price in force at the instant. A price of the country precedes one for all countries; then the latest wins. */
export function assumedCharge(
  { prices }: Products,
  o: { readonly productId: string | null; readonly country: string | null; readonly at: string },
): Charge | null {
  const isInForce = (p: Products['prices'][number]) =>
    p.productId === o.productId && (p.country === null || p.country === o.country) && (p.startsAt ?? '') <= o.at;
  const [best] = prices.filter(isInForce).sort((a, b) => {
    if (a.country !== b.country) return a.country === null ? 1 : -1;
    return (b.startsAt ?? '') < (a.startsAt ?? '') ? -1 : 1;
  });
  return best ? { amountMicros: best.amountMicros, currency: best.currency } : null;
}
