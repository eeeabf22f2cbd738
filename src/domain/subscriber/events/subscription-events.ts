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
const told = { purchase, storeTime };
const pauseFields = { pauseAt: instant, autoResumeAt: instant.nullable() };

export const subscriptionEvents = {
  SubscriptionPending: defineEvent('SubscriptionPending', { ...told, expectedProductId: z.string().nullable() }),
  SubscriptionPendingCancelled: defineEvent('SubscriptionPendingCancelled', told),
  SubscriptionStarted: defineEvent('SubscriptionStarted', {
    ...told,
    startReason: z.enum(startReasons),
    previousSubscriptionId: z.string().nullable(),
    /** A change of product that was chosen before took effect with this renewal. */
    atRenewal: z.literal(true).optional(),
    ...periodFields,
  }),
  SubscriptionRenewed: defineEvent('SubscriptionRenewed', {
    ...told,
    isTrialConversion: z.boolean(),
    renewalNumber: z.int(),
    recoveredFrom: z.enum(['grace_period', 'billing_retry', 'paused']).nullable(),
    ...periodFields,
  }),
  SubscriptionAutoRenewDisabled: defineEvent('SubscriptionAutoRenewDisabled', {
    ...told,
    reason: cancelReason,
    effectiveAt: instant,
  }),
  SubscriptionAutoRenewEnabled: defineEvent('SubscriptionAutoRenewEnabled', told),
  SubscriptionConfirmed: defineEvent('SubscriptionConfirmed', told),
  SubscriptionBillingIssueDetected: defineEvent('SubscriptionBillingIssueDetected', {
    ...told,
    gracePeriodExpiresAt: instant.nullable(),
  }),
  SubscriptionGracePeriodEntered: defineEvent('SubscriptionGracePeriodEntered', {
    ...told,
    gracePeriodExpiresAt: instant,
  }),
  SubscriptionGracePeriodExpired: defineEvent('SubscriptionGracePeriodExpired', told),
  SubscriptionBillingRetryEntered: defineEvent('SubscriptionBillingRetryEntered', told),
  SubscriptionPauseScheduled: defineEvent('SubscriptionPauseScheduled', { ...told, ...pauseFields }),
  SubscriptionPauseCancelled: defineEvent('SubscriptionPauseCancelled', { ...told, ...pauseFields }),
  SubscriptionPaused: defineEvent('SubscriptionPaused', { ...told, autoResumeAt: instant.nullable() }),
  SubscriptionExpired: defineEvent('SubscriptionExpired', {
    ...told,
    reason: expirationReason,
    by: z.enum(['store', 'sweeper']),
  }),
  SubscriptionRevoked: defineEvent('SubscriptionRevoked', { ...told, reason: revocationReason }),
  SubscriptionExtended: defineEvent('SubscriptionExtended', {
    ...told,
    previousExpiresAt: instant,
    expiresAt: instant,
  }),
  SubscriptionExtensionFailed: defineEvent('SubscriptionExtensionFailed', { ...told, requestIdentifier: z.string() }),
  SubscriptionProductChangeScheduled: defineEvent('SubscriptionProductChangeScheduled', {
    ...told,
    newProductId: z.string().nullable(),
    newStoreProductId: z.string(),
    effectiveAt: instant,
  }),
  SubscriptionProductChangeCancelled: defineEvent('SubscriptionProductChangeCancelled', told),
  SubscriptionProductChanged: defineEvent('SubscriptionProductChanged', {
    ...told,
    fromStoreProductId: z.string(),
    toStoreProductId: z.string(),
    fromProductId: z.string().nullable(),
    toProductId: z.string().nullable(),
    mode: z.enum(['immediate', 'at_renewal']),
    toSubscriptionId: z.string(),
  }),
  PriceIncreaseConsentRequested: defineEvent('PriceIncreaseConsentRequested', {
    ...told,
    newPrice: price.nullable(),
    effectiveAt: instant,
    respondBy: instant.nullable(),
  }),
  PriceIncreaseAccepted: defineEvent('PriceIncreaseAccepted', {
    ...told,
    newPrice: price.nullable(),
    effectiveAt: instant,
  }),
  SubscriptionPriceChanged: defineEvent('SubscriptionPriceChanged', {
    ...told,
    newPrice: price.nullable(),
    effectiveAt: instant,
  }),
  OfferRedeemed: defineEvent('OfferRedeemed', { ...told, offer }),
  SubscriptionMetadataChanged: defineEvent('SubscriptionMetadataChanged', {
    ...told,
    details: z.record(z.string(), z.string().nullable()),
  }),
  /** The store has given the chain another name; the subscription stays. */
  SubscriptionMigrated: defineEvent('SubscriptionMigrated', {
    ...told,
    fromChainId: z.string(),
    toChainId: z.string(),
  }),
};
