// Describes each subscriber event in a sentence for support. A sentence is about the subscription, purchase or grant of the event alone: whether the
// customer's access changed depends on all others, and an entry of the timeline has it as `access`.
import type { RecordedEvent } from '../../domain/envelope.js';
import type { Money } from '../../domain/money.js';
import type { Price } from '../../domain/subscriber/events/blocks.js';
import type { SubscriberEvent, SubscriberEventData } from '../../domain/subscriber/events/events.js';
import { FULL_VISIBILITY, type FieldVisibility } from '../../domain/values/field-groups.js';

type AttributesUpdated = SubscriberEventData['CustomerAttributesUpdated'];

const isConfirmation = ({ attributes, trust }: AttributesUpdated) =>
  trust?.appUserId === true && attributes !== null && Object.keys(attributes).length === 0;

/** Omits amounts and names of attributes if they are not visible to the requester. */
export function summaryOf(
  event: RecordedEvent<SubscriberEvent>,
  visibility: FieldVisibility = FULL_VISIBILITY,
): string {
  const { importedFrom, inferred } = event.meta;
  const text = sentenceOf(event, {
    visibility,
    ifMoney: (text) => (visibility.money ? text : ''),
    guess: inferred ? ' (inferred from a later store message)' : '',
  });
  return importedFrom ? `${text} Imported from ${importedFrom.file}, row ${importedFrom.row}.` : text;
}

type Wording = {
  readonly visibility: FieldVisibility;
  /** Returns nothing if amounts are not visible to the requester. */
  readonly ifMoney: (text: string) => string;
  /** States that the store did not report the event itself; mostly empty. */
  readonly guess: string;
};

type Sentences = {
  readonly [T in keyof SubscriberEventData]: (data: SubscriberEventData[T], wording: Wording) => string;
};

const sentences: Sentences = {
  CustomerCreated: ({ appUserId, source }) => `Customer ${appUserId} was created ${sources[source]}.`,
  CustomerAttributesUpdated: (data, { visibility }) => {
    if (isConfirmation(data)) return 'The app user ID was confirmed with a secret key or by a user.';
    if (!visibility.personal) return 'Attributes changed.';
    return `Attributes changed: ${Object.keys(data.attributes ?? {}).join(', ') || 'erased'}.`;
  },
  CustomerMerged: ({ mergedAppUserId }) => `Customer ${mergedAppUserId} was merged into this customer.`,
  CustomerErased: () => 'The customer was erased: attributes, aliases and grants were permanently deleted.',
  CustomerMergedInto: ({ appUserId }) => `This customer was merged into ${appUserId}.`,
  SubscriptionStarted: ({ periodType, expiresAt, money, purchase, startReason }, { ifMoney, guess }) => {
    const terms = `${periods[periodType]}${ifMoney(`, ${priceText(money)}`)}`;
    return `${starts[startReason]} ${purchase.storeProductId} (${terms}) until ${timeText(expiresAt)}${guess}.`;
  },
  SubscriptionRenewed: (data, { ifMoney, guess }) => {
    const { expiresAt, money, purchase, isTrialConversion, renewalNumber, recoveredFrom } = data;
    const subject = isTrialConversion ? 'The trial became a paid subscription' : `Renewal ${renewalNumber}`;
    const after = recoveredFrom === null ? '' : ` after a ${recoveredFrom.replace('_', ' ')}`;
    const price = ifMoney(` for ${priceText(money)}`);
    return `${subject} of ${purchase.storeProductId}${price} until ${timeText(expiresAt)}${after}${guess}.`;
  },
  SubscriptionAutoRenewDisabled: ({ reason, effectiveAt }, { guess }) =>
    `Auto-renewal was turned off (${reason.replace('_', ' ')}); the subscription runs until ${timeText(effectiveAt)}${guess}.`,
  SubscriptionAutoRenewEnabled: (_data, { guess }) => `Auto-renewal was turned on again${guess}.`,
  PurchaseHistoryRevised: () => 'A store message arrived late: the purchase history was reordered.',
  StoreUpdateRetained: () => 'No change reported by the store.',
  SubscriptionConfirmed: () => 'The store confirmed the recorded state.',
  SubscriptionBillingIssueDetected: (_data, { guess }) => `The store could not charge the renewal${guess}.`,
  SubscriptionGracePeriodEntered: ({ gracePeriodExpiresAt }, { guess }) =>
    `The store granted a grace period until ${timeText(gracePeriodExpiresAt)} and is retrying the charge${guess}.`,
  SubscriptionGracePeriodExpired: () => 'The grace period ended without a payment.',
  SubscriptionBillingRetryEntered: (_data, { guess }) =>
    `The renewal was not paid: the subscription gives no access while the store is retrying the charge${guess}.`,
  SubscriptionPending: ({ purchase }) =>
    `Bought ${purchase.storeProductId}; the payment is pending, so the subscription gives no access yet.`,
  SubscriptionPendingCancelled: ({ purchase }) => pendingCancelledText(purchase),
  SubscriptionPauseScheduled: ({ pauseAt, autoResumeAt }, { guess }) =>
    `A pause was scheduled for ${timeText(pauseAt)}${resumeText(autoResumeAt)}${guess}.`,
  SubscriptionPauseCancelled: ({ pauseAt }, { guess }) =>
    `The pause scheduled for ${timeText(pauseAt)} was cancelled${guess}.`,
  SubscriptionPaused: ({ autoResumeAt }, { guess }) =>
    `The subscription was paused${resumeText(autoResumeAt)}; it gives no access meanwhile${guess}.`,
  SubscriptionRevoked: ({ reason }) =>
    reason === 'family_sharing'
      ? 'Family sharing was revoked: the subscription ended.'
      : 'The store revoked the subscription: it ended.',
  SubscriptionExtensionFailed: ({ requestIdentifier }) =>
    `The store could not extend the subscription (request ${requestIdentifier}).`,
  SubscriptionProductChangeScheduled: ({ newStoreProductId, effectiveAt }, { guess }) =>
    `The product will change to ${newStoreProductId} on ${timeText(effectiveAt)}${guess}.`,
  SubscriptionProductChangeCancelled: (_data, { guess }) => `The scheduled product change was cancelled${guess}.`,
  PriceIncreaseConsentRequested: ({ newPrice, effectiveAt }, { ifMoney, guess }) =>
    `The store requested consent to a new price${ifMoney(` of ${newPriceText(newPrice)}`)} from ${timeText(effectiveAt)}${guess}.`,
  PriceIncreaseAccepted: ({ newPrice, effectiveAt }, { ifMoney, guess }) =>
    `The new price${ifMoney(` of ${newPriceText(newPrice)}`)} from ${timeText(effectiveAt)} was accepted${guess}.`,
  SubscriptionPriceChanged: ({ newPrice, effectiveAt }, { visibility }) =>
    visibility.money
      ? `The price will be ${newPriceText(newPrice)} from ${timeText(effectiveAt)}.`
      : `The price will change on ${timeText(effectiveAt)}.`,
  OfferRedeemed: ({ offer }) => `An offer was redeemed (${offer.offerId ?? offer.offerType ?? 'unnamed'}).`,
  SubscriptionMetadataChanged: () => 'The developer changed the metadata of the subscription in the store.',
  SubscriptionMigrated: ({ fromChainId, toChainId }) =>
    `The store moved the subscription from ${fromChainId} to ${toChainId}.`,
  SubscriptionExpired: ({ by, purchase, reason }) => {
    const source = by === 'store' ? 'reported by the store' : 'expired without a store message';
    return `The subscription to ${purchase.storeProductId} ended (${reason.replaceAll('_', ' ')}; ${source}).`;
  },
  SubscriptionExtended: ({ previousExpiresAt, expiresAt }) => {
    const terms = expiresAt < previousExpiresAt ? 'as the store shows' : 'free of charge';
    return `The end moved from ${timeText(previousExpiresAt)} to ${timeText(expiresAt)}, ${terms}.`;
  },
  SubscriptionProductChanged: ({ fromStoreProductId, toStoreProductId, mode }) =>
    `The product changed from ${fromStoreProductId} to ${toStoreProductId} (${mode.replace('_', ' ')}).`,
  OneTimePurchaseCompleted: ({ purchase, quantity, money }, { ifMoney }) => {
    const count = quantity > 1 ? `${quantity} × ` : '';
    return `Bought ${count}${purchase.storeProductId}${ifMoney(` for ${priceText(money)}`)}.`;
  },
  TransactionRefunded: (data, { ifMoney }) => {
    const effect = data.accessRevoked ? ', which ended its purchase' : '; its purchase is unchanged';
    const { transactionId, refund } = data;
    return `Transaction ${transactionId} was refunded${ifMoney(` (${priceText(refund.money)})`)}${effect}${ownerText(data)}.`;
  },
  TransactionRefundReversed: (data) => {
    const effect = data.accessRestored ? ' and its purchase was restored' : '';
    return `The refund of transaction ${data.transactionId} was reversed${effect}${ownerText(data)}.`;
  },
  OneTimePurchasePendingCancelled: ({ purchase }) => pendingCancelledText(purchase),
  OneTimePurchaseRevoked: ({ purchase, reason }) =>
    `The purchase of ${purchase.storeProductId} was revoked (${reason.replace('_', ' ')}).`,
  RefundReversalDeferred: ({ transactionId }) =>
    `A refund of transaction ${transactionId} was reversed before the refund was reported.`,
  RefundDeclined: ({ transactionId }) => `The store declined to refund transaction ${transactionId}.`,
  ConsumptionInformationRequested: ({ transactionId, respondBy }) =>
    `The store requested consumption information for transaction ${transactionId}, due by ${timeText(respondBy)}.`,
  RefundAnswerSent: ({ transactionId, preference, decidedBy, customerConsented, refusal }) => {
    const by = decidedBy === 'policy' ? ', by the setting of the app' : '';
    const sentence = `The store was asked to ${wishes[preference]} of transaction ${transactionId}${by}`;
    if (refusal !== null) return `${sentence}, and did not take the answer: ${refusal}.`;
    return customerConsented ? `${sentence}, with the customer’s consent.` : `${sentence}.`;
  },
  TransactionPriceCorrected: (data, { ifMoney }) =>
    `The price of transaction ${data.transactionId} became known${ifMoney(`: ${priceText(data.money)}`)}${ownerText(data)}.`,
  PurchaseTransferred: ({ direction, fromCustomerId, toCustomerId, reason }) => {
    const other = direction === 'out' ? `to customer ${toCustomerId}` : `from customer ${fromCustomerId}`;
    return `A purchase was transferred ${other} (${reason}).`;
  },
  EntitlementGranted: ({ lookupKey, expiresAt }) => {
    const until = expiresAt === null ? 'with no end date' : `until ${timeText(expiresAt)}`;
    return `Promotional access to ${lookupKey} was granted ${until}.`;
  },
  EntitlementRevoked: ({ lookupKey }) => `Promotional access to ${lookupKey} was revoked.`,
  ExperimentEnrolled: ({ experimentId, variantName }) =>
    `Enrolled in experiment ${experimentId} as variant ${variantName}.`,
  AppDownloadVerified: ({ version, downloadedAt }) =>
    `First downloaded the app in version ${version}, on ${downloadedAt.slice(0, 10)}.`,
  EntitlementGrantExpired: ({ lookupKey }) => `Promotional access to ${lookupKey} expired.`,
};

/** Returns nothing for a type that only newer code defines. */
function sentenceOf<T extends keyof SubscriberEventData>(
  { type, data }: { readonly type: T; readonly data: SubscriberEventData[T] },
  wording: Wording,
): string {
  return sentences[type]?.(data, wording);
}

const wishes = {
  decline: 'decline the refund',
  grant_full: 'grant the whole refund',
  grant_prorated: 'grant a prorated refund',
};
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

function pendingCancelledText({ storeProductId }: { readonly storeProductId: string }): string {
  return `The pending purchase of ${storeProductId} was cancelled without a payment.`;
}

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
