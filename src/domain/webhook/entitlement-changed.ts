// The only event that a simple back end needs: the customer's active entitlements and the changes since the previous event.
import {
  entitlementsAt,
  productOf,
  type EntitlementRules,
  type EntitlementSource,
} from '../subscriber/entitlements.js';
import type { Profile } from '../subscriber/state/state.js';
import { msFromIso } from '../time.js';
import type { Fields } from './purchase-fields.js';

/** Active entitlements by lookup key. `expiresAtMs` null: permanent. */
export type ActiveEntitlements = Readonly<
  Record<string, { readonly expiresAtMs: number | null; readonly productId: string | null; readonly store: string }>
>;

export function activeEntitlements(profile: Profile, at: string, rules: EntitlementRules): ActiveEntitlements {
  const active = entitlementsAt(profile, at, rules).filter((h) => h.isActive);
  return Object.fromEntries(
    active.map((h) => [
      h.lookupKey,
      { expiresAtMs: h.expiresAt === null ? null : msFromIso(h.expiresAt), ...originOf(h.source, rules) },
    ]),
  );
}

/** Returns null when neither the set of entitlements nor an expiry differs. */
export function diffAccess(before: ActiveEntitlements, after: ActiveEntitlements): Fields | null {
  const added = Object.keys(after).filter((key) => !Object.hasOwn(before, key));
  const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  const isMoved = Object.entries(after).some(
    ([key, now]) => Object.hasOwn(before, key) && before[key]?.expiresAtMs !== now.expiresAtMs,
  );
  if (added.length + removed.length === 0 && !isMoved) return null;
  return { activeEntitlements: after, added, removed };
}

function originOf(source: EntitlementSource, rules: EntitlementRules): { productId: string | null; store: string } {
  if (source.kind === 'promotional') return { productId: null, store: 'promotional' };
  const { purchase } = source.kind === 'subscription' ? source.subscription : source.owned;
  return { productId: productOf(purchase, rules), store: purchase.store };
}
