// Past money stays with the customer who paid, and so does what undoes it, whoever holds the purchase by now (decisions.md, fine print 12).
import type { SubscriberEvent } from '../events/events.js';
import type { KnownSubscriberEvent } from '../events/known-event.js';
import type { PurchaseLine, Transaction } from './state.js';

/** What changes the money of a charge after it was made. */
export type MoneyEvent = Extract<
  SubscriberEvent,
  { type: 'TransactionRefunded' | 'TransactionRefundReversed' | 'TransactionPriceCorrected' }
>;

export function payerOf({ paidBy }: Transaction): Pick<Transaction, 'paidBy'> {
  return paidBy === undefined ? {} : { paidBy };
}

/** A transaction as the taker of its line holds it. A merge makes two customers one, so it leaves no other behind who paid. */
export function taken(
  { paidBy: known, ...t }: PurchaseLine['transactions'][number],
  { fromCustomerId, toCustomerId, reason }: { fromCustomerId: string; toCustomerId: string; reason: string },
): Transaction {
  const paidBy = known ?? (reason === 'merge' ? undefined : fromCustomerId);
  return paidBy === undefined || paidBy === toCustomerId ? t : { ...t, paidBy };
}

/** The money it moves is another customer's. */
export function isPaidByOther({ data }: KnownSubscriberEvent): boolean {
  return 'paidBy' in data && data.paidBy !== undefined;
}

/** The purchase is another customer's; only its money is this one's. */
export function belongsToOther({ data }: KnownSubscriberEvent): boolean {
  return 'heldBy' in data && data.heldBy !== undefined;
}
