// Notifications of an app's store: the time of the latest, and counts per hour for the newest hours.
import { remaining } from '../../domain/events.js';
import { defineProjection, type Projection } from '../runtime/projection.js';
import { ofFamily } from '../../domain/vocabulary.js';

type Count = 'received' | 'processed' | 'refused';
/** Counts of one hour. `hour`: `2026-11-20T10`, UTC. */
export type HourDoc = { readonly hour: string } & { readonly [count in Count]: number };

export type AppNotificationsDoc = {
  /** Id of the newest notification; absent before the first. */
  readonly lastId?: string;
  readonly lastReceivedAt: string | null;
  readonly lastTestAt: string | null;
  /** Counts by hour, newest first. */
  readonly hours: readonly HourDoc[];
};

/** The last 24 hours overlap at most 25 clock hours. */
const RETAINED_HOURS = 25;

export const appNotifications: Projection<AppNotificationsDoc> = defineProjection({
  name: 'app_notifications',
  version: 2,
  families: ['inbox'],
  indexes: [],
  select: (stored) => ofFamily(stored, 'inbox'),
  keys: (event) => [event.data.appId],
  fold: (doc = { lastReceivedAt: null, lastTestAt: null, hours: [] }, event) => {
    const at = event.meta.recordedAt;
    switch (event.type) {
      case 'StoreNotificationReceived': {
        const isNewest = doc.lastReceivedAt === null || doc.lastReceivedAt <= at;
        const newest = isNewest ? { lastId: event.data.inboxId, lastReceivedAt: at } : {};
        return { ...countNotification(doc, at, 'received'), ...newest };
      }
      case 'StoreTestNotificationReceived':
        return { ...doc, lastTestAt: later(doc.lastTestAt, at) };
      case 'StoreNotificationProcessed':
        return countNotification(doc, at, event.data.outcome === 'refused' ? 'refused' : 'processed');
      default:
        remaining<'StoreNotificationReprocessed'>(event);
        return doc;
    }
  },
});

function countNotification(doc: AppNotificationsDoc, at: string, count: Count): AppNotificationsDoc {
  const hour = at.slice(0, 13);
  const place = doc.hours.findIndex((h) => h.hour === hour);
  const hourDoc = doc.hours[place];
  if (hourDoc) return { ...doc, hours: doc.hours.with(place, { ...hourDoc, [count]: hourDoc[count] + 1 }) };
  const fresh: HourDoc = { ...{ hour, received: 0, processed: 0, refused: 0 }, [count]: 1 };
  const hours = [...doc.hours, fresh].sort((a, b) => (a.hour < b.hour ? 1 : -1));
  return { ...doc, hours: hours.slice(0, RETAINED_HOURS) };
}

function later(known: string | null, at: string): string {
  return known === null || known < at ? at : known;
}
