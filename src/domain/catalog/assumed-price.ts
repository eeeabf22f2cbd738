// The price to assume where a store reports none.
import type { Products } from './products.js';

export type Charge = { readonly amountMicros: number; readonly currency: string };

/** The product's price in force at the instant: the country's own before that for all, the latest begun before older ones. */
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
