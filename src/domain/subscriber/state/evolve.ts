// Applies events to the state of a subscriber. Shared by the decider and the customers read model, so that they cannot drift apart.
import { touches } from '../../events.js';
import { isLate, timeOf, type KnownSubscriberEvent, subscriberEvents, type SubscriberEvent } from '../events/events.js';
import { latest } from '../../time.js';
import { evolveSubscriptions } from './evolve-subscription.js';
import { evolveTransactions, evolveTotalSpend } from './evolve-transactions.js';
import { evolveHistories } from '../ordering/line-history.js';
import { sortPurchases, withLine, withoutLine } from './line.js';
import { withDownloads } from './app-downloads.js';
import { evolveNotices } from './recorded-notices.js';
import { belongsToOther } from './payer.js';
import { TOKEN_ATTRIBUTE } from '../../purchase/account-token.js';
import {
  noProfile,
  type Attribute,
  type ClaimTrust,
  type OwnedPurchase,
  type Profile,
  type Subscriber,
} from './state.js';

type PurchaseTransferredData = Extract<SubscriberEvent, { type: 'PurchaseTransferred' }>['data'];

export function evolve(state: Subscriber, event: KnownSubscriberEvent): Subscriber {
  if (belongsToOther(event)) return { ...state, profile: evolveProfile(state.profile, event) };
  const profile = evolveProfile(state.profile, event);
  const after = isLate(event)
    ? { ...state, profile }
    : {
        profile,
        transactions: evolveTransactions(state.transactions, event),
        noted: evolveNotices(state.noted, event),
        histories: state.histories,
      };
  const histories = evolveHistories(state, after, event);
  return histories === after.histories ? after : { ...after, histories };
}

export function evolveProfile(before: Profile, event: KnownSubscriberEvent): Profile {
  const profile = applyToProfile(before, event);
  const isUntouched = profile.subscriptions === before.subscriptions && profile.owned === before.owned;
  return isUntouched ? profile : sortPurchases(profile);
}

function applyToProfile(before: Profile, event: KnownSubscriberEvent): Profile {
  const profileBefore = withEarlierFirstSeen(before, event);
  if (isLate(event)) return profileBefore;
  const profile = evolveTotalSpend(advanceClock(profileBefore, event), event);
  if (belongsToOther(event)) return profile;
  if (!touches(subscriberEvents, event, 'profile'))
    return { ...profile, subscriptions: evolveSubscriptions(profile.subscriptions, event) };
  switch (event.type) {
    case 'CustomerCreated': {
      const { appUserId, country, platform, appVersion, isTrusted = null } = event.data;
      const at = timeOf(event);
      const trust = { ...noProfile.trust, appUserId: isTrusted };
      const seed = { ...noProfile, status: 'known' as const, createdAt: at, first: { appUserId, at }, trust };
      const details = { ...seed, appUserId, country, platform, appVersion };
      return profile.status === 'erased' ? { ...details, ...purchasesOf(profile) } : details;
    }
    case 'CustomerAttributesUpdated':
      return {
        ...profile,
        attributes: mergeAttributes(profile.attributes, event.data.attributes ?? {}),
        trust: trustAfter(profile.trust, event.data),
      };
    case 'CustomerMerged':
      return mergeCustomer(profile, event.data);
    case 'CustomerErased':
      return { ...noProfile, status: 'erased', createdAt: profile.createdAt, ...purchasesOf(profile) };
    case 'CustomerMergedInto':
      // Purchases follow line by line. Aliases stay: they show what this customer has taken over itself.
      return { ...withoutDownloads(profile), ...emptyCarriedData, status: 'merged', mergedInto: event.data };
    case 'ExperimentEnrolled':
      return { ...profile, experiments: [...profile.experiments, { ...event.data, enrolledAt: timeOf(event) }] };
    case 'AppDownloadVerified':
      return { ...profile, ...withDownloads(profile, [event.data]) };
    case 'OneTimePurchaseCompleted': {
      const { purchase, productType, purchasedAt, expiresAt } = event.data;
      if (productType === 'consumable') return profile;
      const owned: OwnedPurchase = { purchase, productType, purchasedAt, expiresAt, refundedAt: null, revokedAt: null };
      return { ...profile, owned: [...profile.owned, owned] };
    }
    case 'TransactionRefunded': {
      if (!event.data.accessRevoked)
        return { ...profile, subscriptions: evolveSubscriptions(profile.subscriptions, event) };
      const owned = updateOwned(profile.owned, event.data.transactionId, { refundedAt: event.data.refundedAt });
      return { ...profile, owned, subscriptions: evolveSubscriptions(profile.subscriptions, event) };
    }
    case 'TransactionRefundReversed': {
      const owned = updateOwned(profile.owned, event.data.transactionId, { refundedAt: null });
      return { ...profile, owned, subscriptions: evolveSubscriptions(profile.subscriptions, event) };
    }
    case 'OneTimePurchaseRevoked': {
      const { transactionId } = event.data.purchase;
      const owned = updateOwned(profile.owned, transactionId, { revokedAt: timeOf(event) });
      return { ...profile, owned };
    }
    case 'SubscriptionMigrated':
      return migrateChain(profile, event.data);
    case 'PurchaseTransferred':
      return transferLine(profile, event.data);
    case 'PurchaseHistoryRevised':
      return withLine(profile, event.data.line);
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
  }
}

/** Returns the purchases and clocks, which store messages continue to update after an erasure. */
function purchasesOf({ subscriptions, owned, clocks }: Profile): Pick<Profile, 'subscriptions' | 'owned' | 'clocks'> {
  return { subscriptions, owned, clocks };
}

function withoutDownloads({ downloads: _, ...profile }: Profile): Profile {
  return profile;
}

const emptyCarriedData = { attributes: [], grants: [], experiments: [], spentMicros: 0 };

type CustomerMergedData = Extract<SubscriberEvent, { type: 'CustomerMerged' }>['data'];

/** Merges another customer's data. A customer has one variant per experiment: the own one wins. */
function mergeCustomer(profile: Profile, merged: CustomerMergedData): Profile {
  const { mergedAppUserId, aliases, grants, experiments, spentMicros } = merged;
  const others = experiments.filter((x) => !profile.experiments.some((own) => own.experimentId === x.experimentId));
  return {
    ...profile,
    first: firstOf(profile, merged),
    aliases: [...profile.aliases, mergedAppUserId, ...aliases],
    grants: [...profile.grants, ...grants],
    experiments: [...profile.experiments, ...others],
    ...withDownloads(profile, merged.downloads ?? []),
    spentMicros: profile.spentMicros + spentMicros,
  };
}

/** Older events lack the first-seen time of the other customer: then the first merged customer counts as the earliest. */
function firstOf(
  { first, aliases: own }: Profile,
  { first: other, mergedAppUserId, aliases }: CustomerMergedData,
): Profile['first'] {
  if (other) return other.at <= first.at ? other : first;
  return own.length > 0 ? first : { ...first, appUserId: aliases.at(-1) ?? mergedAppUserId };
}

/** A purchase may have been made before the customer was first seen. */
function withEarlierFirstSeen(profile: Profile, event: KnownSubscriberEvent): Profile {
  const { data } = event;
  if (!('purchasedAt' in data) || data.purchase.environment !== 'production') return profile;
  if (data.purchasedAt >= profile.first.at) return profile;
  return { ...profile, first: { ...profile.first, at: data.purchasedAt } };
}

/** Removes the line from the stream of the previous owner and adds it unchanged to that of the new owner. */
function transferLine(profile: Profile, { direction, reason, snapshot }: PurchaseTransferredData): Profile {
  const handedOver = profile.handedOver.filter((chain) => chain !== snapshot.storeChainId);
  if (direction === 'in') return { ...withLine(profile, snapshot), handedOver };
  const rest = withoutLine(profile, snapshot.storeChainId);
  return reason === 'merge' ? rest : { ...rest, handedOver: [...handedOver, snapshot.storeChainId] };
}

/** Renames the chain in all parts of the profile. */
function migrateChain(
  profile: Profile,
  { fromChainId, toChainId }: { readonly fromChainId: string; readonly toChainId: string },
): Profile {
  const renamed = <P extends { readonly storeChainId: string }>(ref: P): P =>
    ref.storeChainId === fromChainId ? { ...ref, storeChainId: toChainId } : ref;
  const moved = <T extends { readonly purchase: { readonly storeChainId: string } }>(item: T): T => ({
    ...item,
    purchase: renamed(item.purchase),
  });
  const stays = profile.clocks.filter((c) => c.storeChainId !== fromChainId && c.storeChainId !== toChainId);
  const clocks = profile.clocks.filter((c) => c.storeChainId === fromChainId || c.storeChainId === toChainId);
  const storeTime = clocks.reduce((newest, c) => latest(newest, c.storeTime), '');
  return {
    ...profile,
    subscriptions: profile.subscriptions.map(moved),
    owned: profile.owned.map(moved),
    handedOver: profile.handedOver.map((chain) => (chain === fromChainId ? toChainId : chain)),
    clocks: storeTime === '' ? stays : [...stays, { storeChainId: toChainId, storeTime }],
  };
}

function advanceClock(profile: Profile, event: KnownSubscriberEvent): Profile {
  const { data } = event;
  if (!('storeTime' in data) || !('purchase' in data) || !data.storeTime) return profile;
  const { storeChainId } = data.purchase;
  const { storeTime } = data;
  const others = profile.clocks.filter((c) => c.storeChainId !== storeChainId);
  const known = profile.clocks.find((c) => c.storeChainId === storeChainId);
  if (known && known.storeTime >= storeTime) return profile;
  return { ...profile, clocks: [...others, { storeChainId, storeTime }] };
}

function updateOwned(
  owned: readonly OwnedPurchase[],
  transactionId: string,
  change: Partial<Pick<OwnedPurchase, 'refundedAt' | 'revokedAt'>>,
): readonly OwnedPurchase[] {
  return owned.map((o) => (o.purchase.transactionId === transactionId ? { ...o, ...change } : o));
}

type AttributesUpdated = Extract<SubscriberEvent, { type: 'CustomerAttributesUpdated' }>['data'];

function trustAfter(before: ClaimTrust, { attributes, trust }: AttributesUpdated): ClaimTrust {
  const token = attributes?.[TOKEN_ATTRIBUTE];
  return {
    appUserId: trust?.appUserId ?? before.appUserId,
    accountToken: token === undefined ? before.accountToken : (trust?.accountToken ?? null),
  };
}

function mergeAttributes(
  attributes: readonly Attribute[],
  changes: Readonly<Record<string, { value: string | null; updatedAt: string }>>,
): readonly Attribute[] {
  const unchanged = attributes.filter((a) => !Object.hasOwn(changes, a.k));
  const set = Object.entries(changes).flatMap(([k, c]) =>
    c.value === null ? [] : [{ k, v: c.value, t: c.updatedAt }],
  );
  return [...unchanged, ...set];
}
