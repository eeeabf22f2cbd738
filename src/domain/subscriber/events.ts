// The vocabulary of a subscriber's stream: identity, subscriptions, transactions, grants.
// `storeTime` is when the store signed what an event was learned from: intentions older than the newest are stale.
import { z } from 'zod';
import { defineEvent, type EventOf } from '../events.js';
import { moneySchema } from '../money.js';
import {
  cancelReason,
  expirationReason,
  instant,
  offer,
  oneTimePurchase,
  periodFields,
  refund,
  refundPolicy,
  subscriptionPurchase,
} from './blocks.js';
import type { PurchaseLine } from './state.js';

const purchase = subscriptionPurchase;
const storeTime = instant.nullable();
const grant = { grantId: z.string(), entitlementId: z.string(), lookupKey: z.string() };

export const subscriberEvents = {
  CustomerCreated: defineEvent('CustomerCreated', {
    appUserId: z.string(),
    source: z.enum(['sdk', 'api', 'store', 'import']),
    country: z.string().nullable(),
    platform: z.string().nullable(),
    appVersion: z.string().nullable(),
  }),
  CustomerAttributesUpdated: defineEvent(
    'CustomerAttributesUpdated',
    {
      attributes: z.record(z.string(), z.strictObject({ value: z.string().nullable(), updatedAt: instant })).nullable(),
    },
    { sealed: ['attributes'] },
  ),
  CustomerMerged: defineEvent('CustomerMerged', {
    mergedCustomerId: z.string(),
    mergedAppUserId: z.string(),
    reason: z.enum(['anonymous_identified', 'transfer']),
  }),
  CustomerMergedInto: defineEvent('CustomerMergedInto', { customerId: z.string(), appUserId: z.string() }),
  SubscriptionStarted: defineEvent('SubscriptionStarted', {
    purchase,
    storeTime,
    startReason: z.enum(['first_purchase', 'resubscribe', 'product_change', 'family_share', 'transfer', 'imported']),
    previousSubscriptionId: z.string().nullable(),
    ...periodFields,
  }),
  SubscriptionRenewed: defineEvent('SubscriptionRenewed', {
    purchase,
    storeTime,
    isTrialConversion: z.boolean(),
    renewalNumber: z.int(),
    recoveredFrom: z.enum(['grace_period', 'billing_retry', 'paused']).nullable(),
    ...periodFields,
  }),
  SubscriptionAutoRenewDisabled: defineEvent('SubscriptionAutoRenewDisabled', {
    purchase,
    storeTime,
    reason: cancelReason,
    effectiveAt: instant,
  }),
  SubscriptionAutoRenewEnabled: defineEvent('SubscriptionAutoRenewEnabled', { purchase, storeTime }),
  SubscriptionConfirmed: defineEvent('SubscriptionConfirmed', { purchase, storeTime }),
  SubscriptionBillingIssueDetected: defineEvent('SubscriptionBillingIssueDetected', {
    purchase,
    storeTime,
    gracePeriodExpiresAt: instant.nullable(),
  }),
  SubscriptionGracePeriodEntered: defineEvent('SubscriptionGracePeriodEntered', {
    purchase,
    storeTime,
    gracePeriodExpiresAt: instant,
  }),
  SubscriptionGracePeriodExpired: defineEvent('SubscriptionGracePeriodExpired', { purchase, storeTime }),
  SubscriptionBillingRetryEntered: defineEvent('SubscriptionBillingRetryEntered', { purchase, storeTime }),
  SubscriptionExpired: defineEvent('SubscriptionExpired', {
    purchase,
    storeTime,
    reason: expirationReason,
    by: z.enum(['store', 'sweeper']),
  }),
  SubscriptionExtended: defineEvent('SubscriptionExtended', {
    purchase,
    storeTime,
    previousExpiresAt: instant,
    expiresAt: instant,
  }),
  SubscriptionProductChanged: defineEvent('SubscriptionProductChanged', {
    purchase,
    storeTime,
    fromStoreProductId: z.string(),
    toStoreProductId: z.string(),
    fromProductId: z.string().nullable(),
    toProductId: z.string().nullable(),
    mode: z.enum(['immediate', 'at_renewal']),
    toSubscriptionId: z.string(),
  }),
  OneTimePurchaseCompleted: defineEvent('OneTimePurchaseCompleted', {
    purchase: oneTimePurchase,
    productType: z.enum(['consumable', 'non_consumable', 'non_renewing_subscription']),
    quantity: z.int().min(1),
    purchasedAt: instant,
    expiresAt: instant.nullable(),
    money: moneySchema,
    offer,
  }),
  TransactionRefunded: defineEvent('TransactionRefunded', {
    purchase: oneTimePurchase,
    transactionId: z.string(),
    subscriptionId: z.string().nullable(),
    refundedAt: instant,
    refund,
    isLatest: z.boolean(),
    accessRevoked: z.boolean(),
    policy: refundPolicy,
  }),
  TransactionRefundReversed: defineEvent('TransactionRefundReversed', {
    purchase: oneTimePurchase,
    transactionId: z.string(),
    subscriptionId: z.string().nullable(),
    refund,
    accessRestored: z.boolean(),
  }),
  /** In both streams; `snapshot` is the whole line, so that either stream can be read alone. */
  PurchaseTransferred: defineEvent('PurchaseTransferred', {
    direction: z.enum(['out', 'in']),
    fromCustomerId: z.string(),
    toCustomerId: z.string(),
    storeChainIds: z.array(z.string()),
    reason: z.enum(['restore', 'purchase', 'api', 'merge']),
    snapshot: z.custom<PurchaseLine>(),
  }),
  EntitlementGranted: defineEvent('EntitlementGranted', {
    ...grant,
    duration: z.string().nullable(),
    startsAt: instant,
    expiresAt: instant.nullable(),
    source: z.enum(['promotional', 'temporary']),
  }),
  EntitlementRevoked: defineEvent('EntitlementRevoked', grant),
  EntitlementGrantExpired: defineEvent('EntitlementGrantExpired', grant),
};

export type SubscriberEvent = EventOf<typeof subscriberEvents>;

/** Written to the customer's `activity-` month, at most once a UTC day. */
export const activityEvents = {
  CustomerSeen: defineEvent('CustomerSeen', {
    platform: z.string().nullable(),
    appVersion: z.string().nullable(),
    country: z.string().nullable(),
  }),
};
export type ActivityEvent = EventOf<typeof activityEvents>;
