// Extracts, inserts and removes a purchase line: all state of one store chain within a subscriber.
import type { OneTimePurchaseRef } from '../events/blocks.js';
import { isNoticeOfChain } from './recorded-notices.js';
import type { Profile, PurchaseLine, Subscriber, Subscription } from './state.js';

/** Returns the started subscriptions of a store chain, oldest first. */
export function chainOf(profile: Profile, storeChainId: string): readonly Subscription[] {
  const started = profile.subscriptions.filter((s) => s.purchase.storeChainId === storeChainId && s.pending === null);
  return started.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : a.startedAt > b.startedAt ? 1 : 0));
}

export function storeTimeOf(profile: Profile, storeChainId: string): string | null {
  return profile.clocks.find((c) => c.storeChainId === storeChainId)?.storeTime ?? null;
}

/** Returns the store chains that have a transaction. */
export function chainsOf({ transactions }: Subscriber): readonly Pick<OneTimePurchaseRef, 'store' | 'storeChainId'>[] {
  const chains = new Map([...transactions.values()].map(({ purchase }) => [purchase.storeChainId, purchase]));
  return [...chains.values()].map(({ store, storeChainId }) => ({ store, storeChainId }));
}

/** Extracts the whole line of a chain. */
export function lineOf(subscriber: Subscriber, storeChainId: string): PurchaseLine {
  const { profile, transactions, noted } = subscriber;
  return {
    storeChainId,
    storeTime: storeTimeOf(profile, storeChainId),
    subscriptions: profile.subscriptions.filter((s) => s.purchase.storeChainId === storeChainId),
    owned: profile.owned.filter((o) => o.purchase.storeChainId === storeChainId),
    transactions: [...transactions.values()].filter((t) => t.purchase.storeChainId === storeChainId),
    noted: [...noted].filter((note) => isNoticeOfChain(note, storeChainId)),
  };
}

/** Sorts purchases by start, then by id, so that reads do not depend on the order of arrival. */
export function sortPurchases(profile: Profile): Profile {
  const { subscriptions, owned } = profile;
  const sorted = {
    subscriptions: sortIfNeeded(subscriptions, (s) => `${s.startedAt} ${s.purchase.subscriptionId}`),
    owned: sortIfNeeded(owned, (o) => `${o.purchasedAt} ${o.purchase.transactionId}`),
  };
  return sorted.subscriptions === subscriptions && sorted.owned === owned ? profile : { ...profile, ...sorted };
}

/** Returns the same list if it is already sorted. */
function sortIfNeeded<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const isBefore = (a: T, b: T) => keyOf(a) < keyOf(b);
  const isSorted = items.every((item, i) => {
    const former = items[i - 1];
    return former === undefined || !isBefore(item, former);
  });
  return isSorted ? items : items.toSorted((a, b) => (isBefore(a, b) ? -1 : 1));
}

/** Replaces everything of the line's chain in the profile. */
export function withLine(profile: Profile, line: PurchaseLine): Profile {
  const rest = withoutLine(profile, line.storeChainId);
  const { storeChainId, storeTime, subscriptions, owned } = line;
  return {
    ...rest,
    subscriptions: [...rest.subscriptions, ...subscriptions],
    owned: [...rest.owned, ...owned],
    clocks: storeTime === null ? rest.clocks : [...rest.clocks, { storeChainId, storeTime }],
  };
}

export function withoutLine(profile: Profile, storeChainId: string): Profile {
  const other = (p: { purchase: { storeChainId: string } }) => p.purchase.storeChainId !== storeChainId;
  return {
    ...profile,
    clocks: profile.clocks.filter((c) => c.storeChainId !== storeChainId),
    subscriptions: profile.subscriptions.filter(other),
    owned: profile.owned.filter(other),
  };
}
