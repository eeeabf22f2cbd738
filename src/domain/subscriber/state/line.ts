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
