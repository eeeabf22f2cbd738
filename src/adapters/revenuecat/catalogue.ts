// Reads the catalogue of a RevenueCat project in the neutral form that a project here can take.
import type { ForeignApp, ForeignCatalogue, ForeignProduct } from '../../domain/catalog/foreign-catalogue.js';
import type { JsonObject } from '../../domain/values/json-object.js';
import { reservedPackageKeys } from '../../domain/catalog/offerings.js';
import {
  listApps,
  listEntitlementProducts,
  listEntitlements,
  listOfferings,
  listPackageProducts,
  listPackages,
  listProducts,
  listPublicKeys,
  type RevenueCatApp,
  type RevenueCatProduct,
  storeKindNamed,
} from './configuration.js';
import type { RevenueCatRequests } from './requests.js';

export type ReadCatalogue = {
  readonly catalogue: ForeignCatalogue;
  /** Apps of stores that Subledger does not serve, such as `stripe`. */
  readonly otherApps: readonly { readonly name: string; readonly store: string }[];
};

type Reading = {
  readonly requests: RevenueCatRequests;
  readonly projectId: string;
  readonly signal: AbortSignal;
  /** Called with the number of lists read so far, and of those that are known to be needed. */
  readonly onProgress: (done: number, total: number) => void;
};

const MAX_APP_NAME = 100;
const MAX_NAME = 200;
/** RevenueCat's prefix of the package keys that mean a duration. */
const RESERVED = '$rc_';
/** Products of a package that only outdated SDKs need. */
const OUTDATED = 'google_sdk_lt_6';

/** Reads all lists, which takes about a second each. Throws `RevenueCatRefusal`. */
export async function readRevenueCatCatalogue({
  requests,
  projectId,
  signal,
  onProgress,
}: Reading): Promise<ReadCatalogue> {
  let [done, total] = [0, 4];
  const read = async <T>(list: Promise<T>): Promise<T> => {
    const items = await list;
    onProgress(++done, total);
    return items;
  };
  const apps = await read(listApps(requests, projectId, signal));
  const products = await read(listProducts(requests, projectId, signal));
  const entitlements = await read(listEntitlements(requests, projectId, signal));
  const offerings = await read(listOfferings(requests, projectId, signal));
  const known = apps.flatMap((app) => storeAppOf(app) ?? []);
  total += known.length + entitlements.length + offerings.length;
  const catalogue: ForeignCatalogue = { apps: [], products: products.map(productOf), entitlements: [], offerings: [] };
  for (const app of known) {
    const keys = await read(listPublicKeys(requests, projectId, app.id, signal));
    const publicKeys = keys.filter((k) => k.environment === 'production').map(({ key }) => key);
    catalogue.apps.push({ ...app, publicKeys });
  }
  for (const { id, lookup_key: lookupKey, display_name } of entitlements) {
    const unlocking = await read(listEntitlementProducts(requests, projectId, id, signal));
    const productIds = unlocking.map((product) => product.id);
    catalogue.entitlements.push({ lookupKey, displayName: cleanName(display_name, MAX_NAME), productIds });
  }
  for (const { id, lookup_key: lookupKey, display_name, is_current: isCurrent, metadata } of offerings) {
    const packageList = await read(listPackages(requests, projectId, id, signal));
    total += packageList.length;
    const packages: ForeignCatalogue['offerings'][number]['packages'] = [];
    for (const one of packageList) {
      const offered = await read(listPackageProducts(requests, projectId, one.id, signal));
      const isOutdated = (o: (typeof offered)[number]) => Number(o.eligibility_criteria === OUTDATED);
      const productIds = offered.toSorted((a, b) => isOutdated(a) - isOutdated(b)).map(({ product }) => product.id);
      const displayName = cleanName(one.display_name, MAX_NAME);
      packages.push({
        lookupKey: packageKeyOf(one.lookup_key),
        displayName,
        position: one.position ?? null,
        productIds,
      });
    }
    const displayName = cleanName(display_name, MAX_NAME);
    catalogue.offerings.push({ lookupKey, displayName, isCurrent, metadata: (metadata ?? {}) as JsonObject, packages });
  }
  const isOther = (app: RevenueCatApp) => storeAppOf(app) === null;
  return { catalogue, otherApps: apps.filter(isOther).map(({ name, type }) => ({ name, store: type })) };
}

/** Returns null for an app of a store that is not ours. */
function storeAppOf(app: RevenueCatApp): Omit<ForeignApp, 'publicKeys'> | null {
  const store = storeKindNamed(app.type);
  const bundleId = app.app_store?.bundle_id ?? app.mac_app_store?.bundle_id;
  const storeIdentifier = bundleId ?? app.play_store?.package_name;
  if (store === undefined || !storeIdentifier) return null;
  return { id: app.id, name: cleanName(app.name, MAX_APP_NAME), store, storeIdentifier };
}

function productOf(product: RevenueCatProduct): ForeignProduct {
  const { id, app_id: appId, store_identifier: storeProductId, subscription } = product;
  return {
    ...{ id, appId, storeProductId, type: typeOf(product) },
    displayName: cleanName(product.display_name ?? storeProductId, MAX_NAME),
    duration: subscription?.duration ?? null,
    trialDuration: subscription?.trial_duration ?? null,
    gracePeriodDuration: subscription?.grace_period_duration ?? null,
  };
}

function typeOf({ type, one_time, subscription }: RevenueCatProduct): ForeignProduct['type'] {
  switch (type) {
    case 'consumable':
    case 'non_consumable':
    case 'non_renewing_subscription':
      return type;
    case 'one_time':
      return one_time?.is_consumable === true ? 'consumable' : 'non_consumable';
    default:
      return type === 'subscription' || subscription ? 'subscription' : 'non_consumable';
  }
}

/** Returns our key for `$rc_monthly`; the compatibility API shows it to SDKs as `$rc_monthly` again. */
function packageKeyOf(key: string): string {
  const own = `$${key.slice(RESERVED.length)}`;
  return key.startsWith(RESERVED) && reservedPackageKeys.includes(own) ? own : key;
}

function cleanName(name: string, max: number): string {
  const clean = name.replace(/[\p{Cc}\u2028\u2029]/gu, ' ').trim();
  return clean === '' ? 'Unnamed' : clean.slice(0, max);
}
