// The stores that this version supports, by kind.
import { UnknownStore, type StoreKind } from '../../domain/store-kinds.js';
import { androidStore } from './android/store.js';
import { iosStore } from './ios/store.js';
import type { StoreModule } from './store-module.js';

export const storeModules = {
  'ios-store': iosStore,
  'android-store': androidStore,
} satisfies { readonly [K in StoreKind]: StoreModule<never> };

type AnyStore = StoreModule<never>;
const all: readonly AnyStore[] = Object.values(storeModules);

/** Throws {@link UnknownStore}. */
export function moduleOf(kind: StoreKind): AnyStore {
  const found = all.find((store) => store.kind === kind);
  if (!found) throw new UnknownStore(kind);
  return found;
}

/** Applies `make` to each store, in a fixed order. */
export function mapStores<T>(make: (store: AnyStore) => T): [T, ...T[]] {
  const [first, ...others] = all.map(make);
  if (first === undefined) throw new Error('no store is configured');
  return [first, ...others];
}
