// Events of subscriptions, from the pending payment to the end.
import { z } from 'zod';
import { type CustomerConcern, defineEvent, type EventTable } from '../../events.js';
import {
  cancelReason,
  expirationReason,
  instant,
  offer,
  periodFields,
  price,
  revocationReason,
  startReasons,
  subscriptionPurchase as purchase,
} from './blocks.js';

/** Time at which the store signed the source of the event: intents older than the latest are stale. */
const storeTime = instant.nullable();
const common = { purchase, storeTime };
const pauseFields = { pauseAt: instant, autoResumeAt: instant.nullable() };

export const subscriptionEvents = {
  SubscriptionPending: defineEvent('SubscriptionPending', {
    ...common,
    expectedProductId: z.string().nullable(),
  }).touching('subscription'),
  SubscriptionPendingCancelled: defineEvent('SubscriptionPendingCancelled', common).touching('subscription'),
  SubscriptionStarted: defineEvent('SubscriptionStarted', {
    ...common,
    startReason: z.enum(startReasons),
    previousSubscriptionId: z.string().nullable(),
    /** A product change that was scheduled before took effect with this renewal. */
    atRenewal: z.literal(true).optional(),
    ...periodFields,
  }).touching('subscription', 'transactions', 'money', 'charts', 'webhooks'),
  SubscriptionRenewed: defineEvent('SubscriptionRenewed', {
    ...common,
    isTrialConversion: z.boolean(),
    renewalNumber: z.int(),
    recoveredFrom: z.enum(['grace_period', 'billing_retry', 'paused']).nullable(),
    ...periodFields,
  }).touching('subscription', 'transactions', 'money', 'charts', 'webhooks'),
  SubscriptionAutoRenewDisabled: defineEvent('SubscriptionAutoRenewDisabled', {
    ...common,
    reason: cancelReason,
    effectiveAt: instant,
  }).touching('subscription', 'charts', 'webhooks'),
  SubscriptionAutoRenewEnabled: defineEvent('SubscriptionAutoRenewEnabled', common).touching(
    'subscription',
    'charts',
    'webhooks',
  ),
  /** `autoRenews`: auto-renewal is on again because of an unreported sign-up, not because it was turned on. */
  SubscriptionConfirmed: defineEvent('SubscriptionConfirmed', {
    ...common,
    autoRenews: z.literal(true).optional(),
  }).touching('subscription'),
  SubscriptionBillingIssueDetected: defineEvent('SubscriptionBillingIssueDetected', {
    ...common,
    gracePeriodExpiresAt: instant.nullable(),
  }).touching('subscription', 'webhooks'),
  SubscriptionGracePeriodEntered: defineEvent('SubscriptionGracePeriodEntered', {
    ...common,
    gracePeriodExpiresAt: instant,
  }).touching('subscription', 'charts'),
  SubscriptionGracePeriodExpired: defineEvent('SubscriptionGracePeriodExpired', common).touching(
    'subscription',
    'charts',
  ),
  SubscriptionBillingRetryEntered: defineEvent('SubscriptionBillingRetryEntered', common).touching(
    'subscription',
    'charts',
    'webhooks',
  ),
  SubscriptionPauseScheduled: defineEvent('SubscriptionPauseScheduled', {
    ...common,
    ...pauseFields,
  }).touching('subscription', 'webhooks'),
  SubscriptionPauseCancelled: defineEvent('SubscriptionPauseCancelled', {
    ...common,
    ...pauseFields,
  }).touching('subscription'),
  SubscriptionPaused: defineEvent('SubscriptionPaused', {
    ...common,
    autoResumeAt: instant.nullable(),
  }).touching('subscription', 'charts', 'webhooks'),
  SubscriptionExpired: defineEvent('SubscriptionExpired', {
    ...common,
    reason: expirationReason,
    by: z.enum(['store', 'sweeper']),
  }).touching('subscription', 'charts', 'webhooks'),
  SubscriptionRevoked: defineEvent('SubscriptionRevoked', {
    ...common,
    reason: revocationReason,
  }).touching('subscription', 'charts', 'webhooks'),
  SubscriptionExtended: defineEvent('SubscriptionExtended', {
    ...common,
    previousExpiresAt: instant,
    expiresAt: instant,
  }).touching('subscription', 'charts', 'webhooks'),
  SubscriptionExtensionFailed: defineEvent('SubscriptionExtensionFailed', {
    ...common,
    requestIdentifier: z.string(),
  }).touching('notices'),
  SubscriptionProductChangeScheduled: defineEvent('SubscriptionProductChangeScheduled', {
    ...common,
    newProductId: z.string().nullable(),
    newStoreProductId: z.string(),
    effectiveAt: instant,
  }).touching('subscription', 'webhooks'),
  SubscriptionProductChangeCancelled: defineEvent('SubscriptionProductChangeCancelled', common).touching(
    'subscription',
  ),
  SubscriptionProductChanged: defineEvent('SubscriptionProductChanged', {
    ...common,
    fromStoreProductId: z.string(),
    toStoreProductId: z.string(),
    fromProductId: z.string().nullable(),
    toProductId: z.string().nullable(),
    mode: z.enum(['immediate', 'at_renewal']),
    toSubscriptionId: z.string(),
  }).touching('subscription', 'webhooks'),
  PriceIncreaseConsentRequested: defineEvent('PriceIncreaseConsentRequested', {
    ...common,
    newPrice: price.nullable(),
    effectiveAt: instant,
    respondBy: instant.nullable(),
  }).touching('subscription', 'webhooks'),
  PriceIncreaseAccepted: defineEvent('PriceIncreaseAccepted', {
    ...common,
    newPrice: price.nullable(),
    effectiveAt: instant,
  }).touching('subscription', 'webhooks'),
  SubscriptionPriceChanged: defineEvent('SubscriptionPriceChanged', {
    ...common,
    newPrice: price.nullable(),
    effectiveAt: instant,
  }).touching('notices'),
  OfferRedeemed: defineEvent('OfferRedeemed', { ...common, offer }).touching('notices'),
  SubscriptionMetadataChanged: defineEvent('SubscriptionMetadataChanged', {
    ...common,
    details: z.record(z.string(), z.string().nullable()),
  }).touching('notices'),
  /** The store renamed the chain; the subscription continues. */
  SubscriptionMigrated: defineEvent('SubscriptionMigrated', {
    ...common,
    fromChainId: z.string(),
    toChainId: z.string(),
  }).touching('profile', 'transactions'),
} satisfies EventTable<CustomerConcern>;
