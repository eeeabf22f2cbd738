// What is known of one subscriber, as plain JSON: deciders judge on it and the customers view stores it.
import type {
  CancelReason,
  ExpirationReason,
  OneTimePurchaseRef,
  PeriodType,
  SubscriptionPurchaseRef,
} from './blocks.js';
import type { Money } from '../money.js';

/** Access ends at the contract's end, moved by grace, cut by a refund; see `access.ts`. All times are ISO 8601 UTC. */
export type Subscription = {
  /** Of the latest period. */
  readonly purchase: SubscriptionPurchaseRef;
  readonly startReason: string;
  readonly startedAt: string;
  readonly period: {
    readonly type: PeriodType;
    readonly purchasedAt: string;
    readonly productDuration: string | null;
  };
  readonly contractEndsAt: string;
  /** 0 while only the first period is known. */
  readonly renewalNumber: number;
  readonly autoRenew: { readonly on: boolean; readonly reason: CancelReason | null; readonly since: string | null };
  readonly billingIssueAt: string | null;
  readonly graceEndsAt: string | null;
  readonly retrySince: string | null;
  /** A refund of the latest period that took access away. */
  readonly refundedAt: string | null;
  readonly ended: { readonly at: string; readonly reason: ExpirationReason; readonly by: 'store' | 'sweeper' } | null;
  /** USD micros over all periods, refunds taken off. */
  readonly revenue: Revenue;
};

export type Revenue = {
  readonly gross: number;
  readonly tax: number;
  readonly commission: number;
  readonly proceeds: number;
};

/** Non-consumables and non-renewing subscriptions, which may give access. */
export type OwnedPurchase = {
  readonly purchase: OneTimePurchaseRef;
  readonly productType: 'non_consumable' | 'non_renewing_subscription';
  readonly purchasedAt: string;
  readonly expiresAt: string | null;
  readonly refundedAt: string | null;
};

export type Grant = {
  readonly grantId: string;
  readonly entitlementId: string;
  readonly lookupKey: string;
  readonly startsAt: string;
  readonly expiresAt: string | null;
  readonly endedAt: string | null;
};

export type Attribute = { readonly k: string; readonly v: string; readonly t: string };

/** One charge or free period, as far as later refunds and repeats must find it. */
export type Transaction = {
  readonly transactionId: string;
  readonly purchase: OneTimePurchaseRef;
  readonly subscriptionId: string | null;
  readonly purchasedAt: string;
  readonly money: Money;
  readonly refund: { readonly at: string; readonly share: number; readonly accessRevoked: boolean } | null;
  /** When the refunds were that have been reversed: told again, they are no new ones. */
  readonly reversedRefunds: readonly string[];
};

/** Everything of one store chain, as it moves between customers. */
export type PurchaseLine = {
  readonly storeChainId: string;
  readonly storeTime: string | null;
  readonly subscriptions: readonly Subscription[];
  readonly owned: readonly OwnedPurchase[];
  readonly transactions: readonly Transaction[];
};

/** The part that the customers view stores: bounded by what a person holds, not by how long. */
export type Profile = {
  readonly status: 'unknown' | 'known' | 'merged';
  readonly appUserId: string;
  readonly createdAt: string;
  readonly country: string | null;
  readonly platform: string | null;
  readonly appVersion: string | null;
  /** App user ids of customers merged into this one. */
  readonly aliases: readonly string[];
  readonly mergedInto: { readonly customerId: string; readonly appUserId: string } | null;
  readonly attributes: readonly Attribute[];
  readonly subscriptions: readonly Subscription[];
  readonly owned: readonly OwnedPurchase[];
  readonly grants: readonly Grant[];
  /** Newest store time applied per chain: older intentions are stale. */
  readonly clocks: readonly { readonly storeChainId: string; readonly storeTime: string }[];
};

/** What a decision needs besides the profile. */
export type Subscriber = { readonly profile: Profile; readonly transactions: ReadonlyMap<string, Transaction> };

export const noProfile: Profile = {
  status: 'unknown',
  appUserId: '',
  createdAt: '',
  country: null,
  platform: null,
  appVersion: null,
  aliases: [],
  mergedInto: null,
  attributes: [],
  subscriptions: [],
  owned: [],
  grants: [],
  clocks: [],
};

export const noSubscriber: Subscriber = { profile: noProfile, transactions: new Map() };

/** The subscriptions of one store chain, oldest first. */
export function chainOf(profile: Profile, storeChainId: string): readonly Subscription[] {
  return profile.subscriptions.filter((s) => s.purchase.storeChainId === storeChainId);
}

export function storeTimeOf(profile: Profile, storeChainId: string): string | null {
  return profile.clocks.find((c) => c.storeChainId === storeChainId)?.storeTime ?? null;
}

/** The whole line of a chain, to carry it to another customer. */
export function lineOf(subscriber: Subscriber, storeChainId: string): PurchaseLine {
  const { profile, transactions } = subscriber;
  return {
    storeChainId,
    storeTime: storeTimeOf(profile, storeChainId),
    subscriptions: chainOf(profile, storeChainId),
    owned: profile.owned.filter((o) => o.purchase.storeChainId === storeChainId),
    transactions: [...transactions.values()].filter((t) => t.purchase.storeChainId === storeChainId),
  };
}
