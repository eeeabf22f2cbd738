// Which entitlements a customer holds at an instant, and by what. Every entitlement ever held appears; `isActive` tells.
import { accessEndsAt, givesAccess, grantedUntil, ownedUntil, stateAt } from './access.js';
import type { OneTimePurchaseRef } from './blocks.js';
import type { Grant, OwnedPurchase, Profile, Subscription } from './state.js';

export type Unlocked = { readonly entitlementId: string; readonly lookupKey: string };

/** What a store's product unlocks in this project, by the app and the store's own name of the product. */
export type Unlocks = (appId: string, storeProductId: string) => readonly Unlocked[];

export type Source =
  | { readonly kind: 'subscription'; readonly subscription: Subscription }
  | { readonly kind: 'purchase'; readonly owned: OwnedPurchase }
  | { readonly kind: 'promotional'; readonly grant: Grant };

export type Holding = Unlocked & {
  readonly isActive: boolean;
  /** Null: for ever. */
  readonly expiresAt: string | null;
  readonly source: Source;
};

/** `exists`: what was granted of an entitlement that was deleted since gives nothing. */
export type EntitlementRules = {
  readonly unlocks: Unlocks;
  readonly exists: (entitlementId: string) => boolean;
  readonly allowsSandbox: boolean;
};

/** One holding per entitlement that there is: an active one before an ended one, and of those the one with the furthest end. */
export function entitlementsAt(profile: Profile, now: string, rules: EntitlementRules): readonly Holding[] {
  const best = new Map<string, Holding>();
  const offer = (holding: Holding) => {
    const held = best.get(holding.entitlementId);
    if (!held || outlasts(holding, held)) best.set(holding.entitlementId, holding);
  };
  const unlocked = (p: OneTimePurchaseRef) =>
    p.environment === 'sandbox' && !rules.allowsSandbox ? [] : rules.unlocks(p.appId, p.storeProductId);
  for (const subscription of profile.subscriptions) {
    if (subscription.pending !== null) continue;
    const expiresAt = accessEndsAt(subscription);
    const isActive = givesAccess(subscription, now);
    const source = { kind: 'subscription' as const, subscription };
    for (const u of unlocked(subscription.purchase)) offer({ ...u, isActive, expiresAt, source });
  }
  for (const owned of profile.owned) {
    const expiresAt = ownedUntil(owned);
    const source = { kind: 'purchase' as const, owned };
    for (const u of unlocked(owned.purchase)) offer({ ...u, isActive: lasts(expiresAt, now), expiresAt, source });
  }
  for (const grant of profile.grants) {
    const { entitlementId, lookupKey } = grant;
    if (!rules.exists(entitlementId)) continue;
    const expiresAt = grantedUntil(grant);
    const source = { kind: 'promotional' as const, grant };
    offer({ entitlementId, lookupKey, isActive: lasts(expiresAt, now), expiresAt, source });
  }
  return [...best.values()];
}

export const customerStatuses = [
  'active',
  'trial',
  'grace_period',
  'billing_retry',
  'expired',
  'transferred',
  'never',
] as const;
export type CustomerStatus = (typeof customerStatuses)[number];

/** The best that any of the customer's subscriptions is in; `transferred`: all that was bought is another's by now. */
export function customerStatus(profile: Profile, now: string): CustomerStatus {
  const begun = profile.subscriptions.filter((s) => s.pending === null);
  const states = new Set(begun.map((s) => stateAt(s, now)));
  if (states.has('active') || states.has('intro')) return 'active';
  if (states.has('trial')) return 'trial';
  if (states.has('grace_period')) return 'grace_period';
  if (states.has('billing_retry')) return 'billing_retry';
  if (states.size > 0) return 'expired';
  return profile.handedOver.length > 0 ? 'transferred' : 'never';
}

function lasts(until: string | null, now: string): boolean {
  return until === null || now < until;
}

function outlasts(a: Holding, b: Holding): boolean {
  if (a.isActive !== b.isActive) return a.isActive;
  if (a.expiresAt === null || b.expiresAt === null) return a.expiresAt === null && b.expiresAt !== null;
  return a.expiresAt > b.expiresAt;
}
