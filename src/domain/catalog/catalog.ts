// The catalogue of a project, one stream: products, entitlements, offerings, paywalls and targeting, each in a module of its own.
import type { Decider } from '../decider.js';
import { remaining, type EventOf } from '../events.js';
import { withRetired, type EntitlementRules, type UnlockLookup } from '../subscriber/entitlements.js';
import { decideEntitlement, type EntitlementCommand } from './decide-entitlement.js';
import { decideOffering, type OfferingCommand } from './decide-offering.js';
import { decideProduct, type ProductCommand } from './decide-product.js';
import { decideTargeting, type TargetingCommand } from './decide-targeting.js';
import { entitlementEvents, evolveEntitlements, noEntitlements, type Entitlements } from './entitlements.js';
import { evolveOfferings, noOfferings, type OfferingEvent, type Offerings } from './offerings.js';
import {
  decidePaywall,
  evolvePaywalls,
  noPaywalls,
  type PaywallCommand,
  type PaywallEvent,
  type Paywalls,
} from './paywalls.js';
import { evolveProducts, noProducts, productEvents, storeProductOf, type Products } from './products.js';
import { evolveTargeting, noTargeting, type Targeting, type TargetingEvent } from './targeting.js';

export const catalogEvents = { ...productEvents, ...entitlementEvents };
export type CatalogEvent = EventOf<typeof catalogEvents> | OfferingEvent | PaywallEvent | TargetingEvent;

export type Catalog = Products & Entitlements & Offerings & Paywalls & Targeting;

export type CatalogCommand = ProductCommand | EntitlementCommand | OfferingCommand | PaywallCommand | TargetingCommand;

export const catalogDecider: Decider<Catalog, CatalogCommand, CatalogEvent> = {
  initial: () => ({ ...noProducts, ...noEntitlements, ...noOfferings, ...noPaywalls, ...noTargeting }),
  evolve,
  decide,
};

/** Returns a lookup of the entitlements that each store product unlocks in the current catalogue. */
export function unlocksOf(catalog: Catalog): UnlockLookup {
  return (appId, storeProductId, boughtAt) => {
    const product = storeProductOf(catalog, appId, storeProductId);
    const { entitlements, retired } = catalog;
    const current = product ? entitlements.filter((e) => e.productIds.includes(product.productId)) : [];
    const remaining = retired.filter((r) => r.appId === appId && r.storeProductId === storeProductId);
    return withRetired(current, remaining, boughtAt).filter((u) => entitlementExists(catalog, u.entitlementId));
  };
}

/** Returns the rules for entitlement holdings in the current catalogue. */
export function rulesOf(catalog: Catalog, allowsSandbox: boolean): EntitlementRules {
  const exists = (id: string) => entitlementExists(catalog, id);
  return { unlocks: unlocksOf(catalog), productIdOf: productIdOf(catalog), exists, allowsSandbox };
}

type SoldProduct = { readonly appId: string; readonly storeProductId: string; readonly productId: string };

/** Lists the current products, then the deleted ones, latest first. The first entry with a store's product ID is the product of that ID. */
export function soldProducts({ products, former }: Catalog): readonly SoldProduct[] {
  return [...products, ...former.toReversed()].map(({ appId, storeProductId, productId }) => {
    return { appId, storeProductId, productId };
  });
}

export function productIdOf(catalog: Catalog): EntitlementRules['productIdOf'] {
  return (appId, storeProductId) => {
    const isIt = (p: SoldProduct) => p.appId === appId && p.storeProductId === storeProductId;
    return (catalog.products.find(isIt) ?? catalog.former.findLast(isIt))?.productId ?? null;
  };
}

function entitlementExists({ entitlements }: Catalog, entitlementId: string): boolean {
  return entitlements.some((e) => e.entitlementId === entitlementId);
}

function evolve(state: Catalog, event: CatalogEvent): Catalog {
  switch (event.type) {
    case 'ProductCreated':
    case 'ProductDeleted':
    case 'ProductPriceAdded':
    case 'ProductPriceDeleted':
      return evolveProducts(state, event);
    case 'EntitlementCreated':
    case 'EntitlementUpdated':
    case 'EntitlementDeleted':
    case 'EntitlementProductAttached':
    case 'EntitlementProductDetached':
      return evolveEntitlements(state, event);
    case 'PaywallCreated':
    case 'PaywallUpdated':
    case 'PaywallDeleted':
      return evolvePaywalls(state, event);
    case 'PlacementCreated':
    case 'PlacementUpdated':
    case 'PlacementDeleted':
    case 'TargetingRuleCreated':
    case 'TargetingRuleUpdated':
    case 'TargetingRuleDeleted':
      return evolveTargeting(state, event);
    case 'OfferingCreated':
    case 'OfferingUpdated':
    case 'PackageCreated':
    case 'PackageDeleted':
    case 'PackageProductAttached':
    case 'PackageProductDetached':
      return evolveOfferings(state, event);
    default:
      remaining<never>(event);
      return state;
  }
}

function decide(c: CatalogCommand, state: Catalog): CatalogEvent[] {
  switch (c.kind) {
    case 'createProduct':
    case 'deleteProduct':
    case 'deleteProductsOfApp':
    case 'addPrice':
    case 'deletePrice':
      return decideProduct(c, state);
    case 'createEntitlement':
    case 'updateEntitlement':
    case 'deleteEntitlement':
    case 'attachProducts':
    case 'detachProducts':
      return decideEntitlement(c, state);
    case 'createPaywall':
    case 'updatePaywall':
    case 'deletePaywall':
      return decidePaywall(c, state);
    case 'createPlacement':
    case 'updatePlacement':
    case 'deletePlacement':
    case 'createTargetingRule':
    case 'updateTargetingRule':
    case 'deleteTargetingRule':
      return decideTargeting(c, state);
    default:
      return decideOffering(c, state);
  }
}
