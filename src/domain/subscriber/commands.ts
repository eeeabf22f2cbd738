// What may be asked of a subscriber. Store facts are neutral: a translator per store makes them.
import type { CancelReason, ExpirationReason, Offer, OneTimePurchaseRef, PeriodType, RefundPolicy } from './blocks.js';
import type { Money } from '../money.js';
import type { PurchaseLine } from './state.js';

/** Makes the customer unless known; any fact about an unknown customer is preceded by it. */
export type RegisterCustomer = {
  readonly kind: 'registerCustomer';
  readonly appUserId: string;
  readonly source: 'sdk' | 'api' | 'store' | 'import';
  readonly country?: string | null;
  readonly platform?: string | null;
  readonly appVersion?: string | null;
  /** When the customer came to be; the command's own time when left out. */
  readonly at?: string;
};

export type SetAttributes = {
  readonly kind: 'setAttributes';
  readonly changes: readonly { readonly key: string; readonly value: string | null; readonly updatedAt: string }[];
};

/** `storeTime`: when the store signed it; null for sources that say nothing about intentions (a receipt). */
type StoreFact<K extends string> = {
  readonly kind: K;
  readonly storeChainId: string;
  readonly storeTime: string | null;
};

export type RecordPeriod = StoreFact<'recordPeriod'> & {
  readonly purchase: OneTimePurchaseRef;
  /** The id that the subscription gets if this period begins a new one. */
  readonly newSubscriptionId: string;
  readonly reason: 'purchase' | 'renewal';
  readonly periodType: PeriodType;
  readonly periodDuration: string | null;
  readonly productDuration: string | null;
  readonly purchasedAt: string;
  readonly expiresAt: string;
  readonly money: Money;
  readonly offer: Offer;
  readonly inferred: boolean;
};

export type RecordOneTimePurchase = StoreFact<'recordOneTimePurchase'> & {
  readonly purchase: OneTimePurchaseRef;
  readonly productType: 'consumable' | 'non_consumable' | 'non_renewing_subscription';
  readonly quantity: number;
  readonly purchasedAt: string;
  readonly expiresAt: string | null;
  readonly money: Money;
  readonly offer: Offer;
};

export type RecordAutoRenew = StoreFact<'recordAutoRenew'> & {
  readonly on: boolean;
  readonly reason: CancelReason;
  /** Read off a snapshot, not told by its own notification. */
  readonly inferred: boolean;
};

export type RecordBillingFailure = StoreFact<'recordBillingFailure'> & {
  readonly graceEndsAt: string | null;
  readonly inferred: boolean;
};
export type RecordGraceEnd = StoreFact<'recordGraceEnd'>;
export type RecordExpiry = StoreFact<'recordExpiry'> & { readonly reason: ExpirationReason };

export type RecordRefund = StoreFact<'recordRefund'> & {
  readonly transactionId: string;
  readonly refundedAt: string;
  readonly refund: { readonly kind: 'full' | 'prorated' | 'partial_quantity'; readonly share: number };
  readonly policy: RefundPolicy;
};
export type RecordRefundReversal = StoreFact<'recordRefundReversal'> & {
  readonly transactionId: string;
  readonly reversedAt: string;
};

/** Time passed: `expectedAt` is the deadline that was seen; `now - slack` must have reached it. */
export type Settle = {
  readonly kind: 'settle';
  readonly target: string;
  readonly expectedAt: string;
  readonly dueBefore: string;
};

export type GrantPromotional = {
  readonly kind: 'grantPromotional';
  readonly grantId: string;
  readonly entitlementId: string;
  readonly lookupKey: string;
  readonly duration: string | null;
  readonly startsAt: string;
  readonly expiresAt: string | null;
};
export type RevokePromotional = {
  readonly kind: 'revokePromotional';
  readonly entitlementId: string;
  readonly now: string;
};

type Transfer<K extends string> = {
  readonly kind: K;
  readonly fromCustomerId: string;
  readonly toCustomerId: string;
  readonly storeChainId: string;
  readonly reason: 'restore' | 'purchase' | 'api' | 'merge';
};
export type ReleaseLine = Transfer<'releaseLine'>;
export type TakeLine = Transfer<'takeLine'> & { readonly line: PurchaseLine };

export type MergeIn = { readonly kind: 'mergeIn'; readonly mergedCustomerId: string; readonly mergedAppUserId: string };
export type MergeInto = { readonly kind: 'mergeInto'; readonly customerId: string; readonly appUserId: string };

export type StoreFactCommand =
  | RecordPeriod
  | RecordOneTimePurchase
  | RecordAutoRenew
  | RecordBillingFailure
  | RecordGraceEnd
  | RecordExpiry
  | RecordRefund
  | RecordRefundReversal;

export type SubscriberCommand =
  | RegisterCustomer
  | SetAttributes
  | StoreFactCommand
  | Settle
  | GrantPromotional
  | RevokePromotional
  | ReleaseLine
  | TakeLine
  | MergeIn
  | MergeInto;
