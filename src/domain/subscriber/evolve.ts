// How each fact changes what is known. Shared by the decider and the customers view, so that they cannot drift apart.
import type { RecordedEvent } from '../envelope.js';
import type { SubscriberEvent } from './events.js';
import { evolveSubscriptions } from './evolve-subscription.js';
import {
  noProfile,
  type Attribute,
  type OwnedPurchase,
  type Profile,
  type Subscriber,
  type Transaction,
} from './state.js';

/** Either a decided event with its time, or a stored one. */
export type Known<E> = E & { readonly at?: string; readonly meta?: { readonly at: string } };
export type KnownSubscriberEvent = Known<SubscriberEvent> | RecordedEvent<SubscriberEvent>;

type Transferred = Extract<SubscriberEvent, { type: 'PurchaseTransferred' }>['data'];

export function timeOf(event: { at?: string; meta?: { at: string } }): string {
  return event.meta?.at ?? event.at ?? '';
}

export function evolve(state: Subscriber, event: KnownSubscriberEvent): Subscriber {
  return { profile: evolveProfile(state.profile, event), transactions: evolveTransactions(state.transactions, event) };
}

export function evolveProfile(before: Profile, event: KnownSubscriberEvent): Profile {
  const profile = advanceClock(before, event);
  switch (event.type) {
    case 'CustomerCreated': {
      const { appUserId, country, platform, appVersion } = event.data;
      const seed = { ...noProfile, status: 'known' as const, createdAt: timeOf(event) };
      return { ...seed, appUserId, country, platform, appVersion };
    }
    case 'CustomerAttributesUpdated':
      return { ...profile, attributes: mergeAttributes(profile.attributes, event.data.attributes ?? {}) };
    case 'CustomerMerged':
      return { ...profile, aliases: [...profile.aliases, event.data.mergedAppUserId] };
    case 'CustomerMergedInto':
      return { ...profile, status: 'merged', mergedInto: event.data };
    case 'OneTimePurchaseCompleted': {
      const { purchase, productType, purchasedAt, expiresAt } = event.data;
      if (productType === 'consumable') return profile;
      const owned: OwnedPurchase = { purchase, productType, purchasedAt, expiresAt, refundedAt: null };
      return { ...profile, owned: [...profile.owned, owned] };
    }
    case 'TransactionRefunded': {
      if (!event.data.accessRevoked)
        return { ...profile, subscriptions: evolveSubscriptions(profile.subscriptions, event) };
      const owned = setRefunded(profile.owned, event.data.transactionId, event.data.refundedAt);
      return { ...profile, owned, subscriptions: evolveSubscriptions(profile.subscriptions, event) };
    }
    case 'TransactionRefundReversed': {
      const owned = setRefunded(profile.owned, event.data.transactionId, null);
      return { ...profile, owned, subscriptions: evolveSubscriptions(profile.subscriptions, event) };
    }
    case 'PurchaseTransferred':
      return transfer(profile, event.data);
    case 'EntitlementGranted': {
      const { grantId, entitlementId, lookupKey, startsAt, expiresAt } = event.data;
      return {
        ...profile,
        grants: [...profile.grants, { grantId, entitlementId, lookupKey, startsAt, expiresAt, endedAt: null }],
      };
    }
    case 'EntitlementRevoked':
    case 'EntitlementGrantExpired': {
      const end = (g: Profile['grants'][number]) =>
        g.grantId === event.data.grantId ? { ...g, endedAt: timeOf(event) } : g;
      return { ...profile, grants: profile.grants.map(end) };
    }
    default:
      return { ...profile, subscriptions: evolveSubscriptions(profile.subscriptions, event) };
  }
}

function evolveTransactions(
  known: Subscriber['transactions'],
  event: KnownSubscriberEvent,
): Subscriber['transactions'] {
  switch (event.type) {
    case 'SubscriptionStarted':
    case 'SubscriptionRenewed': {
      const { subscriptionId, ...purchase } = event.data.purchase;
      const { purchasedAt, money } = event.data;
      return withTransaction(known, {
        transactionId: purchase.transactionId,
        purchase,
        subscriptionId,
        purchasedAt,
        money,
        refund: null,
        reversedRefunds: [],
      });
    }
    case 'OneTimePurchaseCompleted': {
      const { purchase, purchasedAt, money } = event.data;
      const { transactionId } = purchase;
      return withTransaction(known, {
        transactionId,
        purchase,
        subscriptionId: null,
        purchasedAt,
        money,
        refund: null,
        reversedRefunds: [],
      });
    }
    case 'TransactionRefunded': {
      const found = known.get(event.data.transactionId);
      const { refundedAt: at, accessRevoked } = event.data;
      return found
        ? withTransaction(known, { ...found, refund: { at, accessRevoked, share: event.data.refund.share } })
        : known;
    }
    case 'TransactionRefundReversed': {
      const found = known.get(event.data.transactionId);
      if (!found?.refund) return known;
      const reversedRefunds = [...found.reversedRefunds, found.refund.at];
      return withTransaction(known, { ...found, refund: null, reversedRefunds });
    }
    case 'PurchaseTransferred':
      return moveTransactions(known, event.data);
    default:
      return known;
  }
}

function withTransaction(known: Subscriber['transactions'], transaction: Transaction): Subscriber['transactions'] {
  return new Map(known).set(transaction.transactionId, transaction);
}

function moveTransactions(known: Subscriber['transactions'], data: Transferred): Subscriber['transactions'] {
  const moved = new Map(known);
  for (const transaction of data.snapshot.transactions) {
    if (data.direction === 'out') moved.delete(transaction.transactionId);
    else moved.set(transaction.transactionId, transaction);
  }
  return moved;
}

/** The giver's stream lets go of the line, the taker's takes it over as it was. */
function transfer(profile: Profile, data: Transferred): Profile {
  const { storeChainId, storeTime, subscriptions, owned } = data.snapshot;
  const other = (p: { purchase: { storeChainId: string } }) => p.purchase.storeChainId !== storeChainId;
  const clocks = profile.clocks.filter((c) => c.storeChainId !== storeChainId);
  const rest = {
    ...profile,
    clocks,
    subscriptions: profile.subscriptions.filter(other),
    owned: profile.owned.filter(other),
  };
  if (data.direction === 'out') return rest;
  return {
    ...rest,
    subscriptions: [...rest.subscriptions, ...subscriptions],
    owned: [...rest.owned, ...owned],
    clocks: storeTime === null ? clocks : [...clocks, { storeChainId, storeTime }],
  };
}

function advanceClock(profile: Profile, event: KnownSubscriberEvent): Profile {
  const data = event.data as { storeTime?: string | null; purchase?: { storeChainId: string } };
  if (!data.storeTime || !data.purchase) return profile;
  const { storeChainId } = data.purchase;
  const { storeTime } = data;
  const others = profile.clocks.filter((c) => c.storeChainId !== storeChainId);
  const held = profile.clocks.find((c) => c.storeChainId === storeChainId);
  if (held && held.storeTime >= storeTime) return profile;
  return { ...profile, clocks: [...others, { storeChainId, storeTime }] };
}

function setRefunded(
  owned: readonly OwnedPurchase[],
  transactionId: string,
  refundedAt: string | null,
): readonly OwnedPurchase[] {
  return owned.map((o) => (o.purchase.transactionId === transactionId ? { ...o, refundedAt } : o));
}

function mergeAttributes(
  held: readonly Attribute[],
  changes: Readonly<Record<string, { value: string | null; updatedAt: string }>>,
): readonly Attribute[] {
  const kept = held.filter((a) => !Object.hasOwn(changes, a.k));
  const set = Object.entries(changes).flatMap(([k, c]) =>
    c.value === null ? [] : [{ k, v: c.value, t: c.updatedAt }],
  );
  return [...kept, ...set];
}
