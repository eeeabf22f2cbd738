// Maps store events to the ios-store's notifications: type, subtype, and the snapshot that they contain. Pure.
// Types and subtypes: App Store Server Notifications V2, pages "notificationType" and "subtype".
import type { StoreTransaction, StoreEvent } from '../lifecycle-events.js';
import { currencyOf, localPriceMilli } from '../markets.js';
import { BUNDLE_ID, offers } from '../offers.js';
import type { NotificationFields, RenewalFields, TransactionFields } from './payloads.js';

type Kind = StoreEvent['kind'];

const NOTIFICATIONS: Readonly<Record<Kind, readonly [type: string, subtype?: string]>> = {
  started: ['SUBSCRIBED', 'INITIAL_BUY'],
  resubscribed: ['SUBSCRIBED', 'RESUBSCRIBE'],
  renewed: ['DID_RENEW'],
  recovered: ['DID_RENEW', 'BILLING_RECOVERY'],
  renewalOff: ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_DISABLED'],
  renewalOn: ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_ENABLED'],
  billingFailed: ['DID_FAIL_TO_RENEW'],
  graceEnded: ['GRACE_PERIOD_EXPIRED'],
  expiredByChoice: ['EXPIRED', 'VOLUNTARY'],
  expiredUnpaid: ['EXPIRED', 'BILLING_RETRY'],
  refunded: ['REFUND'],
  refundReversed: ['REFUND_REVERSED'],
  refundRequested: ['CONSUMPTION_REQUEST'],
  boughtOnce: ['ONE_TIME_CHARGE'],
};

const EXPIRATION_INTENTS: Readonly<Partial<Record<Kind, 1 | 2>>> = { expiredByChoice: 1, expiredUnpaid: 2 };
const RETRYING_KINDS: ReadonlySet<Kind> = new Set(['billingFailed', 'graceEnded']);

/** `notificationUUID` identifies the notification: it is the same on every retry. */
export function notificationOf(h: StoreEvent, storefront: string, notificationUUID: string): NotificationFields {
  const [notificationType, type] = NOTIFICATIONS[h.kind];
  const subtype = h.kind === 'billingFailed' && h.graceEndsAt !== null ? 'GRACE_PERIOD' : type;
  const refund = h.kind === 'refunded' ? { revocationDate: h.at, revocationReason: 1 as const } : {};
  return {
    notificationType,
    ...(subtype !== undefined && { subtype }),
    notificationUUID,
    signedDate: h.at,
    bundleId: BUNDLE_ID,
    environment: 'Production',
    transaction: { ...transactionOf(h.bought, storefront), signedDate: h.at, ...refund },
    renewal: h.bought.expiresAt === null ? undefined : renewalOf(h, storefront),
  };
}

/** Returns the transaction as the device has it from its purchase on. */
export function transactionOf(
  bought: StoreTransaction,
  storefront: string,
): TransactionFields & { readonly bundleId: string } {
  const { offer, periodType, expiresAt } = bought;
  const discounts = { trial: 'FREE_TRIAL', intro: 'PAY_AS_YOU_GO' } as const;
  const isOffer = periodType === 'trial' || periodType === 'intro';
  return {
    transactionId: bought.transactionId,
    originalTransactionId: bought.chainId,
    productId: offers[offer].storeProductId,
    purchaseDate: bought.purchasedAt,
    originalPurchaseDate: bought.chainStartedAt,
    ...(expiresAt !== null && { expiresDate: expiresAt }),
    ...(offer === 'coins' && { type: 'Consumable' as const }),
    price: localPriceMilli(bought.priceMilli, storefront),
    currency: currencyOf(storefront),
    storefront,
    transactionReason: bought.isRenewal ? 'RENEWAL' : 'PURCHASE',
    ...(isOffer && { offerType: 1 as const, offerDiscountType: discounts[periodType] }),
    ...(periodType === 'trial' && { offerPeriod: offers[offer].trialDuration }),
    bundleId: BUNDLE_ID,
    environment: 'Production',
  };
}

function renewalOf({ kind, bought, willRenew, graceEndsAt }: StoreEvent, storefront: string): RenewalFields {
  const productId = offers[bought.offer].storeProductId;
  const intent = EXPIRATION_INTENTS[kind];
  return {
    originalTransactionId: bought.chainId,
    productId,
    autoRenewStatus: willRenew ? 1 : 0,
    isInBillingRetryPeriod: RETRYING_KINDS.has(kind),
    ...(graceEndsAt !== null && { gracePeriodExpiresDate: graceEndsAt }),
    ...(intent !== undefined && { expirationIntent: intent }),
    ...(bought.expiresAt !== null && { renewalDate: bought.expiresAt }),
    renewalPrice: localPriceMilli(offers[bought.offer].priceMilli, storefront),
    currency: currencyOf(storefront),
  };
}
