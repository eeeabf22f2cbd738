// Names of stores in RevenueCat's APIs.
import { revenueCatStore, storeKinds, type StoreKind } from '../../domain/store-kinds.js';

/** RevenueCat's name of the desktop store, whose purchases belong to the same store as those of phones. */
const DESKTOP_STORE = 'mac_app_store';
const PHONE_STORE = 'app_store';

/** Returns our kind of the store; undefined for a store that is not ours. */
export function storeKindNamed(name: string): StoreKind | undefined {
  const known = name === DESKTOP_STORE ? PHONE_STORE : name;
  return storeKinds.find((kind) => revenueCatStore(kind) === known);
}
