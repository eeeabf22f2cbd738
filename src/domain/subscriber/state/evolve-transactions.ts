// Applies events to the recorded transactions, and to the total spend of a customer in production, which moves with the customer (merge),
// not with a purchase (transfer).
import { touches } from '../../events.js';
import { subscriberEvents, timeOf, type KnownSubscriberEvent } from '../events/events.js';
import { transferTransaction, isPaidByOther } from './payer.js';
import type { PurchaseLine, Subscriber, Transaction, Profile } from './state.js';

type Transactions = Subscriber['transactions'];
type Of<T extends KnownSubscriberEvent['type']> = Extract<KnownSubscriberEvent, { type: T }>;

export function evolveTransactions(known: Transactions, event: KnownSubscriberEvent): Transactions {
  if (!touches(subscriberEvents, event, 'transactions')) return known;
  switch (event.type) {
    case 'SubscriptionStarted':
    case 'SubscriptionRenewed': {
      const { subscriptionId, ...purchase } = event.data.purchase;
      return withTransaction(known, newTransaction(purchase, subscriptionId, event.data));
    }
    case 'OneTimePurchaseCompleted':
      return withTransaction(known, newTransaction(event.data.purchase, null, event.data));
    case 'TransactionRefunded': {
      const { refundedAt: at, accessRevoked, refund } = event.data;
      return updateTransaction(known, event.data.transactionId, (t) => ({
        refund: {
          at,
          accessRevoked: accessRevoked || t.refund?.accessRevoked === true,
          share: Math.min(1, (t.refund?.share ?? 0) + refund.share),
        },
        refundedAts: [...t.refundedAts, at],
      }));
    }
    case 'TransactionRefundReversed':
      return updateTransaction(known, event.data.transactionId, (t) => reverseRefund(t, timeOf(event)));
    case 'RefundReversalDeferred': {
      const { transactionId, reversedAt } = event.data;
      return updateTransaction(known, transactionId, (t) => ({
        deferredReversals: [...t.deferredReversals, reversedAt],
      }));
    }
    case 'TransactionPriceCorrected':
      return updateTransaction(known, event.data.transactionId, () => ({ money: event.data.money }));
    case 'SubscriptionMigrated':
      return new Map([...known].map(([id, t]) => [id, migrateTransaction(t, event)]));
    case 'PurchaseTransferred':
      return moveTransactions(known, event);
    case 'PurchaseHistoryRevised':
      return withLineTransactions(known, event.data.line);
  }
}

function newTransaction(
  purchase: Transaction['purchase'],
  subscriptionId: string | null,
  { purchasedAt, money }: Pick<Transaction, 'purchasedAt' | 'money'>,
): Transaction {
  const untouched = { refund: null, refundedAts: [], reversedAts: [], deferredReversals: [] };
  return { transactionId: purchase.transactionId, purchase, subscriptionId, purchasedAt, money, ...untouched };
}

function reverseRefund(t: Transaction, at: string): Partial<Transaction> {
  const deferredReversals = t.deferredReversals.filter((reversedAt) => reversedAt !== at);
  return { refund: null, reversedAts: [...t.reversedAts, at], deferredReversals };
}

function migrateTransaction(t: Transaction, { data }: Of<'SubscriptionMigrated'>): Transaction {
  if (t.purchase.storeChainId !== data.fromChainId) return t;
  return { ...t, purchase: { ...t.purchase, storeChainId: data.toChainId } };
}

function moveTransactions(known: Transactions, { data }: Of<'PurchaseTransferred'>): Transactions {
  const all = new Map(known);
  for (const transaction of data.snapshot.transactions) {
    if (data.direction === 'out') all.delete(transaction.transactionId);
    else all.set(transaction.transactionId, transferTransaction(transaction, data));
  }
  return all;
}

export function withLineTransactions(known: Transactions, line: PurchaseLine): Transactions {
  const others = [...known].filter(([, t]) => t.purchase.storeChainId !== line.storeChainId);
  return new Map([...others, ...line.transactions.map((t) => [t.transactionId, t] as const)]);
}

function updateTransaction(
  known: Transactions,
  transactionId: string,
  change: (found: Transaction) => Partial<Transaction>,
): Transactions {
  const found = known.get(transactionId);
  return found ? withTransaction(known, { ...found, ...change(found) }) : known;
}

function withTransaction(known: Transactions, transaction: Transaction): Transactions {
  return new Map(known).set(transaction.transactionId, transaction);
}

export function evolveTotalSpend(profile: Profile, event: KnownSubscriberEvent): Profile {
  const micros = spendOf(event);
  return micros === 0 ? profile : { ...profile, spentMicros: profile.spentMicros + micros };
}

/** Returns the change of the customer's total spend in USD micros: negative for refunds, 0 for sandbox purchases. */
export function spendOf(event: KnownSubscriberEvent): number {
  return isSandbox(event) || isPaidByOther(event) ? 0 : usdMicrosOf(event);
}

function isSandbox({ data }: KnownSubscriberEvent): boolean {
  return 'purchase' in data && data.purchase.environment === 'sandbox';
}

function usdMicrosOf(event: KnownSubscriberEvent): number {
  if (!touches(subscriberEvents, event, 'money')) return 0;
  switch (event.type) {
    case 'SubscriptionStarted':
    case 'SubscriptionRenewed':
    case 'OneTimePurchaseCompleted':
      return event.data.money.usdMicros ?? 0;
    case 'TransactionRefunded':
      return -(event.data.refund.money.usdMicros ?? 0);
    case 'TransactionRefundReversed':
      return event.data.refund.money.usdMicros ?? 0;
    case 'TransactionPriceCorrected': {
      const { previous, money, refundedShare } = event.data;
      return Math.round(((money.usdMicros ?? 0) - (previous.usdMicros ?? 0)) * (1 - refundedShare));
    }
    case 'PurchaseHistoryRevised':
      return event.data.spentMicros;
  }
}
