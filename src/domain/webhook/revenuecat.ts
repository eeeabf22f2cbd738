// The payload format `revenuecat`: the messages that RevenueCat would send, so that receivers written for its webhooks work unchanged.
import type { RecordedEvent } from '../envelope.js';
import { chainNameOf, type AppStore } from '../store-kinds.js';
import type { SubscriberEvent } from '../subscriber/events/events.js';
import { grantProductId } from '../subscriber/grant-durations.js';
import type { Profile, Subscription } from '../subscriber/state/state.js';
import { findSubscription } from './event-fields.js';
import { kindsOfFormat } from './kinds.js';
import type { KnownCharges } from './known-charges.js';
import type { Message } from './messages.js';
import { moneyFields, ownedFields, termFields, type Fields } from './purchase-fields.js';
import { listOfFields } from '../values/json.js';

export type RevenueCatContext = {
  readonly event: RecordedEvent<SubscriberEvent>;
  readonly after: Profile;
  /** Charges that receivers were sent before the event. */
  readonly charges: KnownCharges;
  /** Returns the lookup key of an offering. */
  readonly offeringKeyOf: (offeringId: string) => string;
};

const sent: ReadonlySet<string> = new Set(kindsOfFormat('revenuecat'));

/** Converts a message to the kind and the money that RevenueCat sends for its event; null if RevenueCat sends nothing. */
export function revenueCatMessage(message: Message, context: RevenueCatContext): Message | null {
  const converted = convertKind(message, context);
  if (!converted || !sent.has(converted.kind)) return null;
  const { fields } = converted;
  return { ...converted, fields: { ...fields, ...purchaseDetails(fields, context), ...names(fields, context) } };
}

function convertKind(message: Message, context: RevenueCatContext): Message | null {
  const { event } = context;
  if (event.type === 'TransactionRefunded' || event.type === 'TransactionRefundReversed')
    return refundMessage(message, event.data, context);
  if (event.type === 'SubscriptionStarted') return startMessage(message, event.data, context);
  // The purchases of an anonymous customer who logs in stay with the same customer: its message is SUBSCRIBER_ALIAS.
  if (event.type === 'PurchaseTransferred' && event.data.reason === 'merge') return null;
  return message;
}

type Start = Extract<SubscriberEvent, { type: 'SubscriptionStarted' }>['data'];

/**
 * The first charge after a trial that had run out is its conversion. In the ios-store all subscriptions of one chain are one for
 * RevenueCat: an upgrade at once and a new sign-up are renewals of it.
 */
function startMessage(message: Message, data: Start, { after }: RevenueCatContext): Message {
  if (message.kind !== 'INITIAL_PURCHASE' && message.kind !== 'RENEWAL') return message;
  const previous = findSubscription(after, data.previousSubscriptionId ?? '');
  if (!previous) return message;
  const isTrialConversion = previous.period.type === 'trial' && data.periodType !== 'trial';
  if (message.kind === 'INITIAL_PURCHASE' && !isTrialConversion && !isOneChain(data.purchase.store)) return message;
  return { ...message, kind: 'RENEWAL', fields: { ...message.fields, isTrialConversion } };
}

/** Returns true for a store in which the first transaction names a subscription throughout all changes of product. */
function isOneChain(store: AppStore): boolean {
  return chainNameOf(store) === 'originalTransactionId';
}

type Refund = Extract<SubscriberEvent, { type: 'TransactionRefunded' | 'TransactionRefundReversed' }>['data'];

/**
 * A refund is a CANCELLATION of a one-time purchase or of a subscription's latest charge; refunds of earlier charges are not sent. After a
 * transfer the money is in the message about the owner, and the payer gets none.
 */
function refundMessage(message: Message, data: Refund, context: RevenueCatContext): Message | null {
  const { refund, subscriptionId, heldBy } = data;
  if (heldBy !== undefined) return null;
  const terms = subscriptionId === null && oneTimeTerms(data, context);
  const fields = (sign: 1 | -1) => ({ ...message.fields, ...terms, ...moneyFields(refund.money, sign) });
  if (message.kind === 'REFUND_REVERSED') return { ...message, fields: fields(1) };
  const isCancellation = message.kind === 'CANCELLATION' || (message.kind === 'REFUND' && subscriptionId === null);
  if (!isCancellation) return null;
  return { ...message, kind: 'CANCELLATION', fields: { ...fields(-1), cancelReason: 'CUSTOMER_SUPPORT' } };
}

/** A consumable is not part of the profile, so that its time of purchase is that of the charge. */
function oneTimeTerms({ transactionId }: Refund, { after, charges }: RevenueCatContext): Fields {
  const item = after.owned.find((one) => one.purchase.transactionId === transactionId);
  if (item) return ownedFields(item);
  const purchasedAt = charges.get(transactionId)?.purchasedAt;
  const terms = purchasedAt !== undefined && purchasedAt !== null && termFields({ purchasedAt, expiresAt: null });
  return { periodType: 'NORMAL', ...terms };
}

/** Returns the fields of RevenueCat's events of a purchase that ours lack: the currency and the shares also where no money moved. */
function purchaseDetails(fields: Fields, { after, charges }: RevenueCatContext): Fields {
  const { transactionId, store, subscriptionId, renewalNumber } = fields;
  if (store === 'promotional') {
    const grant = after.grants.find(({ grantId }) => grantId === transactionId);
    return grant ? { storeProductId: grantProductId(grant) } : {};
  }
  const charge = typeof transactionId === 'string' && fields['currency'] === null && charges.get(transactionId);
  const rates = charge && {
    currency: charge.money.currency,
    taxPercentage: charge.money.taxRate,
    commissionPercentage: charge.money.commissionRate,
  };
  const own = typeof subscriptionId === 'string' && findSubscription(after, subscriptionId);
  if (!own || typeof renewalNumber !== 'number' || !isOneChain(own.purchase.store)) return { ...rates };
  return { ...rates, renewalNumber: renewalNumber + chargesBefore(own, after) };
}

/** Returns the number of charges of the chain's earlier subscriptions. */
function chargesBefore({ purchase, startedAt }: Subscription, { subscriptions }: Profile): number {
  const { storeChainId } = purchase;
  return subscriptions
    .filter((s) => s.purchase.storeChainId === storeChainId && s.pending === null && s.startedAt < startedAt)
    .reduce((sum, s) => sum + s.renewalNumber + 1, 0);
}

/** Names of offerings and of variants where our formats have ids. */
function names(fields: Fields, { after, offeringKeyOf }: RevenueCatContext): Fields {
  const { presentedOfferingId, offeringId, experimentId, experiments } = fields;
  const nameOf = (id: unknown) => after.experiments.find((one) => one.experimentId === id)?.variantName;
  return {
    ...(experiments !== undefined && {
      experiments: listOfFields(experiments).map((one) => ({ ...one, experimentVariant: nameOf(one['experimentId']) })),
    }),
    ...(experimentId !== undefined && { experimentVariant: nameOf(experimentId) }),
    ...(typeof presentedOfferingId === 'string' && { presentedOfferingId: offeringKeyOf(presentedOfferingId) }),
    ...(typeof offeringId === 'string' && { offeringId: offeringKeyOf(offeringId) }),
  };
}
