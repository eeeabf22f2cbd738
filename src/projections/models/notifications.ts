// List of store notifications with their results. The content is not copied: it is read from the stream of the notification.
import { remaining } from '../../domain/events.js';
import { stateOfOutcome, type NotificationState, type Outcome } from '../../domain/inbox/inbox.js';
import { defineProjection, type Projection } from '../runtime/projection.js';
import type { StoreKind } from '../../domain/store-kinds.js';
import { ofFamily } from '../../domain/vocabulary.js';

/** Its id is the id of the notification. `state` is never `parked`, which is a record. */
export type NotificationDoc = {
  readonly projectId: string;
  readonly appId: string;
  readonly store: StoreKind;
  readonly type: string;
  readonly receivedAt: string;
  readonly signedAt: string;
  /** Id of the event of its receipt. */
  readonly eventId: string;
  readonly state: NotificationState;
  readonly outcome: Outcome | null;
  readonly reason: string | null;
  readonly customerId: string | null;
  readonly finishedAt: string | null;
};

export const notifications: Projection<NotificationDoc> = defineProjection({
  name: 'notifications',
  version: 1,
  families: ['inbox'],
  indexes: [
    { name: 'project', fields: ['projectId', 'receivedAt'] },
    { name: 'state', fields: ['projectId', 'state', 'receivedAt'] },
  ],
  isPartitioned: true,
  select: (stored) => ofFamily(stored, 'inbox'),
  keys: (event) => [event.data.inboxId],
  fold: (doc, event) => {
    const at = event.meta.recordedAt;
    switch (event.type) {
      case 'StoreNotificationReceived': {
        const { appId, store, notificationType, subtype, signedAt } = event.data;
        const type = subtype === null ? notificationType : `${notificationType}/${subtype}`;
        const projectId = event.meta.projectId ?? '';
        const open = { state: 'waiting', outcome: null, reason: null, customerId: null, finishedAt: null } as const;
        return { projectId, appId, store, type, receivedAt: at, signedAt, eventId: event.id, ...open };
      }
      case 'StoreNotificationProcessed': {
        const { outcome, reason, customerId = null } = event.data;
        return doc && { ...doc, state: stateOfOutcome(outcome), outcome, reason, customerId, finishedAt: at };
      }
      case 'StoreNotificationReprocessed': {
        const { outcome } = event.data;
        return doc && { ...doc, state: stateOfOutcome(outcome), outcome, reason: null, finishedAt: at };
      }
      default:
        remaining<'StoreTestNotificationReceived'>(event);
        return doc;
    }
  },
});
