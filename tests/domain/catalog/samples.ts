// A catalogue with products of two apps, and the events of offerings as short as a case needs them.
import { catalogDecider, catalogEvents, type CatalogEvent } from '../../../src/domain/catalog/catalog.js';
import type { Product } from '../../../src/domain/catalog/products.js';
import { offeringEvents as e } from '../../../src/domain/catalog/offerings.js';
import { given } from '../spec.js';

export const monthly: Product = {
  productId: 'prod_1',
  appId: 'app_1',
  store: 'ios-store',
  storeProductId: 'app.monthly',
  displayName: 'Monthly',
  type: 'subscription',
  duration: 'P1M',
  trialDuration: null,
  gracePeriodDuration: null,
};
export const yearly: Product = { ...monthly, productId: 'prod_2', storeProductId: 'app.yearly', duration: 'P1Y' };
export const android: Product = { ...monthly, productId: 'prod_3', appId: 'app_2', store: 'android-store' };
export const stock = [monthly, yearly, android].map((p) => catalogEvents.ProductCreated.of(p));

export const catalog = (...events: readonly CatalogEvent[]) => given(catalogDecider, ...events);

export const offering = (n: number, isCurrent = false) => ({
  offeringId: `ofr_${n}`,
  lookupKey: `key_${n}`,
  displayName: `Offering ${n}`,
  metadata: {},
  isCurrent,
});
export const offered = (n: number, isCurrent = false) => e.OfferingCreated.of(offering(n, isCurrent));
type Changes = Parameters<typeof e.OfferingUpdated.of>[0]['changes'];
export const updated = (n: number, changes: Changes) =>
  e.OfferingUpdated.of({ offeringId: `ofr_${n}`, lookupKey: `key_${n}`, changes });
export const displaced = (n: number) => updated(n, { isCurrent: { from: true, to: false } });

/** Packages are those of the first offering. */
export const packageRef = (n: number, lookupKey = `package_${n}`) => ({
  offeringId: 'ofr_1',
  packageId: `pkg_${n}`,
  lookupKey,
});
export const packed = (n: number, position = n) =>
  e.PackageCreated.of({ ...packageRef(n), displayName: `Package ${n}`, position });
const ref = ({ productId, appId, storeProductId }: Product) => ({ productId, appId, storeProductId });
export const attached = (n: number, product: Product) =>
  e.PackageProductAttached.of({ ...packageRef(n), ...ref(product) });
export const detached = (n: number, product: Product) =>
  e.PackageProductDetached.of({ ...packageRef(n), ...ref(product) });
