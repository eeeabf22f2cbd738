// Generates a log like that of a year of customers: their events interleaved by month, with store notifications in between.
import type { EventLog } from '../src/adapters/event-log/port.js';
import type { DomainEvent, NewEvent, StreamName } from '../src/domain/envelope.js';
import { customerId, eventId, type KeyedHash } from '../src/domain/ids.js';
import { inboxEvents } from '../src/domain/inbox/inbox.js';
import { streams } from '../src/domain/streams.js';
import { activityEvents, subscriberEvents } from '../src/domain/subscriber/events/events.js';

const PROJECT = 'proj_00000000000000000000000000';
const APP = 'app_00000000000000000000000000';
const PRODUCT = 'com.example.pro.month';
const MONTHS = 9;
const MONTH_MS = 30 * 86_400_000;
const START_MS = Date.parse('2025-01-06T10:00:00.000Z');
const CONCURRENT = 512;
/** Placeholder for a signed payload of the store, which has about 5 kB; this one is short. */
const RAW_BODY = JSON.stringify({ signedPayload: 'e'.repeat(1500) });

/** Appends at least `count` events and returns their number: 5 for each customer's first month, 4 for each of the next {@link MONTHS}. */
export async function appendYearOfEvents(log: Appendable, hash: KeyedHash, count: number): Promise<number> {
  const customers = Math.ceil(count / (5 + MONTHS * 4));
  let events = 0;
  for (let month = 0; month <= MONTHS; month++) {
    for (let i = 0; i < customers; i += CONCURRENT) {
      const group = Array.from({ length: Math.min(CONCURRENT, customers - i) }, (_, j) => i + j);
      const done = group.map((n) => Promise.all(eventsOf(hash, n, month).map((append) => append(log))));
      events += (await Promise.all(done)).flat().reduce((a, b) => a + b, 0);
    }
  }
  return events;
}

type Appendable = Pick<EventLog, 'append'>;
type Append = (log: Appendable) => Promise<number>;

function eventsOf(hash: KeyedHash, n: number, month: number): readonly Append[] {
  const appUserId = `user-${n}`;
  const id = customerId(hash, PROJECT, appUserId);
  const key = id.slice(4);
  const from = START_MS + month * MONTH_MS + (n % 2000) * 60_000;
  const at = new Date(from).toISOString();
  const expiresAt = new Date(from + MONTH_MS).toISOString();
  const transactionId = String(2_000_000_000 + month * 10_000_000 + n);
  const line = String(2_000_000_000 + n);
  const purchase = {
    subscriptionId: `sub_${key}`,
    transactionId,
    originalTransactionId: line,
    storeChainId: line,
    store: 'ios-store' as const,
    appId: APP,
    productId: null,
    storeProductId: PRODUCT,
    environment: 'production' as const,
    ownership: 'purchased' as const,
    country: 'US',
    offeringId: null,
    placementId: null,
  };
  const usd = { currency: 'USD', amountMicros: 9_990_000, usdMicros: 9_990_000, fxRate: '1', fxDate: null };
  const period = {
    periodType: 'normal' as const,
    periodDuration: 'P1M',
    productDuration: 'P1M',
    purchasedAt: at,
    expiresAt,
    money: { ...usd, taxRate: 0, commissionRate: 0.3 },
    offer: { offerType: null, offerId: null, discountType: null },
  };
  const subscriber = streams.subscriber(PROJECT, id);
  const inbox = streams.inbox(APP, `${key}${month}`);
  const device = { platform: 'ios', appVersion: '1.0', country: 'US' };
  const received = {
    inboxId: inbox,
    appId: APP,
    store: 'ios-store' as const,
    key: `${key}${month}`,
    notificationType: month === 0 ? 'SUBSCRIBED' : 'DID_RENEW',
    subtype: null,
    rawBody: RAW_BODY,
    decoded: { transaction: { ...purchase, purchaseDate: from, price: 9990, currency: 'USD', storefront: 'USA' } },
    signedAt: at,
  };
  const processed = { inboxId: inbox, appId: APP, outcome: 'applied' as const, reason: null, eventIds: [] };
  const bought =
    month === 0
      ? [
          subscriberEvents.CustomerCreated.of({
            appUserId,
            source: 'store',
            country: 'US',
            platform: 'ios',
            appVersion: null,
          }),
          subscriberEvents.SubscriptionStarted.of({
            purchase,
            storeTime: at,
            startReason: 'first_purchase',
            previousSubscriptionId: null,
            ...period,
          }),
        ]
      : [
          subscriberEvents.SubscriptionRenewed.of({
            purchase,
            storeTime: at,
            isTrialConversion: false,
            renewalNumber: month,
            recoveredFrom: null,
            ...period,
          }),
        ];
  return [
    appendTo(inbox, at, [
      inboxEvents.StoreNotificationReceived.of(received),
      inboxEvents.StoreNotificationProcessed.of(processed),
    ]),
    appendTo(subscriber, at, bought),
    appendTo(streams.activity(PROJECT, at.slice(0, 7).replace('-', ''), id), at, [
      activityEvents.CustomerSeen.of(device),
    ]),
  ];
}

function appendTo(stream: StreamName, at: string, events: readonly DomainEvent[]): Append {
  return async (log) => {
    const commandId = `life|${stream}|${at}`;
    const actor = { kind: 'store' as const, id: 'ios-store' };
    const meta = {
      at,
      recordedAt: at,
      actor,
      commandId,
      causationId: commandId,
      correlationId: commandId,
      projectId: PROJECT,
    };
    const batch = events.map((event, i): NewEvent => ({
      id: eventId(stream, commandId, i),
      type: event.type,
      data: event.data,
      meta,
    }));
    await log.append(stream, 'any', batch);
    return batch.length;
  };
}
