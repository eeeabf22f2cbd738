// Total spend of a customer in production. It moves with the customer (merge), not with a purchase (transfer).
import { touches } from '../../events.js';
import { subscriberEvents } from '../events/events.js';
import type { KnownSubscriberEvent } from '../events/known-event.js';
import { isPaidByOther } from './payer.js';
import type { Profile } from './state.js';

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
