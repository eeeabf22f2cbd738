// Products and entitlements for lists, and the entitlements that each store product unlocks for reads of subscribers.
import { withChanges } from '../../domain/changes.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import { remaining } from '../../domain/events.js';
import type { OfferingEvent } from '../../domain/catalog/offerings.js';
import type { PaywallEvent } from '../../domain/catalog/paywalls.js';
import type { TargetingEvent } from '../../domain/catalog/targeting.js';
import type { Price, Product, ProductEvent } from '../../domain/catalog/products.js';
import type { UnlockedEntitlement } from '../../domain/subscriber/entitlements.js';
import { defineProjection, type Projection } from '../runtime/projection.js';
import { ofFamily } from '../../domain/vocabulary.js';

type IgnoredKind = OfferingEvent['type'] | PaywallEvent['type'] | TargetingEvent['type'];
type IgnoredEntitlementEvent = 'EntitlementCreated' | 'EntitlementUpdated' | 'EntitlementDeleted';

const catalogEvent = (event: RecordedEvent) => ofFamily(event, 'catalog');

export type ProductDoc = Product & {
  readonly prices: readonly Omit<Price, 'productId'>[];
  readonly projectId: string;
  readonly entitlementIds: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const products: Projection<ProductDoc> = defineProjection({
  name: 'products',
  version: 2,
  families: ['catalog'],
  indexes: [
    { name: 'project', fields: ['projectId', 'productId'] },
    { name: 'app', fields: ['projectId', 'appId', 'productId'] },
    { name: 'type', fields: ['projectId', 'type', 'productId'] },
    { name: 'appAndType', fields: ['projectId', 'appId', 'type', 'productId'] },
  ],
  select: catalogEvent,
  keys: (event) => ('productId' in event.data ? [event.data.productId] : []),
  fold: (doc, event) => {
    const at = event.meta.at;
    if (event.type === 'ProductCreated') {
      const empty = { prices: [], entitlementIds: [] };
      return { ...event.data, ...empty, projectId: projectIdOf(event), createdAt: at, updatedAt: at };
    }
    if (!doc) return doc;
    switch (event.type) {
      case 'ProductDeleted':
        return null;
      case 'ProductPriceAdded': {
        const { productId: _own, ...price } = event.data;
        return { ...doc, prices: [...doc.prices, price], updatedAt: at };
      }
      case 'ProductPriceDeleted': {
        const { priceId } = event.data;
        return { ...doc, prices: doc.prices.filter((p) => p.priceId !== priceId), updatedAt: at };
      }
      case 'EntitlementProductAttached':
        return { ...doc, entitlementIds: [...doc.entitlementIds, event.data.entitlementId], updatedAt: at };
      case 'EntitlementProductDetached': {
        const { entitlementId } = event.data;
        return { ...doc, entitlementIds: doc.entitlementIds.filter((id) => id !== entitlementId), updatedAt: at };
      }
      default:
        remaining<IgnoredEntitlementEvent | IgnoredKind>(event);
        return doc;
    }
  },
});

export type EntitlementDoc = {
  readonly projectId: string;
  readonly entitlementId: string;
  readonly lookupKey: string;
  readonly displayName: string;
  readonly description: string | null;
  readonly productIds: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const entitlements: Projection<EntitlementDoc> = defineProjection({
  name: 'entitlements',
  version: 2,
  families: ['catalog'],
  indexes: [
    { name: 'project', fields: ['projectId', 'entitlementId'] },
    { name: 'lookupKey', fields: ['projectId', 'lookupKey'] },
  ],
  select: catalogEvent,
  keys: (event) => ('entitlementId' in event.data ? [event.data.entitlementId] : []),
  fold: (doc, event) => {
    const at = event.meta.at;
    if (event.type === 'EntitlementCreated') {
      return { ...event.data, projectId: projectIdOf(event), productIds: [], createdAt: at, updatedAt: at };
    }
    if (!doc) return doc;
    switch (event.type) {
      case 'EntitlementDeleted':
        return null;
      case 'EntitlementUpdated':
        return { ...withChanges(doc, event.data.changes), updatedAt: at };
      case 'EntitlementProductAttached':
        return { ...doc, productIds: [...doc.productIds, event.data.productId], updatedAt: at };
      case 'EntitlementProductDetached': {
        const { productId } = event.data;
        return { ...doc, productIds: doc.productIds.filter((id) => id !== productId), updatedAt: at };
      }
      default:
        remaining<ProductEvent['type'] | IgnoredKind>(event);
        return doc;
    }
  },
});

/** Product and entitlements of a store product. The id is the store's product ID, so that earlier purchases are found too. */
export type UnlockDoc = {
  /** Current product, or else the latest deleted one. */
  readonly productId: string | null;
  readonly entitlements: readonly UnlockedEntitlement[];
  /** Entitlements of deleted products, for purchases made before `until`. */
  readonly retired: readonly (UnlockedEntitlement & { readonly until: string })[];
};

export const unlockId = (appId: string, storeProductId: string): string => `${appId}|${storeProductId}`;

export const unlocks: Projection<UnlockDoc> = defineProjection({
  name: 'unlocks',
  version: 3,
  families: ['catalog'],
  indexes: [],
  select: catalogEvent,
  keys: ({ data }) => ('storeProductId' in data ? [unlockId(data.appId, data.storeProductId)] : []),
  fold: (doc = { productId: null, entitlements: [], retired: [] }, event) => {
    switch (event.type) {
      case 'ProductCreated':
        return { ...doc, productId: event.data.productId };
      case 'EntitlementProductAttached': {
        const { entitlementId, lookupKey } = event.data;
        return { ...doc, entitlements: [...doc.entitlements, { entitlementId, lookupKey }] };
      }
      case 'EntitlementProductDetached': {
        const { entitlementId, lookupKey, withProduct } = event.data;
        const after = { ...doc, entitlements: doc.entitlements.filter((e) => e.entitlementId !== entitlementId) };
        if (!withProduct) return after;
        return { ...after, retired: [...doc.retired, { entitlementId, lookupKey, until: event.meta.at }] };
      }
      default:
        remaining<Exclude<ProductEvent['type'], 'ProductCreated'> | IgnoredEntitlementEvent | IgnoredKind>(event);
        return doc;
    }
  },
});

function projectIdOf(event: RecordedEvent): string {
  return event.stream.slice('catalog-'.length);
}
