// Rules for prices and rates that become known after the charge was recorded.
import type { Money } from '../../money.js';
import { subscriberEvents as e, type SubscriberEvent } from '../events/events.js';
import { payerOf } from '../state/payer.js';
import type { Transaction } from '../state/state.js';

/** Only what was unknown is filled in; a charge that was recorded with a price keeps it. */
export function correctPrice({ money }: { readonly money: Money }, known: Transaction): SubscriberEvent[] {
  if (!isRicher(money, known.money)) return [];
  const { purchase, transactionId, subscriptionId, refund } = known;
  const data = { purchase, transactionId, subscriptionId, ...payerOf(known), previous: known.money, money };
  return [e.TransactionPriceCorrected.of({ ...data, refundedShare: refund?.share ?? 0 }, { at: known.purchasedAt })];
}

function isRicher(learned: Money, known: Money): boolean {
  if (known.amountMicros === null) return learned.amountMicros !== null;
  const isSame = learned.amountMicros === known.amountMicros && learned.currency === known.currency;
  return isSame && known.usdMicros === null && learned.usdMicros !== null;
}
