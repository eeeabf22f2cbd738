// Event log in memory with generated customer histories, spread evenly over a time range.
import type { EventLog } from '../src/adapters/event-log/port.js';
import type { DomainEvent, LogPosition, RecordedEvent, StreamName } from '../src/domain/envelope.js';
import { streams } from '../src/domain/streams.js';
import { activityEvents, subscriberEvents } from '../src/domain/subscriber/events/events.js';

const CHARTED_PROJECT = 'proj_00000000000000000000000000';
const MONTH_MS = 30 * 86_400_000;
export const RENEWALS = 3;
/** Events per customer: created, subscription started, renewals, and seen again. */
const EVENTS_PER_CUSTOMER = 3 + RENEWALS;
const COUNTRIES = ['US', 'DE', 'JP', 'BR', 'FR', 'GB', 'IN', 'KR', 'MX', 'SE'];

/** Names the project and its customers. */
export type HistoryNames = {
  readonly projectId: string;
  customerId(n: number): string;
};
const defaultNames: HistoryNames = { projectId: CHARTED_PROJECT, customerId: (n) => `cus_${n}` };

/** Generates histories between `start` and `end`, UTC ms. */
export function historiesLog(customers: number, start: number, end: number, names = defaultNames): EventLog {
  const count = customers * EVENTS_PER_CUSTOMER;
  const apart = (end - start - (RENEWALS + 1) * MONTH_MS) / customers;
  const eventAt = (position: LogPosition): RecordedEvent => {
    const place = Number(position) - 1;
    const n = Math.floor(place / EVENTS_PER_CUSTOMER);
    return recordedEvent(position, n, place % EVENTS_PER_CUSTOMER, start + Math.floor(n * apart), names);
  };
  const refused = () => Promise.reject(new Error('this log is only followed'));
  return {
    identity: async () => 'lives',
    head: async () => positionOf(count),
    local: { at: async (positions) => positions.map(eventAt), probe: () => Promise.resolve() },
    follow: async function* ({ max }) {
      for (let from = 1; from <= count; from += max) {
        const size = Math.min(max, count - from + 1);
        const events = Array.from({ length: size }, (_, i) => eventAt(positionOf(from + i)));
        yield { events, upTo: positionOf(from + size - 1), caughtUp: from + size > count };
      }
    },
    append: refused,
    erase: refused,
    read: () => {
      throw new Error('this log is only followed');
    },
  };
}

function positionOf(n: number): LogPosition {
  return String(n).padStart(20, '0') as LogPosition;
}

function recordedEvent(
  position: LogPosition,
  n: number,
  which: number,
  joined: number,
  { projectId, customerId }: HistoryNames,
): RecordedEvent {
  const month = Math.max(0, which - 1);
  const at = new Date(joined + month * MONTH_MS).toISOString();
  const [stream, { type, data }] = eventOf(n, projectId, customerId(n), which, month, joined);
  const ids = { commandId: position, causationId: position, correlationId: position };
  const meta = {
    at,
    recordedAt: at,
    actor: { kind: 'system' as const, id: 'bench' },
    ...ids,
    projectId,
  };
  return { id: position, v: 1, meta, stream, revision: which, position, type, data };
}

function eventOf(
  n: number,
  projectId: string,
  customerId: string,
  which: number,
  month: number,
  joined: number,
): readonly [StreamName, DomainEvent] {
  const subscriber = streams.subscriber(projectId, customerId);
  const country = COUNTRIES[n % COUNTRIES.length] ?? null;
  const source = { platform: 'ios', appVersion: null, country };
  if (which === 0) {
    return [subscriber, subscriberEvents.CustomerCreated.of({ appUserId: `user-${n}`, source: 'sdk', ...source })];
  }
  if (which === EVENTS_PER_CUSTOMER - 1) {
    const day = new Date(joined + month * MONTH_MS).toISOString();
    const activity = streams.activity(projectId, day.slice(0, 7).replace('-', ''), customerId);
    return [activity, activityEvents.CustomerSeen.of(source)];
  }
  const line = `${n}`;
  const purchase = {
    subscriptionId: `sub_${n}`,
    transactionId: `${n}.${month}`,
    originalTransactionId: line,
    storeChainId: line,
    store: n % 2 === 0 ? ('ios-store' as const) : ('android-store' as const),
    appId: 'app_00000000000000000000000000',
    productId: `prod_${n % 3}`,
    storeProductId: 'com.example.pro.month',
    environment: 'production' as const,
    ownership: 'purchased' as const,
    country,
    offeringId: null,
    placementId: null,
  };
  const usd = { currency: 'USD', amountMicros: 9_990_000, usdMicros: 9_990_000, fxRate: '1', fxDate: null };
  const period = {
    purchase,
    storeTime: null,
    periodType: 'normal' as const,
    periodDuration: 'P1M',
    productDuration: 'P1M',
    purchasedAt: new Date(joined + month * MONTH_MS).toISOString(),
    expiresAt: new Date(joined + (month + 1) * MONTH_MS).toISOString(),
    money: { ...usd, taxRate: 0, commissionRate: 0.3 },
    offer: { offerType: null, offerId: null, discountType: null },
  };
  if (which > 1) {
    const renewal = { isTrialConversion: false, renewalNumber: month, recoveredFrom: null };
    return [subscriber, subscriberEvents.SubscriptionRenewed.of({ ...period, ...renewal })];
  }
  const start = { startReason: 'first_purchase' as const, previousSubscriptionId: null };
  return [subscriber, subscriberEvents.SubscriptionStarted.of({ ...period, ...start })];
}
