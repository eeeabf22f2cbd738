// The money of a subscriber's charges as receivers have been sent it, folded from the events that were sent.
import type { RecordedEvent } from '../envelope.js';
import { touches } from '../events.js';
import type { Money } from '../money.js';
import { subscriberEvents, type SubscriberEvent } from '../subscriber/events/events.js';

/** `refundedShare`: refunded share of the charge, 0 to 1. */
type KnownCharge = {
  readonly money: Money;
  readonly refundedShare: number;
  /** Null if only a corrected price of the charge was sent. */
  readonly purchasedAt: string | null;
};
/** Charges by transaction id, those of purchases that came from another customer included. */
export type KnownCharges = ReadonlyMap<string, KnownCharge>;

export function evolveKnownCharges(known: KnownCharges, event: RecordedEvent<SubscriberEvent>): KnownCharges {
  if (event.type === 'PurchaseTransferred') return event.data.direction === 'in' ? withLine(known, event.data) : known;
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

type TransferredPurchase = Extract<SubscriberEvent, { type: 'PurchaseTransferred' }>['data'];

function withLine(known: KnownCharges, { snapshot }: TransferredPurchase): KnownCharges {
  const moved = snapshot.transactions.map(({ transactionId, money, refund, purchasedAt }): [string, KnownCharge] => [
    transactionId,
    { money, refundedShare: refund?.share ?? 0, purchasedAt },
  ]);
  return new Map([...known, ...moved]);
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
