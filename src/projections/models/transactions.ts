// One document per transaction: a customer's whole purchase history, however long, without growing the customer's document.
import type { RecordedEvent } from '../../domain/envelope.js';
import { remaining } from '../../domain/events.js';
import type { Money } from '../../domain/money.js';
import { customerIdOf } from '../../domain/streams.js';
import type { SubscriberEvent } from '../../domain/subscriber/events/events.js';
import { ofFamily } from '../runtime/events-of.js';
import { replace, type Derived, type Projection } from '../runtime/projection.js';

export type TransactionDoc = {
  readonly projectId: string;
  readonly customerId: string;
  readonly transactionId: string;
  readonly originalTransactionId: string;
  readonly subscriptionId: string | null;
  readonly appId: string;
  readonly store: string;
  readonly storeProductId: string;
  readonly environment: string;
  /** A period's type, or what kind of one-time purchase it was. */
  readonly type: string;
  /** What follows a first purchase of the same line. */
  readonly kind: 'purchase' | 'renewal';
  readonly quantity: number;
  readonly purchasedAt: string;
  readonly expiresAt: string | null;
  readonly money: Money;
  readonly refundedAt: string | null;
  /** What has been given back and not taken again, USD micros; null: not known. */
  readonly refundedUsdMicros: number | null;
  /** When the last refund was taken back. */
  readonly refundReversedAt: string | null;
  readonly country: string | null;
  readonly offeringId: string | null;
  /** ISO 8601, of this period; null for what was bought once, or where it is unknown. */
  readonly periodDuration: string | null;
};

/** A charge whose price is known and its value in USD is not. */
export type UnconvertedDoc = Pick<
  TransactionDoc,
  'projectId' | 'customerId' | 'transactionId' | 'purchasedAt' | 'money'
>;

const unconverted: Derived<TransactionDoc, UnconvertedDoc> = {
  name: 'unconverted_transactions',
  indexes: [],
  of: (doc) => {
    if (!doc || doc.money.usdMicros !== null || doc.money.amountMicros === null || doc.money.currency === null)
      return new Map();
    const { projectId, customerId, transactionId, purchasedAt, money } = doc;
    const id = transactionDocId(projectId, transactionId);
    return new Map([[id, { projectId, customerId, transactionId, purchasedAt, money }]]);
  },
  apply: replace,
};

/** Where a refund lies among the money of its project. Its id sorts right behind that of its charge. */
export type RefundDoc = Pick<TransactionDoc, 'projectId' | 'environment'> & { readonly refundedAt: string };

const refunds: Derived<TransactionDoc, RefundDoc> = {
  name: 'refunds',
  indexes: [{ name: 'money', fields: ['projectId', 'environment', 'refundedAt'] }],
  of: (doc) => {
    if (!doc || doc.refundedAt === null) return new Map();
    const { projectId, environment, transactionId, refundedAt } = doc;
    return new Map([[refundDocId(transactionDocId(projectId, transactionId)), { projectId, environment, refundedAt }]]);
  },
  apply: replace,
};

const subscriberEvent = (event: RecordedEvent) => ofFamily<SubscriberEvent>(event, 'subscriber');
export const transactionDocId = (projectId: string, transactionId: string): string => `${projectId}|${transactionId}`;

const REFUND = '|refund';
export const refundDocId = (chargeId: string): string => `${chargeId}${REFUND}`;
/** Null: the id of a charge. */
export const chargeOfRefund = (docId: string): string | null =>
  docId.endsWith(REFUND) ? docId.slice(0, -REFUND.length) : null;

const idOf = (event: RecordedEvent, transactionId: string) =>
  transactionDocId(event.meta.projectId ?? '', transactionId);

type OfNoTransaction =
  | ('CustomerCreated' | 'CustomerAttributesUpdated' | 'CustomerMerged' | 'CustomerErased' | 'CustomerMergedInto')
  | ('EntitlementGranted' | 'EntitlementRevoked' | 'EntitlementGrantExpired' | 'ExperimentEnrolled')
  | ('SubscriptionPending' | 'SubscriptionPendingCancelled')
  | ('SubscriptionAutoRenewDisabled' | 'SubscriptionAutoRenewEnabled' | 'SubscriptionConfirmed')
  | ('SubscriptionBillingIssueDetected' | 'SubscriptionGracePeriodEntered' | 'SubscriptionGracePeriodExpired')
  | 'SubscriptionBillingRetryEntered'
  | ('SubscriptionPauseScheduled' | 'SubscriptionPauseCancelled' | 'SubscriptionPaused')
  | ('SubscriptionExpired' | 'SubscriptionRevoked' | 'SubscriptionExtended' | 'SubscriptionExtensionFailed')
  | ('SubscriptionProductChangeScheduled' | 'SubscriptionProductChangeCancelled' | 'SubscriptionProductChanged')
  | ('PriceIncreaseConsentRequested' | 'PriceIncreaseAccepted' | 'SubscriptionPriceChanged')
  | ('OfferRedeemed' | 'SubscriptionMetadataChanged' | 'SubscriptionMigrated')
  | ('OneTimePurchasePendingCancelled' | 'OneTimePurchaseRevoked')
  | ('RefundReversalDeferred' | 'RefundDeclined' | 'ConsumptionInformationRequested')
  | ('PurchaseHistoryRevised' | 'StoreUpdateKept');

export const transactions: Projection<TransactionDoc> = {
  name: 'transactions',
  version: 5,
  families: ['subscriber'],
  indexes: [
    { name: 'customer', fields: ['customerId', 'purchasedAt'] },
    { name: 'money', fields: ['projectId', 'environment', 'kind', 'purchasedAt'] },
  ],
  onPoison: 'park',
  isPartitioned: true,
  keys: (stored) => {
    const event = subscriberEvent(stored);
    if (!event) return [];
    switch (event.type) {
      case 'SubscriptionStarted':
      case 'SubscriptionRenewed':
      case 'OneTimePurchaseCompleted':
        return [idOf(event, event.data.purchase.transactionId)];
      case 'TransactionRefunded':
      case 'TransactionRefundReversed':
      case 'TransactionPriceCorrected':
        // The holder's stream has the same event; this copy may come after a newer event of the holder.
        return event.data.heldBy === undefined ? [idOf(event, event.data.transactionId)] : [];
      case 'PurchaseTransferred':
        if (event.data.direction === 'out') return [];
        return event.data.snapshot.transactions.map((t) => idOf(event, t.transactionId));
      default:
        remaining<OfNoTransaction>(event);
        return [];
    }
  },
  fold: (doc, stored) => {
    const event = subscriberEvent(stored);
    if (!event) return doc;
    switch (event.type) {
      case 'SubscriptionStarted':
      case 'SubscriptionRenewed': {
        const made = bought(event, event.data.purchase, event.data.purchase.subscriptionId, event.data.periodType, 1);
        // The charge is the same one in another place: what became of its money stays.
        if (!doc || !event.meta.late) return made;
        const { money, refundedAt, refundedUsdMicros, refundReversedAt } = doc;
        return { ...made, money, refundedAt, refundedUsdMicros, refundReversedAt };
      }
      case 'OneTimePurchaseCompleted':
        return bought(event, event.data.purchase, null, event.data.productType, event.data.quantity);
      case 'TransactionRefunded':
        return doc && refunded(doc, event.data);
      case 'TransactionRefundReversed':
        return doc && { ...doc, refundedAt: null, refundedUsdMicros: 0, refundReversedAt: event.meta.at };
      case 'TransactionPriceCorrected':
        return doc && { ...doc, money: event.data.money };
      case 'PurchaseTransferred':
        return doc && { ...doc, customerId: customerIdOf(event.stream) };
      default:
        remaining<OfNoTransaction>(event);
        return doc;
    }
  },
  derived: [unconverted, refunds],
};

type Refunded = Pick<Extract<SubscriberEvent, { type: 'TransactionRefunded' }>['data'], 'refundedAt' | 'refund'>;

/** A share of the price where the store gives one, as the charts count it. */
function refunded(doc: TransactionDoc, { refundedAt, refund: { share, money } }: Refunded): TransactionDoc {
  const price = doc.money.usdMicros;
  const before = doc.refundedUsdMicros ?? 0;
  const ofPrice = share === null || price === null ? null : Math.min(Math.round(price * share), price - before);
  const given = share === null ? money.usdMicros : ofPrice;
  return { ...doc, refundedAt, refundedUsdMicros: given === null ? null : before + given };
}

type Bought = { purchasedAt: string; expiresAt: string | null; money: Money; periodDuration?: string | null };
type Purchase = Pick<
  TransactionDoc,
  | ('transactionId' | 'originalTransactionId' | 'appId' | 'store' | 'storeProductId' | 'environment')
  | ('country' | 'offeringId')
>;

function bought(
  event: RecordedEvent & { data: Bought },
  purchase: Purchase,
  subscriptionId: string | null,
  type: string,
  quantity: number,
): TransactionDoc {
  const { transactionId, originalTransactionId, appId, store, storeProductId, environment } = purchase;
  const { country, offeringId } = purchase;
  const { purchasedAt, expiresAt, money, periodDuration = null } = event.data;
  // All fields by name: there are as many of them as charges.
  return {
    projectId: event.meta.projectId ?? '',
    customerId: customerIdOf(event.stream),
    transactionId,
    originalTransactionId,
    subscriptionId,
    appId,
    store,
    storeProductId,
    environment,
    country,
    offeringId,
    periodDuration,
    type,
    kind: event.type === 'SubscriptionRenewed' ? 'renewal' : 'purchase',
    quantity,
    purchasedAt,
    expiresAt,
    money,
    refundedAt: null,
    refundedUsdMicros: 0,
    refundReversedAt: null,
  };
}
