// The money of a subscriber's charges as receivers have been sent it, folded from the events that were sent.
import type { RecordedEvent } from '../envelope.js';
import { touches } from '../events.js';
import type { Money } from '../money.js';
import { subscriberEvents, type SubscriberEvent } from '../subscriber/events/events.js';

/** `refundedShare`: refunded share of the charge, 0 to 1. */
export type KnownCharge = {
  readonly money: Money;
  readonly refundedShare: number;
  /** Null if only a corrected price of the charge was sent. */
  readonly purchasedAt: string | null;
};
/** Charges by transaction id, without purchases transferred from another customer, where their money stays. */
export type KnownCharges = ReadonlyMap<string, KnownCharge>;

export function evolveKnownCharges(known: KnownCharges, event: RecordedEvent<SubscriberEvent>): KnownCharges {
  if (!touches(subscriberEvents, event, 'money')) return known;
  switch (event.type) {
    case 'SubscriptionStarted':
    case 'SubscriptionRenewed':
    case 'OneTimePurchaseCompleted': {
      const { purchase, money, purchasedAt } = event.data;
      return updateCharge(known, purchase.transactionId, { money, purchasedAt });
    }
    case 'TransactionPriceCorrected':
      return updateCharge(known, event.data.transactionId, { money: event.data.money });
    case 'TransactionRefunded': {
      // It replaces a refund that is already counted.
      if (event.meta.late === 'announced') return known;
      const { transactionId, refund } = event.data;
      const before = known.get(transactionId)?.refundedShare ?? 0;
      return updateCharge(known, transactionId, { refundedShare: Math.min(1, before + refund.share) });
    }
    case 'TransactionRefundReversed':
      return updateCharge(known, event.data.transactionId, { refundedShare: 0 });
    case 'PurchaseHistoryRevised':
      return known;
  }
}

function updateCharge(known: KnownCharges, transactionId: string, change: Partial<KnownCharge>): KnownCharges {
  const before = known.get(transactionId);
  const {
    money = before?.money,
    refundedShare = before?.refundedShare ?? 0,
    purchasedAt = before?.purchasedAt ?? null,
  } = change;
  if (money === undefined) return known;
  return new Map(known).set(transactionId, { money, refundedShare, purchasedAt });
}
