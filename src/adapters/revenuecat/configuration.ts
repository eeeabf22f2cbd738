// Configuration of a project in RevenueCat's REST API v2: apps with their public keys, products, entitlements, offerings, packages.
import { z } from 'zod';
import { revenueCatStore, storeKinds, type StoreKind } from '../../domain/store-kinds.js';
import type { RevenueCatRequests } from './requests.js';

const domain = 'configuration' as const;
const needs =
  'a secret key of API v2 with read permissions for project configuration: apps, products, entitlements, offerings, packages (project settings, API keys)';

const app = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  app_store: z.object({ bundle_id: z.string().nullish() }).nullish(),
  mac_app_store: z.object({ bundle_id: z.string().nullish() }).nullish(),
  play_store: z.object({ package_name: z.string().nullish() }).nullish(),
});
const publicKey = z.object({ key: z.string(), environment: z.string() });
const product = z.object({
  id: z.string(),
  store_identifier: z.string(),
  type: z.string(),
  app_id: z.string(),
  display_name: z.string().nullish(),
  subscription: z
    .object({
      duration: z.string().nullish(),
      grace_period_duration: z.string().nullish(),
      trial_duration: z.string().nullish(),
    })
    .nullish(),
  one_time: z.object({ is_consumable: z.boolean().nullish() }).nullish(),
});
const entitlement = z.object({ id: z.string(), lookup_key: z.string(), display_name: z.string() });
const offering = z.object({
  id: z.string(),
  lookup_key: z.string(),
  display_name: z.string(),
  is_current: z.boolean(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});
const offeredPackage = z.object({
  id: z.string(),
  lookup_key: z.string(),
  display_name: z.string(),
  position: z.int().nullish(),
});
const association = z.object({ product: z.object({ id: z.string() }), eligibility_criteria: z.string().nullish() });

export type RevenueCatApp = z.output<typeof app>;
export type RevenueCatProduct = z.output<typeof product>;

const PAGE = '?limit=100';
const part = encodeURIComponent;

/** Reads one list of a project's configuration, all pages. `path`: path below the project. */
function read<S extends z.ZodType>(
  { list }: RevenueCatRequests,
  item: S,
  projectId: string,
  path: string,
  signal?: AbortSignal,
) {
  return list(item, { domain, path: `/v2/projects/${part(projectId)}${path}`, needs }, signal);
}

export const listApps = (requests: RevenueCatRequests, projectId: string, signal?: AbortSignal) =>
  read(requests, app, projectId, `/apps${PAGE}`, signal);

/** Lists the keys that published apps contain, such as `appl_…`. */
export const listPublicKeys = (requests: RevenueCatRequests, projectId: string, appId: string, signal?: AbortSignal) =>
  read(requests, publicKey, projectId, `/apps/${part(appId)}/public_api_keys`, signal);

export const listProducts = (requests: RevenueCatRequests, projectId: string, signal?: AbortSignal) =>
  read(requests, product, projectId, `/products${PAGE}`, signal);

export const listEntitlements = (requests: RevenueCatRequests, projectId: string, signal?: AbortSignal) =>
  read(requests, entitlement, projectId, `/entitlements${PAGE}`, signal);

/** Lists the products that unlock an entitlement. */
export const listEntitlementProducts = (
  requests: RevenueCatRequests,
  projectId: string,
  id: string,
  signal?: AbortSignal,
) => read(requests, z.object({ id: z.string() }), projectId, `/entitlements/${part(id)}/products${PAGE}`, signal);

export const listOfferings = (requests: RevenueCatRequests, projectId: string, signal?: AbortSignal) =>
  read(requests, offering, projectId, `/offerings${PAGE}`, signal);

export const listPackages = (requests: RevenueCatRequests, projectId: string, id: string, signal?: AbortSignal) =>
  read(requests, offeredPackage, projectId, `/offerings/${part(id)}/packages${PAGE}`, signal);

/** Lists the products of a package. */
export const listPackageProducts = (
  requests: RevenueCatRequests,
  projectId: string,
  id: string,
  signal?: AbortSignal,
) => read(requests, association, projectId, `/packages/${part(id)}/products${PAGE}`, signal);

/** RevenueCat's name of the desktop store, whose purchases belong to the same store as those of phones. */
const DESKTOP_STORE = 'mac_app_store';
const PHONE_STORE = 'app_store';

/** Returns our kind of the store; undefined for a store that is not ours. */
export function storeKindNamed(name: string): StoreKind | undefined {
  const known = name === DESKTOP_STORE ? PHONE_STORE : name;
  return storeKinds.find((kind) => revenueCatStore(kind) === known);
}
