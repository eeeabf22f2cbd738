// The vocabulary of subscriptions, from the pending payment to the end.
import { z } from 'zod';
import { defineEvent } from '../../events.js';
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

/** When the store signed what an event was learned from: intentions older than the newest are stale. */
const storeTime = instant.nullable();
const common = { purchase, storeTime };
const pauseFields = { pauseAt: instant, autoResumeAt: instant.nullable() };

export const subscriptionEvents = {
  SubscriptionPending: defineEvent('SubscriptionPending', { ...common, expectedProductId: z.string().nullable() }),
  SubscriptionPendingCancelled: defineEvent('SubscriptionPendingCancelled', common),
  SubscriptionStarted: defineEvent('SubscriptionStarted', {
    ...common,
    startReason: z.enum(startReasons),
    previousSubscriptionId: z.string().nullable(),
    /** A change of product that was chosen before took effect with this renewal. */
    atRenewal: z.literal(true).optional(),
    ...periodFields,
  }),
  SubscriptionRenewed: defineEvent('SubscriptionRenewed', {
    ...common,
    isTrialConversion: z.boolean(),
    renewalNumber: z.int(),
    recoveredFrom: z.enum(['grace_period', 'billing_retry', 'paused']).nullable(),
    ...periodFields,
  }),
  SubscriptionAutoRenewDisabled: defineEvent('SubscriptionAutoRenewDisabled', {
    ...common,
    reason: cancelReason,
    effectiveAt: instant,
  }),
  SubscriptionAutoRenewEnabled: defineEvent('SubscriptionAutoRenewEnabled', common),
  /** `autoRenews`: on again with a sign-up that is not known, so that nobody turned it on. */
  SubscriptionConfirmed: defineEvent('SubscriptionConfirmed', {
    ...common,
    autoRenews: z.literal(true).optional(),
  }),
  SubscriptionBillingIssueDetected: defineEvent('SubscriptionBillingIssueDetected', {
    ...common,
    gracePeriodExpiresAt: instant.nullable(),
  }),
  SubscriptionGracePeriodEntered: defineEvent('SubscriptionGracePeriodEntered', {
    ...common,
    gracePeriodExpiresAt: instant,
  }),
  SubscriptionGracePeriodExpired: defineEvent('SubscriptionGracePeriodExpired', common),
  SubscriptionBillingRetryEntered: defineEvent('SubscriptionBillingRetryEntered', common),
  SubscriptionPauseScheduled: defineEvent('SubscriptionPauseScheduled', { ...common, ...pauseFields }),
  SubscriptionPauseCancelled: defineEvent('SubscriptionPauseCancelled', { ...common, ...pauseFields }),
  SubscriptionPaused: defineEvent('SubscriptionPaused', { ...common, autoResumeAt: instant.nullable() }),
  SubscriptionExpired: defineEvent('SubscriptionExpired', {
    ...common,
    reason: expirationReason,
    by: z.enum(['store', 'sweeper']),
  }),
  SubscriptionRevoked: defineEvent('SubscriptionRevoked', { ...common, reason: revocationReason }),
  SubscriptionExtended: defineEvent('SubscriptionExtended', {
    ...common,
    previousExpiresAt: instant,
    expiresAt: instant,
  }),
  SubscriptionExtensionFailed: defineEvent('SubscriptionExtensionFailed', { ...common, requestIdentifier: z.string() }),
  SubscriptionProductChangeScheduled: defineEvent('SubscriptionProductChangeScheduled', {
    ...common,
    newProductId: z.string().nullable(),
    newStoreProductId: z.string(),
    effectiveAt: instant,
  }),
  SubscriptionProductChangeCancelled: defineEvent('SubscriptionProductChangeCancelled', common),
  SubscriptionProductChanged: defineEvent('SubscriptionProductChanged', {
    ...common,
    fromStoreProductId: z.string(),
    toStoreProductId: z.string(),
    fromProductId: z.string().nullable(),
    toProductId: z.string().nullable(),
    mode: z.enum(['immediate', 'at_renewal']),
    toSubscriptionId: z.string(),
  }),
  PriceIncreaseConsentRequested: defineEvent('PriceIncreaseConsentRequested', {
    ...common,
    newPrice: price.nullable(),
    effectiveAt: instant,
    respondBy: instant.nullable(),
  }),
  PriceIncreaseAccepted: defineEvent('PriceIncreaseAccepted', {
    ...common,
    newPrice: price.nullable(),
    effectiveAt: instant,
  }),
  SubscriptionPriceChanged: defineEvent('SubscriptionPriceChanged', {
    ...common,
    newPrice: price.nullable(),
    effectiveAt: instant,
  }),
  OfferRedeemed: defineEvent('OfferRedeemed', { ...common, offer }),
  SubscriptionMetadataChanged: defineEvent('SubscriptionMetadataChanged', {
    ...common,
    details: z.record(z.string(), z.string().nullable()),
  }),
  /** The store has given the chain another name; the subscription stays. */
  SubscriptionMigrated: defineEvent('SubscriptionMigrated', {
    ...common,
    fromChainId: z.string(),
    toChainId: z.string(),
  }),
};
