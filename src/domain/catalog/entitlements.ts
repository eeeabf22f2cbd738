// Events and state of entitlements and of the products attached to them. The rules are in decide-entitlement.ts.
import { z } from 'zod';
import { changeOf, withChanges } from '../changes.js';
import { defineEvent, remaining, type EventOf } from '../events.js';
import { timeOf } from '../subscriber/events/events.js';
import type { Product } from './products.js';

const attachment = {
  entitlementId: z.string(),
  lookupKey: z.string(),
  productId: z.string(),
  appId: z.string(),
  storeProductId: z.string(),
};

export const entitlementEvents = {
  EntitlementCreated: defineEvent('EntitlementCreated', {
    entitlementId: z.string(),
    lookupKey: z.string(),
    displayName: z.string(),
    description: z.string().nullable(),
  }),
  EntitlementUpdated: defineEvent('EntitlementUpdated', {
    entitlementId: z.string(),
    changes: z.strictObject({ displayName: changeOf(z.string()), description: changeOf(z.string().nullable()) }),
  }),
  EntitlementDeleted: defineEvent('EntitlementDeleted', { entitlementId: z.string(), lookupKey: z.string() }),
  EntitlementProductAttached: defineEvent('EntitlementProductAttached', attachment),
  /** `withProduct`: the product itself was deleted. Earlier purchases still unlock the entitlement. */
  EntitlementProductDetached: defineEvent('EntitlementProductDetached', {
    ...attachment,
    withProduct: z.literal(true).optional(),
  }),
};
export type EntitlementEvent = EventOf<typeof entitlementEvents>;
export type EntitlementData<T extends EntitlementEvent['type']> = Extract<EntitlementEvent, { type: T }>['data'];

export type Entitlement = EntitlementData<'EntitlementCreated'> & { readonly productIds: readonly string[] };

/** An entitlement of a deleted product. Purchases made before `until` still unlock it. */
type RetiredUnlock = Omit<EntitlementData<'EntitlementProductAttached'>, 'productId'> & {
  readonly until: string;
};

/** The part of the catalogue that this module evolves. */
export type Entitlements = {
  readonly entitlements: readonly Entitlement[];
  readonly retired: readonly RetiredUnlock[];
};
export const noEntitlements: Entitlements = { entitlements: [], retired: [] };

/** Finds an entitlement by id or `lookupKey`. */
export function findEntitlement({ entitlements }: Entitlements, key: string): Entitlement | undefined {
  return entitlements.find((e) => e.entitlementId === key || e.lookupKey === key);
}

export function linkOf(e: Entitlement, p: Product): EntitlementData<'EntitlementProductAttached'> {
  const { entitlementId, lookupKey } = e;
  const { productId, appId, storeProductId } = p;
  return { entitlementId, lookupKey, productId, appId, storeProductId };
}

/** Returns the events that detach a deleted product from every entitlement. */
export function detachFromEntitlements({ entitlements }: Entitlements, product: Product): EntitlementEvent[] {
  return entitlements
    .filter((e) => e.productIds.includes(product.productId))
    .map((e) => entitlementEvents.EntitlementProductDetached.of({ ...linkOf(e, product), withProduct: true }));
}

export function evolveEntitlements<S extends Entitlements>(state: S, event: EntitlementEvent): S {
  switch (event.type) {
    case 'EntitlementCreated':
      return { ...state, entitlements: [...state.entitlements, { ...event.data, productIds: [] }] };
    case 'EntitlementUpdated':
      return mapEntitlement(state, event.data.entitlementId, (e) => withChanges(e, event.data.changes));
    case 'EntitlementDeleted': {
      const { entitlementId } = event.data;
      return { ...state, entitlements: state.entitlements.filter((e) => e.entitlementId !== entitlementId) };
    }
    case 'EntitlementProductAttached': {
      const { entitlementId, productId } = event.data;
      return mapEntitlement(state, entitlementId, (e) => ({ ...e, productIds: [...e.productIds, productId] }));
    }
    case 'EntitlementProductDetached': {
      const { entitlementId, productId } = event.data;
      const withoutProduct = (ids: readonly string[]) => ids.filter((id) => id !== productId);
      const after = mapEntitlement(state, entitlementId, (e) => ({ ...e, productIds: withoutProduct(e.productIds) }));
      return event.data.withProduct ? { ...after, retired: [...after.retired, retiredUnlockOf(event)] } : after;
    }
    default:
      remaining<never>(event);
      return state;
  }
}

function retiredUnlockOf(event: Extract<EntitlementEvent, { type: 'EntitlementProductDetached' }>): RetiredUnlock {
  const { entitlementId, lookupKey, appId, storeProductId } = event.data;
  return { entitlementId, lookupKey, appId, storeProductId, until: timeOf(event) };
}

function mapEntitlement<S extends Entitlements>(
  state: S,
  entitlementId: string,
  next: (e: Entitlement) => Entitlement,
): S {
  return { ...state, entitlements: state.entitlements.map((e) => (e.entitlementId === entitlementId ? next(e) : e)) };
}
