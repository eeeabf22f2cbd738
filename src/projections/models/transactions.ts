// One document per transaction, so that a long purchase history does not grow the customer's document.
import type { RecordedEvent } from '../../domain/envelope.js';
import { remaining, touches } from '../../domain/events.js';
import type { Money } from '../../domain/money.js';
import { customerIdOf } from '../../domain/streams.js';
import { subscriberEvents, type SubscriberEvent } from '../../domain/subscriber/events/events.js';
import { moneyMovesOf, moveDocId, withChange, withMoneyHistory, type MoneyFields } from './transaction-money.js';
import { defineProjection, replace, type DerivedProjection, type Projection } from '../runtime/projection.js';
import type { AppStore } from '../../domain/store-kinds.js';
import type { Environment, PeriodType } from '../../domain/subscriber/events/blocks.js';
import type { ProductType } from '../../domain/catalog/products.js';
import { ofFamily } from '../../domain/vocabulary.js';

export type TransactionDoc = MoneyFields & {
  readonly projectId: string;
  readonly customerId: string;
  /** Customer who paid; omitted until the purchase is transferred. */
  readonly paidBy?: string;
  readonly transactionId: string;
  readonly originalTransactionId: string;
  readonly subscriptionId: string | null;
  readonly appId: string;
  readonly store: AppStore;
  readonly storeProductId: string;
  readonly environment: Environment;
  /** Type of the period, or product type of the one-time purchase. */
  readonly type: PeriodType | ProductType;
  /** `renewal`: follows an earlier purchase of the same line. */
  readonly kind: 'purchase' | 'renewal';
  readonly quantity: number;
  readonly purchasedAt: string;
  readonly expiresAt: string | null;
  readonly country: string | null;
  readonly offeringId: string | null;
  /** Duration of this period, ISO 8601; null for a one-time purchase or if unknown. */
  readonly periodDuration: string | null;
  /** Change to another product that ended the period before `expiresAt`; absent if there is none. */
  readonly replaced?: { readonly eventId: string; readonly at: string };
};

/** A charge with a known price and an unknown value in USD. */
export type UnconvertedDoc = Pick<
  TransactionDoc,
  'projectId' | 'customerId' | 'transactionId' | 'purchasedAt' | 'money'
>;

const unconverted: DerivedProjection<TransactionDoc, UnconvertedDoc> = {
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

/** Index entry of a refund among the money of its project. Its id sorts directly after that of its charge. */
export type RefundDoc = Pick<TransactionDoc, 'projectId' | 'environment'> & { readonly refundedAt: string };

const refunds: DerivedProjection<TransactionDoc, RefundDoc> = {
  name: 'refunds',
  indexes: [{ name: 'money', fields: ['projectId', 'environment', 'refundedAt'] }],
  of: (doc) => {
    if (!doc || doc.refundedAt === null) return new Map();
    const { projectId, environment, transactionId, refundedAt } = doc;
    return new Map([[refundDocId(transactionDocId(projectId, transactionId)), { projectId, environment, refundedAt }]]);
  },
  apply: replace,
};

/** Index entry of one refund or reversal, also of a refund that was taken back. Its id begins with that of its charge. */
export type MoneyMoveDoc = Pick<TransactionDoc, 'projectId' | 'environment'> & { readonly at: string };

const moneyMoves: DerivedProjection<TransactionDoc, MoneyMoveDoc> = {
  name: 'money_moves',
  indexes: [{ name: 'money', fields: ['projectId', 'environment', 'at'] }],
  of: (doc) => {
    if (!doc?.moneyHistory) return new Map();
    const { projectId, environment, transactionId } = doc;
    const chargeId = transactionDocId(projectId, transactionId);
    return new Map(moneyMovesOf(doc).map(({ at }, i) => [moveDocId(chargeId, i), { projectId, environment, at }]));
  },
  apply: replace,
};

export const transactionDocId = (projectId: string, transactionId: string): string => `${projectId}|${transactionId}`;

const REFUND = '|refund';
export const refundDocId = (chargeId: string): string => `${chargeId}${REFUND}`;
/** Returns the id of the refund's charge; null if the id is that of a charge. */
export const chargeOfRefund = (docId: string): string | null =>
  docId.endsWith(REFUND) ? docId.slice(0, -REFUND.length) : null;

const idOf = (event: RecordedEvent, transactionId: string) =>
  transactionDocId(event.meta.projectId ?? '', transactionId);

type IgnoredEvent = 'RefundReversalDeferred' | 'SubscriptionMigrated';

type ProductChange = Extract<SubscriberEvent, { type: 'SubscriptionProductChanged' }>['data'];

const moneyChanges: ReadonlySet<string> = new Set<SubscriberEvent['type']>([
  'TransactionRefunded',
  'TransactionRefundReversed',
  'TransactionPriceCorrected',
]);

/** Types of events whose part of a document a revision removes. */
const revocableChanges: ReadonlySet<string> = new Set([...moneyChanges, 'SubscriptionProductChanged']);

export const transactions: Projection<TransactionDoc> = defineProjection({
  name: 'transactions',
  version: 8,
  families: ['subscriber'],
  indexes: [
    { name: 'customer', fields: ['customerId', 'purchasedAt'] },
    { name: 'money', fields: ['projectId', 'environment', 'kind', 'purchasedAt'] },
  ],
  isPartitioned: true,
  select: (stored) => {
    const event = ofFamily(stored, 'subscriber');
    if (!event) return null;
    return event.type === 'SubscriptionProductChanged' || touches(subscriberEvents, event, 'transactions')
      ? event
      : null;
  },
  keys: (event) => {
    switch (event.type) {
      case 'SubscriptionStarted':
      case 'SubscriptionRenewed':
      case 'OneTimePurchaseCompleted':
        return [idOf(event, event.data.purchase.transactionId)];
      case 'TransactionRefunded':
      case 'TransactionRefundReversed':
      case 'TransactionPriceCorrected':
        // The holder's stream has the same event; this copy may arrive after a newer event of the holder.
        return event.data.heldBy === undefined ? [idOf(event, event.data.transactionId)] : [];
      case 'SubscriptionProductChanged':
        return isReplacement(event.data) ? [idOf(event, event.data.purchase.transactionId)] : [];
      case 'PurchaseTransferred':
        if (event.data.direction === 'out') return [];
        return event.data.snapshot.transactions.map((t) => idOf(event, t.transactionId));
      case 'PurchaseHistoryRevised': {
        const changed = event.data.superseded.filter(({ type }) => revocableChanges.has(type));
        return [...new Set(changed.flatMap(({ transactionId }) => transactionId ?? []))].map((id) => idOf(event, id));
      }
      default:
        remaining<IgnoredEvent>(event);
        return [];
    }
  },
  fold: (doc, event) => {
    switch (event.type) {
      case 'SubscriptionStarted':
      case 'SubscriptionRenewed': {
        const { purchase, periodType } = event.data;
        return applyCharge(doc, event, newTransaction(event, purchase, purchase.subscriptionId, periodType, 1));
      }
      case 'OneTimePurchaseCompleted': {
        const { purchase, productType, quantity } = event.data;
        return applyCharge(doc, event, newTransaction(event, purchase, null, productType, quantity));
      }
      case 'TransactionRefunded': {
        const { refundedAt: at, refund } = event.data;
        return doc && withChange(doc, { eventId: event.id, kind: 'refund', at, share: refund.share });
      }
      case 'TransactionRefundReversed':
        return doc && withChange(doc, { eventId: event.id, kind: 'reversal', at: event.meta.at });
      case 'TransactionPriceCorrected':
        return doc && withChange(doc, { eventId: event.id, kind: 'price', money: event.data.money });
      case 'SubscriptionProductChanged':
        return doc && { ...doc, replaced: { eventId: event.id, at: event.meta.at } };
      case 'PurchaseHistoryRevised': {
        const superseded = new Set(event.data.superseded.map(({ eventId }) => eventId));
        if (doc?.replaced && superseded.has(doc.replaced.eventId)) doc = withoutReplacement(doc);
        if (!doc?.moneyHistory) return doc;
        const changes = doc.moneyHistory.changes.filter(({ eventId }) => !superseded.has(eventId));
        return withMoneyHistory(doc, { charged: doc.moneyHistory.charged, changes });
      }
      case 'PurchaseTransferred':
        return doc && { ...doc, customerId: customerIdOf(event.stream), paidBy: doc.paidBy ?? doc.customerId };
      default:
        remaining<IgnoredEvent>(event);
        return doc;
    }
  },
  derived: [unconverted, refunds, moneyMoves],
});

/** A late charge replaces one that is stored already, at another place or with another price: its money changes are retained. */
function applyCharge(doc: TransactionDoc | undefined, { meta }: RecordedEvent, charge: TransactionDoc): TransactionDoc {
  if (!doc || !meta.late) return charge;
  const replaced = doc.replaced ? { ...charge, replaced: doc.replaced } : charge;
  if (!doc.moneyHistory) return replaced;
  return withMoneyHistory(replaced, { charged: charge.money, changes: doc.moneyHistory.changes });
}

/** Returns true for an upgrade. A product that changes within a trial continues the same subscription. */
function isReplacement({ mode, toSubscriptionId, purchase }: ProductChange): boolean {
  return mode === 'immediate' && toSubscriptionId !== purchase.subscriptionId;
}

function withoutReplacement({ replaced: _, ...doc }: TransactionDoc): TransactionDoc {
  return doc;
}

type ChargeData = { purchasedAt: string; expiresAt: string | null; money: Money; periodDuration?: string | null };
type Purchase = Pick<
  TransactionDoc,
  | ('transactionId' | 'originalTransactionId' | 'appId' | 'store' | 'storeProductId' | 'environment')
  | ('country' | 'offeringId')
>;

function newTransaction(
  event: RecordedEvent & { data: ChargeData },
  purchase: Purchase,
  subscriptionId: string | null,
  type: TransactionDoc['type'],
  quantity: number,
): TransactionDoc {
  const { transactionId, originalTransactionId, appId, store, storeProductId, environment } = purchase;
  const { country, offeringId } = purchase;
  const { purchasedAt, expiresAt, money, periodDuration = null } = event.data;
  // All fields are listed for speed: this runs once per charge.
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
