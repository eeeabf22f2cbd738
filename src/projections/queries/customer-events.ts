// A customer's events in the log: its own stream, the streams of customers merged into it, and the app's custom events, which are in
// streams by month; and which of them a timeline shows after the history of a purchase was revised.
import { readStream, type EventLog } from '../../adapters/event-log/port.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import { streams } from '../../domain/streams.js';
import type { ActivityEvent, SubscriberEvent } from '../../domain/subscriber/events/events.js';
import { evolveProfile } from '../../domain/subscriber/state/evolve.js';
import { noProfile } from '../../domain/subscriber/state/state.js';
import { isoFromMs, monthsBetween, msFromIso, utcMonth } from '../../domain/time.js';
import { isKnown } from '../../domain/vocabulary.js';

/** The events of one stream, oldest first. */
export type EventHistory = readonly RecordedEvent<SubscriberEvent>[];

/** Events of the customer, then those of the customers merged into it. */
export type CustomerEvents = readonly [EventHistory, ...EventHistory[]];

/** `asOf`: excludes events recorded later (ISO 8601 UTC); undefined: all events. */
export async function readCustomerEvents(
  log: EventLog,
  projectId: string,
  customerId: string,
  asOf?: string,
): Promise<CustomerEvents> {
  const { own } = await readOwn(log, projectId, customerId, asOf);
  return withMerged(log, projectId, own, asOf);
}

/** Follows merges up to `asOf`. Returns undefined if the customer was unknown then or was erased later. */
export async function readCustomerEventsAsOf(
  log: EventLog,
  projectId: string,
  customerId: string,
  asOf: string,
): Promise<CustomerEvents | undefined> {
  const { own, isErased } = await readOwn(log, projectId, customerId, asOf);
  if (isErased) return undefined;
  const { status, mergedInto } = own.filter(isKnown).reduce(evolveProfile, noProfile);
  if (mergedInto) return readCustomerEventsAsOf(log, projectId, mergedInto.customerId, asOf);
  return status === 'known' ? withMerged(log, projectId, own, asOf) : undefined;
}

/** `isErased`: erased after `asOf`. Recording times never decrease within a stream. */
async function readOwn(log: EventLog, projectId: string, customerId: string, asOf: string | undefined) {
  const own: RecordedEvent<SubscriberEvent>[] = [];
  let isErased = false;
  for await (const event of readStream(log, streams.subscriber(projectId, customerId))) {
    if (asOf !== undefined && event.meta.recordedAt > asOf) isErased ||= event.type === 'CustomerErased';
    else own.push(event);
  }
  return { own, isErased };
}

async function withMerged(
  log: EventLog,
  projectId: string,
  own: EventHistory,
  asOf: string | undefined,
): Promise<CustomerEvents> {
  const merged = own.flatMap((e) => (e.type === 'CustomerMerged' ? [e.data.mergedCustomerId] : []));
  const others = await Promise.all(merged.map((id) => readCustomerEvents(log, projectId, id, asOf)));
  return [own, ...others.flat()];
}

export type CustomEventRecord = Extract<RecordedEvent<ActivityEvent>, { type: 'CustomEventRecorded' }>;

/** Exceeds the number of days by which an app may send an event late. */
const BEFORE_MS = 8 * 86_400_000;
const AHEAD_MS = 86_400_000;

/** Returns the custom events recorded by `until`, in the order of the log. `since`: creation time of the customer. */
export async function customEventsOf(
  log: EventLog,
  o: { readonly projectId: string; readonly customerId: string; readonly since: string; readonly until: string },
): Promise<readonly CustomEventRecord[]> {
  const [from, to] = [isoFromMs(msFromIso(o.since) - BEFORE_MS), isoFromMs(msFromIso(o.until) + AHEAD_MS)];
  const found: CustomEventRecord[] = [];
  for (const month of monthsBetween(utcMonth(from), utcMonth(to))) {
    for await (const event of readStream(log, streams.activity(o.projectId, month, o.customerId))) {
      if (event.type === 'CustomEventRecorded' && event.meta.recordedAt <= o.until) found.push(event);
    }
  }
  return found.sort((a, b) => (a.position < b.position ? -1 : 1));
}

type Event = RecordedEvent<SubscriberEvent>;

export function supersededIn(events: readonly Event[]): ReadonlySet<string> {
  return new Set(
    events.flatMap((e) => (e.type === 'PurchaseHistoryRevised' ? e.data.superseded : [])).map((s) => s.eventId),
  );
}

/**
 * Returns the events that are not superseded, without the bookkeeping of revisions. Superseded events of passed deadlines remain, because
 * webhooks have sent them, unless the store has reported the same since.
 */
export function visibleEvents(events: readonly Event[]): readonly Event[] {
  const superseded = supersededIn(events);
  if (superseded.size === 0 && !events.some(isBookkeeping)) return events;
  const current = events.filter((event) => !superseded.has(event.id) && !isBookkeeping(event));
  const standingNames = new Set(current.map(nameOf));
  return events.filter((event) => {
    if (isBookkeeping(event)) return false;
    return !superseded.has(event.id) || (isPassedDeadline(event) && !standingNames.has(nameOf(event)));
  });
}

/** Returns true for events that only maintain the order of a purchase's history; they are never shown. */
export function isBookkeeping({ type }: Event): boolean {
  return type === 'PurchaseHistoryRevised' || type === 'StoreUpdateRetained';
}

function isPassedDeadline({ meta }: Event): boolean {
  return meta.actor.kind === 'system' && meta.actor.id === 'deadlines' && meta.late === undefined;
}

function nameOf({ stream, type, meta }: Event): string {
  return `${stream}|${type}|${meta.at}`;
}
