// Events in a customer's lifecycle, independent of any store's wire format. Times are milliseconds since the epoch.
import type { OfferName } from './offers.js';

/** A transaction of a store: a subscription period or a one-time purchase. */
export type StoreTransaction = {
  readonly transactionId: string;
  /** ID of the first transaction of its chain. */
  readonly chainId: string;
  readonly chainStartedAt: number;
  readonly offer: OfferName;
  readonly periodType: 'trial' | 'intro' | 'normal' | 'once';
  readonly purchasedAt: number;
  /** Null for a one-time purchase. */
  readonly expiresAt: number | null;
  readonly priceMilli: number;
  /** True if the store charged it without an action of the customer. */
  readonly isRenewal: boolean;
};

/** An event that the store reports to the service. Each is a snapshot: the latest transaction and the state of the renewal. */
export type StoreEvent = {
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
    /** The customer asked for a refund, and the store asks the service what it knows. */
    | 'refundRequested'
    | 'boughtOnce';
  readonly at: number;
  readonly bought: StoreTransaction;
  readonly willRenew: boolean;
  /** Set while the store retries the charge and access continues. */
  readonly graceEndsAt: number | null;
};

/** A request of the app, or of support, for an identified customer. */
export type AppEvent =
  | {
      readonly kind: 'receipt';
      readonly at: number;
      readonly bought: StoreTransaction;
      /** True if the store reported the purchase before the customer was identified. */
      readonly isLate: boolean;
    }
  | { readonly kind: 'described'; readonly at: number; readonly attributes: Readonly<Record<string, string>> }
  | { readonly kind: 'granted'; readonly at: number; readonly duration: 'weekly' | 'monthly' | 'lifetime' };

export type LifecycleEvent = StoreEvent | AppEvent;

export type Lifecycle = {
  readonly index: number;
  /** Null if the app never identifies the customer: the service has only the store's notifications. */
  readonly appUserId: string | null;
  /** ISO 3166 alpha-3. */
  readonly storefront: string;
  /** Events in the order of their times. */
  readonly events: readonly LifecycleEvent[];
};
