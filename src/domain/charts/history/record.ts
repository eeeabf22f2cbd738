// Conversion of domain events to entries of a customer's history; no other module does this.
import type { RecordedEvent } from '../../envelope.js';
import { touches } from '../../events.js';
import type { OneTimePurchaseRef, SubscriptionPurchaseRef } from '../../subscriber/events/blocks.js';
import {
  subscriberEvents,
  type ActivityEvent,
  type SubscriberEvent,
  type SubscriberTypesTouching,
} from '../../subscriber/events/events.js';
import type { About, Adjustment, History, Mark, Origin, Period, Stamp } from './history.js';

type Of<T extends SubscriberEvent['type']> = RecordedEvent<Extract<SubscriberEvent, { type: T }>>;

/** Events of the customer as a whole: `withdraw.ts` handles revisions, the read model handles merges. */
type CustomerLevelType = 'CustomerMerged' | 'PurchaseHistoryRevised';
export type ChartEventType = Exclude<SubscriberTypesTouching<'charts'>, CustomerLevelType> | 'CustomerSeen';
type Recordable = Exclude<RecordedEvent<SubscriberEvent | ActivityEvent>, { type: CustomerLevelType }>;

/** Returns the history after the event; the same object if the event affects no measure. */
export function record(h: History, event: Recordable): History {
  if (event.type !== 'CustomerSeen' && !touches(subscriberEvents, event, 'charts')) return h;
  if ('paidBy' in event.data && event.data.paidBy !== undefined) return h;
  const stamp = stampOf(event);
  switch (event.type) {
    case 'CustomerCreated': {
      // A customer that returns after an erasure is created again.
      if (h.created) return { ...h, seen: [...h.seen, { ...stamp, by: event.type }] };
      const { country, platform } = event.data;
      return { ...h, created: { ...stamp, country, platform } };
    }
    case 'CustomerSeen':
      return { ...h, seen: [...h.seen, stamp] };
    case 'SubscriptionStarted':
    case 'SubscriptionRenewed':
      return withPeriod(h, event.data.purchase.subscriptionId, event, {
        known: stamp.known,
        until: Date.parse(event.data.expiresAt),
        type: event.data.periodType,
        duration: event.data.periodDuration,
      });
    case 'OneTimePurchaseCompleted':
      return withPeriod(h, event.data.purchase.transactionId, event, {
        known: stamp.known,
        until: null,
        type: 'one_time',
        duration: null,
      });
    case 'SubscriptionAutoRenewEnabled':
      return withMark(h, event, { ...stamp, kind: 'renew_on' });
    case 'SubscriptionAutoRenewDisabled':
      return withMark(h, event, { ...stamp, kind: 'renew_off' });
    case 'SubscriptionGracePeriodEntered':
      return withMark(h, event, { ...stamp, kind: 'grace', until: Date.parse(event.data.gracePeriodExpiresAt) });
    case 'SubscriptionExtended':
      return withMark(h, event, { ...stamp, kind: 'extended', until: Date.parse(event.data.expiresAt) });
    case 'SubscriptionGracePeriodExpired':
    case 'SubscriptionBillingRetryEntered':
    case 'SubscriptionPaused':
    case 'SubscriptionRevoked':
      return withMark(h, event, { ...stamp, kind: 'cut', by: event.type });
    case 'SubscriptionExpired':
      return isEcho(event.data) ? h : withMark(h, event, { ...stamp, kind: 'cut' });
    case 'TransactionRefunded':
      return withAdjustment(h, event.data.transactionId, refundOf(event));
    case 'TransactionRefundReversed':
      return withAdjustment(h, event.data.transactionId, { ...stamp, kind: 'reversal' });
    case 'TransactionPriceCorrected': {
      const corrected = { ...stamp, kind: 'corrected' as const, usd: event.data.money.usdMicros };
      return withAdjustment(h, event.data.transactionId, corrected);
    }
  }
}

/**
 * Returns whether the expiry only repeats a known end: a refund ends access by itself and may be reversed, and the deadlines worker records
 * what elapsed time already ended.
 */
export function isEcho({
  reason,
  by,
}: {
  readonly reason?: string | undefined;
  readonly by?: string | undefined;
}): boolean {
  return reason === 'customer_support' || by === 'sweeper';
}

export function stampOf({ meta }: Pick<RecordedEvent, 'meta'>): Stamp {
  return { at: Date.parse(meta.at), known: Date.parse(meta.recordedAt) };
}

type Purchase = Of<'SubscriptionStarted' | 'SubscriptionRenewed' | 'OneTimePurchaseCompleted'>;

type Term = Pick<Period, 'known' | 'until' | 'type' | 'duration'>;

function withPeriod(h: History, id: string, event: Purchase, o: Term): History {
  const { purchase, money, purchasedAt } = event.data;
  // All fields by name instead of a spread: millions of periods are created.
  const period: Period = {
    until: o.until,
    type: o.type,
    duration: o.duration,
    id: purchase.transactionId,
    at: Date.parse(purchasedAt),
    known: o.known,
    usd: money.usdMicros,
    tax: money.taxRate,
    fee: money.commissionRate,
    ...(event.type === 'SubscriptionStarted' && { by: event.type }),
  };
  const known = h.lines[id];
  const isStarted = event.type !== 'SubscriptionRenewed';
  const keeps = known && known.periods.length > 0 && (known.isStarted || !isStarted);
  const origin = keeps ? known : { ...originOf(purchase, termsOf(event)), isStarted };
  const line = { ...origin, periods: [...(known?.periods ?? []), period], marks: known?.marks ?? [] };
  return { ...h, lines: { ...h.lines, [id]: line } };
}

type Terms = Pick<About, 'productDuration' | 'offerType' | 'startReason'>;
const noTerms: Terms = { productDuration: null, offerType: null, startReason: null };

function termsOf({ type, data }: Purchase): Terms {
  const { offerType } = data.offer;
  if (type === 'OneTimePurchaseCompleted') return { ...noTerms, offerType };
  const startReason = type === 'SubscriptionStarted' ? data.startReason : null;
  return { productDuration: data.productDuration, offerType, startReason };
}

function originOf(purchase: OneTimePurchaseRef, terms: Terms): Origin {
  const { store, appId, productId, storeProductId, offeringId, country, environment, ownership } = purchase;
  const unlisted = productId === null ? { storeProductId } : {};
  const about = { store, appId, productId, ...unlisted, offeringId, country, ...terms };
  return { about, isSandbox: environment === 'sandbox', isShared: ownership === 'family_shared' };
}

type OfLine = { readonly data: { readonly purchase: SubscriptionPurchaseRef } };

/** Adds a mark; the periods of the line may belong to a customer that was merged in. */
function withMark(h: History, { data: { purchase } }: OfLine, mark: Mark): History {
  const id = purchase.subscriptionId;
  const line = h.lines[id] ?? { ...originOf(purchase, noTerms), isStarted: false, periods: [], marks: [] };
  return { ...h, lines: { ...h.lines, [id]: { ...line, marks: [...line.marks, mark] } } };
}

function refundOf(event: Of<'TransactionRefunded'>): Adjustment {
  const { purchase, refund, accessRevoked, policy, isLatest } = event.data;
  const { usdMicros, taxRate, commissionRate } = refund.money;
  return {
    ...stampOf(event),
    kind: 'refund',
    usd: usdMicros,
    share: refund.share,
    cuts: accessRevoked,
    policy,
    isLatest,
    purchase: { ...originOf(purchase, noTerms), tax: taxRate, fee: commissionRate },
  };
}

function withAdjustment(h: History, id: string, adjustment: Adjustment): History {
  return { ...h, adjustments: { ...h.adjustments, [id]: [...(h.adjustments[id] ?? []), adjustment] } };
}
