// Lines of the live feed: each store notification when it was received and when it was processed, and each event of a customer.
import { createBoundedCache } from '../../adapters/bounded-cache.js';
import { readStream, type EventLog } from '../../adapters/event-log/port.js';
import type { LogPosition, RecordedEvent, StreamName } from '../../domain/envelope.js';
import { remaining } from '../../domain/events.js';
import { stateOfOutcome, type InboxEvent, type NotificationState } from '../../domain/inbox/inbox.js';
import type { AppStore } from '../../domain/store-kinds.js';
import { customerIdOf, inboxIdOf, type Family, isStreamOf } from '../../domain/streams.js';
import type { SubscriberEvent } from '../../domain/subscriber/events/events.js';
import { msFromIso } from '../../domain/time.js';
import type { FieldVisibility } from '../../domain/values/field-groups.js';
import { isBookkeeping } from './customer-events.js';
import { summaryOf } from './timeline-summaries.js';
import { ofFamily, type EventOfFamily } from '../../domain/vocabulary.js';

/** `ms`: time since the receipt of the store notification; null if there was none. */
type LineSubject = {
  readonly at: string;
  readonly kind: string;
  readonly customerId: string | null;
  readonly ms: number | null;
};

type NotificationData = LineSubject & {
  readonly notificationId: string;
  readonly appId: string;
  readonly store: string;
  readonly state: NotificationState;
};
type EventData = LineSubject & {
  readonly eventId: string;
  readonly recordedAt: string;
  readonly notificationId: string | null;
  /** Store of the purchase; null if the event is about none. */
  readonly store: AppStore | null;
};

/** `summaryFor`: a sentence without the fields that are not visible to the requester. */
export type LogLine = {
  readonly position: LogPosition;
  readonly projectId: string;
  readonly summaryFor: (visibility: FieldVisibility) => string;
} & (
  | { readonly event: 'notification'; readonly data: NotificationData }
  | { readonly event: 'event'; readonly data: EventData }
);

/** Families of the events in the feed. */
export const liveFamilies: readonly Family[] = ['inbox', 'subscriber'];

/** Data of a received notification that its later lines need. */
type ReceivedNotification = { readonly at: string; readonly kind: string; readonly store: string };

/** Cached notifications: a few minutes of a store's busiest hour. Older ones are read from their streams. */
const MAX_CACHED = 10_000;

/** Must be called in the order of the log. Returns null if the event has no line. */
export type LinesOf = (event: RecordedEvent) => Promise<LogLine | null>;

export function createLiveLines(log: Pick<EventLog, 'read'>): LinesOf {
  const cached = createBoundedCache<string, ReceivedNotification>(MAX_CACHED);
  const receivedIn = async (stream: StreamName<'inbox'>): Promise<ReceivedNotification | null> => {
    const known = cached.get(stream);
    if (known) return known;
    for await (const event of readStream(log, stream))
      if (event.type === 'StoreNotificationReceived') return remember(event);
    return null;
  };
  const remember = ({
    stream,
    data,
    meta,
  }: Extract<RecordedEvent<InboxEvent>, { type: 'StoreNotificationReceived' }>) => {
    const { notificationType, subtype, store } = data;
    const kind = subtype === null ? notificationType : `${notificationType}/${subtype}`;
    const received = { at: meta.recordedAt, kind, store };
    cached.set(stream, received);
    return received;
  };

  const ofInbox = async (event: EventOfFamily<'inbox'>): Promise<LogLine | null> => {
    const { position, meta, data, stream } = event;
    const line = { position, projectId: meta.projectId ?? '', event: 'notification' as const };
    const about = { at: meta.recordedAt, notificationId: data.inboxId, appId: data.appId };
    switch (event.type) {
      case 'StoreNotificationReceived': {
        const { kind, store } = remember(event);
        const summary = `The ${store} sent ${kind}.`;
        const fields = { ...about, kind, customerId: null, ms: 0, store, state: 'waiting' as const };
        return { ...line, summaryFor: () => summary, data: fields };
      }
      case 'StoreNotificationProcessed': {
        const received = await receivedIn(stream);
        const { kind = 'unknown', store = '' } = received ?? {};
        const { outcome, reason, customerId = null } = event.data;
        const summary = `${kind} ${results[outcome]}${reason === null ? '' : `: ${reason}`}.`;
        const fields = {
          kind,
          customerId,
          ms: since(received, meta.recordedAt),
          store,
          state: stateOfOutcome(outcome),
        };
        return { ...line, summaryFor: () => summary, data: { ...about, ...fields } };
      }
      default:
        remaining<'StoreTestNotificationReceived' | 'StoreNotificationReprocessed'>(event);
        return null;
    }
  };

  const ofSubscriber = async (event: RecordedEvent<SubscriberEvent>): Promise<LogLine | null> => {
    if (isBookkeeping(event)) return null;
    const { position, id: eventId, type: kind, stream, meta } = event;
    const { at, recordedAt, correlationId, projectId = '' } = meta;
    const cause = isStreamOf('inbox', correlationId) ? correlationId : null;
    const received = cause && (await receivedIn(cause));
    const notificationId = cause && received && inboxIdOf(cause);
    const fields = { at, kind, customerId: customerIdOf(stream), ms: since(received, recordedAt) };
    const store = 'purchase' in event.data ? event.data.purchase.store : null;
    const summaryFor = (visibility: FieldVisibility) => summaryOf(event, visibility);
    return {
      position,
      projectId,
      event: 'event',
      summaryFor,
      data: { ...fields, eventId, recordedAt, notificationId, store },
    };
  };

  return (event) => {
    const inbox = ofFamily(event, 'inbox');
    if (inbox) return ofInbox(inbox);
    const subscriber = ofFamily(event, 'subscriber');
    return subscriber ? ofSubscriber(subscriber) : Promise.resolve(null);
  };
}

const results = {
  applied: 'was applied',
  no_change: 'changed nothing',
  stale: 'was older than the recorded state',
  ignored_unknown_type: 'was ignored because its type is unknown',
  refused: 'was refused',
};

function since(received: ReceivedNotification | null, recordedAt: string): number | null {
  return received && Math.max(0, msFromIso(recordedAt) - msFromIso(received.at));
}
