// State of one subscriber as plain JSON: deciders use it and the customers read model stores it.
import type {
  CancelReason,
  ExpirationReason,
  OneTimePurchaseRef,
  PeriodType,
  Price,
  SubscriptionPurchaseRef,
} from '../events/blocks.js';
import type { Money } from '../../money.js';
import type { RetainedUpdate, EventData } from '../../envelope.js';

/** Access ends at the contract's end, moved by grace, cut by a refund; see `access.ts`. All times are ISO 8601 UTC. */
export type Subscription = {
  /** Purchase of the latest period. */
  readonly purchase: SubscriptionPurchaseRef;
  readonly startReason: string;
  readonly startedAt: string;
  readonly period: {
    readonly type: PeriodType;
    readonly purchasedAt: string;
    readonly productDuration: string | null;
  };
  readonly contractEndsAt: string;
  /** End of a commitment that is paid in periods, if it is later than the current period: until then every renewal is due. */
  readonly commitmentEndsAt?: string;
  /** Number of renewals; 0 while only the first period is known. */
  readonly renewalNumber: number;
  /** `isOutdated`: a renewal after the end implies a new sign-up that was not reported; this state is older. */
  readonly autoRenew: {
    readonly on: boolean;
    readonly reason: CancelReason | null;
    readonly since: string | null;
    readonly isOutdated?: true;
  };
  readonly billingIssueAt: string | null;
  readonly graceEndsAt: string | null;
  readonly retrySince: string | null;
  /** Time of a refund of the latest period that revoked access. */
  readonly refundedAt: string | null;
  /** Time at which family sharing ended or the store revoked the purchase. */
  readonly revokedAt: string | null;
  /** Bought but not paid: `waiting` for the money, or `cancelled` without it. Null once a period has begun. */
  readonly pending: 'waiting' | 'cancelled' | null;
  /** Pause that is scheduled for the end of the period, or running. */
  readonly pause: Pause | null;
  readonly nextProduct: NextProduct | null;
  readonly priceIncrease: PriceIncrease | null;
  readonly ended: { readonly at: string; readonly reason: ExpirationReason; readonly by: 'store' | 'sweeper' } | null;
  /** USD micros over all periods, net of refunds. */
  readonly revenue: Revenue;
};

/** `begun` false: planned for the period's end. `autoResumeAt` null: the store reported no time. */
type Pause = { readonly begun: boolean; readonly at: string; readonly autoResumeAt: string | null };
/** Product that replaces the current one at the next renewal. */
type NextProduct = {
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

/** Variant of an experiment, assigned to the customer once and permanently. */
export type Enrolment = {
  readonly experimentId: string;
  readonly variantId: string;
  readonly variantName: string;
  readonly offeringId: string;
  readonly enrolledAt: string;
};

/** First download of an app: the earliest known of the customer, of production before any of the sandbox. */
export type AppDownload = {
  readonly appId: string;
  readonly environment: 'production' | 'sandbox';
  readonly version: string;
  readonly downloadedAt: string;
};

/** Charge or free period, with the data that later refunds and repeats need. */
export type Transaction = {
  readonly transactionId: string;
  readonly purchase: OneTimePurchaseRef;
  readonly subscriptionId: string | null;
  readonly purchasedAt: string;
  readonly money: Money;
  /** Current refund: `share` is the sum of all partial refunds, `at` the time of the latest. */
  readonly refund: { readonly at: string; readonly share: number; readonly accessRevoked: boolean } | null;
  /** Times of refunds and of their reversals: a repeat with one of these times is not new. */
  readonly refundedAts: readonly string[];
  readonly reversedAts: readonly string[];
  /** Reversals that arrived before their refund. */
  readonly deferredReversals: readonly string[];
  /** Customer who paid, if the purchase was transferred later: its money stays with that customer. */
  readonly paidBy?: string;
};

/** All state of one store chain, as it moves between customers. */
export type PurchaseLine = {
  readonly storeChainId: string;
  readonly storeTime: string | null;
  readonly subscriptions: readonly Subscription[];
  readonly owned: readonly OwnedPurchase[];
  readonly transactions: readonly Transaction[];
  readonly noted: readonly string[];
  /** Moves with the line in a merge, not in a transfer. */
  readonly history?: LineHistory;
};

/** Retained history of a line, from which its events can be decided again; `base` is the state before it. */
export type LineHistory = {
  readonly base: PurchaseLine;
  /** Updates in the order of arrival. */
  readonly updates: readonly RetainedUpdate[];
  /** Events that hold: not superseded by a revision. */
  readonly facts: readonly LineEvent[];
  /** Superseded events that webhooks announced and that no other event has replaced yet. */
  readonly announced: readonly LineEvent[];
};

/** `id`: id of the stored event, null until stored. `wasNotAnnounced`: webhooks skipped the event permanently. */
export type LineEvent = {
  readonly wasNotAnnounced?: true;
  readonly id: string | null;
  readonly type: string;
  readonly at: string;
  readonly data: EventData;
};

/**
 * True if the identifier by which a store names the customer was written with a secret key or by a user; null if there is none or an
 * older version did not record it.
 */
export type ClaimTrust = { readonly appUserId: boolean | null; readonly accountToken: boolean | null };

/** Part that the customers read model stores. Its size depends on the number of purchases, not on their duration. */
export type Profile = {
  readonly status: 'unknown' | 'known' | 'merged' | 'erased';
  readonly appUserId: string;
  readonly createdAt: string;
  /** Earliest first-seen time or purchase, including merged customers, with the app user id of that time. */
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
  /** Store chains that now belong to other customers. */
  readonly handedOver: readonly string[];
  readonly grants: readonly Grant[];
  readonly experiments: readonly Enrolment[];
  /** At most one per app; missing without any. */
  readonly downloads?: readonly AppDownload[];
  /** USD micros charged to the customer, net of refunds. They move with the customer (merge), not with a purchase (transfer). */
  readonly spentMicros: number;
  /** Latest store time applied per chain: older intents are stale. */
  readonly clocks: readonly { readonly storeChainId: string; readonly storeTime: string }[];
};

/** Profile with the other state that decisions need. `noted`: names of recorded notices, to detect repeats. */
export type Subscriber = {
  readonly profile: Profile;
  readonly transactions: ReadonlyMap<string, Transaction>;
  readonly noted: ReadonlySet<string>;
  /** Retained histories by store chain. */
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
