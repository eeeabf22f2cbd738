// Facets of customers: index rows for the filters of the customer list. A facet's customers include all that match its filter and may include
// others, because status and access also depend on the time; lists check each customer.
import type { KeyedHash } from '../../domain/ids.js';
import { countryOf } from '../../domain/subscriber/state/country.js';
import type { Profile } from '../../domain/subscriber/state/state.js';
import { replace, type DerivedProjection } from '../runtime/projection.js';

/**
 * `holder`: something was bought, granted or handed over. `billing`: a subscription has or had a billing issue. `product`: a subscription
 * to it; one-time purchases are not all in the profile.
 */
export type Facet =
  | { readonly kind: 'holder' | 'billing' }
  | { readonly kind: 'country'; readonly country: string }
  | { readonly kind: 'product'; readonly appId: string; readonly storeProductId: string };

/** `facet`: keyed hash, because the log seals the country. */
export type FacetDoc = {
  readonly projectId: string;
  readonly facet: string;
  readonly firstSeenAt: string;
  readonly customerId: string;
};

type FacetSource = {
  readonly projectId: string;
  readonly customerId: string;
  readonly listedIn: string;
  readonly firstSeenAt: string;
  readonly hasOneTimePurchases: boolean;
  readonly profile: Profile;
};

export const FACET_INDEX = { name: 'facet', fields: ['projectId', 'facet', 'firstSeenAt'] } as const;

export function facetKey(hash: KeyedHash, projectId: string, facet: Facet): string {
  const { kind, ...names } = facet;
  return hash('customer-facet', projectId, JSON.stringify([kind, ...Object.values(names)]));
}

export function facetRowId(customerId: string, key: string): string {
  return `${customerId}|${key}`;
}

function facetsOf({ profile, hasOneTimePurchases }: FacetSource): readonly Facet[] {
  const { subscriptions, owned, grants, handedOver, spentMicros } = profile;
  const hasAny = [subscriptions, owned, grants, handedOver].some((all) => all.length > 0);
  const country = countryOf(profile);
  const hasIssue = subscriptions.some((s) => s.graceEndsAt !== null || s.retrySince !== null);
  return [
    ...(hasAny || hasOneTimePurchases || spentMicros !== 0 ? [{ kind: 'holder' } as const] : []),
    ...(hasIssue ? [{ kind: 'billing' } as const] : []),
    ...(country === null ? [] : [{ kind: 'country', country } as const]),
    ...subscriptions.map(({ purchase: { appId, storeProductId } }): Facet => ({
      kind: 'product',
      appId,
      storeProductId,
    })),
  ];
}

export const facets: DerivedProjection<FacetSource, FacetDoc> = {
  name: 'customer_facets',
  indexes: [FACET_INDEX],
  of: (source, hash) => {
    if (!source || source.listedIn === '') return new Map();
    const { projectId, customerId, firstSeenAt } = source;
    const keys = facetsOf(source).map((facet) => facetKey(hash, projectId, facet));
    return new Map(
      keys.map((key) => [facetRowId(customerId, key), { projectId, facet: key, firstSeenAt, customerId }]),
    );
  },
  apply: replace,
};
