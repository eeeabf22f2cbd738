// Events and state of offerings, one of which is current, and of their ordered packages of products. The rules are in decide-offering.ts.
// The duration of a package follows from its key: keys that begin with `$` are reserved and have the same meaning in every client.
import { z } from 'zod';
import { changeOf, documentChange } from '../changes.js';
import { defineEvent, remaining, type EventOf } from '../events.js';
import { digestOf, jsonObject } from '../values/json-object.js';

/** Limit of an offering's metadata as JSON. */
export const MAX_METADATA_KIB = 10;

const offering = { offeringId: z.string(), lookupKey: z.string() };
/** `lookupKey`: key of the package, unique in its offering. */
const inPackage = { offeringId: z.string(), packageId: z.string(), lookupKey: z.string() };
const productRef = { productId: z.string(), appId: z.string(), storeProductId: z.string() };

export const offeringEvents = {
  OfferingCreated: defineEvent('OfferingCreated', {
    ...offering,
    displayName: z.string(),
    metadata: jsonObject,
    isCurrent: z.boolean(),
  }),
  OfferingUpdated: defineEvent('OfferingUpdated', {
    ...offering,
    changes: z.strictObject({
      displayName: changeOf(z.string()),
      metadata: documentChange,
      isCurrent: changeOf(z.boolean()),
      archived: changeOf(z.boolean()),
    }),
  }),
  PackageCreated: defineEvent('PackageCreated', { ...inPackage, displayName: z.string(), position: z.int() }),
  PackageDeleted: defineEvent('PackageDeleted', inPackage),
  PackageProductAttached: defineEvent('PackageProductAttached', { ...inPackage, ...productRef }),
  PackageProductDetached: defineEvent('PackageProductDetached', { ...inPackage, ...productRef }),
};
export type OfferingEvent = EventOf<typeof offeringEvents>;
export type OfferingData<T extends OfferingEvent['type']> = Extract<OfferingEvent, { type: T }>['data'];

/** The fields of a product that an offering needs. */
export type ProductRef = { readonly productId: string; readonly appId: string; readonly storeProductId: string };

export type Package = {
  readonly packageId: string;
  readonly lookupKey: string;
  readonly displayName: string;
  readonly position: number;
  readonly products: readonly ProductRef[];
};

/** State of an offering. It contains only a digest of `metadata`, because the state of every project is in memory. */
export type Offering = {
  readonly offeringId: string;
  readonly lookupKey: string;
  readonly displayName: string;
  readonly metadataDigest: string;
  readonly isCurrent: boolean;
  readonly archived: boolean;
  readonly packages: readonly Package[];
};

/** The part of the catalogue that this module evolves. */
export type Offerings = { readonly offerings: readonly Offering[] };
export const noOfferings: Offerings = { offerings: [] };

/** Finds an offering by id or `lookupKey`. */
export function findOffering({ offerings }: Offerings, key: string): Offering | undefined {
  return offerings.find((o) => o.offeringId === key) ?? offerings.find((o) => o.lookupKey === key);
}

/** Finds a package by id or `lookupKey`. */
export function findPackage({ packages }: Offering, key: string): Package | undefined {
  return packages.find((p) => p.packageId === key) ?? packages.find((p) => p.lookupKey === key);
}

/** Returns the packages that contain a product, including those of archived offerings. */
export function packagesOf({ offerings }: Offerings, productId: string): readonly OfferingData<'PackageDeleted'>[] {
  return offerings.flatMap(({ offeringId, packages }) =>
    packages
      .filter((p) => p.products.some((product) => product.productId === productId))
      .map(({ packageId, lookupKey }) => ({ offeringId, packageId, lookupKey })),
  );
}

/** Returns the events that detach a deleted product from every package. */
export function detachFromPackages(state: Offerings, { productId, appId, storeProductId }: ProductRef) {
  return packagesOf(state, productId).map((ref) =>
    offeringEvents.PackageProductDetached.of({ ...ref, productId, appId, storeProductId }),
  );
}

export function evolveOfferings<S extends Offerings>(state: S, event: OfferingEvent): S {
  switch (event.type) {
    case 'OfferingCreated': {
      const { metadata, ...data } = event.data;
      const offering: Offering = { ...data, metadataDigest: digestOf(metadata), archived: false, packages: [] };
      return { ...state, offerings: [...state.offerings, offering] };
    }
    case 'OfferingUpdated': {
      const { displayName, metadata, isCurrent, archived } = event.data.changes;
      return mapOffering(state, event.data.offeringId, (o) => ({
        ...o,
        displayName: displayName ? displayName.to : o.displayName,
        metadataDigest: metadata ? digestOf(metadata.to) : o.metadataDigest,
        isCurrent: isCurrent ? isCurrent.to : o.isCurrent,
        archived: archived ? archived.to : o.archived,
      }));
    }
    case 'PackageCreated': {
      const { offeringId, ...data } = event.data;
      return mapOffering(state, offeringId, (o) => ({ ...o, packages: [...o.packages, { ...data, products: [] }] }));
    }
    case 'PackageDeleted': {
      const { offeringId, packageId } = event.data;
      return mapOffering(state, offeringId, (o) => ({
        ...o,
        packages: o.packages.filter((p) => p.packageId !== packageId),
      }));
    }
    case 'PackageProductAttached': {
      const { productId, appId, storeProductId } = event.data;
      return mapPackageProducts(state, event.data, (products) => [...products, { productId, appId, storeProductId }]);
    }
    case 'PackageProductDetached':
      return mapPackageProducts(state, event.data, (products) =>
        products.filter((p) => p.productId !== event.data.productId),
      );
    default:
      remaining<never>(event);
      return state;
  }
}

function mapOffering<S extends Offerings>(state: S, offeringId: string, next: (o: Offering) => Offering): S {
  return { ...state, offerings: state.offerings.map((o) => (o.offeringId === offeringId ? next(o) : o)) };
}

function mapPackageProducts<S extends Offerings>(
  state: S,
  { offeringId, packageId }: { readonly offeringId: string; readonly packageId: string },
  next: (products: readonly ProductRef[]) => readonly ProductRef[],
): S {
  return mapOffering(state, offeringId, (o) => ({
    ...o,
    packages: o.packages.map((p) => (p.packageId === packageId ? { ...p, products: next(p.products) } : p)),
  }));
}

const reserved = {
  $weekly: 'weekly',
  $monthly: 'monthly',
  $two_month: 'two_month',
  $three_month: 'three_month',
  $six_month: 'six_month',
  $annual: 'annual',
  $lifetime: 'lifetime',
} as const;
type PackageType = (typeof reserved)[keyof typeof reserved] | 'custom';

export const reservedPackageKeys: readonly string[] = Object.keys(reserved);

const types: ReadonlyMap<string, PackageType> = new Map(Object.entries(reserved));

export function packageTypeOf(lookupKey: string): PackageType {
  return types.get(lookupKey) ?? 'custom';
}
