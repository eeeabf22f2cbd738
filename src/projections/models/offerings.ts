// Offerings with their packages, one document each, so that no read sees a partial package. Products are referenced by their ids.
import type { RecordedEvent } from '../../domain/envelope.js';
import { remaining } from '../../domain/events.js';
import type { EntitlementEvent } from '../../domain/catalog/entitlements.js';
import type { PaywallEvent } from '../../domain/catalog/paywalls.js';
import type { TargetingEvent } from '../../domain/catalog/targeting.js';
import type { ProductEvent } from '../../domain/catalog/products.js';
import type { OfferingEvent } from '../../domain/catalog/offerings.js';
import type { JsonObject } from '../../domain/values/json-object.js';
import { defineProjection, type Projection } from '../runtime/projection.js';
import { ofFamily } from '../../domain/vocabulary.js';

export type PackageDoc = {
  readonly packageId: string;
  readonly lookupKey: string;
  readonly displayName: string;
  readonly position: number;
  readonly products: readonly { readonly productId: string; readonly appId: string; readonly storeProductId: string }[];
  readonly createdAt: string;
  readonly updatedAt: string;
};

/**
 * `packages`: in their order. `currentSince`: revision at which the offering became current, -1 if it never was. It does not change when
 * another offering becomes current: the highest one is the current one, also between the writes of two documents.
 */
export type OfferingDoc = {
  readonly projectId: string;
  readonly offeringId: string;
  readonly lookupKey: string;
  readonly displayName: string;
  readonly metadata: JsonObject;
  readonly isCurrent: boolean;
  readonly currentSince: number;
  readonly archived: boolean;
  readonly packages: readonly PackageDoc[];
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** Returns null for other events of the catalogue, even if they contain an offering id (paywalls). */
function offeringEvent(stored: RecordedEvent): RecordedEvent<OfferingEvent> | null {
  const event = ofFamily(stored, 'catalog');
  if (!event) return null;
  switch (event.type) {
    case 'OfferingCreated':
    case 'OfferingUpdated':
    case 'PackageCreated':
    case 'PackageDeleted':
    case 'PackageProductAttached':
    case 'PackageProductDetached':
      return event;
    default:
      remaining<ProductEvent['type'] | EntitlementEvent['type'] | PaywallEvent['type'] | TargetingEvent['type']>(event);
      return null;
  }
}

export const offerings: Projection<OfferingDoc> = defineProjection({
  name: 'offerings',
  version: 1,
  families: ['catalog'],
  indexes: [
    { name: 'project', fields: ['projectId', 'offeringId'] },
    { name: 'lookupKey', fields: ['projectId', 'lookupKey'] },
    { name: 'shown', fields: ['projectId', 'archived'] },
  ],
  select: offeringEvent,
  keys: (event) => [event.data.offeringId],
  fold: (doc, event) => {
    if (event.type === 'OfferingCreated') return newOffering(event);
    return doc && { ...updateOffering(doc, event), updatedAt: event.meta.at };
  },
});

function newOffering({
  data,
  meta,
  revision,
  stream,
}: Extract<RecordedEvent<OfferingEvent>, { type: 'OfferingCreated' }>) {
  return {
    ...data,
    projectId: stream.slice('catalog-'.length),
    currentSince: data.isCurrent ? revision : -1,
    archived: false,
    packages: [],
    createdAt: meta.at,
    updatedAt: meta.at,
  };
}

type Change = Exclude<RecordedEvent<OfferingEvent>, { type: 'OfferingCreated' }>;

function updateOffering(doc: OfferingDoc, event: Change): OfferingDoc {
  const { at } = event.meta;
  switch (event.type) {
    case 'OfferingUpdated': {
      const { displayName, metadata, isCurrent, archived } = event.data.changes;
      return {
        ...doc,
        displayName: displayName ? displayName.to : doc.displayName,
        metadata: metadata ? metadata.to : doc.metadata,
        isCurrent: isCurrent ? isCurrent.to : doc.isCurrent,
        currentSince: isCurrent?.to ? event.revision : doc.currentSince,
        archived: archived ? archived.to : doc.archived,
      };
    }
    case 'PackageCreated': {
      const { offeringId, ...data } = event.data;
      const added: PackageDoc = { ...data, products: [], createdAt: at, updatedAt: at };
      // Packages with equal positions stay in the order of creation.
      return { ...doc, packages: [...doc.packages, added].sort((a, b) => a.position - b.position) };
    }
    case 'PackageDeleted':
      return { ...doc, packages: doc.packages.filter((p) => p.packageId !== event.data.packageId) };
    case 'PackageProductAttached': {
      const { packageId, productId, appId, storeProductId } = event.data;
      return mapPackage(doc, packageId, at, (products) => [...products, { productId, appId, storeProductId }]);
    }
    case 'PackageProductDetached': {
      const { packageId, productId } = event.data;
      return mapPackage(doc, packageId, at, (products) => products.filter((p) => p.productId !== productId));
    }
    default:
      remaining<never>(event);
      return doc;
  }
}

function mapPackage(
  doc: OfferingDoc,
  packageId: string,
  at: string,
  next: (products: PackageDoc['products']) => PackageDoc['products'],
): OfferingDoc {
  const packages = doc.packages.map((p) =>
    p.packageId === packageId ? { ...p, products: next(p.products), updatedAt: at } : p,
  );
  return { ...doc, packages };
}
