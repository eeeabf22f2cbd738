// Converts the events of a project's log to the normal form that the chart definitions use.
import type { EventLog } from '../../../src/adapters/event-log/port.js';
import { START } from '../../../src/adapters/event-log/port.js';
import type { RecordedEvent } from '../../../src/domain/envelope.js';
import { customerIdOf } from '../../../src/domain/streams.js';
import type { ActivityEvent, SubscriberEvent } from '../../../src/domain/subscriber/events/events.js';
import type { NormalEvent } from './normal-form.js';
import { ofFamily } from '../../../src/domain/vocabulary.js';

type KnownEvent = RecordedEvent<SubscriberEvent | ActivityEvent>;

export async function recordedEvents(log: EventLog, projectId: string): Promise<readonly NormalEvent[]> {
  const stopping = new AbortController();
  const found: RecordedEvent[] = [];
  const families = ['subscriber', 'activity'] as const;
  for await (const { events, caughtUp } of log.follow({ after: START, families, max: 1000, signal: stopping.signal })) {
    found.push(...events);
    if (caughtUp) break;
  }
  stopping.abort();
  return normalEvents(found, projectId, Infinity);
}

/** Returns the events as known at an instant (UTC ms), without those that revisions had withdrawn by then. */
export function normalEvents(
  events: readonly RecordedEvent[],
  projectId: string,
  asOf: number,
): readonly NormalEvent[] {
  const own = events
    .filter(({ meta }) => meta.projectId === projectId)
    .flatMap((event): readonly KnownEvent[] => {
      const known = ofFamily(event, 'subscriber') ?? ofFamily(event, 'activity');
      return known ? [known] : [];
    });
  const superseded = new Set(
    own.flatMap((event) =>
      event.type === 'PurchaseHistoryRevised' && Date.parse(event.meta.recordedAt) < asOf
        ? event.data.superseded.map(({ eventId }) => eventId)
        : [],
    ),
  );
  return own.filter(({ id }) => !superseded.has(id)).flatMap(normal);
}

function normal(event: KnownEvent): readonly NormalEvent[] {
  const { at, recordedAt } = event.meta;
  const base = { id: event.id, type: event.type, customerId: customerIdOf(event.stream), at, recordedAt };
  const of = (more: Partial<NormalEvent>) => [{ ...base, ...more }];
  if ('paidBy' in event.data && event.data.paidBy !== undefined) return [];
  switch (event.type) {
    case 'CustomerCreated':
      return of({ country: event.data.country, platform: event.data.platform });
    case 'CustomerSeen':
      return of({});
    case 'CustomerMerged':
      return of({ mergedCustomerId: event.data.mergedCustomerId });
    case 'SubscriptionStarted':
    case 'SubscriptionRenewed': {
      const { purchase, periodType, periodDuration, productDuration, purchasedAt, expiresAt } = event.data;
      return of({
        ...bought(event.data),
        at: purchasedAt,
        subscriptionId: purchase.subscriptionId,
        ...{ periodType, periodDuration, productDuration, expiresAt },
        ...(event.type === 'SubscriptionStarted' && { startReason: event.data.startReason }),
      });
    }
    case 'OneTimePurchaseCompleted':
      return of({ ...bought(event.data), at: event.data.purchasedAt });
    case 'SubscriptionAutoRenewEnabled':
    case 'SubscriptionAutoRenewDisabled':
    case 'SubscriptionPaused':
    case 'SubscriptionRevoked':
      return of({ subscriptionId: event.data.purchase.subscriptionId });
    case 'SubscriptionGracePeriodEntered':
      return of({
        subscriptionId: event.data.purchase.subscriptionId,
        gracePeriodExpiresAt: event.data.gracePeriodExpiresAt,
      });
    case 'SubscriptionExtended':
      return of({ subscriptionId: event.data.purchase.subscriptionId, expiresAt: event.data.expiresAt });
    // A billing retry without access ends it like an expiry.
    case 'SubscriptionGracePeriodExpired':
    case 'SubscriptionBillingRetryEntered':
      return of({ type: 'SubscriptionExpired', subscriptionId: event.data.purchase.subscriptionId, reason: 'unknown' });
    case 'SubscriptionExpired': {
      const { purchase, reason, by } = event.data;
      return of({ subscriptionId: purchase.subscriptionId, reason, by });
    }
    case 'TransactionRefunded': {
      const { transactionId, refund, accessRevoked } = event.data;
      const usd = refund.money.usdMicros;
      const part = refund.share < 1 && usd !== null ? { refundUsd: usd / 1e6 } : {};
      return of({ transactionId, accessRevoked, ...part });
    }
    case 'TransactionRefundReversed':
      return of({ transactionId: event.data.transactionId });
    case 'TransactionPriceCorrected':
      return of({ transactionId: event.data.transactionId, revenueUsd: usdOf(event.data.money) });
    default:
      return [];
  }
}

type Bought = Extract<SubscriberEvent, { type: 'SubscriptionStarted' | 'OneTimePurchaseCompleted' }>['data'];

function bought({ purchase, money, offer }: Pick<Bought, 'purchase' | 'money' | 'offer'>): Partial<NormalEvent> {
  const { transactionId, store, appId, productId, offeringId, country, environment, ownership } = purchase;
  return {
    ...{ transactionId, store, appId, productId, offeringId, country, environment, ownership },
    ...{ offerType: offer.offerType, revenueUsd: usdOf(money) },
    ...{ taxRate: money.taxRate, commissionRate: money.commissionRate },
  };
}

function usdOf({ usdMicros }: { readonly usdMicros: number | null }): number | null {
  return usdMicros === null ? null : usdMicros / 1e6;
}
