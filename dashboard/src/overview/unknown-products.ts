// Products that were bought recently and are not in the catalogue, so that their purchases unlock nothing.
import type { Schemas } from '../api/client';
import type { BoughtProduct } from '../setup/add-product';
import type { Transaction } from './use-recent-transactions';

const SUBSCRIPTION_PERIODS: ReadonlySet<string> = new Set(['trial', 'intro', 'normal', 'prepaid']);

export type UnknownProduct = BoughtProduct & Pick<Transaction, 'store'>;

/** Returns each product once, the latest purchase first. */
export function unknownProducts(
  transactions: readonly Pick<Transaction, 'appId' | 'store' | 'storeProductId' | 'periodType'>[],
  products: readonly Pick<Schemas['Product'], 'appId' | 'storeProductId'>[],
): readonly UnknownProduct[] {
  const nameOf = (one: { readonly appId: string; readonly storeProductId: string }) =>
    `${one.appId} ${one.storeProductId}`;
  const known = new Set(products.map(nameOf));
  const unknown = new Map<string, UnknownProduct>();
  for (const one of transactions) {
    const { appId, store, storeProductId, periodType } = one;
    if (known.has(nameOf(one)) || unknown.has(nameOf(one))) continue;
    const type = SUBSCRIPTION_PERIODS.has(periodType) ? 'subscription' : (periodType as BoughtProduct['type']);
    unknown.set(nameOf(one), { appId, store, storeProductId, type });
  }
  return [...unknown.values()];
}
