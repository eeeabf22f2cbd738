// The owner of a purchase line. The existence of the stream is the claim: two receipts cannot both be first.
import { z } from 'zod';
import type { Decider } from '../decider.js';
import { defineEvent, remaining, type EventOf } from '../events.js';
import { isAnonymous } from '../ids.js';
import { appStore, type AppStore } from '../store-kinds.js';
import { sentAccountToken, type SentAccountToken } from './account-token.js';

const customer = { customerId: z.string(), appUserId: z.string() };
const source = z.enum(['receipt', 'store']);

export const purchaseEvents = {
  /** The owner claims again when a receipt proves what only the store had reported, and when an account token arrives. */
  PurchaseClaimed: defineEvent('PurchaseClaimed', {
    storeChainId: z.string(),
    store: appStore,
    ...customer,
    source,
    accountToken: sentAccountToken.optional(),
  }),
  PurchaseOwnerChanged: defineEvent('PurchaseOwnerChanged', {
    storeChainId: z.string(),
    fromCustomerId: z.string(),
    fromAppUserId: z.string(),
    toCustomerId: z.string(),
    toAppUserId: z.string(),
    reason: z.enum(['restore', 'purchase', 'api', 'merge']),
    /** Source of the new ownership; missing in older events, which count as `receipt`. */
    source: source.optional(),
    /** Account token of the receipt. */
    accountToken: sentAccountToken.optional(),
    /** Reason of a manual transfer. */
    note: z.string().optional(),
  }),
};
export type PurchaseEvent = EventOf<typeof purchaseEvents>;

export type Owner = { readonly customerId: string; readonly appUserId: string };

/** `store`: only the store reported the owner, so that a valid receipt of another customer takes the line over. */
export type OwnershipSource = z.output<typeof source>;

/**
 * Decides which of two merged customers becomes a pointer to the other. All pointers follow one order, in which identified customers are
 * above anonymous ones, so that concurrent or interrupted merges cannot create a circle of pointers.
 */
export function orderForMerge(a: Owner, b: Owner): { readonly goes: Owner; readonly stays: Owner } {
  const [isAnonymousA, isAnonymousB] = [isAnonymous(a.appUserId), isAnonymous(b.appUserId)];
  const isLower = isAnonymousA === isAnonymousB ? a.customerId < b.customerId : isAnonymousA;
  return isLower ? { goes: a, stays: b } : { goes: b, stays: a };
}

/** `storeToken`: the latest token that the store sent before any receipt. `receiptTokens`: tokens of receipts with the customer. */
export type PurchaseOwnership = {
  readonly owner: Owner | null;
  readonly source: OwnershipSource;
  readonly storeToken: string | null;
  readonly receiptTokens: readonly string[];
};

type Claim = {
  readonly kind: 'claim';
  readonly storeChainId: string;
  readonly store: AppStore;
} & Owner & {
    readonly source: OwnershipSource;
    readonly accountToken?: SentAccountToken | null;
  };
type ChangeOwner = {
  readonly kind: 'changeOwner';
  readonly storeChainId: string;
  readonly from: Owner;
  readonly to: Owner;
  readonly reason: 'restore' | 'purchase' | 'api' | 'merge';
  readonly source?: OwnershipSource;
  readonly accountToken?: SentAccountToken | null;
  readonly note?: string;
};

export const purchaseDecider: Decider<PurchaseOwnership, Claim | ChangeOwner, PurchaseEvent> = {
  initial: () => ({ owner: null, source: 'store', storeToken: null, receiptTokens: [] }),
  evolve: (state, event) => {
    switch (event.type) {
      case 'PurchaseClaimed': {
        const { customerId, appUserId, source, accountToken } = event.data;
        return applyOwner(state, { customerId, appUserId }, source, accountToken);
      }
      case 'PurchaseOwnerChanged': {
        const { toCustomerId, toAppUserId, source = 'receipt', accountToken } = event.data;
        return applyOwner(state, { customerId: toCustomerId, appUserId: toAppUserId }, source, accountToken);
      }
      default:
        remaining<never>(event);
        return state;
    }
  },
  decide: (c, state) => (c.kind === 'claim' ? claim(c, state) : changeOwner(c, state)),
};

function applyOwner(
  state: PurchaseOwnership,
  owner: Owner,
  source: OwnershipSource,
  token: SentAccountToken | undefined,
): PurchaseOwnership {
  const after = { ...state, owner, source };
  if (!token) return after;
  if (source === 'store') return { ...after, storeToken: tokenNameOf(token) };
  const ofReceipt = receiptTokenOf(owner, token);
  if (state.receiptTokens.includes(ofReceipt)) return after;
  return { ...after, receiptTokens: [...state.receiptTokens, ofReceipt] };
}

/** The first claim wins. A later claim of the owner is recorded if it adds a receipt or an unknown token. */
function claim(c: Claim, state: PurchaseOwnership): PurchaseEvent[] {
  const { storeChainId, store, customerId, appUserId, source, accountToken } = c;
  if (state.owner) {
    if (state.owner.customerId !== customerId || (state.source === 'receipt' && source === 'store')) return [];
    if (state.source === source && !isNewToken(c, state)) return [];
  }
  const about = { storeChainId, store, customerId, appUserId, source };
  return [purchaseEvents.PurchaseClaimed.of({ ...about, ...tokenField(accountToken) })];
}

function isNewToken(c: Claim, { storeToken, receiptTokens }: PurchaseOwnership): boolean {
  if (!c.accountToken) return false;
  if (c.source === 'store') return storeToken !== tokenNameOf(c.accountToken);
  return !receiptTokens.includes(receiptTokenOf(c, c.accountToken));
}

function changeOwner(c: ChangeOwner, { owner }: PurchaseOwnership): PurchaseEvent[] {
  const { storeChainId, from, to, reason, source, accountToken, note } = c;
  if (owner?.customerId !== from.customerId) return [];
  return [
    purchaseEvents.PurchaseOwnerChanged.of({
      storeChainId,
      fromCustomerId: from.customerId,
      fromAppUserId: from.appUserId,
      toCustomerId: to.customerId,
      toAppUserId: to.appUserId,
      reason,
      ...(source !== undefined && { source }),
      ...tokenField(accountToken),
      ...(note !== undefined && { note }),
    }),
  ];
}

function tokenField(token: SentAccountToken | null | undefined) {
  return token ? { accountToken: { ...token, customerIds: [...token.customerIds] } } : {};
}

function tokenNameOf({ key, environment }: SentAccountToken): string {
  return `${environment}|${key}`;
}

function receiptTokenOf({ customerId }: Owner, token: SentAccountToken): string {
  return `${tokenNameOf(token)}|${customerId}`;
}
