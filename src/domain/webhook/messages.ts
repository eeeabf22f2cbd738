// The webhook messages of a domain event with their fields. Pure: the same event and history yield the same messages.
// The money of a refund is on CANCELLATION when that is sent, else on REFUND, so that the sum of all prices is net revenue. After a
// transfer, the money is in the message about the customer who had paid; the message about the new owner is about access.
import type { RecordedEvent } from '../envelope.js';
import { touches } from '../events.js';
import { completesMoney } from '../money.js';
import {
  subscriberEvents,
  type SubscriberEvent,
  type SubscriberEventData,
  type SubscriberTypesTouching,
} from '../subscriber/events/events.js';
import { msFromIso } from '../time.js';
import { diffAccess } from './entitlement-changed.js';
import {
  customerFields,
  grantFields,
  cancellationFields,
  chargeFields,
  consentFields,
  msOf,
  revokedItemFields,
  subscriptionFields,
  transactionFields,
  findSubscription,
  transferFields,
  toUpperCase,
  type MessageContext,
} from './event-fields.js';
import type { Kind } from './kinds.js';
import { correctionFields, moneyFields, offerFields, refFields, termFields, type Fields } from './purchase-fields.js';

/** `appId` and `environment` null: the event is not about an app. */
export type Message = {
  readonly kind: Kind;
  readonly appId: string | null;
  readonly environment: 'production' | 'sandbox' | null;
  readonly fields: Fields;
};

/** Returns the messages in the order in which they are sent. */
export function messagesOf(context: MessageContext): readonly Message[] {
  const { event, after, access } = context;
  const about = aboutOf(event);
  const customer = customerFields(event, after);
  const messages = kindsOf(context).map(([kind, fields]) => ({ kind, ...about, fields: { ...customer, ...fields } }));
  const changed = access && diffAccess(access.before, access.after);
  if (!changed) return messages;
  return [...messages, { kind: 'ENTITLEMENT_CHANGED', ...about, fields: { ...customer, ...changed } }];
}

type NamedFields = readonly [Kind, Fields];

function kindsOf(context: MessageContext): readonly NamedFields[] {
  const { event } = context;
  if (event.meta.late === 'announced') return lateCorrections(context);
  if (event.meta.late === 'overcome' || !touches(subscriberEvents, event, 'webhooks')) return [];
  return namedFieldsOf(event, context);
}

type AnnouncedType = SubscriberTypesTouching<'webhooks'>;
type Data<T extends AnnouncedType> = SubscriberEventData[T];

function namedFieldsOf<T extends AnnouncedType>(
  { type, data }: { readonly type: T; readonly data: Data<T> },
  context: MessageContext,
): readonly NamedFields[] {
  return namedFields[type](data, context);
}

type NamedFieldsTable = {
  readonly [T in AnnouncedType]: (data: Data<T>, context: MessageContext) => readonly NamedFields[];
};

const namedFields: NamedFieldsTable = {
  CustomerMerged: () => [['SUBSCRIBER_ALIAS', {}]],
  SubscriptionStarted: (data, context) => {
    const { startReason, atRenewal } = data;
    // The customer made no new purchase: the store charged what was chosen before.
    // An imported start is not the first charge either: the charge before it is not recorded yet.
    if (atRenewal || startReason === 'imported')
      return [['RENEWAL', { ...chargeFields(context, data), isTrialConversion: false }]];
    return startReason === 'transfer' ? [] : [['INITIAL_PURCHASE', chargeFields(context, data)]];
  },
  SubscriptionRenewed: (data, context) => {
    const { isTrialConversion } = data;
    return [['RENEWAL', { ...chargeFields(context, data), isTrialConversion }]];
  },
  SubscriptionProductChanged: (data, context) => {
    if (data.mode !== 'immediate') return [];
    const { fromProductId, fromStoreProductId, toProductId, toStoreProductId, purchase } = data;
    const former = { ...purchase, productId: fromProductId, storeProductId: fromStoreProductId };
    const { productId, lookupKeys: keys } = context.sold(former);
    const next = context.sold({ ...purchase, productId: toProductId, storeProductId: toStoreProductId });
    const from = { productId, storeProductId: fromStoreProductId };
    const to = { newProductId: next.productId, newStoreProductId: toStoreProductId };
    const entitlementIds = keys.length === 0 ? null : keys;
    return [['PRODUCT_CHANGE', { ...subscriptionFields(context, data), ...from, ...to, entitlementIds }]];
  },
  SubscriptionProductChangeScheduled: (data, context) => {
    const { newStoreProductId, purchase } = data;
    const planned = { ...purchase, productId: data.newProductId, storeProductId: newStoreProductId };
    const { productId: newProductId } = context.sold(planned);
    return [['PRODUCT_CHANGE', { ...subscriptionFields(context, data), newProductId, newStoreProductId }]];
  },
  SubscriptionAutoRenewDisabled: (data, context) => [['CANCELLATION', cancellationFields(context, data)]],
  SubscriptionAutoRenewEnabled: (data, context) => [['UNCANCELLATION', subscriptionFields(context, data)]],
  SubscriptionBillingIssueDetected: (data, context) => {
    const fields = subscriptionFields(context, data);
    return [
      ['BILLING_ISSUE', { ...fields, gracePeriodExpirationAtMs: msOf(data.gracePeriodExpiresAt) }],
      ['CANCELLATION', { ...fields, cancelReason: 'BILLING_ERROR' }],
    ];
  },
  SubscriptionBillingRetryEntered: (data, context) => [
    ['EXPIRATION', { ...subscriptionFields(context, data), expirationReason: 'BILLING_ERROR' }],
  ],
  SubscriptionPauseScheduled: (data, context) => {
    const autoResumeAtMs = msOf(data.autoResumeAt);
    return [['SUBSCRIPTION_PAUSED', { ...subscriptionFields(context, data), autoResumeAtMs }]];
  },
  SubscriptionPaused: (data, context) => {
    const autoResumeAtMs = msOf(data.autoResumeAt);
    const expirationReason = 'SUBSCRIPTION_PAUSED';
    return [['EXPIRATION', { ...subscriptionFields(context, data), expirationReason, autoResumeAtMs }]];
  },
  SubscriptionRevoked: (data, context) => [
    ['EXPIRATION', { ...subscriptionFields(context, data), expirationReason: 'UNKNOWN' }],
  ],
  SubscriptionExpired: expirations,
  SubscriptionExtended: (data, context) => {
    if (data.expiresAt < data.previousExpiresAt) return [];
    return [['SUBSCRIPTION_EXTENDED', subscriptionFields(context, data)]];
  },
  OneTimePurchaseCompleted: (data, { sold }) => {
    const { purchase, money, quantity, offer } = data;
    const terms = { ...termFields(data), periodType: 'NORMAL', subscriptionId: null, quantity };
    const fields = { ...refFields(purchase, sold), ...terms, ...offerFields(offer) };
    return [['NON_RENEWING_PURCHASE', { ...fields, ...moneyFields(money) }]];
  },
  OneTimePurchaseRevoked: (data, context) => {
    const fields = revokedItemFields(context, data);
    return [
      ['CANCELLATION', { ...fields, cancelReason: 'UNKNOWN' }],
      ['EXPIRATION', { ...fields, expirationReason: 'UNKNOWN' }],
    ];
  },
  TransactionRefunded: (data, context) => {
    const { isLatest, subscriptionId, paidBy, heldBy, refund } = data;
    const fields = transactionFields(context, data);
    const money = moneyFields(paidBy === undefined ? refund.money : null, -1);
    // A refund of a part leaves the subscription running.
    const isApart = !isLatest || refund.kind === 'partial_quantity';
    if (isApart || subscriptionId === null || heldBy !== undefined) return [['REFUND', { ...fields, ...money }]];
    const cancelled = { ...fields, ...money, cancelReason: 'CUSTOMER_SUPPORT' };
    return [
      ['CANCELLATION', cancelled],
      ['REFUND', fields],
    ];
  },
  TransactionRefundReversed: (data, context) => {
    const money = moneyFields(data.paidBy === undefined ? data.refund.money : null);
    return [['REFUND_REVERSED', { ...transactionFields(context, data), ...money }]];
  },
  TransactionPriceCorrected: (data, context) => {
    if (data.paidBy !== undefined) return [];
    return [['PRICE_CORRECTED', { ...transactionFields(context, data), ...correctionFields(data) }]];
  },
  PurchaseTransferred: (data, context) =>
    data.direction === 'in' ? [['TRANSFER', transferFields(context, data)]] : [],
  EntitlementGranted: ({ source, grantId }, { after }) => {
    const kind = source === 'temporary' ? 'TEMPORARY_ENTITLEMENT_GRANT' : 'NON_RENEWING_PURCHASE';
    return [[kind, grantFields(after, grantId)]];
  },
  EntitlementRevoked: ({ grantId }, { after }) => {
    const fields = grantFields(after, grantId);
    return [
      ['CANCELLATION', { ...fields, cancelReason: 'DEVELOPER_INITIATED' }],
      ['EXPIRATION', { ...fields, expirationReason: 'DEVELOPER_INITIATED' }],
    ];
  },
  EntitlementGrantExpired: ({ grantId }, { after }) => [
    ['EXPIRATION', { ...grantFields(after, grantId), expirationReason: 'UNKNOWN' }],
  ],
  PriceIncreaseConsentRequested: (data, context) => [
    ['PRICE_INCREASE_CONSENT_REQUIRED', consentFields(context, data, data.respondBy)],
  ],
  PriceIncreaseAccepted: (data, context) => [['PRICE_INCREASE_CONSENT_APPROVED', consentFields(context, data, null)]],
  ExperimentEnrolled: ({ experimentId, variantId, offeringId }, { event }) => {
    const enrolledAtMs = msFromIso(event.meta.at);
    return [['EXPERIMENT_ENROLLMENT', { experimentId, experimentVariant: variantId, offeringId, enrolledAtMs }]];
  },
};

/** Returns the price correction for a charge that replaces one that was sent, if it adds a price. */
function lateCorrections(context: MessageContext): readonly NamedFields[] {
  const { event, charges } = context;
  const isStart = event.type === 'SubscriptionStarted' || event.type === 'SubscriptionRenewed';
  if (!isStart && event.type !== 'OneTimePurchaseCompleted') return [];
  const { purchase, money } = event.data;
  const known = charges.get(purchase.transactionId);
  if (!known || !completesMoney(money, known.money)) return [];
  const fields = transactionFields(context, {
    purchase,
    subscriptionId: isStart ? event.data.purchase.subscriptionId : null,
  });
  const { money: previous, refundedShare } = known;
  return [['PRICE_CORRECTED', { ...fields, ...correctionFields({ previous, money, refundedShare }) }]];
}

/** Skips expirations that already had a message: a product change, and a billing error or pause, announced when access ended. */
function expirations(data: Data<'SubscriptionExpired'>, context: MessageContext): readonly NamedFields[] {
  if (data.reason === 'product_change') return [];
  const before = findSubscription(context.before, data.purchase.subscriptionId);
  if (data.reason === 'billing_error' && before?.retrySince != null) return [];
  if (data.reason === 'subscription_paused' && before?.pause?.begun) return [];
  const expirationReason = data.reason === 'product_not_for_sale' ? 'UNKNOWN' : toUpperCase(data.reason);
  return [['EXPIRATION', { ...subscriptionFields(context, data), expirationReason }]];
}

function aboutOf({ data }: RecordedEvent<SubscriberEvent>): Pick<Message, 'appId' | 'environment'> {
  const line = 'snapshot' in data ? data.snapshot : 'line' in data ? data.line : null;
  const transaction = line?.transactions.at(-1);
  const purchase = 'purchase' in data ? data.purchase : transaction?.purchase;
  return { appId: purchase?.appId ?? null, environment: purchase?.environment ?? null };
}
