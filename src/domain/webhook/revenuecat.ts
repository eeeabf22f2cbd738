// The payload format `revenuecat`: the messages that RevenueCat would send, with its field names and values, so that receivers written for
// its webhooks work unchanged.
import type { RecordedEvent } from '../envelope.js';
import { revenueCatStore } from '../store-kinds.js';
import type { SubscriberEvent } from '../subscriber/events/events.js';
import { grantProductId } from '../subscriber/grant-durations.js';
import type { Profile } from '../subscriber/state/state.js';
import { isoFromMs } from '../time.js';
import { kindsOfFormat } from './kinds.js';
import type { KnownCharges } from './known-charges.js';
import type { Message } from './messages.js';
import { moneyFields, termFields, type Fields } from './purchase-fields.js';

type Payload = { readonly id: string; readonly type: string } & Fields;

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
  const { event } = context;
  const isOfMoney = event.type === 'TransactionRefunded' || event.type === 'TransactionRefundReversed';
  const converted = isOfMoney ? refundMessage(message, event.data, context) : message;
  if (!converted || !sent.has(converted.kind)) return null;
  return { ...converted, fields: { ...converted.fields, ...offeringKeys(converted.fields, context) } };
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
  const purchasedAt = item?.purchasedAt ?? charges.get(transactionId)?.purchasedAt;
  const terms = purchasedAt != null && termFields({ purchasedAt, expiresAt: item?.expiresAt ?? null });
  return { periodType: 'NORMAL', ...terms };
}

function offeringKeys({ presentedOfferingId, offeringId }: Fields, { offeringKeyOf }: RevenueCatContext): Fields {
  return {
    ...(typeof presentedOfferingId === 'string' && { presentedOfferingId: offeringKeyOf(presentedOfferingId) }),
    ...(typeof offeringId === 'string' && { offeringId: offeringKeyOf(offeringId) }),
  };
}

/** Creates the body of a message with the names and values that RevenueCat documents. */
export function revenueCatBody(p: Payload): Fields {
  const head = { type: p.type, id: p.id, event_timestamp_ms: p['eventTimestampMs'] };
  const mark = p['isExample'] === true && { is_example: true };
  return { api_version: '1.0', event: { ...head, ...fieldsOf(p), ...mark } };
}

function fieldsOf(p: Payload): Fields {
  const { type: kind } = p;
  switch (kind) {
    case 'TRANSFER':
      return { ...placeOf(p), transferred_from: p['transferredFrom'], transferred_to: p['transferredTo'] };
    case 'SUBSCRIBER_ALIAS':
      return customerOf(p);
    case 'EXPERIMENT_ENROLLMENT':
      return { ...customerOf(p), ...enrolmentOf(p) };
    default:
      return { ...customerOf(p), ...placeOf(p), ...purchaseOf(p), ...moneyOf(p), ...detailsOf(p) };
  }
}

function customerOf(p: Payload): Fields {
  const attributes = p['subscriberAttributes'] as Readonly<Record<string, Fields>> | undefined;
  const experiments = (p['experiments'] ?? []) as readonly Fields[];
  return {
    app_user_id: p['appUserId'],
    original_app_user_id: p['originalAppUserId'],
    aliases: p['aliases'],
    // Absent where the body would be too long with them.
    ...(attributes && {
      subscriber_attributes: Object.fromEntries(
        Object.entries(attributes).map(([key, { value, updatedAtMs }]) => [key, { value, updated_at_ms: updatedAtMs }]),
      ),
    }),
    experiments: experiments.map(({ experimentId, experimentVariant, enrolledAtMs }) => ({
      ...{ experiment_id: experimentId, experiment_variant: experimentVariant, enrolled_at_ms: enrolledAtMs },
    })),
  };
}

/** RevenueCat’s reference and its example name the time differently. */
function enrolmentOf(p: Payload): Fields {
  return {
    experiment_id: p['experimentId'],
    experiment_variant: p['experimentVariant'],
    offering_id: p['offeringId'],
    enrolled_at_ms: p['enrolledAtMs'],
    experiment_enrolled_at_ms: p['enrolledAtMs'],
  };
}

/** A promotional grant has no app, and counts as production. */
function placeOf(p: Payload): Fields {
  const store = p['store'] ?? null;
  if (isGrant(p)) return { environment: 'PRODUCTION', store: 'PROMOTIONAL' };
  const name = store === null ? null : revenueCatStore(String(store)).toUpperCase();
  return { app_id: p['appId'] ?? null, environment: p['environment'] ?? null, store: name };
}

function purchaseOf(p: Payload): Fields {
  const keys = (p['entitlementIds'] ?? null) as readonly string[] | null;
  const transactionId = p['transactionId'] ?? null;
  return {
    product_id: isGrant(p) ? grantProduct(p, keys?.[0]) : (p['storeProductId'] ?? null),
    entitlement_ids: keys,
    entitlement_id: keys?.[0] ?? null,
    presented_offering_id: p['presentedOfferingId'] ?? null,
    period_type: p['periodType'] ?? null,
    purchased_at_ms: p['purchasedAtMs'] ?? null,
    expiration_at_ms: p['expirationAtMs'] ?? null,
    transaction_id: transactionId,
    original_transaction_id: p['originalTransactionId'] ?? transactionId,
    is_family_share: p['isFamilyShare'] ?? false,
    country_code: p['countryCode'] ?? null,
    offer_code: p['offerCode'] ?? null,
    // RevenueCat counts the first charge as 1.
    renewal_number: typeof p['renewalNumber'] === 'number' ? p['renewalNumber'] + 1 : null,
  };
}

function isGrant(p: Payload): boolean {
  return p['store'] === 'promotional';
}

function grantProduct({ purchasedAtMs: from, expirationAtMs: to }: Payload, lookupKey: string | undefined) {
  if (lookupKey === undefined || typeof from !== 'number') return null;
  const expiresAt = typeof to === 'number' ? isoFromMs(to) : null;
  return grantProductId({ lookupKey, startsAt: isoFromMs(from), expiresAt });
}

function moneyOf(p: Payload): Fields {
  const commission = p['commissionPercentage'];
  return {
    price: p['price'] ?? null,
    currency: p['currency'] ?? null,
    price_in_purchased_currency: p['priceInPurchasedCurrency'] ?? null,
    tax_percentage: p['taxPercentage'] ?? null,
    commission_percentage: commission ?? null,
    takehome_percentage: typeof commission === 'number' ? Math.round((1 - commission) * 1e6) / 1e6 : null,
  };
}

/** The fields of single kinds. */
function detailsOf(p: Payload): Fields {
  const { type: kind } = p;
  switch (kind) {
    case 'RENEWAL':
      return { is_trial_conversion: p['isTrialConversion'] };
    case 'CANCELLATION':
      return { cancel_reason: p['cancelReason'] };
    case 'EXPIRATION':
      return { expiration_reason: p['expirationReason'] };
    case 'BILLING_ISSUE':
      return { grace_period_expiration_at_ms: p['gracePeriodExpirationAtMs'] };
    case 'SUBSCRIPTION_PAUSED':
      return { auto_resume_at_ms: p['autoResumeAtMs'] };
    case 'PRODUCT_CHANGE':
      return { new_product_id: p['newStoreProductId'] };
    default:
      return {};
  }
}
