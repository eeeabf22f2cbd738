// Plans the offerings, packages and their products.
import type { Catalog } from '../../domain/catalog/catalog.js';
import type { ForeignCatalogue, ForeignOffering } from '../../domain/catalog/foreign-catalogue.js';
import { findOffering, findPackage, MAX_METADATA_KIB } from '../../domain/catalog/offerings.js';
import { reservedPackageKeys } from '../../domain/catalog/package-type.js';
import { lookupKey, packageKey } from '../../domain/values/catalogue-keys.js';
import { differenceOf, faultOf, firstIdOf, storeNameOf, type Planner } from './catalogue-planner.js';

export function planOffering(
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
    const taken = new Set(own?.products.map((p) => p.appId));
    for (const productId of one.productIds) {
      const name = `${storeNameOf(catalogue, productId)} in ${place}`;
      const appId = appKeyOf(planner, catalogue, productId);
      const ownId = planner.existing.get(productId);
      const reason = 'a package has one product of each app';
      if (!planner.available.has(productId)) planner.skip('packageProduct', name, 'its product is not copied');
      else if (own?.products.some((p) => p.productId === ownId)) planner.exists('packageProduct', name);
      else if (taken.has(appId)) planner.skip('packageProduct', name, reason);
      else {
        taken.add(appId);
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
