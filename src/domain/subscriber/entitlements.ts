// Which entitlements a customer has at an instant, and from what. Past ones are listed too; `isActive` marks the current ones.
import { accessEndsAt, givesAccess, grantedUntil, lasts, ownedUntil, stateAt } from './access.js';
import type { OneTimePurchaseRef } from './events/blocks.js';
import type { Grant, OwnedPurchase, Profile, Subscription } from './state/state.js';

export type Unlocked = { readonly entitlementId: string; readonly lookupKey: string };

/**
 * What a store's product unlocks in this project, by the app and the store's own name of the product. `boughtAt`: when it was bought
 * first; without it, if it were bought now. A product that was deleted since goes on unlocking for who bought it before.
 */
export type Unlocks = (appId: string, storeProductId: string, boughtAt?: string) => readonly Unlocked[];

/** What is unlocked, and what was for those who bought before `until`. */
export function withRetired(
  current: readonly Unlocked[],
  retired: readonly (Unlocked & { readonly until: string })[],
  boughtAt: string | undefined,
): readonly Unlocked[] {
  const kept = retired.filter((r) => boughtAt !== undefined && boughtAt < r.until);
  const missing = kept.filter((r, i) =>
    [...current, ...kept.slice(0, i)].every((u) => u.entitlementId !== r.entitlementId),
  );
  return [...current, ...missing.map(({ entitlementId, lookupKey }) => ({ entitlementId, lookupKey }))];
}

export type Source =
  | { readonly kind: 'subscription'; readonly subscription: Subscription }
  | { readonly kind: 'purchase'; readonly owned: OwnedPurchase }
  | { readonly kind: 'promotional'; readonly grant: Grant };

export type Holding = Unlocked & {
  readonly isActive: boolean;
  /** Null if permanent. */
  readonly expiresAt: string | null;
  readonly source: Source;
};

/**
 * `exists`: what was granted of an entitlement that was deleted since gives nothing. `productIdOf`: what a store's product is in the
 * catalogue, also for purchases that were recorded before it was there.
 */
export type EntitlementRules = {
  readonly unlocks: Unlocks;
  readonly productIdOf: (appId: string, storeProductId: string) => string | null;
  readonly exists: (entitlementId: string) => boolean;
  readonly allowsSandbox: boolean;
};

/** Whether a purchase may give access at all: a tester's purchase may not unless the project allows it. */
export function isAllowed(
  { environment }: Pick<OneTimePurchaseRef, 'environment'>,
  rules: Pick<EntitlementRules, 'allowsSandbox'>,
): boolean {
  return environment === 'production' || rules.allowsSandbox;
}

/** A purchase that was recorded before its product was made has the product once it is (decisions.md, fine print 16). */
export function productOf(
  { productId, appId, storeProductId }: Pick<OneTimePurchaseRef, 'productId' | 'appId' | 'storeProductId'>,
  { productIdOf }: Pick<EntitlementRules, 'productIdOf'>,
): string | null {
  return productId ?? productIdOf(appId, storeProductId);
}

/**
 * One holding per entitlement that there is: an active one before an ended one, one of production before one of the sandbox, and of those
 * the one with the furthest end; of those that are equal in all this, what was bought first.
 */
export function entitlementsAt(profile: Profile, now: string, rules: EntitlementRules): readonly Holding[] {
  const best = new Map<string, Holding>();
  const offer = (holding: Holding) => {
    const known = best.get(holding.entitlementId);
    if (!known || outlasts(holding, known)) best.set(holding.entitlementId, holding);
  };
  const unlocked = (p: OneTimePurchaseRef, boughtAt: string) =>
    isAllowed(p, rules) ? rules.unlocks(p.appId, p.storeProductId, boughtAt) : [];
  for (const subscription of profile.subscriptions) {
    if (subscription.pending !== null) continue;
    const expiresAt = accessEndsAt(subscription);
    const isActive = givesAccess(subscription, now);
    const source = { kind: 'subscription' as const, subscription };
    for (const { entitlementId, lookupKey } of unlocked(subscription.purchase, subscription.startedAt))
      offer({ entitlementId, lookupKey, isActive, expiresAt, source });
  }
  for (const owned of profile.owned) {
    const expiresAt = ownedUntil(owned);
    const source = { kind: 'purchase' as const, owned };
    const isActive = lasts(expiresAt, now);
    for (const { entitlementId, lookupKey } of unlocked(owned.purchase, owned.purchasedAt))
      offer({ entitlementId, lookupKey, isActive, expiresAt, source });
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

/**
 * The best that any of the customer's subscriptions is in, of those that may give access; `transferred`: all that was bought is another's
 * by now.
 */
export function customerStatus(
  profile: Profile,
  now: string,
  rules: Pick<EntitlementRules, 'allowsSandbox'>,
): CustomerStatus {
  const begun = profile.subscriptions.filter((s) => s.pending === null && isAllowed(s.purchase, rules));
  const states = new Set(begun.map((s) => stateAt(s, now)));
  if (states.has('active') || states.has('intro')) return 'active';
  if (states.has('trial')) return 'trial';
  if (states.has('grace_period')) return 'grace_period';
  if (states.has('billing_retry')) return 'billing_retry';
  if (states.size > 0) return 'expired';
  return profile.handedOver.length > 0 ? 'transferred' : 'never';
}

function isTest({ source }: Holding): boolean {
  if (source.kind === 'promotional') return false;
  const { purchase } = source.kind === 'subscription' ? source.subscription : source.owned;
  return purchase.environment === 'sandbox';
}

function outlasts(a: Holding, b: Holding): boolean {
  if (a.isActive !== b.isActive) return a.isActive;
  if (isTest(a) !== isTest(b)) return isTest(b);
  if (a.expiresAt === null || b.expiresAt === null) return a.expiresAt === null && b.expiresAt !== null;
  return a.expiresAt > b.expiresAt;
}
