// The stores that there are, one line each, with what the rules of the domain know of them. A value that names none is refused.
import { z } from 'zod';

/** `platform`: of its apps. `appField`: how the API calls the store's name of an app. `hasSmallBusiness`: lower commission by a setting. */
const stores = [
  { kind: 'ios-store', platform: 'ios', appField: 'bundleId', hasSmallBusiness: true },
  { kind: 'android-store', platform: 'android', appField: 'packageName', hasSmallBusiness: false },
] as const;

/**
 * Sells in development only: a client's own dialog stands for the store, and nobody pays. It has no server, sends no notifications and needs
 * no credentials; what is bought in it is of the sandbox.
 */
export const TEST_STORE = 'test-store' as const;

export const storeKind = z.enum(stores.map(({ kind }) => kind));
export type StoreKind = z.output<typeof storeKind>;
export const storeKinds: readonly StoreKind[] = storeKind.options;

/** A store that an app sells in: one with a server, or the test store. */
export const appStore = z.enum([...storeKind.options, TEST_STORE]);
export type AppStore = z.output<typeof appStore>;

export const TEST_PLATFORM = 'test' as const;
export const appPlatform = z.enum([...stores.map(({ platform }) => platform), TEST_PLATFORM]);
export type AppPlatform = z.output<typeof appPlatform>;

export function isTestStore(store: AppStore): store is typeof TEST_STORE {
  return store === TEST_STORE;
}

export type StoreRules = (typeof stores)[number];

/** Throws {@link UnknownStore}. */
export function rulesOfStore(kind: string): StoreRules {
  const found = stores.find((store) => store.kind === kind);
  if (!found) throw new UnknownStore(kind);
  return found;
}

/** Whose apps run on the platform. Throws {@link UnknownStore}. */
export function storeOfPlatform(platform: StoreRules['platform']): StoreKind;
export function storeOfPlatform(platform: AppPlatform): AppStore;
export function storeOfPlatform(platform: AppPlatform): AppStore {
  if (platform === TEST_PLATFORM) return TEST_STORE;
  const found = stores.find((store) => store.platform === platform);
  if (!found) throw new UnknownStore(platform);
  return found.kind;
}

/** The kind that a record or an event names. Throws {@link UnknownStore}. */
export function storeKindOf(value: unknown): StoreKind {
  return rulesOfStore(String(value)).kind;
}

/** Written by a version that knows more stores, or by a fault: never taken for another store. */
export class UnknownStore extends Error {
  constructor(kind: string) {
    super(`there is no store ${JSON.stringify(kind)} in this version`);
    this.name = 'UnknownStore';
  }
}
