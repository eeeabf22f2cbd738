// Access of a customer, as each of two services reports it, and the differences between them with the class of their cause.
import { entitlementsAt, type EntitlementHolding, type EntitlementRules } from '../subscriber/entitlements.js';
import type { Profile } from '../subscriber/state/state.js';
import { isoFromMs } from '../time.js';

/**
 * Entitlement that a customer has or had. `entitlement`: lookup key. `endsAt`: end of access, grace included; null: never. `periodEndsAt`:
 * end without grace. `store`: name of ours for a store of ours, else the name that the service uses; null: not reported. Instants are
 * ISO 8601 UTC.
 */
export type AccessHolding = {
  readonly entitlement: string;
  readonly endsAt: string | null;
  readonly periodEndsAt: string | null;
  readonly isGrant: boolean;
  readonly isSandbox: boolean;
  readonly store: string | null;
};

/** `erased`: deleted at the person's request. */
export type CustomerAccess = {
  readonly status: 'known' | 'unknown' | 'erased';
  readonly holdings: readonly AccessHolding[];
};

/**
 * The other side of a comparison: a service's API, or an export. `detail`: with `ends` a source may leave out stores, sandbox, grants and
 * grace where they cost further requests. Throws if the source cannot be read.
 */
export type AccessSource = {
  readonly name: string;
  accessOf(appUserId: string, detail: 'ends' | 'sources', signal?: AbortSignal): Promise<CustomerAccess>;
};

/** Classes of differences; false: the difference has no explanation and must be resolved before a switch. */
export const differenceClasses = {
  only_there: false,
  only_here: false,
  end_differs: false,
  grant_there: false,
  unknown_here: false,
  entitlement_unknown: false,
  grant_here: true,
  grace: true,
  sandbox: true,
  other_store: true,
  renewing: true,
  unknown_since: true,
  unknown_there: true,
  erased_here: true,
} as const;
export type DifferenceClass = keyof typeof differenceClasses;

export type AccessDifference = {
  readonly entitlement: string;
  readonly class: DifferenceClass;
  /** Null: no such entitlement, or it has ended. Of class `unknown_since` it is what the export knew, and has ended. */
  readonly there: AccessHolding | null;
  readonly here: AccessHolding | null;
};

export type ComparisonTerms = {
  /** Instant of the comparison, ISO 8601 UTC. */
  readonly at: string;
  /** Time up to which the other side knows renewals, if it is an export; absent: it is `at`. */
  readonly knownUntil?: string | null;
  /** Lookup keys of the entitlements in the catalogue here. */
  readonly entitlements: ReadonlySet<string>;
  /** Names of the stores whose purchases can be imported. */
  readonly stores: ReadonlySet<string>;
};

/** Ends that differ by less are equal: services learn of an end at different times. */
const TOLERANCE_MS = 3_600_000;

/** Lists the entitlements that only one side gives at the instant, or that end at different times. Past access is not compared. */
export function compareAccess(
  there: CustomerAccess,
  here: CustomerAccess,
  terms: ComparisonTerms,
): readonly AccessDifference[] {
  const [vendorAccess, ownAccess] = [byEntitlement(there), byEntitlement(here)];
  return [...new Set([...vendorAccess.keys(), ...ownAccess.keys()])].toSorted().flatMap((entitlement) => {
    const [t, h] = [vendorAccess.get(entitlement), ownAccess.get(entitlement)];
    const [active, own] = [activeAt(t, terms.at), activeAt(h, terms.at)];
    if (!active && !own) {
      const isUnknown = t !== undefined && here.status !== 'erased' && mayHaveRenewed(t, h, terms);
      return isUnknown ? [{ entitlement, class: 'unknown_since', there: t, here: null }] : [];
    }
    if (active && own && isSameEnd(active.endsAt, own.endsAt)) return [];
    const cause = causeOf({ there, here, t, h, active, own, entitlement }, terms);
    return [{ entitlement, class: cause, there: active, here: own }];
  });
}

/** Returns whether the customer would have no access here to what is active there. */
export function losesAccess({ class: name, there, here }: AccessDifference): boolean {
  return there !== null && here === null && name !== 'unknown_since';
}

type Case = {
  readonly there: CustomerAccess;
  readonly here: CustomerAccess;
  readonly t: AccessHolding | undefined;
  readonly h: AccessHolding | undefined;
  readonly active: AccessHolding | null;
  readonly own: AccessHolding | null;
  readonly entitlement: string;
};

function causeOf(c: Case, terms: ComparisonTerms): DifferenceClass {
  const { there, here, t, h, active, own } = c;
  if (here.status === 'erased') return 'erased_here';
  if (active && !terms.entitlements.has(c.entitlement)) return 'entitlement_unknown';
  if (active?.isSandbox || (own?.isSandbox && !active)) return 'sandbox';
  if (active?.isGrant && !own?.isGrant) return 'grant_there';
  if (isOfOtherStore(active, terms)) return 'other_store';
  if (own?.isGrant && !active?.isGrant) return 'grant_here';
  if (t && h && differsByGrace(t, h)) return 'grace';
  if (t && h && isRenewing(t, h, terms)) return 'renewing';
  if (active && own) return 'end_differs';
  if (active) return here.status === 'unknown' ? 'unknown_here' : 'only_there';
  return there.status === 'unknown' ? 'unknown_there' : 'only_here';
}

function isOfOtherStore(holding: AccessHolding | null, { stores }: ComparisonTerms): boolean {
  return holding !== null && !holding.isGrant && holding.store !== null && !stores.has(holding.store);
}

/** Returns whether both sides know the same period, and only one counts a grace period after it. */
function differsByGrace(a: AccessHolding, b: AccessHolding): boolean {
  const hasGrace = (one: AccessHolding) => one.endsAt !== one.periodEndsAt;
  if (!hasGrace(a) && !hasGrace(b)) return false;
  const ends = [a.endsAt, a.periodEndsAt];
  return ends.some((end) => isSameEnd(end, b.periodEndsAt) || isSameEnd(end, b.endsAt));
}

/**
 * Returns whether the period of one side ends at about the instant, and that of the other side later: a renewal is being reported. An
 * export does not know the renewals after it.
 */
function isRenewing(there: AccessHolding, here: AccessHolding, { at, knownUntil }: ComparisonTerms): boolean {
  const until = Date.parse(at) + TOLERANCE_MS;
  const isNow = (end: string | null, from: string) =>
    end !== null && Date.parse(end) >= Date.parse(from) - TOLERANCE_MS && Date.parse(end) <= until;
  const isLater = (end: string | null) => end !== null && Date.parse(end) > until;
  const isUnknownThere = isNow(there.endsAt, knownUntil ?? at) && isLater(here.endsAt);
  return isUnknownThere || (isNow(here.endsAt, at) && isLater(there.endsAt));
}

/** Returns whether a period ended there after the export was written, not early, and no later end is known here: it may have been renewed. */
function mayHaveRenewed(there: AccessHolding, here: AccessHolding | undefined, terms: ComparisonTerms): boolean {
  const { at, knownUntil } = terms;
  if (knownUntil == null || there.endsAt === null || there.isGrant || there.isSandbox) return false;
  if (there.periodEndsAt !== null && isLaterThan(there.periodEndsAt, there.endsAt)) return false;
  if (isOfOtherStore(there, terms) || !terms.entitlements.has(there.entitlement)) return false;
  const isKnownLater = here !== undefined && here.endsAt !== null && isLaterThan(here.endsAt, there.endsAt);
  const isSinceExport =
    Date.parse(there.endsAt) >= Date.parse(knownUntil) - TOLERANCE_MS && !isLaterThan(there.endsAt, at);
  return isSinceExport && (!isKnownLater || isSameEnd(here.endsAt, there.endsAt));
}

function isSameEnd(a: string | null, b: string | null): boolean {
  if (a === null || b === null) return a === b;
  return Math.abs(Date.parse(a) - Date.parse(b)) <= TOLERANCE_MS;
}

function activeAt(holding: AccessHolding | undefined, at: string): AccessHolding | null {
  if (!holding) return null;
  return holding.endsAt === null || Date.parse(at) < Date.parse(holding.endsAt) ? holding : null;
}

/** Returns the holding of each entitlement that lasts longest. */
function byEntitlement({ holdings }: CustomerAccess): ReadonlyMap<string, AccessHolding> {
  const longest = new Map<string, AccessHolding>();
  for (const holding of holdings) {
    const known = longest.get(holding.entitlement);
    if (!known || (known.endsAt !== null && (holding.endsAt === null || isLaterThan(holding.endsAt, known.endsAt)))) {
      longest.set(holding.entitlement, holding);
    }
  }
  return longest;
}

function isLaterThan(a: string, b: string): boolean {
  return Date.parse(a) > Date.parse(b);
}

/** Returns the instant in the form of this module; null for none. `ms`: UTC ms. */
export function instantOf(ms: number | null | undefined): string | null {
  return ms === null || ms === undefined ? null : isoFromMs(ms);
}

/** Returns the access of a customer here. `profile`: after merges. `at`: ISO 8601 UTC. */
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
