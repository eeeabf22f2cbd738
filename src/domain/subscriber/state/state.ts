// What is known of one subscriber, as plain JSON: deciders judge on it and the customers read model stores it.
import type {
  CancelReason,
  ExpirationReason,
  OneTimePurchaseRef,
  PeriodType,
  Price,
  SubscriptionPurchaseRef,
} from '../events/blocks.js';
import type { Money } from '../../money.js';
import type { KeptUpdate } from '../../envelope.js';

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
  /** `isOutdated`: it is of before a sign-up that is not known, which a renewal after the end has shown. */
  readonly autoRenew: {
    readonly on: boolean;
    readonly reason: CancelReason | null;
    readonly since: string | null;
    readonly isOutdated?: true;
  };
  readonly billingIssueAt: string | null;
  readonly graceEndsAt: string | null;
  readonly retrySince: string | null;
  /** A refund of the latest period that took access away. */
  readonly refundedAt: string | null;
  /** Family sharing withdrawn, or taken away by the store. */
  readonly revokedAt: string | null;
  /** Bought but not paid: `waiting` for the money, or `cancelled` without it. Null once a period has begun. */
  readonly pending: 'waiting' | 'cancelled' | null;
  /** The pause that the customer planned for the end of the period, or that has begun then. */
  readonly pause: Pause | null;
  readonly nextProduct: NextProduct | null;
  readonly priceIncrease: PriceIncrease | null;
  readonly ended: { readonly at: string; readonly reason: ExpirationReason; readonly by: 'store' | 'sweeper' } | null;
  /** USD micros over all periods, refunds taken off. */
  readonly revenue: Revenue;
};

/** `begun` false: planned for the period's end. `autoResumeAt` null: the store gave no time. */
export type Pause = { readonly begun: boolean; readonly at: string; readonly autoResumeAt: string | null };
/** Takes the place of the product at the next renewal. */
export type NextProduct = {
  readonly productId: string | null;
  readonly storeProductId: string;
  readonly effectiveAt: string;
};
export type PriceIncrease = {
  readonly newPrice: Price | null;
  readonly effectiveAt: string;
  readonly isAccepted: boolean;
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
  readonly revokedAt: string | null;
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

/** The variant of an experiment that the customer was given, once and for good. */
export type Enrolment = {
  readonly experimentId: string;
  readonly variantId: string;
  readonly variantName: string;
  readonly offeringId: string;
  readonly enrolledAt: string;
};

/** One charge or free period, as far as later refunds and repeats must find it. */
export type Transaction = {
  readonly transactionId: string;
  readonly purchase: OneTimePurchaseRef;
  readonly subscriptionId: string | null;
  readonly purchasedAt: string;
  readonly money: Money;
  /** What stands refunded: `share` grows with each part, `at` is the latest. */
  readonly refund: { readonly at: string; readonly share: number; readonly accessRevoked: boolean } | null;
  /** When refunds were and when they were reversed: a repeat with one of these times is not new. */
  readonly refundedAts: readonly string[];
  readonly reversedAts: readonly string[];
  /** Reversals that arrived before the refund that they take back. */
  readonly deferredReversals: readonly string[];
  /** The customer who paid, where the purchase has changed hands since: its money stays there. */
  readonly paidBy?: string;
};

/** Everything of one store chain, as it moves between customers. */
export type PurchaseLine = {
  readonly storeChainId: string;
  readonly storeTime: string | null;
  readonly subscriptions: readonly Subscription[];
  readonly owned: readonly OwnedPurchase[];
  readonly transactions: readonly Transaction[];
  readonly noted: readonly string[];
  /** Goes with the line when its owner is merged, not when the purchase is transferred. */
  readonly history?: LineHistory;
};

/** What is kept of a line so that its events can be decided again; `base` is what was known of it before. */
export type LineHistory = {
  readonly base: PurchaseLine;
  /** In the order of arrival. */
  readonly updates: readonly KeptUpdate[];
  /** Those that stand: not superseded by a revision. */
  readonly facts: readonly LineEvent[];
  /** Superseded ones that webhooks had announced, and whose place no other event has taken so far. */
  readonly said: readonly LineEvent[];
};

/** `id`: of the stored event; null for one that is only being decided. `isUnsaid`: webhooks passed over it for good. */
export type LineEvent = {
  readonly isUnsaid?: true;
  readonly id: string | null;
  readonly type: string;
  readonly at: string;
  readonly data: unknown;
};

/**
 * Whether what names the customer to a store was written with a secret key or by a user; null: there is none, or an older version that
 * did not record it.
 */
export type ClaimTrust = { readonly appUserId: boolean | null; readonly accountToken: boolean | null };

/** The part that the customers read model stores: its size is bounded by what a customer owns, not by for how long. */
export type Profile = {
  readonly status: 'unknown' | 'known' | 'merged' | 'erased';
  readonly appUserId: string;
  readonly createdAt: string;
  /** The earliest of first sight and first purchase, of whoever was merged in too, and under which name that was. */
  readonly first: { readonly appUserId: string; readonly at: string };
  readonly country: string | null;
  readonly platform: string | null;
  readonly appVersion: string | null;
  /** App user ids of customers merged into this one. */
  readonly aliases: readonly string[];
  readonly mergedInto: { readonly customerId: string; readonly appUserId: string } | null;
  readonly attributes: readonly Attribute[];
  readonly trust: ClaimTrust;
  readonly subscriptions: readonly Subscription[];
  readonly owned: readonly OwnedPurchase[];
  /** Store chains that other customers hold by now. */
  readonly handedOver: readonly string[];
  readonly grants: readonly Grant[];
  readonly experiments: readonly Enrolment[];
  /** USD micros charged to the customer, refunds taken off. They go with the customer (a merge), not with a purchase (a transfer). */
  readonly spentMicros: number;
  /** Newest store time applied per chain: older intentions are stale. */
  readonly clocks: readonly { readonly storeChainId: string; readonly storeTime: string }[];
};

/** What a decision needs besides the profile. `noted`: names of events that change no state, so that a repeat is known (`notes.ts`). */
export type Subscriber = {
  readonly profile: Profile;
  readonly transactions: ReadonlyMap<string, Transaction>;
  readonly noted: ReadonlySet<string>;
  /** By store chain. */
  readonly histories: ReadonlyMap<string, LineHistory>;
};

export const noProfile: Profile = {
  status: 'unknown',
  appUserId: '',
  createdAt: '',
  first: { appUserId: '', at: '' },
  country: null,
  platform: null,
  appVersion: null,
  aliases: [],
  mergedInto: null,
  attributes: [],
  trust: { appUserId: null, accountToken: null },
  subscriptions: [],
  owned: [],
  handedOver: [],
  grants: [],
  experiments: [],
  spentMicros: 0,
  clocks: [],
};

export const noSubscriber: Subscriber = {
  profile: noProfile,
  transactions: new Map(),
  noted: new Set(),
  histories: new Map(),
};
