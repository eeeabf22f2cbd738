// One document per transaction: a customer's whole purchase history, however long, without growing the customer's document.
import type { RecordedEvent } from '../domain/envelope.js';
import type { Money } from '../domain/money.js';
import { customerIdOf } from '../domain/streams.js';
import type { SubscriberEvent } from '../domain/subscriber/events.js';
import { ofFamily } from './events-of.js';
import { replace, type Derived, type Projection } from './projection.js';

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
  readonly quantity: number;
  readonly purchasedAt: string;
  readonly expiresAt: string | null;
  readonly money: Money;
  readonly refundedAt: string | null;
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

const subscriberEvent = (event: RecordedEvent) => ofFamily<SubscriberEvent>(event, 'subscriber');
export const transactionDocId = (projectId: string, transactionId: string): string => `${projectId}|${transactionId}`;

const idOf = (event: RecordedEvent, transactionId: string) =>
  transactionDocId(event.meta.projectId ?? '', transactionId);

export const transactions: Projection<TransactionDoc> = {
  name: 'transactions',
  version: 3,
  families: ['subscriber'],
  indexes: [{ name: 'customer', fields: ['customerId', 'purchasedAt'] }],
  onPoison: 'park',
  isPartitioned: true,
  keys: (stored) => {
    const event = subscriberEvent(stored);
    switch (event?.type) {
      case 'SubscriptionStarted':
      case 'SubscriptionRenewed':
      case 'OneTimePurchaseCompleted':
        return [idOf(event, event.data.purchase.transactionId)];
      case 'TransactionRefunded':
      case 'TransactionRefundReversed':
      case 'TransactionPriceCorrected':
        // The holder's event says the same; this one may come after a later word of the holder's.
        return event.data.heldBy === undefined ? [idOf(event, event.data.transactionId)] : [];
      case 'PurchaseTransferred':
        if (event.data.direction === 'out') return [];
        return event.data.snapshot.transactions.map((t) => idOf(event, t.transactionId));
      default:
        return [];
    }
  },
  fold: (doc, stored) => {
    const event = subscriberEvent(stored);
    switch (event?.type) {
      case 'SubscriptionStarted':
      case 'SubscriptionRenewed': {
        const made = bought(event, event.data.purchase, event.data.purchase.subscriptionId, event.data.periodType, 1);
        // The charge is the same one in another place: what became of its money stays.
        return doc && event.meta.late ? { ...made, money: doc.money, refundedAt: doc.refundedAt } : made;
      }
      case 'OneTimePurchaseCompleted':
        return bought(event, event.data.purchase, null, event.data.productType, event.data.quantity);
      case 'TransactionRefunded':
        return doc && { ...doc, refundedAt: event.data.refundedAt };
      case 'TransactionRefundReversed':
        return doc && { ...doc, refundedAt: null };
      case 'TransactionPriceCorrected':
        return doc && { ...doc, money: event.data.money };
      case 'PurchaseTransferred':
        return doc && { ...doc, customerId: customerIdOf(event.stream) };
      default:
        return doc;
    }
  },
  derived: [unconverted],
};

type Bought = { purchasedAt: string; expiresAt: string | null; money: Money };
type Purchase = Pick<
  TransactionDoc,
  'transactionId' | 'originalTransactionId' | 'appId' | 'store' | 'storeProductId' | 'environment'
>;

function bought(
  event: RecordedEvent & { data: Bought },
  purchase: Purchase,
  subscriptionId: string | null,
  type: string,
  quantity: number,
): TransactionDoc {
  const { transactionId, originalTransactionId, appId, store, storeProductId, environment } = purchase;
  const { purchasedAt, expiresAt, money } = event.data;
  const named = { transactionId, originalTransactionId, subscriptionId, appId, store, storeProductId, environment };
  const customerId = customerIdOf(event.stream);
  const projectId = event.meta.projectId ?? '';
  return { projectId, customerId, ...named, type, quantity, purchasedAt, expiresAt, money, refundedAt: null };
}
