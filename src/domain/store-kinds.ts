// The supported stores, one entry each, with the properties that the domain's rules depend on. Any other value is refused.
import { z } from 'zod';

/**
 * `appField`: the API field of the store's name of an app. `hasSmallBusiness`: the app setting for a lower commission exists.
 * `revenueCatName`: the store's name in RevenueCat's API. `namesChainBy`: what identifies the transactions of one subscription.
 * `deletesEnded`: the store deletes a purchase some time after its end. `retriesCommitmentsLonger`: it retries a failed charge within a commitment
 * longer than other charges. `endsWithoutConsent`: a subscription whose new price is not accepted ends without a reason of its own.
 * `questionsPerSecond`: how often the store takes a request about a purchase, by environment. `limitsEachApp`: it counts them for each app and
 * environment by itself. `reports`: kinds of its financial reports. `refundPreferences`: the answers that it takes to its question about a refund.
 * `needsRefundConsent`: it takes one only with the customer's consent. As documented: https://developer.apple.com/documentation/appstoreserverapi/identifying-rate-limits (50 a second of
 * each kind and app, in the sandbox a tenth) and https://developers.google.com/android-publisher/quotas (3,000 a minute of each kind and
 * Google Cloud project, unless it has a quota of its own).
 */
const stores = [
  {
    kind: 'ios-store',
    platform: 'ios',
    appField: 'bundleId',
    hasSmallBusiness: true,
    revenueCatName: 'app_store',
    namesChainBy: 'originalTransactionId',
    deletesEnded: false,
    retriesCommitmentsLonger: true,
    endsWithoutConsent: false,
    questionsPerSecond: { production: 50, sandbox: 5 },
    limitsEachApp: true,
    reports: ['finance_detail', 'financial', 'payments'],
    refundPreferences: ['decline', 'grant_full', 'grant_prorated'],
    needsRefundConsent: true,
  },
  {
    kind: 'android-store',
    platform: 'android',
    appField: 'packageName',
    hasSmallBusiness: false,
    revenueCatName: 'play_store',
    namesChainBy: 'purchaseToken',
    deletesEnded: true,
    retriesCommitmentsLonger: false,
    endsWithoutConsent: true,
    questionsPerSecond: { production: 50, sandbox: 50 },
    limitsEachApp: false,
    reports: ['earnings', 'sales'],
    refundPreferences: ['decline', 'grant_full'],
    needsRefundConsent: false,
  },
] as const;

/**
 * Store for development: a dialog of the client replaces the store, and nobody pays. It has no server, sends no notifications and needs no
 * credentials; its purchases are sandbox purchases.
 */
export const TEST_STORE = 'test-store' as const;

export const storeKind = z.enum(stores.map(({ kind }) => kind));
export type StoreKind = z.output<typeof storeKind>;
export const storeKinds: readonly StoreKind[] = storeKind.options;

/** Store of an app: one with a server, or the test store. */
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

/** Returns what identifies the transactions of one subscription. Throws {@link UnknownStore}. */
export function chainNameOf(kind: string): StoreRules['namesChainBy'] {
  return kind === TEST_STORE ? 'originalTransactionId' : rulesOfStore(kind).namesChainBy;
}

/** Returns RevenueCat's name of the store; its webhooks have it in capitals. Throws {@link UnknownStore}. */
export function revenueCatStore(kind: string): StoreRules['revenueCatName'] | 'test_store' {
  return kind === TEST_STORE ? 'test_store' : rulesOfStore(kind).revenueCatName;
}

/** Returns the store of a name in RevenueCat's exports; null for a store that is not supported. Apps of the Mac share the ios-store. */
export function storeOfRevenueCatName(name: string): StoreKind | null {
  const bare = name === 'mac_app_store' ? 'app_store' : name;
  return stores.find((store) => store.revenueCatName === bare)?.kind ?? null;
}

/** Returns the store of the platform's apps. Throws {@link UnknownStore}. */
export function storeOfPlatform(platform: StoreRules['platform']): StoreKind;
export function storeOfPlatform(platform: AppPlatform): AppStore;
export function storeOfPlatform(platform: AppPlatform): AppStore {
  if (platform === TEST_PLATFORM) return TEST_STORE;
  const found = stores.find((store) => store.platform === platform);
  if (!found) throw new UnknownStore(platform);
  return found.kind;
}

/** Returns the store kind in a record or an event. Throws {@link UnknownStore}. */
export function storeKindOf(value: unknown): StoreKind {
  return rulesOfStore(String(value)).kind;
}

/** The value was written by a version that supports more stores, or by a fault. It is never replaced with another store. */
export class UnknownStore extends Error {
  constructor(kind: string) {
    super(`unknown store ${JSON.stringify(kind)}: this version does not support it`);
    this.name = 'UnknownStore';
  }
}

/** Returns the store whose financial reports are of this kind. */
export function storeOfReport(report: StoreRules['reports'][number]): StoreKind {
  const rules = stores.find(({ reports }) => (reports as readonly string[]).includes(report));
  if (!rules) throw new UnknownStore(report);
  return rules.kind;
}
