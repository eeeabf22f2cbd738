// The normal form as the events that would have been recorded, in a log, in the order of recording.
import { createCodec } from '../../../src/adapters/event-log/codec.js';
import { createMemoryLog } from '../../adapters/event-log/memory.js';
import type { EventLog } from '../../../src/adapters/event-log/port.js';
import type { DomainEvent, StreamName } from '../../../src/domain/envelope.js';
import { streams } from '../../../src/domain/streams.js';
import { activityEvents, subscriberEvents as e } from '../../../src/domain/subscriber/events/events.js';
import { vocabulary } from '../../../src/domain/vocabulary.js';
import { countingBytes, memoryKeys } from '../../contract/event-log-samples.js';
import type { NormalEvent } from '../../domain/charts/normal-form.js';
import { PROJECT } from '../support/spec.js';

const iso = (text: string | undefined) => new Date(text ?? NaN).toISOString();
export const recordedAt = (event: NormalEvent): string => iso(event.recordedAt ?? event.at);

/**
 * Only what the events can express: whole refunds and corrections, of known transactions; a merge takes effect when it is recorded.
 */
export function expressible(events: readonly NormalEvent[]): NormalEvent[] {
  const charges = events.filter((p) => p.type !== 'TransactionPriceCorrected' && p.revenueUsd !== undefined);
  const boughtAt = new Map(charges.map((p) => [p.transactionId, recordedAt(p)]));
  const isKnown = (f: NormalEvent) =>
    !f.type.startsWith('Transaction') || recordedAt(f) > (boughtAt.get(f.transactionId) ?? '');
  const merges = new Map(
    events.filter((m) => m.type === 'CustomerMerged').map((m) => [m.mergedCustomerId, recordedAt(m)]),
  );
  const isNew = (f: NormalEvent) => f.type !== 'CustomerCreated' || recordedAt(f) < (merges.get(f.customerId) ?? '~');
  return events
    .filter((f) => isKnown(f) && isNew(f))
    .map(({ refundUsd: _, ...event }): NormalEvent =>
      event.type === 'CustomerMerged' ? { ...event, at: recordedAt(event) } : event,
    )
    .sort((a, b) => (recordedAt(a) < recordedAt(b) ? -1 : 1));
}

/** Appends in the order given. Events of a merged customer go to the survivor's stream. */
export async function record(
  log: EventLog,
  events: readonly NormalEvent[],
  all: readonly NormalEvent[],
): Promise<void> {
  for (const event of events) {
    const starts = all.filter((s) => s.type === 'SubscriptionStarted' && s.subscriptionId === event.subscriptionId);
    const bought = all.find((s) => !s.type.startsWith('Transaction') && s.transactionId === event.transactionId);
    const customerId = `cus_${survivorOf(event.customerId, recordedAt(event), all)}`;
    const start =
      starts[0] ?? all.find((s) => s.type === 'SubscriptionStarted' && s.subscriptionId === bought?.subscriptionId);
    for (const [stream, decided] of eventsOf(customerId, event, start ?? bought ?? event, bought ?? event)) {
      const at = iso(event.at);
      const id = `00000000-0000-4000-8000-${String((await log.head()) || 0)
        .slice(-12)
        .padStart(12, '0')}`;
      const actor = { kind: 'system' as const, id: 'tests' };
      const ids = { commandId: id, causationId: id, correlationId: id };
      const meta = { at, recordedAt: recordedAt(event), actor, ...ids, projectId: PROJECT };
      await log.append(stream, 'any', [{ id, type: decided.type, data: decided.data, meta }]);
    }
  }
}

function survivorOf(customerId: string, at: string, all: readonly NormalEvent[]): string {
  const merge = all.find((m) => m.mergedCustomerId === customerId && recordedAt(m) <= at);
  return merge ? survivorOf(merge.customerId, at, all) : customerId;
}

export function emptyLog(): EventLog {
  return createMemoryLog({ codec: createCodec(vocabulary, { keys: memoryKeys(), randomBytes: countingBytes() }) });
}

function eventsOf(
  customerId: string,
  event: NormalEvent,
  start: NormalEvent,
  bought: NormalEvent,
): [StreamName, DomainEvent][] {
  const stream = streams.subscriber(PROJECT, customerId);
  const of = (decided: DomainEvent): [StreamName, DomainEvent][] => [[stream, decided]];
  const id = event.subscriptionId ?? start.subscriptionId ?? '';
  const { country = null, platform = null } = event;
  const base = {
    transactionId: event.transactionId ?? '',
    originalTransactionId: id,
    storeChainId: id,
    store: (start.store ?? 'ios-store') as 'ios-store',
    appId: start.appId ?? 'null',
    productId: start.productId ?? null,
    storeProductId: 'any',
    environment: (start.environment ?? 'production') as 'production',
    ownership: (start.ownership ?? 'purchased') as 'purchased',
    country: start.country ?? null,
    offeringId: start.offeringId ?? null,
    placementId: null,
  };
  const purchase = { ...base, subscriptionId: id };
  const mark = { purchase, storeTime: null };
  const micros = bought.revenueUsd == null ? null : Math.round(bought.revenueUsd * 1e6);
  const rates = { taxRate: bought.taxRate ?? 0, commissionRate: bought.commissionRate ?? 0.3 };
  const money = { currency: 'USD', amountMicros: micros, usdMicros: micros, fxRate: null, fxDate: null, ...rates };
  const offer = { offerType: (start.offerType ?? null) as 'introductory' | null, offerId: null, discountType: null };
  const period = () => ({
    purchase,
    storeTime: null,
    periodType: (event.periodType ?? 'normal') as 'normal',
    periodDuration: event.periodDuration ?? null,
    productDuration: start.productDuration ?? null,
    purchasedAt: iso(event.at),
    expiresAt: iso(event.expiresAt),
    money,
    offer,
  });
  const refund = { kind: 'full' as const, share: 1, money };
  const transaction = { purchase: base, transactionId: base.transactionId, subscriptionId: null };
  switch (event.type) {
    case 'CustomerCreated':
      return of(e.CustomerCreated.of({ appUserId: customerId, source: 'sdk', country, platform, appVersion: null }));
    case 'CustomerSeen': {
      const month = iso(event.at).slice(0, 7).replace('-', '');
      const seen = activityEvents.CustomerSeen.of({ platform: null, appVersion: null, country: null });
      return [[streams.activity(PROJECT, month, customerId), seen]];
    }
    case 'CustomerMerged': {
      const mergedCustomerId = `cus_${event.mergedCustomerId ?? ''}`;
      const into = e.CustomerMergedInto.of({ customerId, appUserId: customerId });
      const names = { mergedCustomerId, mergedAppUserId: mergedCustomerId, reason: 'anonymous_identified' as const };
      const nothing = { aliases: [], grants: [], experiments: [], spentMicros: 0 };
      return [
        [streams.subscriber(PROJECT, mergedCustomerId), into],
        ...of(e.CustomerMerged.of({ ...names, ...nothing })),
      ];
    }
    case 'SubscriptionStarted': {
      const startReason = (event.startReason ?? 'first_purchase') as 'first_purchase';
      return of(e.SubscriptionStarted.of({ ...period(), startReason, previousSubscriptionId: null }));
    }
    case 'SubscriptionRenewed':
      return of(
        e.SubscriptionRenewed.of({ ...period(), isTrialConversion: false, renewalNumber: 1, recoveredFrom: null }),
      );
    case 'SubscriptionAutoRenewDisabled':
      return of(e.SubscriptionAutoRenewDisabled.of({ ...mark, reason: 'unsubscribe', effectiveAt: iso(event.at) }));
    case 'SubscriptionAutoRenewEnabled':
      return of(e.SubscriptionAutoRenewEnabled.of(mark));
    case 'SubscriptionGracePeriodEntered':
      return of(
        e.SubscriptionGracePeriodEntered.of({ ...mark, gracePeriodExpiresAt: iso(event.gracePeriodExpiresAt) }),
      );
    case 'SubscriptionExtended': {
      const expiresAt = iso(event.expiresAt);
      return of(e.SubscriptionExtended.of({ ...mark, previousExpiresAt: expiresAt, expiresAt }));
    }
    case 'SubscriptionExpired': {
      const reason = (event.reason ?? 'unknown') as 'unknown';
      return of(e.SubscriptionExpired.of({ ...mark, reason, by: (event.by ?? 'store') as 'store' }));
    }
    case 'SubscriptionPaused':
      return of(e.SubscriptionPaused.of({ ...mark, autoResumeAt: null }));
    case 'SubscriptionRevoked':
      return of(e.SubscriptionRevoked.of({ ...mark, reason: 'store' }));
    case 'TransactionPriceCorrected': {
      const usdMicros = event.revenueUsd == null ? null : Math.round(event.revenueUsd * 1e6);
      const corrected = { ...money, usdMicros };
      return of(
        e.TransactionPriceCorrected.of({ ...transaction, money: corrected, previous: money, refundedShare: 0 }),
      );
    }
    case 'OneTimePurchaseCompleted': {
      const goods = { productType: 'consumable' as const, quantity: 1, purchasedAt: iso(event.at), expiresAt: null };
      return of(e.OneTimePurchaseCompleted.of({ purchase: base, ...goods, money, offer }));
    }
    case 'TransactionRefunded': {
      const accessRevoked = event.accessRevoked ?? true;
      const outcome = { isLatest: true, accessRevoked, policy: 'revoke_immediately' as const };
      return of(e.TransactionRefunded.of({ ...transaction, refundedAt: iso(event.at), refund, ...outcome }));
    }
    default:
      return of(e.TransactionRefundReversed.of({ ...transaction, refund, accessRestored: true }));
  }
}
