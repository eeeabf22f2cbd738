// Responses of the dashboard about customers: list item, detail, timeline.
import { z } from 'zod';
import { settlement } from '../books/settlement-responses.js';
import { expirationReason, periodType } from '../../domain/subscriber/events/blocks.js';
import { customerStatuses } from '../../domain/subscriber/entitlements.js';
import { changeKinds, sourceReasons } from '../../domain/subscriber/describe-subscription.js';
import { appStore } from '../../domain/store-kinds.js';
import { actor } from '../bodies/actors.js';
import {
  environment,
  eventData,
  money,
  ownership,
  personal,
  time,
  redactableText,
} from '../bodies/response-schemas.js';
import { entryCause } from './entry-cause.js';
import { attributes, grant, subscriptionState } from '../subscribers/responses.js';

const customerFields = {
  object: z.literal('customer'),
  id: z.string(),
  appUserId: z.string(),
  aliases: z.array(z.string()),
  firstSeenAt: time,
  lastSeenAt: time,
  country: z.string().nullable(),
  platform: z.string().nullable(),
  status: z.enum(customerStatuses),
  activeEntitlements: z.array(z.string()),
  totalSpentUsd: money(z.number()),
};
export const customer = z.strictObject(customerFields).meta({ id: 'Customer' });

const holding = z
  .strictObject({
    entitlementId: z.string(),
    lookupKey: z.string(),
    active: z.boolean(),
    expiresAt: time.nullable(),
    source: z.enum(['subscription', 'purchase', 'promotional']),
    productId: z.string().nullable(),
    subscriptionId: z.string().nullable(),
    store: z.enum([...appStore.options, 'promotional']),
    willRenew: z.boolean(),
    inGracePeriod: z.boolean(),
  })
  .meta({ id: 'CustomerEntitlement' });

const transactionFields = {
  id: z.string(),
  purchasedAt: time,
  expiresAt: time.nullable(),
  amount: money(z.number().nullable()),
  currency: z.string().nullable(),
  amountUsd: money(z.number().nullable()),
  refundedAt: time.nullable(),
};
const transaction = z
  .strictObject({ object: z.literal('transaction'), ...transactionFields, periodType })
  .meta({ id: 'Transaction' });

const purchase = z
  .strictObject({
    object: z.literal('purchase'),
    ...transactionFields,
    periodType: z.string().meta({ description: 'Product type.' }),
    storeProductId: z.string(),
    store: appStore,
    environment,
    quantity: z.int(),
    accessEndsAt: time.nullable(),
  })
  .meta({ id: 'Purchase' });

const revenue = z.strictObject({ gross: z.number(), tax: z.number(), commission: z.number(), proceeds: z.number() });

const subscription = z
  .strictObject({
    object: z.literal('subscription'),
    id: z.string(),
    productId: z.string().nullable(),
    storeProductId: z.string(),
    store: appStore,
    environment,
    state: subscriptionState,
    givesAccess: z.boolean(),
    autoRenewStatus: z.enum([
      'will_renew',
      'will_not_renew',
      'will_change_product',
      'will_pause',
      'requires_price_increase_consent',
    ]),
    periodType,
    startedAt: time,
    currentPeriodStartsAt: time,
    currentPeriodEndsAt: time,
    accessEndsAt: time,
    commitmentEndsAt: time.nullable(),
    gracePeriodExpiresAt: time.nullable(),
    autoResumeAt: time.nullable(),
    unsubscribedAt: time.nullable(),
    billingIssueDetectedAt: time.nullable(),
    refundedAt: time.nullable(),
    expirationReason: expirationReason.nullable(),
    pendingProductId: z.string().nullable(),
    ownership,
    originalTransactionId: z.string(),
    latestTransactionId: z.string(),
    renewalNumber: z.int(),
    totalRevenueUsd: money(revenue),
    transactions: z.array(transaction),
  })
  .meta({ id: 'Subscription' });

const enrolment = z
  .strictObject({
    experimentId: z.string(),
    variantId: z.string(),
    variantName: z.string(),
    offeringId: z.string(),
    enrolledAt: time,
  })
  .meta({ id: 'Enrolment' });

export const customerDetail = z
  .strictObject({
    ...customerFields,
    attributes: personal(attributes),
    entitlements: z.array(holding),
    subscriptions: z.array(subscription),
    purchases: z.array(purchase),
    promotionalGrants: z.array(grant),
    experiments: z.array(enrolment),
  })
  .meta({ id: 'CustomerDetail' });

const access = z
  .record(z.string(), time.nullable())
  .meta({ description: 'Active entitlements by `lookupKey`, with their end; null if permanent.' });

export const timelineEntry = z
  .strictObject({
    object: z.literal('timelineEntry'),
    id: z.string(),
    at: time.meta({ description: 'When it took effect, by the store’s clock.' }),
    recordedAt: time.meta({ description: 'When it was recorded.' }),
    type: z.string(),
    summary: redactableText,
    actor,
    cause: entryCause.nullable(),
    deliveries: z.array(
      z.strictObject({
        id: z.string(),
        webhookId: z.string(),
        eventId: z.string(),
        type: z.string(),
        state: z.enum(['pending', 'delivered', 'failed', 'held']),
      }),
    ),
    access: z.strictObject({ before: access, after: access }),
    superseded: z.boolean().meta({
      description: 'Inferred from elapsed time, later contradicted by the store.',
    }),
    data: eventData
      .optional()
      .meta({ description: 'Omitted entirely for changed attributes that the caller may not see.' }),
    settlement: settlement.optional().meta({
      description: 'In the timeline of a customer: whether a report of the store agrees with the charge or refund.',
    }),
  })
  .meta({ id: 'TimelineEntry' });

const accessSource = z
  .strictObject({
    kind: z.enum(['subscription', 'purchase', 'promotional']),
    id: z.string().meta({ description: 'ID of the subscription, the transaction or the grant.' }),
    store: z.enum([...appStore.options, 'promotional']),
    storeProductId: z.string().nullable(),
    from: time,
    until: time.nullable().meta({ description: 'Null if permanent.' }),
    counts: z.boolean().meta({ description: 'True if it grants the entitlement at the instant.' }),
    why: z.enum(sourceReasons),
    movedTo: z.string().nullable().meta({ description: 'The customer who has the purchase now.' }),
    sentence: z.string(),
  })
  .meta({ id: 'AccessSource' });

const accessChange = z
  .strictObject({
    at: time.nullable().meta({ description: 'Null if unknown.' }),
    kind: z.enum(changeKinds),
    effect: z.enum(['gives', 'takes']),
    source: z.string(),
    sentence: z.string(),
  })
  .meta({ id: 'AccessChange' });

export const accessExplanation = z
  .strictObject({
    object: z.literal('accessExplanation'),
    entitlement: z.strictObject({ id: z.string(), lookupKey: z.string() }),
    at: time,
    asOf: time,
    has: z.boolean(),
    since: time.nullable().meta({ description: 'Null if it has always been so.' }),
    until: time.nullable().meta({ description: 'If nothing else happens. Null if permanent, or without access.' }),
    sentence: z.string(),
    because: z.array(timelineEntry).meta({ description: 'The deciding events, at most 8, the newest last.' }),
    sources: z.array(accessSource).meta({ description: 'All purchases and grants; those that grant it first.' }),
    wouldChange: z.array(accessChange).meta({ description: 'Next events that would grant or end it.' }),
  })
  .meta({ id: 'AccessExplanation' });

export const transactionDetail = z
  .strictObject({
    object: z.literal('transaction'),
    ...transactionFields,
    customer: z.strictObject({ id: z.string(), appUserId: z.string() }),
    type: z.string().meta({ description: 'Period type, or product type of a one-time purchase.' }),
    appId: z.string(),
    store: appStore,
    storeProductId: z.string(),
    environment,
    quantity: z.int(),
    subscriptionId: z.string().nullable(),
    originalTransactionId: z.string(),
    refundedUsd: money(z.number().nullable()).meta({ description: 'Refunded and not reversed.' }),
    refundReversedAt: time.nullable(),
    settlement: settlement.nullable().meta({
      description: 'What a financial report of the store says about it; null while there is none near it.',
    }),
    events: z.array(timelineEntry).meta({ description: 'Its recorded events, with notifications and webhooks.' }),
  })
  .meta({ id: 'TransactionDetail' });
