// A purchase line: everything that is known of one store chain, found in a subscriber, taken out as a whole, and put back.
import type { OneTimePurchaseRef } from '../events/blocks.js';
import { isNoteOf } from './notes.js';
import type { Profile, PurchaseLine, Subscriber, Subscription } from './state.js';

/** The subscriptions of one store chain that have begun, oldest first. */
export function chainOf(profile: Profile, storeChainId: string): readonly Subscription[] {
  const begun = profile.subscriptions.filter((s) => s.purchase.storeChainId === storeChainId && s.pending === null);
  return begun.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : a.startedAt > b.startedAt ? 1 : 0));
}

export function storeTimeOf(profile: Profile, storeChainId: string): string | null {
  return profile.clocks.find((c) => c.storeChainId === storeChainId)?.storeTime ?? null;
}

/** The store chains with a known transaction. */
export function chainsOf({ transactions }: Subscriber): readonly Pick<OneTimePurchaseRef, 'store' | 'storeChainId'>[] {
  const chains = new Map([...transactions.values()].map(({ purchase }) => [purchase.storeChainId, purchase]));
  return [...chains.values()].map(({ store, storeChainId }) => ({ store, storeChainId }));
}

/** The whole line of a chain, to carry it to another customer. */
export function lineOf(subscriber: Subscriber, storeChainId: string): PurchaseLine {
  const { profile, transactions, noted } = subscriber;
  return {
    storeChainId,
    storeTime: storeTimeOf(profile, storeChainId),
    subscriptions: profile.subscriptions.filter((s) => s.purchase.storeChainId === storeChainId),
    owned: profile.owned.filter((o) => o.purchase.storeChainId === storeChainId),
    transactions: [...transactions.values()].filter((t) => t.purchase.storeChainId === storeChainId),
    noted: [...noted].filter((note) => isNoteOf(note, storeChainId)),
  };
}

/** Purchases lie by their beginning, and of one instant by their ids, so that no order of arrival shows in what is read from them. */
export function inOrderOfPurchase(profile: Profile): Profile {
  const { subscriptions, owned } = profile;
  const sorted = {
    subscriptions: ascending(subscriptions, (s) => `${s.startedAt} ${s.purchase.subscriptionId}`),
    owned: ascending(owned, (o) => `${o.purchasedAt} ${o.purchase.transactionId}`),
  };
  return sorted.subscriptions === subscriptions && sorted.owned === owned ? profile : { ...profile, ...sorted };
}

/** The same list where it is in order. */
function ascending<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const isBefore = (a: T, b: T) => keyOf(a) < keyOf(b);
  const isSorted = items.every((item, i) => {
    const former = items[i - 1];
    return former === undefined || !isBefore(item, former);
  });
  return isSorted ? items : items.toSorted((a, b) => (isBefore(a, b) ? -1 : 1));
}

/** The line replaces what the profile has of its chain. */
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
