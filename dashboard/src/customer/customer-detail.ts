// The customer as the API returns it, and the last sign of life.
import type { Schemas } from '../api/client';
import type { ProductNames } from '../names/products';

export type CustomerDetail = Schemas['CustomerDetail'];

export type SignOfLife = { readonly at: string; readonly by: string };

/** Returns the newest of all signs: calls of the app, purchases, cancellations. Renewals are none: they happen without the customer. */
export function lastSignOfLife(customer: CustomerDetail, names: ProductNames): SignOfLife {
  const { lastSeenAt, subscriptions, purchases, experiments } = customer;
  const signs: readonly SignOfLife[] = [
    { at: lastSeenAt, by: 'the app called' },
    ...subscriptions.map((s) => ({ at: s.startedAt, by: `bought ${names.nameOf(s)}` })),
    ...purchases.map((one) => ({ at: one.purchasedAt, by: `bought ${names.nameOf(one)}` })),
    ...subscriptions.flatMap((s) =>
      s.unsubscribedAt === null ? [] : [{ at: s.unsubscribedAt, by: `turned off renewal of ${names.nameOf(s)}` }],
    ),
    ...experiments.map(({ enrolledAt }) => ({ at: enrolledAt, by: 'the app showed an offering' })),
  ];
  return signs.reduce((latest, sign) => (Date.parse(sign.at) > Date.parse(latest.at) ? sign : latest));
}
