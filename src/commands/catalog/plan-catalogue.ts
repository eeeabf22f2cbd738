// Plan for copying another service's catalogue into a project: what exists is left, what does not fit is skipped with a reason. Pure.
import { z } from 'zod';
import type { Catalog } from '../../domain/catalog/catalog.js';
import { findEntitlement } from '../../domain/catalog/entitlements.js';
import type {
  ForeignApp,
  ForeignCatalogue,
  ForeignProduct,
  ForeignOffering,
} from '../../domain/catalog/foreign-catalogue.js';
import { findOffering, findPackage, MAX_METADATA_KIB, reservedPackageKeys } from '../../domain/catalog/offerings.js';
import { storeProductOf } from '../../domain/catalog/products.js';
import type { Project } from '../../domain/project/state.js';
import { rulesOfStore } from '../../domain/store-kinds.js';
import { isStoreDuration } from '../../domain/time.js';
import { lookupKey, storeProductId, packageKey } from '../../domain/values/user-text.js';
import { sha256Of } from '../accounts/api-key.js';
import { registeredKey } from '../projects/registered-keys.js';
import { moduleOf } from '../stores/modules.js';
import {
  createPlanner,
  differenceOf,
  faultOf,
  firstIdOf,
  storeNameOf,
  type CatalogueStep,
  type PlannedObject,
  type Planner,
} from './catalogue-planner.js';

type CataloguePlan = {
  readonly objects: readonly PlannedObject[];
  readonly steps: readonly CatalogueStep[];
  /** IDs here of the apps and products that exist, by those of the other service. */
  readonly existing: ReadonlyMap<string, string>;
};

type State = { readonly project: Project; readonly catalog: Catalog };

export function planCatalogue(catalogue: ForeignCatalogue, state: State): CataloguePlan {
  const planner = createPlanner();
  for (const app of catalogue.apps) planApp(planner, app, catalogue, state);
  for (const product of catalogue.products) planProduct(planner, product, catalogue, state);
  for (const entitlement of catalogue.entitlements) planEntitlement(planner, entitlement, catalogue, state);
  // The first offering of a project becomes current.
  const byCurrent = catalogue.offerings.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
  for (const offering of byCurrent) planOffering(planner, offering, catalogue, state.catalog);
  const { objects, steps, existing } = planner;
  return { objects, steps, existing };
}

function planApp(planner: Planner, app: ForeignApp, { apps }: ForeignCatalogue, { project }: State): void {
  const name = `${app.name} (${app.storeIdentifier})`;
  const known = project.apps.find((a) => a.store === app.store && a.storeIdentifier === app.storeIdentifier);
  const first = apps.find((a) => isSameApp(a, app));
  const twin = first === undefined || first.id === app.id ? undefined : first.id;
  const fault = faultOf(z.object(moduleOf(app.store).app.names), {
    [rulesOfStore(app.store).appField]: app.storeIdentifier,
  });
  if (!known && twin === undefined && fault !== null) return planner.skip('app', name, fault);
  if (known) planner.existing.set(app.id, known.appId);
  if (twin !== undefined) planner.twins.set(app.id, twin);
  planner.available.add(app.id);
  if (known) planner.exists('app', name, differenceOf('name', known.name, app.name));
  else if (twin !== undefined) planner.exists('app', name, 'the same app is listed twice');
  else planner.create(name, { kind: 'app', app });
  for (const key of app.publicKeys) {
    const keyName = `${key.slice(0, 9)}… of ${app.name}`;
    const keyFault = faultOf(registeredKey, key);
    if (keyFault !== null) planner.skip('publicKey', keyName, keyFault);
    else if (project.keys.some((k) => k.sha256 === sha256Of(key))) planner.exists('publicKey', keyName);
    else planner.create(keyName, { kind: 'publicKey', appId: twin ?? app.id, key });
  }
}

function isSameApp(a: ForeignApp, b: ForeignApp): boolean {
  return a.store === b.store && a.storeIdentifier === b.storeIdentifier;
}

function planProduct(planner: Planner, product: ForeignProduct, { apps }: ForeignCatalogue, { catalog }: State): void {
  const { storeProductId: id } = product;
  // Apps of two stores often sell products of the same name.
  const app = apps.find((one) => one.id === product.appId);
  const name = app ? `${id} of ${app.name}` : id;
  if (!planner.available.has(product.appId)) return planner.skip('product', name, 'its app is not copied');
  const fault = faultOf(storeProductId, id);
  if (fault !== null) return planner.skip('product', name, fault);
  const appId = planner.existing.get(product.appId);
  const known = appId === undefined ? undefined : storeProductOf(catalog, appId, id);
  planner.available.add(product.id);
  if (known) {
    planner.existing.set(product.id, known.productId);
    return planner.exists('product', name, differenceOf('type', known.type, product.type));
  }
  const ownAppId = firstIdOf(planner, product.appId);
  const twin = planner.steps.flatMap((s) => {
    const isTwin = s.kind === 'product' && s.product.storeProductId === id && s.product.appId === ownAppId;
    return isTwin ? [s.product.id] : [];
  })[0];
  if (twin !== undefined) {
    planner.twins.set(product.id, twin);
    return planner.exists('product', name, 'the same product is listed twice');
  }
  planner.create(name, { kind: 'product', product: { ...withKnownDurations(product), appId: ownAppId } });
}

function withKnownDurations(product: ForeignProduct): ForeignProduct {
  const known = (duration: string | null) => (duration !== null && isStoreDuration(duration) ? duration : null);
  const { duration, trialDuration, gracePeriodDuration } = product;
  return {
    ...product,
    duration: known(duration),
    trialDuration: known(trialDuration),
    gracePeriodDuration: known(gracePeriodDuration),
  };
}

function planEntitlement(
  planner: Planner,
  { lookupKey: key, displayName, productIds }: ForeignCatalogue['entitlements'][number],
  catalogue: ForeignCatalogue,
  { catalog }: State,
): void {
  const fault = faultOf(lookupKey, key);
  if (fault !== null) return planner.skip('entitlement', key, fault);
  const known = findEntitlement(catalog, key);
  if (known) planner.exists('entitlement', key, differenceOf('name', known.displayName, displayName));
  else planner.create(key, { kind: 'entitlement', lookupKey: key, displayName });
  for (const productId of productIds) {
    const name = `${storeNameOf(catalogue, productId)} in ${key}`;
    const ownId = planner.existing.get(productId);
    if (!planner.available.has(productId)) planner.skip('entitlementProduct', name, 'its product is not copied');
    else if (ownId !== undefined && known?.productIds.includes(ownId)) planner.exists('entitlementProduct', name);
    else planner.create(name, { kind: 'entitlementProduct', lookupKey: key, productId: firstIdOf(planner, productId) });
  }
}

function planOffering(
  planner: Planner,
  offering: ForeignOffering,
  catalogue: ForeignCatalogue,
  catalog: Catalog,
): void {
  const { lookupKey: key, displayName } = offering;
  const fault = faultOf(lookupKey, key);
  if (fault !== null) return planner.skip('offering', key, fault);
  const known = findOffering(catalog, key);
  const isTooLong = Buffer.byteLength(JSON.stringify(offering.metadata)) > MAX_METADATA_KIB * 1024;
  if (known) planner.exists('offering', key, differenceOf('name', known.displayName, displayName));
  else if (isTooLong) {
    const reason = `without its metadata, which has more than ${MAX_METADATA_KIB} KiB`;
    planner.create(key, { kind: 'offering', offering: { ...offering, metadata: {} } }, reason);
  } else planner.create(key, { kind: 'offering', offering });
  for (const one of offering.packages) {
    const place = `${one.lookupKey} in ${key}`;
    const packageFault = packageFaultOf(one.lookupKey);
    if (packageFault !== null) {
      planner.skip('package', place, packageFault);
      continue;
    }
    const own = known && findPackage(known, one.lookupKey);
    const step = { kind: 'package', offering: key, lookupKey: one.lookupKey, displayName: one.displayName } as const;
    if (own) planner.exists('package', place);
    else planner.create(place, { ...step, position: one.position });
    const usedAppIds = new Set(own?.products.map((p) => p.appId));
    for (const productId of one.productIds) {
      const name = `${storeNameOf(catalogue, productId)} in ${place}`;
      const appId = appKeyOf(planner, catalogue, productId);
      const ownId = planner.existing.get(productId);
      const reason = 'a package has one product of each app';
      if (!planner.available.has(productId)) planner.skip('packageProduct', name, 'its product is not copied');
      else if (own?.products.some((p) => p.productId === ownId)) planner.exists('packageProduct', name);
      else if (usedAppIds.has(appId)) planner.skip('packageProduct', name, reason);
      else {
        usedAppIds.add(appId);
        planner.create(name, {
          kind: 'packageProduct',
          offering: key,
          package: one.lookupKey,
          productId: firstIdOf(planner, productId),
        });
      }
    }
  }
}

function packageFaultOf(key: string): string | null {
  if (key.startsWith('$') && !reservedPackageKeys.includes(key)) {
    return `a key that begins with $ must be one of ${reservedPackageKeys.join(' ')}`;
  }
  return faultOf(packageKey, key);
}

/** Returns our ID of the product's app, or the store's name of an app that is yet to be created. */
function appKeyOf({ existing }: Planner, { apps, products }: ForeignCatalogue, productId: string): string {
  const app = apps.find((a) => a.id === products.find((p) => p.id === productId)?.appId);
  return existing.get(app?.id ?? '') ?? `${app?.store} ${app?.storeIdentifier}`;
}
