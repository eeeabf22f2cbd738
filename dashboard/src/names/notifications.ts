// Store notifications and their results, in words. The stores' own types are shown in details only.
import { sentenceCase, wordsOf } from '../parts/format';

/** Words by the store's type, or by its type and subtype. */
const KINDS: Readonly<Record<string, string>> = {
  'SUBSCRIBED/INITIAL_BUY': 'Subscription started',
  'SUBSCRIBED/RESUBSCRIBE': 'Subscribed again',
  SUBSCRIBED: 'Subscription started',
  DID_RENEW: 'Subscription renewed',
  'DID_RENEW/BILLING_RECOVERY': 'Renewed after a billing problem',
  'DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED': 'Renewal turned on',
  'DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED': 'Renewal turned off',
  'DID_CHANGE_RENEWAL_PREF/UPGRADE': 'Upgraded to another product',
  'DID_CHANGE_RENEWAL_PREF/DOWNGRADE': 'Downgrade at the next renewal',
  DID_CHANGE_RENEWAL_PREF: 'Change of product canceled',
  DID_FAIL_TO_RENEW: 'Renewal payment failed',
  'DID_FAIL_TO_RENEW/GRACE_PERIOD': 'Renewal payment failed, grace period started',
  GRACE_PERIOD_EXPIRED: 'Grace period ended',
  'EXPIRED/VOLUNTARY': 'Expired, canceled by the customer',
  'EXPIRED/BILLING_RETRY': 'Expired, never paid',
  'EXPIRED/PRICE_INCREASE': 'Expired, price increase not accepted',
  'EXPIRED/PRODUCT_NOT_FOR_SALE': 'Expired, product no longer for sale',
  EXPIRED: 'Subscription expired',
  OFFER_REDEEMED: 'Offer redeemed',
  'OFFER_REDEEMED/INITIAL_BUY': 'Subscription started with an offer',
  'OFFER_REDEEMED/RESUBSCRIBE': 'Subscribed again with an offer',
  'PRICE_INCREASE/PENDING': 'Price increase announced',
  'PRICE_INCREASE/ACCEPTED': 'Price increase accepted',
  REFUND: 'Refunded',
  REFUND_DECLINED: 'Refund declined',
  REFUND_REVERSED: 'Refund reversed',
  CONSUMPTION_REQUEST: 'Customer asked the store for a refund',
  REVOKE: 'Family sharing ended',
  RENEWAL_EXTENDED: 'Renewal date extended',
  ONE_TIME_CHARGE: 'One-time purchase',
  TEST: 'Test notification',
  SUBSCRIPTION_RECOVERED: 'Recovered after a billing problem',
  SUBSCRIPTION_RENEWED: 'Subscription renewed',
  SUBSCRIPTION_CANCELED: 'Renewal turned off',
  SUBSCRIPTION_PURCHASED: 'Subscription started',
  SUBSCRIPTION_ON_HOLD: 'On hold, payment failed',
  SUBSCRIPTION_IN_GRACE_PERIOD: 'Renewal payment failed, grace period started',
  SUBSCRIPTION_RESTARTED: 'Renewal turned on',
  SUBSCRIPTION_DEFERRED: 'Renewal date extended',
  SUBSCRIPTION_PAUSED: 'Subscription paused',
  SUBSCRIPTION_PAUSE_SCHEDULE_CHANGED: 'Pause scheduled or changed',
  SUBSCRIPTION_PRICE_CHANGE_CONFIRMED: 'Price change accepted',
  SUBSCRIPTION_REVOKED: 'Subscription revoked',
  SUBSCRIPTION_EXPIRED: 'Subscription expired',
  ONE_TIME_PRODUCT_PURCHASED: 'One-time purchase',
  ONE_TIME_PRODUCT_CANCELED: 'Pending one-time purchase canceled',
  VOIDED_PURCHASE: 'Purchase refunded or voided',
  PENDING_REFUND_REVIEW: 'Customer asked the store for a refund',
};

/** Converts `DID_RENEW/BILLING_RECOVERY` to `Renewed after a billing problem`; a kind without an entry to its words: `Unknown 42`. */
export function notificationWords(kind: string): string {
  const { [kind]: known } = KINDS;
  return known ?? sentenceCase(kind.replaceAll('/', ', ').replaceAll('_', ' ').toLowerCase());
}

const OUTCOMES: Readonly<Record<string, string>> = {
  applied: 'recorded',
  no_change: 'known already',
  stale: 'outdated by a newer one',
  ignored_unknown_type: 'stored; this version does not know the type',
  refused: 'refused',
};

/** Describes the result of a notification; null before it is processed. */
export function outcomeText(outcome: string | null): string {
  return outcome === null ? 'nothing yet' : (OUTCOMES[outcome] ?? wordsOf(outcome));
}
