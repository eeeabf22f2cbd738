// The rules of packages: keys are unique in their offering, keys with `$` are reserved, and a package contains one product of each app.
import { Rejection } from '../errors.js';
import {
  findOffering,
  findPackage,
  offeringEvents as e,
  type Offering,
  type OfferingEvent,
  type Offerings,
  type Package,
  type ProductRef,
  reservedPackageKeys,
} from './offerings.js';

type OfferingTarget = { readonly offering: string };
type PackageTarget = OfferingTarget & { readonly package: string };
type CreatePackage = OfferingTarget & {
  readonly kind: 'createPackage';
  readonly package: Pick<Package, 'packageId' | 'lookupKey' | 'displayName'> & { readonly position: number | null };
};
type Attachment = PackageTarget & {
  readonly kind: 'attachToPackage' | 'detachFromPackage';
  readonly productIds: readonly string[];
};

/** `offering` and `package` are ids or lookupKeys. Without a `position` a package comes last. */
export type PackageCommand = CreatePackage | (PackageTarget & { readonly kind: 'deletePackage' }) | Attachment;

export const MAX_PACKAGES = 50;

type State = Offerings & { readonly products: readonly ProductRef[] };

export function decidePackage(c: PackageCommand, state: State): OfferingEvent[] {
  switch (c.kind) {
    case 'createPackage':
      return createPackage(requireOffering(state, c.offering), c.package);
    case 'deletePackage': {
      const { offering, existing } = requirePackage(state, c);
      return [e.PackageDeleted.of(refOf(offering, existing))];
    }
    case 'attachToPackage':
      return attachProducts(c, state);
    case 'detachFromPackage':
      return detachProducts(c, state);
  }
}

export function requireOffering(state: Offerings, key: string): Offering {
  const offering = findOffering(state, key);
  if (!offering) throw new Rejection('missing', 'offering-unknown', 'offering not found in this project');
  return offering;
}

function createPackage(
  offering: Offering,
  { packageId, lookupKey, displayName, position }: CreatePackage['package'],
): OfferingEvent[] {
  const { offeringId, packages } = offering;
  if (packages.some((p) => p.packageId === packageId)) return [];
  if (lookupKey.startsWith('$') && !reservedPackageKeys.includes(lookupKey)) {
    const message = `a lookupKey that begins with $ must be one of ${reservedPackageKeys.join(' ')}`;
    throw new Rejection('invalid', 'package-key-reserved', message);
  }
  if (packages.some((p) => p.lookupKey === lookupKey)) {
    throw new Rejection('conflict', 'package-exists', 'lookupKey is taken in this offering; use another');
  }
  if (packages.length >= MAX_PACKAGES) {
    const message = `an offering can have at most ${MAX_PACKAGES} packages; delete one first`;
    throw new Rejection('conflict', 'too-many-packages', message);
  }
  const last = Math.max(0, ...packages.map((p) => p.position));
  const created = { offeringId, packageId, lookupKey, displayName, position: position ?? last + 1 };
  return [e.PackageCreated.of(created)];
}

/** All or none. */
function attachProducts(c: Attachment, state: State): OfferingEvent[] {
  const { offering, existing } = requirePackage(state, c);
  const apps = new Set(existing.products.map((p) => p.appId));
  const missing = findProducts(c, state).filter((p) => !existing.products.some((h) => h.productId === p.productId));
  return missing.map((product) => {
    if (apps.has(product.appId)) {
      const message = 'a package can have only one product of each app; detach the other one first';
      throw new Rejection('conflict', 'package-app-taken', message);
    }
    apps.add(product.appId);
    return e.PackageProductAttached.of({ ...refOf(offering, existing), ...productRefOf(product) });
  });
}

/** All or none. */
function detachProducts(c: Attachment, state: State): OfferingEvent[] {
  const { offering, existing } = requirePackage(state, c);
  return findProducts(c, state).map((product) => {
    if (!existing.products.some((p) => p.productId === product.productId)) {
      throw new Rejection('missing', 'product-not-attached', 'the product is not attached to this package');
    }
    return e.PackageProductDetached.of({ ...refOf(offering, existing), ...productRefOf(product) });
  });
}

function findProducts({ productIds }: Attachment, { products }: State): readonly ProductRef[] {
  return [...new Set(productIds)].map((id) => {
    const product = products.find((p) => p.productId === id);
    if (!product) throw new Rejection('invalid', 'product-unknown', `${id} is not a product of this project`);
    return product;
  });
}

function requirePackage(state: Offerings, c: { readonly offering: string; readonly package: string }) {
  const offering = requireOffering(state, c.offering);
  const existing = findPackage(offering, c.package);
  if (!existing) throw new Rejection('missing', 'package-unknown', 'package not found in this offering');
  return { offering, existing };
}

function refOf({ offeringId }: Offering, { packageId, lookupKey }: Package) {
  return { offeringId, packageId, lookupKey };
}

function productRefOf({ productId, appId, storeProductId }: ProductRef): ProductRef {
  return { productId, appId, storeProductId };
}
