// The body of a message in the payload format `revenuecat`, with the names and values that RevenueCat documents.
import { firstOrderOf } from '../imports/period-terms.js';
import { chainNameOf, revenueCatStore } from '../store-kinds.js';
import type { Fields } from './purchase-fields.js';
import { isFields, listOfFields } from '../values/json.js';

type Payload = { readonly id: string; readonly type: string } & Fields;

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
  const { subscriberAttributes: attributes } = p;
  const experiments = listOfFields(p['experiments']);
  return {
    app_user_id: p['appUserId'],
    original_app_user_id: p['originalAppUserId'],
    aliases: p['aliases'],
    // Absent where the body would be too long with them.
    ...(isFields(attributes) && {
      subscriber_attributes: Object.fromEntries(
        Object.entries(attributes).flatMap(([key, attribute]) => {
          if (!isFields(attribute)) return [];
          const { value, updatedAtMs } = attribute;
          return [[key, { value, updated_at_ms: updatedAtMs }]];
        }),
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
    product_id: p['storeProductId'] ?? null,
    entitlement_ids: keys,
    entitlement_id: keys?.[0] ?? null,
    presented_offering_id: p['presentedOfferingId'] ?? null,
    period_type: p['periodType'] ?? null,
    purchased_at_ms: p['purchasedAtMs'] ?? null,
    expiration_at_ms: p['expirationAtMs'] ?? null,
    transaction_id: transactionId,
    original_transaction_id: originalTransactionOf(p),
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

/** The android-store names a purchase by its token, which is a credential: its first order is what RevenueCat sends. */
function originalTransactionOf(p: Payload): unknown {
  const { store, transactionId = null, originalTransactionId } = p;
  if (typeof transactionId !== 'string' || typeof store !== 'string' || isGrant(p)) return transactionId;
  if (chainNameOf(store) === 'purchaseToken') return firstOrderOf(transactionId);
  return originalTransactionId ?? transactionId;
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
