// Responses of the SDK endpoints about a subscriber.
import { z } from 'zod';
import { periodType } from '../../domain/subscriber/events/blocks.js';
import { appStore } from '../../domain/store-kinds.js';
import { ownership, personal, time } from '../bodies/response-schemas.js';

export const attributes = z.record(z.string(), z.strictObject({ value: z.string(), updatedAt: time }));

export const subscriptionState = z.enum([
  'pending',
  'trial',
  'intro',
  'active',
  'grace_period',
  'billing_retry',
  'paused',
  'expired',
  'refunded',
  'revoked',
]);

const entitlement = z
  .strictObject({
    isActive: z.boolean(),
    expiresAt: time.nullable().meta({ description: 'Null if permanent.' }),
    gracePeriodExpiresAt: time.nullable(),
    purchasedAt: time,
    productId: z.string().nullable(),
    storeProductId: z.string().nullable(),
    store: z.enum([...appStore.options, 'promotional']),
    periodType: z.enum([...periodType.options, 'promotional']),
    willRenew: z.boolean(),
    isSandbox: z.boolean(),
    ownershipType: ownership,
  })
  .meta({ id: 'SubscriberEntitlement' });

const ownSubscription = z
  .strictObject({
    id: z.string(),
    state: subscriptionState,
    givesAccess: z.boolean(),
    store: appStore,
    isSandbox: z.boolean(),
    ownershipType: ownership,
    periodType,
    purchasedAt: time,
    originalPurchasedAt: time,
    expiresAt: time,
    gracePeriodExpiresAt: time.nullable(),
    unsubscribeDetectedAt: time.nullable(),
    billingIssuesDetectedAt: time.nullable(),
    refundedAt: time.nullable(),
    autoResumeAt: time.nullable(),
  })
  .meta({ id: 'SubscriberSubscription' });

export const oneTimePurchase = z.strictObject({
  id: z.string(),
  purchasedAt: time,
  store: appStore,
  isSandbox: z.boolean(),
  transactionId: z.string(),
});

const subscriberFields = {
  requestDate: time,
  subscriber: z
    .strictObject({
      appUserId: z.string(),
      originalAppUserId: z
        .string()
        .optional()
        .meta({ description: 'Omitted for public keys if other subscribers were merged in.' }),
      firstSeenAt: time,
      lastSeenAt: time,
      managementUrl: z
        .string()
        .nullable()
        .meta({ description: 'Store page of the newest subscription that has not ended.' }),
      entitlements: z
        .record(z.string(), entitlement)
        .meta({ description: 'By `lookupKey`: all entitlements ever held.' }),
      subscriptions: z.record(z.string(), ownSubscription).meta({ description: 'By `storeProductId`.' }),
      nonSubscriptions: z.record(z.string(), z.array(oneTimePurchase)),
      attributes: personal(attributes),
    })
    .meta({ id: 'Subscriber' }),
};
const pending = z
  .strictObject({
    reason: z.enum(['credentials_missing', 'credentials_refused', 'payment_pending']),
    message: z.string(),
  })
  .optional()
  .meta({ description: 'For a receipt that is stored until it can be processed.' });
/** Response to a receipt. */
export const receiptResponse = z.strictObject({ ...subscriberFields, pending }).meta({ id: 'ReceiptResponse' });
export const subscriberResponse = z.strictObject(subscriberFields).meta({ id: 'SubscriberResponse' });

export const grant = z
  .strictObject({
    object: z.literal('grant'),
    id: z.string(),
    entitlementId: z.string(),
    lookupKey: z.string(),
    startsAt: time,
    expiresAt: time.nullable(),
    endedAt: time.nullable(),
  })
  .meta({ id: 'Grant' });
export const grantResponse = z.strictObject({ ...subscriberFields, grant }).meta({ id: 'GrantResponse' });

export const recordedEvents = z
  .strictObject({
    accepted: z.int(),
    duplicates: z.int().meta({ description: 'Number of events whose `eventId` was recorded before.' }),
  })
  .meta({ id: 'RecordedEvents' });
