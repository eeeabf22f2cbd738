// Access of a customer here, in the form of the comparison.
import { entitlementsAt, type EntitlementHolding, type EntitlementRules } from '../subscriber/entitlements.js';
import type { Profile } from '../subscriber/state/state.js';
import type { AccessHolding, CustomerAccess } from './access.js';

/** `profile`: of the customer after merges. `at`: ISO 8601 UTC. */
export function ownAccess(profile: Profile, at: string, rules: EntitlementRules): CustomerAccess {
  if (profile.status === 'erased') return { status: 'erased', holdings: [] };
  if (profile.status !== 'known') return { status: 'unknown', holdings: [] };
  return { status: 'known', holdings: entitlementsAt(profile, at, rules).map(holdingOf) };
}

function holdingOf({ lookupKey, expiresAt, source }: EntitlementHolding): AccessHolding {
  const entitlement = lookupKey;
  if (source.kind === 'promotional') {
    return { entitlement, endsAt: expiresAt, periodEndsAt: expiresAt, isGrant: true, isSandbox: false, store: null };
  }
  const { store, environment } = source.kind === 'subscription' ? source.subscription.purchase : source.owned.purchase;
  const isCut = source.kind !== 'subscription' || source.subscription.graceEndsAt === null;
  const periodEndsAt = isCut ? expiresAt : source.subscription.contractEndsAt;
  return { entitlement, endsAt: expiresAt, periodEndsAt, isGrant: false, isSandbox: environment === 'sandbox', store };
}
