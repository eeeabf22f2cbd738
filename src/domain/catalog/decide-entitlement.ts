// The rules of entitlements: keys are unique, and products are attached and detached all or none.
import { change } from '../changes.js';
import { Rejection } from '../errors.js';
import {
  entitlementEvents as e,
  findEntitlement,
  linkOf,
  type Entitlement,
  type EntitlementData,
  type EntitlementEvent,
  type Entitlements,
} from './entitlements.js';
import type { Product, Products } from './products.js';

export type EntitlementChanges = {
  readonly displayName?: string | undefined;
  readonly description?: string | null | undefined;
};

type Attachment = {
  readonly kind: 'attachProducts' | 'detachProducts';
  readonly entitlement: string;
  readonly productIds: readonly string[];
};

/** `entitlement` is an id or a lookupKey. */
export type EntitlementCommand =
  | { readonly kind: 'createEntitlement'; readonly entitlement: EntitlementData<'EntitlementCreated'> }
  | { readonly kind: 'updateEntitlement'; readonly entitlement: string; readonly set: EntitlementChanges }
  | { readonly kind: 'deleteEntitlement'; readonly entitlement: string }
  | Attachment;

type State = Entitlements & Pick<Products, 'products'>;

export function decideEntitlement(c: EntitlementCommand, state: State): EntitlementEvent[] {
  switch (c.kind) {
    case 'createEntitlement': {
      const { entitlement } = c;
      if (state.entitlements.some((one) => one.entitlementId === entitlement.entitlementId)) return [];
      if (state.entitlements.some((one) => one.lookupKey === entitlement.lookupKey)) {
        throw new Rejection('conflict', 'entitlement-exists', 'lookupKey is taken in this project; use another');
      }
      return [e.EntitlementCreated.of(entitlement)];
    }
    case 'updateEntitlement':
      return updateEntitlement(requireEntitlement(state, c.entitlement), c.set);
    case 'deleteEntitlement':
      return deleteEntitlement(requireEntitlement(state, c.entitlement), state);
    case 'attachProducts': {
      const { entitlement, products } = resolveAttachment(c, state);
      const fresh = products.filter((p) => !entitlement.productIds.includes(p.productId));
      return fresh.map((p) => e.EntitlementProductAttached.of(linkOf(entitlement, p)));
    }
    case 'detachProducts': {
      const { entitlement, products } = resolveAttachment(c, state);
      if (products.some((p) => !entitlement.productIds.includes(p.productId))) {
        throw new Rejection('missing', 'product-not-attached', 'the product is not attached to this entitlement');
      }
      return products.map((p) => e.EntitlementProductDetached.of(linkOf(entitlement, p)));
    }
  }
}

/** Throws {@link Rejection} when the project has no such entitlement. */
export function requireEntitlement(state: Entitlements, key: string): Entitlement {
  const entitlement = findEntitlement(state, key);
  if (!entitlement) throw new Rejection('missing', 'entitlement-unknown', 'entitlement not found in this project');
  return entitlement;
}

function updateEntitlement(entitlement: Entitlement, set: EntitlementChanges): EntitlementEvent[] {
  const displayName = change(entitlement.displayName, set.displayName);
  const description = change(entitlement.description, set.description);
  const changes = { ...(displayName && { displayName }), ...(description && { description }) };
  if (Object.keys(changes).length === 0) return [];
  return [e.EntitlementUpdated.of({ entitlementId: entitlement.entitlementId, changes })];
}

/** Detaches its products in the same append, so that no product unlocks a deleted entitlement. */
function deleteEntitlement(entitlement: Entitlement, state: State): EntitlementEvent[] {
  const { entitlementId, lookupKey, productIds } = entitlement;
  const products = state.products.filter((p) => productIds.includes(p.productId));
  const detached = products.map((p) => e.EntitlementProductDetached.of(linkOf(entitlement, p)));
  return [...detached, e.EntitlementDeleted.of({ entitlementId, lookupKey })];
}

function resolveAttachment(c: Attachment, state: State): { entitlement: Entitlement; products: readonly Product[] } {
  const entitlement = requireEntitlement(state, c.entitlement);
  const products = [...new Set(c.productIds)].map((id) => {
    const product = state.products.find((p) => p.productId === id);
    if (!product) throw new Rejection('invalid', 'product-unknown', `${id} is not a product of this project`);
    return product;
  });
  return { entitlement, products };
}
