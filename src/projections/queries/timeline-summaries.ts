// Describes each subscriber event in a sentence for support. A sentence is about the subscription, purchase or grant of the event alone: whether the
// customer's access changed depends on all others, and an entry of the timeline has it as `access`.
import type { RecordedEvent } from '../../domain/envelope.js';
import type { Money } from '../../domain/money.js';
import type { Price } from '../../domain/subscriber/events/blocks.js';
import type { SubscriberEvent } from '../../domain/subscriber/events/events.js';
import { FULL_VISIBILITY, type FieldVisibility } from '../../domain/values/field-groups.js';

type AttributesUpdated = Extract<SubscriberEvent, { type: 'CustomerAttributesUpdated' }>['data'];

const isConfirmation = ({ attributes, trust }: AttributesUpdated) =>
  trust?.appUserId === true && attributes !== null && Object.keys(attributes).length === 0;

/** Omits amounts and names of attributes if they are not visible to the requester. */
export function summaryOf(
  event: RecordedEvent<SubscriberEvent>,
  visibility: FieldVisibility = FULL_VISIBILITY,
): string {
  const { importedFrom } = event.meta;
  const text = sentenceOf(event, visibility);
  return importedFrom ? `${text} Imported from ${importedFrom.file}, row ${importedFrom.row}.` : text;
}

function sentenceOf(event: RecordedEvent<SubscriberEvent>, visibility: FieldVisibility): string {
  const { type } = event;
  const ifMoney = (text: string) => (visibility.money ? text : '');
  const guess = event.meta.inferred ? ' (inferred from a later store message)' : '';
  switch (type) {
    case 'CustomerCreated':
      return `Customer ${event.data.appUserId} was created ${sources[event.data.source]}.`;
    case 'CustomerAttributesUpdated':
      if (isConfirmation(event.data)) return 'The app user ID was confirmed with a secret key or by a user.';
      if (!visibility.personal) return 'Attributes changed.';
      return `Attributes changed: ${Object.keys(event.data.attributes ?? {}).join(', ') || 'erased'}.`;
    case 'CustomerMerged':
      return `Customer ${event.data.mergedAppUserId} was merged into this customer.`;
    case 'CustomerErased':
      return 'The customer was erased: attributes, aliases and grants were permanently deleted.';
    case 'CustomerMergedInto':
      return `This customer was merged into ${event.data.appUserId}.`;
    case 'SubscriptionStarted': {
      const { periodType, expiresAt, money, purchase, startReason } = event.data;
      const phrase = starts[startReason];
      return `${phrase} ${purchase.storeProductId} (${periods[periodType]}${ifMoney(`, ${priceText(money)}`)}) until ${timeText(expiresAt)}${guess}.`;
    }
    case 'SubscriptionRenewed': {
      const { expiresAt, money, purchase, isTrialConversion, renewalNumber, recoveredFrom } = event.data;
      const subject = isTrialConversion ? 'The trial became a paid subscription' : `Renewal ${renewalNumber}`;
      const after = recoveredFrom === null ? '' : ` after a ${recoveredFrom.replace('_', ' ')}`;
      return `${subject} of ${purchase.storeProductId}${ifMoney(` for ${priceText(money)}`)} until ${timeText(expiresAt)}${after}${guess}.`;
    }
    case 'SubscriptionAutoRenewDisabled':
      return `Auto-renewal was turned off (${event.data.reason.replace('_', ' ')}); the subscription runs until ${timeText(event.data.effectiveAt)}${guess}.`;
    case 'SubscriptionAutoRenewEnabled':
      return `Auto-renewal was turned on again${guess}.`;
    case 'PurchaseHistoryRevised':
      return 'A store message arrived late: the purchase history was reordered.';
    case 'StoreUpdateRetained':
      return 'No change reported by the store.';
    case 'SubscriptionConfirmed':
      return 'The store confirmed the recorded state.';
    case 'SubscriptionBillingIssueDetected':
      return `The store could not charge the renewal${guess}.`;
    case 'SubscriptionGracePeriodEntered':
      return `The store granted a grace period until ${timeText(event.data.gracePeriodExpiresAt)} and is retrying the charge${guess}.`;
    case 'SubscriptionGracePeriodExpired':
      return 'The grace period ended without a payment.';
    case 'SubscriptionBillingRetryEntered':
      return `The renewal was not paid: the subscription gives no access while the store is retrying the charge${guess}.`;
    case 'SubscriptionPending':
      return `Bought ${event.data.purchase.storeProductId}; the payment is pending, so the subscription gives no access yet.`;
    case 'SubscriptionPendingCancelled':
      return `The pending purchase of ${event.data.purchase.storeProductId} was cancelled without a payment.`;
    case 'SubscriptionPauseScheduled':
      return `A pause was scheduled for ${timeText(event.data.pauseAt)}${resumeText(event.data.autoResumeAt)}${guess}.`;
    case 'SubscriptionPauseCancelled':
      return `The pause scheduled for ${timeText(event.data.pauseAt)} was cancelled${guess}.`;
    case 'SubscriptionPaused':
      return `The subscription was paused${resumeText(event.data.autoResumeAt)}; it gives no access meanwhile${guess}.`;
    case 'SubscriptionRevoked':
      return event.data.reason === 'family_sharing'
        ? 'Family sharing was revoked: the subscription ended.'
        : 'The store revoked the subscription: it ended.';
    case 'SubscriptionExtensionFailed':
      return `The store could not extend the subscription (request ${event.data.requestIdentifier}).`;
    case 'SubscriptionProductChangeScheduled':
      return `The product will change to ${event.data.newStoreProductId} on ${timeText(event.data.effectiveAt)}${guess}.`;
    case 'SubscriptionProductChangeCancelled':
      return `The scheduled product change was cancelled${guess}.`;
    case 'PriceIncreaseConsentRequested':
      return `The store requested consent to a new price${ifMoney(` of ${newPriceText(event.data.newPrice)}`)} from ${timeText(event.data.effectiveAt)}${guess}.`;
    case 'PriceIncreaseAccepted':
      return `The new price${ifMoney(` of ${newPriceText(event.data.newPrice)}`)} from ${timeText(event.data.effectiveAt)} was accepted${guess}.`;
    case 'SubscriptionPriceChanged':
      return visibility.money
        ? `The price will be ${newPriceText(event.data.newPrice)} from ${timeText(event.data.effectiveAt)}.`
        : `The price will change on ${timeText(event.data.effectiveAt)}.`;
    case 'OfferRedeemed':
      return `An offer was redeemed (${event.data.offer.offerId ?? event.data.offer.offerType ?? 'unnamed'}).`;
    case 'SubscriptionMetadataChanged':
      return 'The developer changed the metadata of the subscription in the store.';
    case 'SubscriptionMigrated':
      return `The store moved the subscription from ${event.data.fromChainId} to ${event.data.toChainId}.`;
    case 'SubscriptionExpired': {
      const by = event.data.by === 'store' ? 'reported by the store' : 'expired without a store message';
      return `The subscription to ${event.data.purchase.storeProductId} ended (${event.data.reason.replaceAll('_', ' ')}; ${by}).`;
    }
    case 'SubscriptionExtended': {
      const { previousExpiresAt, expiresAt } = event.data;
      const terms = expiresAt < previousExpiresAt ? 'as the store shows' : 'free of charge';
      return `The end moved from ${timeText(previousExpiresAt)} to ${timeText(expiresAt)}, ${terms}.`;
    }
    case 'SubscriptionProductChanged': {
      const { fromStoreProductId, toStoreProductId, mode } = event.data;
      return `The product changed from ${fromStoreProductId} to ${toStoreProductId} (${mode.replace('_', ' ')}).`;
    }
    case 'OneTimePurchaseCompleted': {
      const { purchase, quantity, money } = event.data;
      return `Bought ${quantity > 1 ? `${quantity} × ` : ''}${purchase.storeProductId}${ifMoney(` for ${priceText(money)}`)}.`;
    }
    case 'TransactionRefunded': {
      const effect = event.data.accessRevoked ? ', which ended its purchase' : '; its purchase is unchanged';
      const { transactionId, refund } = event.data;
      return `Transaction ${transactionId} was refunded${ifMoney(` (${priceText(refund.money)})`)}${effect}${ownerText(event.data)}.`;
    }
    case 'TransactionRefundReversed': {
      const effect = event.data.accessRestored ? ' and its purchase was restored' : '';
      return `The refund of transaction ${event.data.transactionId} was reversed${effect}${ownerText(event.data)}.`;
    }
    case 'OneTimePurchasePendingCancelled':
      return `The pending purchase of ${event.data.purchase.storeProductId} was cancelled without a payment.`;
    case 'OneTimePurchaseRevoked':
      return `The purchase of ${event.data.purchase.storeProductId} was revoked (${event.data.reason.replace('_', ' ')}).`;
    case 'RefundReversalDeferred':
      return `A refund of transaction ${event.data.transactionId} was reversed before the refund was reported.`;
    case 'RefundDeclined':
      return `The store declined to refund transaction ${event.data.transactionId}.`;
    case 'ConsumptionInformationRequested':
      return `The store requested consumption information for transaction ${event.data.transactionId}, due by ${timeText(event.data.respondBy)}.`;
    case 'TransactionPriceCorrected':
      return `The price of transaction ${event.data.transactionId} became known${ifMoney(`: ${priceText(event.data.money)}`)}${ownerText(event.data)}.`;
    case 'PurchaseTransferred': {
      const { direction, fromCustomerId, toCustomerId, reason } = event.data;
      const other = direction === 'out' ? `to customer ${toCustomerId}` : `from customer ${fromCustomerId}`;
      return `A purchase was transferred ${other} (${reason}).`;
    }
    case 'EntitlementGranted': {
      const until = event.data.expiresAt === null ? 'with no end date' : `until ${timeText(event.data.expiresAt)}`;
      return `Promotional access to ${event.data.lookupKey} was granted ${until}.`;
    }
    case 'EntitlementRevoked':
      return `Promotional access to ${event.data.lookupKey} was revoked.`;
    case 'ExperimentEnrolled':
      return `Enrolled in experiment ${event.data.experimentId} as variant ${event.data.variantName}.`;
    case 'AppDownloadVerified':
      return `First downloaded the app in version ${event.data.version}, on ${event.data.downloadedAt.slice(0, 10)}.`;
    case 'EntitlementGrantExpired':
      return `Promotional access to ${event.data.lookupKey} expired.`;
  }
}

const sources = { sdk: 'through the app', api: 'through the API', store: 'through a purchase', import: 'by an import' };
const starts = {
  first_purchase: 'Subscribed to',
  resubscribe: 'Subscribed again to',
  product_change: 'Changed to',
  family_share: 'Received through family sharing:',
  transfer: 'Took over the subscription to',
  imported: 'Imported subscription to',
};
const periods = { trial: 'free trial', intro: 'introductory period', normal: 'paid', prepaid: 'prepaid' };

/** Names the other customer concerned if the purchase was transferred. */
function ownerText({
  paidBy,
  heldBy,
}: {
  readonly paidBy?: string | undefined;
  readonly heldBy?: string | undefined;
}): string {
  if (heldBy !== undefined) return `; the purchase now belongs to customer ${heldBy}`;
  return paidBy === undefined ? '' : `; the money belongs to customer ${paidBy}, who paid`;
}

function priceText({ amountMicros, currency }: Money): string {
  if (amountMicros === null) return 'an unknown price';
  return amountMicros === 0 ? 'free' : `${(amountMicros / 1_000_000).toFixed(2)} ${currency ?? ''}`.trim();
}

function newPriceText(newPrice: Price | null): string {
  return newPrice === null
    ? 'an unknown amount'
    : `${(newPrice.amountMicros / 1_000_000).toFixed(2)} ${newPrice.currency}`;
}

function resumeText(at: string | null): string {
  return at === null ? '' : `, resuming automatically on ${timeText(at)}`;
}

function timeText(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}
