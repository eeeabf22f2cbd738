// What a project sells and what it unlocks: products, entitlements, and which product gives which entitlement.
import { z } from 'zod';
import { Rejection, type Decider } from '../decider.js';
import { defineEvent, type EventOf } from '../events.js';
import { storeName } from '../subscriber/blocks.js';
import type { Unlocks } from '../subscriber/entitlements.js';
import { decideOffering, type OfferingCommand } from './decide-offering.js';
import { evolveOfferings, noOfferings, type OfferingEvent, type Offerings } from './offerings.js';
import {
  decidePaywall,
  evolvePaywalls,
  noPaywalls,
  type PaywallCommand,
  type PaywallEvent,
  type Paywalls,
} from './paywalls.js';

export const productType = z.enum(['subscription', 'consumable', 'non_consumable', 'non_renewing_subscription']);

const attachment = {
  entitlementId: z.string(),
  lookupKey: z.string(),
  productId: z.string(),
  appId: z.string(),
  storeProductId: z.string(),
};

export const catalogEvents = {
  ProductCreated: defineEvent('ProductCreated', {
    productId: z.string(),
    appId: z.string(),
    store: storeName,
    storeProductId: z.string(),
    displayName: z.string(),
    type: productType,
    duration: z.string().nullable(),
    trialDuration: z.string().nullable(),
    gracePeriodDuration: z.string().nullable(),
  }),
  EntitlementCreated: defineEvent('EntitlementCreated', {
    entitlementId: z.string(),
    lookupKey: z.string(),
    displayName: z.string(),
    description: z.string().nullable(),
  }),
  EntitlementProductAttached: defineEvent('EntitlementProductAttached', attachment),
  EntitlementProductDetached: defineEvent('EntitlementProductDetached', attachment),
};
export type CatalogEvent = EventOf<typeof catalogEvents> | OfferingEvent | PaywallEvent;
type DataOf<T extends CatalogEvent['type']> = Extract<CatalogEvent, { type: T }>['data'];

export type Product = DataOf<'ProductCreated'>;
export type Entitlement = DataOf<'EntitlementCreated'> & { readonly productIds: readonly string[] };
export type Catalog = Offerings &
  Paywalls & { readonly products: readonly Product[]; readonly entitlements: readonly Entitlement[] };

export type CatalogCommand =
  | OfferingCommand
  | PaywallCommand
  | { readonly kind: 'createProduct'; readonly product: Product }
  | { readonly kind: 'createEntitlement'; readonly entitlement: DataOf<'EntitlementCreated'> }
  | { readonly kind: 'attachProducts'; readonly entitlement: string; readonly productIds: readonly string[] }
  | { readonly kind: 'detachProducts'; readonly entitlement: string; readonly productIds: readonly string[] };

export const catalogDecider: Decider<Catalog, CatalogCommand, CatalogEvent> = {
  initial: () => ({ products: [], entitlements: [], ...noOfferings, ...noPaywalls }),
  evolve,
  decide,
};

/** By id or `lookupKey`. */
export function findEntitlement(catalog: Catalog, key: string): Entitlement | undefined {
  return catalog.entitlements.find((e) => e.entitlementId === key || e.lookupKey === key);
}

/** What each store product unlocks, as the catalogue stands. */
export function unlocksOf(catalog: Catalog): Unlocks {
  return (appId, storeProductId) => {
    const product = catalog.products.find((p) => p.appId === appId && p.storeProductId === storeProductId);
    return product ? catalog.entitlements.filter((e) => e.productIds.includes(product.productId)) : [];
  };
}

function evolve(state: Catalog, event: CatalogEvent): Catalog {
  switch (event.type) {
    case 'ProductCreated':
      return { ...state, products: [...state.products, event.data] };
    case 'EntitlementCreated':
      return { ...state, entitlements: [...state.entitlements, { ...event.data, productIds: [] }] };
    case 'EntitlementProductAttached':
      return changeAttached(state, event.data.entitlementId, (ids) => [...ids, event.data.productId]);
    case 'EntitlementProductDetached':
      return changeAttached(state, event.data.entitlementId, (ids) => ids.filter((id) => id !== event.data.productId));
    case 'PaywallCreated':
    case 'PaywallUpdated':
    case 'PaywallDeleted':
      return evolvePaywalls(state, event);
    default:
      return evolveOfferings(state, event);
  }
}

function changeAttached(
  state: Catalog,
  entitlementId: string,
  change: (ids: readonly string[]) => readonly string[],
): Catalog {
  const entitlements = state.entitlements.map((e) =>
    e.entitlementId === entitlementId ? { ...e, productIds: change(e.productIds) } : e,
  );
  return { ...state, entitlements };
}

function decide(c: CatalogCommand, state: Catalog): CatalogEvent[] {
  switch (c.kind) {
    case 'createProduct': {
      const { product } = c;
      if (state.products.some((p) => p.productId === product.productId)) return [];
      if (state.products.some((p) => p.appId === product.appId && p.storeProductId === product.storeProductId)) {
        throw new Rejection('conflict', 'product-exists', 'storeProductId is taken in this app; use another');
      }
      return [catalogEvents.ProductCreated.of(product)];
    }
    case 'createEntitlement': {
      const { entitlement } = c;
      if (state.entitlements.some((e) => e.entitlementId === entitlement.entitlementId)) return [];
      if (state.entitlements.some((e) => e.lookupKey === entitlement.lookupKey)) {
        throw new Rejection('conflict', 'entitlement-exists', 'lookupKey is taken in this project; use another');
      }
      return [catalogEvents.EntitlementCreated.of(entitlement)];
    }
    case 'attachProducts': {
      const { entitlement, products } = named(c, state);
      const fresh = products.filter((p) => !entitlement.productIds.includes(p.productId));
      return fresh.map((p) => catalogEvents.EntitlementProductAttached.of(link(entitlement, p)));
    }
    case 'detachProducts': {
      const { entitlement, products } = named(c, state);
      if (products.some((p) => !entitlement.productIds.includes(p.productId))) {
        throw new Rejection('missing', 'product-not-attached', 'the product is not attached to this entitlement');
      }
      return products.map((p) => catalogEvents.EntitlementProductDetached.of(link(entitlement, p)));
    }
    case 'createPaywall':
    case 'updatePaywall':
    case 'deletePaywall':
      return decidePaywall(c, state);
    default:
      return decideOffering(c, state);
  }
}

function named(c: { entitlement: string; productIds: readonly string[] }, state: Catalog) {
  const entitlement = findEntitlement(state, c.entitlement);
  if (!entitlement) throw new Rejection('missing', 'entitlement-unknown', 'no such entitlement in this project');
  const products = [...new Set(c.productIds)].map((id) => {
    const product = state.products.find((p) => p.productId === id);
    if (!product) throw new Rejection('invalid', 'product-unknown', `${id} is not a product of this project`);
    return product;
  });
  return { entitlement, products };
}

function link(e: Entitlement, p: Product): DataOf<'EntitlementProductAttached'> {
  const { entitlementId, lookupKey } = e;
  const { productId, appId, storeProductId } = p;
  return { entitlementId, lookupKey, productId, appId, storeProductId };
}
