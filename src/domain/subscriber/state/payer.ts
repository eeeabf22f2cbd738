// Money and its later refunds stay with the customer who paid, even after the purchase was transferred (decisions.md, fine print 12).
import type { SubscriberEvent, KnownSubscriberEvent } from '../events/events.js';
import type { PurchaseLine, Transaction } from './state.js';

/** Event that changes the money of an existing charge. */
export type MoneyEvent = Extract<
  SubscriberEvent,
  { type: 'TransactionRefunded' | 'TransactionRefundReversed' | 'TransactionPriceCorrected' }
>;

export function payerOf({ paidBy }: Transaction): Pick<Transaction, 'paidBy'> {
  return paidBy === undefined ? {} : { paidBy };
}

/** Returns the transaction as the new owner of its line stores it. After a merge both customers are one, so it has no other payer. */
export function transferTransaction(
  { paidBy: known, ...t }: PurchaseLine['transactions'][number],
  { fromCustomerId, toCustomerId, reason }: { fromCustomerId: string; toCustomerId: string; reason: string },
): Transaction {
  const paidBy = known ?? (reason === 'merge' ? undefined : fromCustomerId);
  return paidBy === undefined || paidBy === toCustomerId ? t : { ...t, paidBy };
}

/** Returns true if another customer paid: the event moves that customer's money. */
export function isPaidByOther({ data }: KnownSubscriberEvent): boolean {
  return 'paidBy' in data && data.paidBy !== undefined;
}

/** Returns true if another customer holds the purchase: only its money belongs to this one. */
export function belongsToOther({ data }: KnownSubscriberEvent): boolean {
  return 'heldBy' in data && data.heldBy !== undefined;
}
