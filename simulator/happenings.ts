// What can happen in a customer's lifecycle, independent of any store's wire format. Times are milliseconds since the epoch.
import type { OfferName } from './offers.js';

/** One transaction: a period of a subscription, or something bought once. */
export type Bought = {
  readonly transactionId: string;
  /** The first transaction of its store chain. */
  readonly chainId: string;
  readonly chainStartedAt: number;
  readonly offer: OfferName;
  readonly periodType: 'trial' | 'intro' | 'normal' | 'once';
  readonly purchasedAt: number;
  /** Null for what was bought once. */
  readonly expiresAt: number | null;
  readonly priceMilli: number;
  /** Charged by the store, not bought by the customer. */
  readonly isRenewal: boolean;
};

/** What the store sends to the service. Every message is a snapshot: the latest transaction, and what the store intends. */
export type StoreHappening = {
  readonly kind:
    | 'started'
    | 'resubscribed'
    | 'renewed'
    | 'recovered'
    | 'renewalOff'
    | 'renewalOn'
    | 'billingFailed'
    | 'graceEnded'
    | 'expiredByChoice'
    | 'expiredUnpaid'
    | 'refunded'
    | 'refundReversed'
    | 'boughtOnce';
  readonly at: number;
  readonly bought: Bought;
  readonly willRenew: boolean;
  /** Set while the store tries again to charge and grants access meanwhile. */
  readonly graceEndsAt: number | null;
};

/** What the app, or somebody in support, sends to the service about a customer that has a name. */
export type AppHappening =
  | {
      readonly kind: 'receipt';
      readonly at: number;
      readonly bought: Bought;
      /** The store has sent a notification of this purchase before: until now its customer had no name. */
      readonly isLate: boolean;
    }
  | { readonly kind: 'described'; readonly at: number; readonly attributes: Readonly<Record<string, string>> }
  | { readonly kind: 'granted'; readonly at: number; readonly duration: 'weekly' | 'monthly' | 'lifetime' };

export type Happening = StoreHappening | AppHappening;

export type Lifecycle = {
  readonly index: number;
  /** Null: the app never names the customer, so the service has only the store's notifications. */
  readonly appUserId: string | null;
  /** ISO 3166 alpha-3. */
  readonly storefront: string;
  /** In the order of their times. */
  readonly happenings: readonly Happening[];
};
