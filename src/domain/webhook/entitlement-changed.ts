// The one event that a simple back end needs: what the customer may use now, and what came and went.
import { entitlementsAt, type EntitlementRules, type Source } from '../subscriber/entitlements.js';
import type { Profile } from '../subscriber/state.js';
import { msFromIso } from '../time.js';
import type { Fields } from './purchase-fields.js';

/** By lookup key. `expiresAtMs` null: for ever. */
export type ActiveEntitlements = Readonly<
  Record<string, { readonly expiresAtMs: number | null; readonly productId: string | null; readonly store: string }>
>;

export function activeEntitlements(profile: Profile, at: string, rules: EntitlementRules): ActiveEntitlements {
  const active = entitlementsAt(profile, at, rules).filter((h) => h.isActive);
  return Object.fromEntries(
    active.map((h) => [
      h.lookupKey,
      { expiresAtMs: h.expiresAt === null ? null : msFromIso(h.expiresAt), ...originOf(h.source) },
    ]),
  );
}

/** Null when neither the set nor an end differs. */
export function changeOfAccess(before: ActiveEntitlements, after: ActiveEntitlements): Fields | null {
  const added = Object.keys(after).filter((key) => !Object.hasOwn(before, key));
  const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  const isMoved = Object.entries(after).some(
    ([key, now]) => Object.hasOwn(before, key) && before[key]?.expiresAtMs !== now.expiresAtMs,
  );
  if (added.length + removed.length === 0 && !isMoved) return null;
  return { activeEntitlements: after, added, removed };
}

function originOf(source: Source): { productId: string | null; store: string } {
  switch (source.kind) {
    case 'subscription':
      return { productId: source.subscription.purchase.productId, store: source.subscription.purchase.store };
    case 'purchase':
      return { productId: source.owned.purchase.productId, store: source.owned.purchase.store };
    case 'promotional':
      return { productId: null, store: 'promotional' };
  }
}
