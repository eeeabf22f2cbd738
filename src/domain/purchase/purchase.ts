// The owner of a purchase line. The existence of the stream is the claim: two receipts cannot both be first.
import { z } from 'zod';
import type { Decider } from '../decider.js';
import { defineEvent, remaining, type EventOf } from '../events.js';
import { isAnonymous } from '../ids.js';
import { appStore, type AppStore } from '../store-kinds.js';
import { sentAccountToken, type SentAccountToken } from './account-token.js';

const customer = { customerId: z.string(), appUserId: z.string() };
const source = z.enum(['receipt', 'store', 'import']);
const statedAt = z.string().optional();

export const purchaseEvents = {
  /** The owner claims again when a receipt proves what only the store had reported, and when an account token arrives. */
  PurchaseClaimed: defineEvent('PurchaseClaimed', {
    storeChainId: z.string(),
    store: appStore,
    ...customer,
    source,
    accountToken: sentAccountToken.optional(),
    /** Time of the newest row of an import that names the owner; ISO 8601 UTC, empty if unknown. */
    statedAt,
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
    /** Same as that of a claim. */
    statedAt,
    /** Reason of a manual transfer. */
    note: z.string().optional(),
  }),
};
export type PurchaseEvent = EventOf<typeof purchaseEvents>;
type ClaimedEvent = Extract<PurchaseEvent, { type: 'PurchaseClaimed' }>;

export type Owner = { readonly customerId: string; readonly appUserId: string };

/**
 * `store`: only the store reported the owner, so that a valid receipt of another customer takes the line over. `import`: a row of an import
 * names the owner, and a newer row or a receipt changes it.
 */
export type OwnershipSource = z.output<typeof source>;

/**
 * Decides which of two merged customers becomes a pointer to the other. All pointers follow one order, in which identified customers are
 * above anonymous ones, so that concurrent or interrupted merges cannot create a circle of pointers.
 */
export function orderForMerge(a: Owner, b: Owner): { readonly absorbed: Owner; readonly survivor: Owner } {
  const [isAnonymousA, isAnonymousB] = [isAnonymous(a.appUserId), isAnonymous(b.appUserId)];
  const isLower = isAnonymousA === isAnonymousB ? a.customerId < b.customerId : isAnonymousA;
  return isLower ? { absorbed: a, survivor: b } : { absorbed: b, survivor: a };
}

const RANKS: Readonly<Record<OwnershipSource, number>> = { store: 0, import: 1, receipt: 2 };

/** `statedAt`: time of the newest row of an import that names the owner. `storeToken`: the latest token that the store sent before any receipt. `receiptTokens`: tokens of receipts with the customer. */
export type PurchaseOwnership = {
  readonly owner: Owner | null;
  readonly source: OwnershipSource;
  readonly statedAt: string;
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
    readonly statedAt?: string;
  };
type ChangeOwner = {
  readonly kind: 'changeOwner';
  readonly storeChainId: string;
  readonly from: Owner;
  readonly to: Owner;
  readonly reason: 'restore' | 'purchase' | 'api' | 'merge';
  readonly source?: OwnershipSource;
  readonly accountToken?: SentAccountToken | null;
  readonly statedAt?: string;
  readonly note?: string;
};

export const purchaseDecider: Decider<PurchaseOwnership, Claim | ChangeOwner, PurchaseEvent> = {
  initial: () => ({ owner: null, source: 'store', statedAt: '', storeToken: null, receiptTokens: [] }),
  evolve: (state, event) => {
    switch (event.type) {
      case 'PurchaseClaimed': {
        const { customerId, appUserId } = event.data;
        return applyOwner(state, { customerId, appUserId }, event.data);
      }
      case 'PurchaseOwnerChanged': {
        const { toCustomerId, toAppUserId, source = 'receipt' } = event.data;
        return applyOwner(state, { customerId: toCustomerId, appUserId: toAppUserId }, { ...event.data, source });
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
  o: Pick<ClaimedEvent['data'], 'source' | 'statedAt' | 'accountToken'>,
): PurchaseOwnership {
  const { source, accountToken: token, statedAt = state.statedAt } = o;
  const after = { ...state, owner, source, statedAt };
  if (!token) return after;
  if (source === 'store') return { ...after, storeToken: tokenNameOf(token) };
  const ofReceipt = receiptTokenOf(owner, token);
  if (state.receiptTokens.includes(ofReceipt)) return after;
  return { ...after, receiptTokens: [...state.receiptTokens, ofReceipt] };
}

/** The first claim wins. A later claim of the owner is recorded if it adds a receipt or an unknown token. */
function claim(c: Claim, state: PurchaseOwnership): PurchaseEvent[] {
  const { storeChainId, store, customerId, appUserId, source, accountToken, statedAt } = c;
  if (state.owner) {
    if (state.owner.customerId !== customerId || RANKS[source] < RANKS[state.source]) return [];
    const isNewer = statedAt !== undefined && statedAt > state.statedAt;
    if (state.source === source && !isNewer && !isNewToken(c, state)) return [];
  }
  const about = { storeChainId, store, customerId, appUserId, source };
  const more = { ...tokenField(accountToken), ...(statedAt !== undefined && { statedAt }) };
  return [purchaseEvents.PurchaseClaimed.of({ ...about, ...more })];
}

function isNewToken(c: Claim, { storeToken, receiptTokens }: PurchaseOwnership): boolean {
  if (!c.accountToken) return false;
  if (c.source === 'store') return storeToken !== tokenNameOf(c.accountToken);
  return !receiptTokens.includes(receiptTokenOf(c, c.accountToken));
}

function changeOwner(c: ChangeOwner, { owner }: PurchaseOwnership): PurchaseEvent[] {
  const { storeChainId, from, to, reason, source, accountToken, statedAt, note } = c;
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
      ...(statedAt !== undefined && { statedAt }),
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
