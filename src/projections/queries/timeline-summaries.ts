// Each subscriber event as a sentence that somebody in support can read out.
import type { RecordedEvent } from '../../domain/envelope.js';
import type { Money } from '../../domain/money.js';
import type { Price } from '../../domain/subscriber/events/blocks.js';
import type { SubscriberEvent } from '../../domain/subscriber/events/events.js';
import { FULL_SIGHT, type Sight } from '../../domain/values/field-groups.js';

type AttributesUpdated = Extract<SubscriberEvent, { type: 'CustomerAttributesUpdated' }>['data'];

const isConfirmation = ({ attributes, trust }: AttributesUpdated) =>
  trust?.appUserId === true && attributes !== null && Object.keys(attributes).length === 0;

/** Without amounts and names of attributes for who may not see them. */
export function summaryOf(event: RecordedEvent<SubscriberEvent>, sight: Sight = FULL_SIGHT): string {
  const { type } = event;
  const ifMoney = (text: string) => (sight.money ? text : '');
  const guess = event.meta.inferred ? ' (read off a later message of the store)' : '';
  switch (type) {
    case 'CustomerCreated':
      return `Customer ${event.data.appUserId} first became known, ${sources[event.data.source]}.`;
    case 'CustomerAttributesUpdated':
      if (isConfirmation(event.data)) return 'The app user ID was confirmed with a secret key or by a user.';
      if (!sight.personal) return 'Attributes changed.';
      return `Attributes changed: ${Object.keys(event.data.attributes ?? {}).join(', ') || 'erased'}.`;
    case 'CustomerMerged':
      return `Customer ${event.data.mergedAppUserId} turned out to be the same person and was merged in.`;
    case 'CustomerErased':
      return 'The customer was erased: attributes, aliases and grants are gone for good.';
    case 'CustomerMergedInto':
      return `This customer was merged into ${event.data.appUserId}.`;
    case 'SubscriptionStarted': {
      const { periodType, expiresAt, money, purchase, startReason } = event.data;
      const how = starts[startReason];
      return `${how} ${purchase.storeProductId} (${periods[periodType]}${ifMoney(`, ${price(money)}`)}) until ${day(expiresAt)}${guess}.`;
    }
    case 'SubscriptionRenewed': {
      const { expiresAt, money, purchase, isTrialConversion, renewalNumber, recoveredFrom } = event.data;
      const what = isTrialConversion ? 'The trial became a paid subscription' : `Renewal ${renewalNumber}`;
      const after = recoveredFrom === null ? '' : ` after a ${recoveredFrom.replace('_', ' ')}`;
      return `${what} of ${purchase.storeProductId}${ifMoney(` for ${price(money)}`)} until ${day(expiresAt)}${after}${guess}.`;
    }
    case 'SubscriptionAutoRenewDisabled':
      return `Renewal was turned off (${event.data.reason.replace('_', ' ')}); access goes on until ${day(event.data.effectiveAt)}${guess}.`;
    case 'SubscriptionAutoRenewEnabled':
      return `Renewal was turned on again${guess}.`;
    case 'PurchaseHistoryRevised':
      return 'A message of the store arrived late: the history of the purchase was put in order.';
    case 'StoreUpdateRetained':
      return 'The store said nothing new.';
    case 'SubscriptionConfirmed':
      return 'The store confirmed what was known.';
    case 'SubscriptionBillingIssueDetected':
      return `The store could not charge the renewal${guess}.`;
    case 'SubscriptionGracePeriodEntered':
      return `The store grants grace until ${day(event.data.gracePeriodExpiresAt)} while it tries again to charge${guess}.`;
    case 'SubscriptionGracePeriodExpired':
      return 'The grace period ended without a payment.';
    case 'SubscriptionBillingRetryEntered':
      return `Access ended for want of payment; the store goes on trying to charge${guess}.`;
    case 'SubscriptionPending':
      return `Bought ${event.data.purchase.storeProductId}; the payment is pending, so there is no access yet.`;
    case 'SubscriptionPendingCancelled':
      return `The pending purchase of ${event.data.purchase.storeProductId} was cancelled without a payment.`;
    case 'SubscriptionPauseScheduled':
      return `A pause was scheduled for ${day(event.data.pauseAt)}${resumes(event.data.autoResumeAt)}${guess}.`;
    case 'SubscriptionPauseCancelled':
      return `The pause planned for ${day(event.data.pauseAt)} was cancelled${guess}.`;
    case 'SubscriptionPaused':
      return `The subscription was paused${resumes(event.data.autoResumeAt)}; access ended${guess}.`;
    case 'SubscriptionRevoked':
      return event.data.reason === 'family_sharing'
        ? 'The family share was withdrawn and access ended.'
        : 'The store revoked the subscription and access ended.';
    case 'SubscriptionExtensionFailed':
      return `The store could not extend the subscription (request ${event.data.requestIdentifier}).`;
    case 'SubscriptionProductChangeScheduled':
      return `The product will change to ${event.data.newStoreProductId} on ${day(event.data.effectiveAt)}${guess}.`;
    case 'SubscriptionProductChangeCancelled':
      return `The planned change of product was cancelled${guess}.`;
    case 'PriceIncreaseConsentRequested':
      return `The store asked for consent to a new price${ifMoney(` of ${asked(event.data.newPrice)}`)} from ${day(event.data.effectiveAt)}${guess}.`;
    case 'PriceIncreaseAccepted':
      return `The new price${ifMoney(` of ${asked(event.data.newPrice)}`)} from ${day(event.data.effectiveAt)} was accepted${guess}.`;
    case 'SubscriptionPriceChanged':
      return sight.money
        ? `The price will be ${asked(event.data.newPrice)} from ${day(event.data.effectiveAt)}.`
        : `The price will be another one from ${day(event.data.effectiveAt)}.`;
    case 'OfferRedeemed':
      return `An offer was redeemed (${event.data.offer.offerId ?? event.data.offer.offerType ?? 'unnamed'}).`;
    case 'SubscriptionMetadataChanged':
      return 'The developer changed what the store keeps about the subscription.';
    case 'SubscriptionMigrated':
      return `The store moved the subscription from ${event.data.fromChainId} to ${event.data.toChainId}.`;
    case 'SubscriptionExpired': {
      const by = event.data.by === 'store' ? 'the store said so' : 'time passed and the store said nothing';
      return `The subscription to ${event.data.purchase.storeProductId} ended (${event.data.reason.replaceAll('_', ' ')}; ${by}).`;
    }
    case 'SubscriptionExtended':
      return `The end moved from ${day(event.data.previousExpiresAt)} to ${day(event.data.expiresAt)}, free of charge.`;
    case 'SubscriptionProductChanged': {
      const { fromStoreProductId, toStoreProductId, mode } = event.data;
      return `The product changed from ${fromStoreProductId} to ${toStoreProductId} (${mode.replace('_', ' ')}).`;
    }
    case 'OneTimePurchaseCompleted': {
      const { purchase, quantity, money } = event.data;
      return `Bought ${quantity > 1 ? `${quantity} × ` : ''}${purchase.storeProductId}${ifMoney(` for ${price(money)}`)}.`;
    }
    case 'TransactionRefunded': {
      const access = event.data.accessRevoked ? 'and access ended' : 'and access stays as it was';
      const { transactionId, refund } = event.data;
      return `Transaction ${transactionId} was refunded${ifMoney(` (${price(refund.money)})`)} ${access}${whose(event.data)}.`;
    }
    case 'TransactionRefundReversed': {
      const access = event.data.accessRestored ? ' and access came back' : '';
      return `The refund of transaction ${event.data.transactionId} was reversed${access}${whose(event.data)}.`;
    }
    case 'OneTimePurchasePendingCancelled':
      return `The pending purchase of ${event.data.purchase.storeProductId} was cancelled without a payment.`;
    case 'OneTimePurchaseRevoked':
      return `Access to ${event.data.purchase.storeProductId} was taken back (${event.data.reason.replace('_', ' ')}).`;
    case 'RefundReversalDeferred':
      return `A refund of transaction ${event.data.transactionId} that is not known yet was reversed.`;
    case 'RefundDeclined':
      return `The store declined to refund transaction ${event.data.transactionId}.`;
    case 'ConsumptionInformationRequested':
      return `The store asks about the use of transaction ${event.data.transactionId}, until ${day(event.data.respondBy)}.`;
    case 'TransactionPriceCorrected':
      return `The price of transaction ${event.data.transactionId} became known${ifMoney(`: ${price(event.data.money)}`)}${whose(event.data)}.`;
    case 'PurchaseTransferred': {
      const { direction, fromCustomerId, toCustomerId, reason } = event.data;
      const other = direction === 'out' ? `to customer ${toCustomerId}` : `from customer ${fromCustomerId}`;
      return `A purchase moved ${other} (${reason}).`;
    }
    case 'EntitlementGranted': {
      const until = event.data.expiresAt === null ? 'for ever' : `until ${day(event.data.expiresAt)}`;
      return `Promotional access to ${event.data.lookupKey} was granted ${until}.`;
    }
    case 'EntitlementRevoked':
      return `Promotional access to ${event.data.lookupKey} was taken back.`;
    case 'ExperimentEnrolled':
      return `Takes part in experiment ${event.data.experimentId} as variant ${event.data.variantName}.`;
    case 'EntitlementGrantExpired':
      return `Promotional access to ${event.data.lookupKey} ran out.`;
  }
}

const sources = { sdk: 'through the app', api: 'through the API', store: 'through a purchase', import: 'by an import' };
const starts = {
  first_purchase: 'Subscribed to',
  resubscribe: 'Subscribed again to',
  product_change: 'Changed to',
  family_share: 'Was given a family share of',
  transfer: 'Took over',
  imported: 'Was found subscribed to',
};
const periods = { trial: 'free trial', intro: 'introductory period', normal: 'paid', prepaid: 'prepaid' };

/** Who else it concerns, after the purchase changed hands. */
function whose({
  paidBy,
  heldBy,
}: {
  readonly paidBy?: string | undefined;
  readonly heldBy?: string | undefined;
}): string {
  if (heldBy !== undefined) return `; customer ${heldBy} holds the purchase now`;
  return paidBy === undefined ? '' : `; the money is that of customer ${paidBy}, who had paid`;
}

function price({ amountMicros, currency }: Money): string {
  if (amountMicros === null) return 'an unknown price';
  return amountMicros === 0 ? 'free' : `${(amountMicros / 1_000_000).toFixed(2)} ${currency ?? ''}`.trim();
}

function asked(newPrice: Price | null): string {
  return newPrice === null
    ? 'an unknown amount'
    : `${(newPrice.amountMicros / 1_000_000).toFixed(2)} ${newPrice.currency}`;
}

function resumes(at: string | null): string {
  return at === null ? '' : `, to resume by itself on ${day(at)}`;
}

function day(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}
