// Products to choose from: those of both stores often have the same name.
import type { Schemas } from '../api/client';
import { storeName } from './stores';

type ProductChoice = Pick<Schemas['Product'], 'id' | 'displayName' | 'store'>;

/** Returns the name of a product with its store. */
export function withStore({ displayName, store }: Omit<ProductChoice, 'id'>): string {
  return `${displayName} (${storeName(store)})`;
}

/** Returns IDs with names, each with its store if the products are of several. */
export function productChoices(products: readonly ProductChoice[]): readonly (readonly [id: string, name: string])[] {
  const isOfSeveral = new Set(products.map(({ store }) => store)).size > 1;
  return products.map((one) => [one.id, isOfSeveral ? withStore(one) : one.displayName] as const);
}
