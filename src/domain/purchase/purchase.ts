// Who owns a purchase line. The stream's own existence is the claim: two receipts cannot both be first.
import { z } from 'zod';
import type { Decider } from '../decider.js';
import { defineEvent, type EventOf } from '../events.js';
import { storeName } from '../subscriber/blocks.js';

const person = { customerId: z.string(), appUserId: z.string() };

export const purchaseEvents = {
  PurchaseClaimed: defineEvent('PurchaseClaimed', {
    storeChainId: z.string(),
    store: storeName,
    ...person,
    source: z.enum(['receipt', 'store']),
  }),
  PurchaseOwnerChanged: defineEvent('PurchaseOwnerChanged', {
    storeChainId: z.string(),
    fromCustomerId: z.string(),
    fromAppUserId: z.string(),
    toCustomerId: z.string(),
    toAppUserId: z.string(),
    reason: z.enum(['restore', 'purchase', 'api', 'merge']),
  }),
};
export type PurchaseEvent = EventOf<typeof purchaseEvents>;

export type Owner = { readonly customerId: string; readonly appUserId: string };
export type PurchaseOwnership = { readonly owner: Owner | null };

type Claim = {
  readonly kind: 'claim';
  readonly storeChainId: string;
  readonly store: 'ios-store' | 'android-store';
} & Owner & {
    readonly source: 'receipt' | 'store';
  };
type ChangeOwner = {
  readonly kind: 'changeOwner';
  readonly storeChainId: string;
  readonly from: Owner;
  readonly to: Owner;
  readonly reason: 'restore' | 'purchase' | 'api' | 'merge';
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
      }),
    ];
  },
};
