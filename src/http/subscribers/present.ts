// The body of the SDK endpoints: a subscriber with what it may use now.
import { accessEndsAt, givesAccess, stateAt } from '../../domain/subscriber/access.js';
import type { OneTimePurchaseRef } from '../../domain/subscriber/events/blocks.js';
import {
  entitlementsAt,
  isAllowed,
  productOf,
  type EntitlementRules,
  type Holding,
} from '../../domain/subscriber/entitlements.js';
import type { Profile, Subscription } from '../../domain/subscriber/state/state.js';
import type { TransactionDoc } from '../../projections/models/transactions.js';
import { managementUrl } from '../customers/management-url.js';

export type SubscriberView = {
  readonly profile: Profile;
  readonly firstSeenAt: string;
  readonly lastSeenAt: string;
  readonly rules: EntitlementRules;
  readonly oneTime: readonly TransactionDoc[];
  readonly now: string;
  /** Public keys see neither attributes nor who else this was. */
  readonly isPublic: boolean;
  /** The name of an android app in its store. */
  readonly packageOf: (appId: string) => string | undefined;
};

export function presentSubscriber(v: SubscriberView) {
  const { profile, now, isPublic } = v;
  const holdings = entitlementsAt(profile, now, v.rules);
  // Of one product the last one stays: the newest, and one of production whatever testers bought since.
  const current = profile.subscriptions.toSorted(
    (a, b) => rankOf(a) - rankOf(b) || (a.startedAt < b.startedAt ? -1 : 1),
  );
  const shown = {
    appUserId: profile.appUserId,
    ...(!(isPublic && profile.aliases.length > 0) && { originalAppUserId: profile.first.appUserId }),
    firstSeenAt: v.firstSeenAt,
    lastSeenAt: v.lastSeenAt,
    managementUrl: managementUrl(profile, now, v.packageOf),
    entitlements: Object.fromEntries(holdings.map((h) => [h.lookupKey, presentHolding(h, v.rules)])),
    subscriptions: Object.fromEntries(current.map((s) => [s.purchase.storeProductId, presentOwn(s, now, v.rules)])),
    nonSubscriptions: presentOneTime(v.oneTime),
    ...(!isPublic && { attributes: presentAttributes(profile) }),
  };
  return { requestDate: now, subscriber: shown };
}

export function presentAttributes(profile: Profile) {
  return Object.fromEntries(profile.attributes.map(({ k, v, t }) => [k, { value: v, updatedAt: t }]));
}

function presentHolding({ isActive, expiresAt, source }: Holding, rules: EntitlementRules) {
  switch (source.kind) {
    case 'subscription': {
      const { purchase, period, graceEndsAt, autoRenew, startedAt } = source.subscription;
      return {
        isActive,
        expiresAt,
        gracePeriodExpiresAt: graceEndsAt,
        purchasedAt: startedAt,
        ...bought(purchase, rules),
        periodType: period.type,
        willRenew: autoRenew.on && isActive,
        isSandbox: purchase.environment === 'sandbox',
        ownershipType: purchase.ownership,
      };
    }
    case 'purchase': {
      const { purchase, purchasedAt } = source.owned;
      const fixed = {
        gracePeriodExpiresAt: null,
        purchasedAt,
        ...bought(purchase, rules),
        periodType: 'normal',
        willRenew: false,
      };
      const ownershipType = purchase.ownership;
      return { isActive, expiresAt, ...fixed, isSandbox: purchase.environment === 'sandbox', ownershipType };
    }
    case 'promotional': {
      const purchasedAt = source.grant.startsAt;
      const none = { productId: null, storeProductId: null, store: 'promotional', periodType: 'promotional' };
      const fixed = { willRenew: false, isSandbox: false, ownershipType: 'purchased' };
      return { isActive, expiresAt, gracePeriodExpiresAt: null, purchasedAt, ...none, ...fixed };
    }
  }
}

function bought(purchase: OneTimePurchaseRef, rules: EntitlementRules) {
  const { storeProductId, store } = purchase;
  return { productId: productOf(purchase, rules), storeProductId, store };
}

function rankOf({ purchase }: Subscription): number {
  return purchase.environment === 'production' ? 1 : 0;
}

function presentOwn(s: Subscription, now: string, rules: EntitlementRules) {
  return {
    id: s.purchase.subscriptionId,
    state: stateAt(s, now),
    givesAccess: givesAccess(s, now) && isAllowed(s.purchase, rules),
    store: s.purchase.store,
    isSandbox: s.purchase.environment === 'sandbox',
    ownershipType: s.purchase.ownership,
    periodType: s.period.type,
    purchasedAt: s.period.purchasedAt,
    originalPurchasedAt: s.startedAt,
    expiresAt: accessEndsAt(s),
    gracePeriodExpiresAt: s.graceEndsAt,
    unsubscribeDetectedAt: s.autoRenew.since,
    billingIssuesDetectedAt: s.billingIssueAt,
    refundedAt: s.refundedAt,
    autoResumeAt: s.pause?.autoResumeAt ?? null,
  };
}

function presentOneTime(all: readonly TransactionDoc[]) {
  // No plain object: a store product may be called `constructor`.
  const byProduct = new Map<string, object[]>();
  for (const t of all) {
    const { transactionId, purchasedAt, store, environment } = t;
    const entry = { id: transactionId, purchasedAt, store, isSandbox: environment === 'sandbox', transactionId };
    byProduct.set(t.storeProductId, [...(byProduct.get(t.storeProductId) ?? []), entry]);
  }
  return Object.fromEntries(byProduct);
}
