// Who owns a purchase line. The stream's own existence is the claim: two receipts cannot both be first.
import { z } from 'zod';
import type { Decider } from '../decider.js';
import { defineEvent, remaining, type EventOf } from '../events.js';
import { isAnonymous } from '../ids.js';
import { storeKind, type StoreKind } from '../store-kinds.js';

const customer = { customerId: z.string(), appUserId: z.string() };

export const purchaseEvents = {
  PurchaseClaimed: defineEvent('PurchaseClaimed', {
    storeChainId: z.string(),
    store: storeKind,
    ...customer,
    source: z.enum(['receipt', 'store']),
  }),
  PurchaseOwnerChanged: defineEvent('PurchaseOwnerChanged', {
    storeChainId: z.string(),
    fromCustomerId: z.string(),
    fromAppUserId: z.string(),
    toCustomerId: z.string(),
    toAppUserId: z.string(),
    reason: z.enum(['restore', 'purchase', 'api', 'merge']),
    /** Why somebody moved it by hand. */
    note: z.string().optional(),
  }),
};
export type PurchaseEvent = EventOf<typeof purchaseEvents>;

export type Owner = { readonly customerId: string; readonly appUserId: string };

/**
 * Of two customers who turn out to be one, which becomes a pointer to the other. Every pointer goes up in one order, the identified above
 * all the anonymous, so that no merges, at once or cut off half-way, can make customers point to each other in a circle.
 */
export function inMergeOrder(a: Owner, b: Owner): { readonly goes: Owner; readonly stays: Owner } {
  const [isAnonymousA, isAnonymousB] = [isAnonymous(a.appUserId), isAnonymous(b.appUserId)];
  const isLower = isAnonymousA === isAnonymousB ? a.customerId < b.customerId : isAnonymousA;
  return isLower ? { goes: a, stays: b } : { goes: b, stays: a };
}

export type PurchaseOwnership = { readonly owner: Owner | null };

type Claim = {
  readonly kind: 'claim';
  readonly storeChainId: string;
  readonly store: StoreKind;
} & Owner & {
    readonly source: 'receipt' | 'store';
  };
type ChangeOwner = {
  readonly kind: 'changeOwner';
  readonly storeChainId: string;
  readonly from: Owner;
  readonly to: Owner;
  readonly reason: 'restore' | 'purchase' | 'api' | 'merge';
  readonly note?: string;
};

export const purchaseDecider: Decider<PurchaseOwnership, Claim | ChangeOwner, PurchaseEvent> = {
  initial: () => ({ owner: null }),
  evolve: (state, event) => {
    switch (event.type) {
      case 'PurchaseClaimed':
        return { owner: { customerId: event.data.customerId, appUserId: event.data.appUserId } };
      case 'PurchaseOwnerChanged':
        return { owner: { customerId: event.data.toCustomerId, appUserId: event.data.toAppUserId } };
      default:
        remaining<never>(event);
        return state;
    }
  },
  decide: (c, { owner }) => {
    if (c.kind === 'claim') {
      const { storeChainId, store, customerId, appUserId, source } = c;
      return owner ? [] : [purchaseEvents.PurchaseClaimed.of({ storeChainId, store, customerId, appUserId, source })];
    }
    if (owner?.customerId !== c.from.customerId) return [];
    return [
      purchaseEvents.PurchaseOwnerChanged.of({
        storeChainId: c.storeChainId,
        fromCustomerId: c.from.customerId,
        fromAppUserId: c.from.appUserId,
        toCustomerId: c.to.customerId,
        toAppUserId: c.to.appUserId,
        reason: c.reason,
        ...(c.note !== undefined && { note: c.note }),
      }),
    ];
  },
};
