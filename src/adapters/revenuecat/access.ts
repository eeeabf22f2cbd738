// Access of customers as RevenueCat reports it. With API v2 an unknown id stays unknown; API v1 creates a customer for it.
import {
  instantOf,
  type AccessHolding,
  type AccessSource,
  type CustomerAccess,
} from '../../domain/comparison/access.js';
import { latest } from '../../domain/time.js';
import { listEntitlements, storeKindNamed } from './configuration.js';
import {
  listActiveEntitlements,
  listPurchases,
  listSubscriptions,
  readCustomer,
  readSubscriber,
  type V1Subscriber,
  type V2ActiveEntitlement,
  type V2Purchase,
  type V2Subject,
  type V2Subscription,
} from './customers.js';
import type { RevenueCat } from './requests.js';

const NAME = 'RevenueCat';
const UNKNOWN: CustomerAccess = { status: 'unknown', holdings: [] };
const GRANTS = 'promotional';

/** Creates the source: API v2 if the project is configured, else API v1. */
export function createRevenueCatAccess({ requests, projectId }: RevenueCat): AccessSource {
  if (projectId === null) {
    return {
      name: NAME,
      accessOf: async (appUserId, _detail, signal) => {
        const { isCreated, subscriber } = await readSubscriber(requests, appUserId, signal);
        return isCreated ? UNKNOWN : { status: 'known', holdings: holdingsOfV1(subscriber) };
      },
    };
  }
  let reading: Promise<ReadonlyMap<string, string>> | undefined;
  const lookupKeys = (signal?: AbortSignal) =>
    (reading ??= listEntitlements(requests, projectId, signal).then(
      (all) => new Map(all.map(({ id, lookup_key }) => [id, lookup_key])),
    ));
  return {
    name: NAME,
    accessOf: async (customerId, detail, signal) => {
      const subject: V2Subject = { projectId, customerId };
      const customer = await readCustomer(requests, subject, signal);
      if (!customer) return UNKNOWN;
      const entitlements = customer.active_entitlements;
      const isWhole = entitlements && !entitlements.next_page;
      const active = isWhole ? entitlements.items : await listActiveEntitlements(requests, subject, signal);
      const keys = active.length === 0 ? new Map<string, string>() : await lookupKeys(signal);
      const ends = active.map((entitlement) => ({ ...entitlement, key: keys.get(entitlement.entitlement_id) }));
      if (detail === 'ends') return { status: 'known', holdings: ends.map((end) => holdingOfV2(end, undefined)) };
      const [subscriptions, purchases] = await Promise.all([
        listSubscriptions(requests, subject, signal),
        listPurchases(requests, subject, signal),
      ]);
      const sources = [
        ...subscriptions.filter((s) => s.gives_access),
        ...purchases.filter((p) => p.status === 'owned'),
      ];
      return { status: 'known', holdings: ends.map((end) => holdingOfV2(end, sourceOf(end, sources))) };
    },
  };
}

function holdingsOfV1({ entitlements, subscriptions, non_subscriptions }: V1Subscriber): readonly AccessHolding[] {
  return Object.entries(entitlements).map(([entitlement, one]) => {
    const product = one.product_identifier ?? '';
    const source = subscriptions[product] ?? non_subscriptions[product]?.at(-1);
    const periodEndsAt = canonical(one.expires_date);
    const graceEndsAt = canonical(one.grace_period_expires_date);
    const endsAt = periodEndsAt === null || graceEndsAt === null ? periodEndsAt : latest(periodEndsAt, graceEndsAt);
    return {
      entitlement,
      endsAt,
      periodEndsAt,
      ...placeOf(source && { store: source.store, isSandbox: source.is_sandbox }),
    };
  });
}

type ActiveEntitlement = V2ActiveEntitlement & { readonly key: string | undefined };
type Source = V2Subscription | V2Purchase;

function holdingOfV2(
  { key, entitlement_id, expires_at }: ActiveEntitlement,
  source: Source | undefined,
): AccessHolding {
  const endsAt = instantOf(expires_at);
  const inGrace = source && 'gives_access' in source && source.status === 'in_grace_period';
  const periodEndsAt = inGrace ? instantOf(source.current_period_ends_at) : endsAt;
  const place = source && { store: source.store, isSandbox: source.environment === 'sandbox' };
  return { entitlement: key ?? entitlement_id, endsAt, periodEndsAt, ...placeOf(place) };
}

/** Returns the purchase that unlocks the entitlement longest: one without an end first. */
function sourceOf({ entitlement_id }: ActiveEntitlement, sources: readonly Source[]): Source | undefined {
  const endOf = (s: Source) => ('gives_access' in s ? (s.ends_at ?? Infinity) : Infinity);
  const unlocking = sources.filter((s) => s.entitlements?.items.some(({ id }) => id === entitlement_id));
  return unlocking.toSorted((a, b) => endOf(b) - endOf(a))[0];
}

function placeOf(source: { readonly store: string; readonly isSandbox: boolean } | undefined) {
  if (!source) return { isGrant: false, isSandbox: false, store: null };
  const { store, isSandbox } = source;
  return { isGrant: store === GRANTS, isSandbox, store: storeKindNamed(store) ?? store };
}

function canonical(time: string | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
