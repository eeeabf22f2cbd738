// Determines a customer's country, for lists, charts and exports.
import type { Profile } from './state.js';

/** Returns the country that the app reported, or else the country of the latest purchase. */
export function countryOf({
  country,
  subscriptions,
  owned,
}: Pick<Profile, 'country' | 'subscriptions' | 'owned'>): string | null {
  if (country !== null) return country;
  const bought = [
    ...subscriptions.map((s) => ({ at: s.period.purchasedAt, country: s.purchase.country })),
    ...owned.map((o) => ({ at: o.purchasedAt, country: o.purchase.country })),
  ].filter((p) => p.country !== null);
  return (
    bought.reduce<(typeof bought)[number] | null>((last, p) => (last && last.at > p.at ? last : p), null)?.country ??
    null
  );
}
