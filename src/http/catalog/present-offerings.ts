// Bodies of offerings, packages and paywalls: complete for the dashboard and servers, reduced to what can be shown and bought for client
// SDKs.
import { packageTypeOf } from '../../domain/catalog/offerings.js';
import type { ProductDoc } from '../../projections/models/catalogue.js';
import type { OfferingDoc, PackageDoc } from '../../projections/models/offerings.js';
import type { PaywallDoc } from '../../projections/models/paywalls.js';
import type { BodyOf } from '../bodies/response-schemas.js';
import type { offeredPackage, offering, paywall, sdkOffering, sdkProduct } from './responses.js';

export function presentOffering(
  o: OfferingDoc,
  expand: { readonly packages: boolean } = { packages: false },
): BodyOf<typeof offering> {
  const { offeringId: id, lookupKey, displayName, metadata, isCurrent, archived, createdAt, updatedAt } = o;
  const packages = o.packages.map((p) => presentPackage(id, p));
  const fields = { object: 'offering', id, lookupKey, displayName, metadata, isCurrent, archived } as const;
  return { ...fields, ...(expand.packages && { packages }), createdAt, updatedAt };
}

export function presentPackage(offeringId: string, p: PackageDoc): BodyOf<typeof offeredPackage> {
  const { packageId: id, lookupKey, displayName, position, createdAt, updatedAt } = p;
  const products = p.products.map(({ productId, appId, storeProductId }) => ({ id: productId, appId, storeProductId }));
  const fields = {
    object: 'package',
    id,
    offeringId,
    lookupKey,
    packageType: packageTypeOf(lookupKey),
    displayName,
  } as const;
  return { ...fields, position, products, createdAt, updatedAt };
}

export function presentPaywall(p: PaywallDoc): BodyOf<typeof paywall> {
  const { paywallId: id, offeringId, name, status, config, defaultLocale, localizations } = p;
  const { revision, publishedAt, createdAt, updatedAt } = p;
  const fields = { object: 'paywall', id, offeringId, name, status } as const;
  return { ...fields, config, defaultLocale, localizations, revision, publishedAt, createdAt, updatedAt };
}

/** Presents an offering to a client SDK. `products` are those that the client may buy; a package without any remains in the list. */
export function presentSdkOffering(
  o: OfferingDoc,
  products: ReadonlyMap<string, ProductDoc>,
): BodyOf<typeof sdkOffering> {
  const { offeringId: id, lookupKey, displayName, metadata } = o;
  const packages = o.packages.map((p) => ({
    id: p.packageId,
    lookupKey: p.lookupKey,
    packageType: packageTypeOf(p.lookupKey),
    displayName: p.displayName,
    products: p.products.flatMap(({ productId }) => {
      const product = products.get(productId);
      return product ? [presentSdkProduct(product)] : [];
    }),
  }));
  return { id, lookupKey, displayName, metadata, packages };
}

function presentSdkProduct({
  productId: id,
  appId,
  storeProductId,
  store,
  type,
  duration,
}: ProductDoc): BodyOf<typeof sdkProduct> {
  return { id, appId, storeProductId, store, type, duration };
}
