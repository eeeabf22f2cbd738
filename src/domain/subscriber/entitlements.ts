// Lists a customer's entitlements at an instant, each with its source. Past ones are included; `isActive` marks the current ones.
import { accessEndsAt, givesAccess, grantedUntil, lasts, ownedUntil, stateAt } from './access.js';
import type { OneTimePurchaseRef } from './events/blocks.js';
import type { Grant, OwnedPurchase, Profile, Subscription } from './state/state.js';

export type UnlockedEntitlement = { readonly entitlementId: string; readonly lookupKey: string };

/**
 * Returns the entitlements that a store product unlocks in this project. `boughtAt`: time of the first purchase, default now. A deleted
 * product continues to unlock its entitlements for earlier purchases.
 */
export type UnlockLookup = (appId: string, storeProductId: string, boughtAt?: string) => readonly UnlockedEntitlement[];

/** Adds retired entitlements for purchases made before their `until`. */
export function withRetired(
  current: readonly UnlockedEntitlement[],
  retired: readonly (UnlockedEntitlement & { readonly until: string })[],
  boughtAt: string | undefined,
): readonly UnlockedEntitlement[] {
  const applicable = retired.filter((r) => boughtAt !== undefined && boughtAt < r.until);
  const missing = applicable.filter((r, i) =>
    [...current, ...applicable.slice(0, i)].every((u) => u.entitlementId !== r.entitlementId),
  );
  return [...current, ...missing.map(({ entitlementId, lookupKey }) => ({ entitlementId, lookupKey }))];
}

export type EntitlementSource =
  | { readonly kind: 'subscription'; readonly subscription: Subscription }
  | { readonly kind: 'purchase'; readonly owned: OwnedPurchase }
  | { readonly kind: 'promotional'; readonly grant: Grant };

export type EntitlementHolding = UnlockedEntitlement & {
  readonly isActive: boolean;
  /** End of access; null if permanent. */
  readonly expiresAt: string | null;
  readonly source: EntitlementSource;
};

/**
 * `exists`: grants of a deleted entitlement give nothing. `productIdOf`: finds the catalogue's product of a store product, also for
 * purchases recorded before the product was created.
 */
export type EntitlementRules = {
  readonly unlocks: UnlockLookup;
  readonly productIdOf: (appId: string, storeProductId: string) => string | null;
  readonly exists: (entitlementId: string) => boolean;
  readonly allowsSandbox: boolean;
};

/** Returns true if a purchase may give access: sandbox purchases only do if the project allows it. */
export function isAllowed(
  { environment }: Pick<OneTimePurchaseRef, 'environment'>,
  rules: Pick<EntitlementRules, 'allowsSandbox'>,
): boolean {
  return environment === 'production' || rules.allowsSandbox;
}

/** Finds the product also for a purchase recorded before the product was created (decisions.md, fine print 16). */
export function productOf(
  { productId, appId, storeProductId }: Pick<OneTimePurchaseRef, 'productId' | 'appId' | 'storeProductId'>,
  { productIdOf }: Pick<EntitlementRules, 'productIdOf'>,
): string | null {
  return productId ?? productIdOf(appId, storeProductId);
}

/**
 * Returns the best holding of each entitlement: active before ended, production before sandbox, then the latest end, then the earliest
 * purchase.
 */
export function entitlementsAt(profile: Profile, now: string, rules: EntitlementRules): readonly EntitlementHolding[] {
  const best = new Map<string, EntitlementHolding>();
  const offer = (holding: EntitlementHolding) => {
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
 * Returns the best status among the customer's subscriptions that may give access; `transferred`: all purchases now belong to other
 * customers.
 */
export function customerStatus(
  profile: Profile,
  now: string,
  rules: Pick<EntitlementRules, 'allowsSandbox'>,
): CustomerStatus {
  const started = profile.subscriptions.filter((s) => s.pending === null && isAllowed(s.purchase, rules));
  const states = new Set(started.map((s) => stateAt(s, now)));
  if (states.has('active') || states.has('intro')) return 'active';
  if (states.has('trial')) return 'trial';
  if (states.has('grace_period')) return 'grace_period';
  if (states.has('billing_retry')) return 'billing_retry';
  if (states.size > 0) return 'expired';
  return profile.handedOver.length > 0 ? 'transferred' : 'never';
}

function isSandboxHolding({ source }: EntitlementHolding): boolean {
  if (source.kind === 'promotional') return false;
  const { purchase } = source.kind === 'subscription' ? source.subscription : source.owned;
  return purchase.environment === 'sandbox';
}

function outlasts(a: EntitlementHolding, b: EntitlementHolding): boolean {
  if (a.isActive !== b.isActive) return a.isActive;
  if (isSandboxHolding(a) !== isSandboxHolding(b)) return isSandboxHolding(b);
  if (a.expiresAt === null || b.expiresAt === null) return a.expiresAt === null && b.expiresAt !== null;
  return a.expiresAt > b.expiresAt;
}
