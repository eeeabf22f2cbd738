// One raw store notification, stored as received, and its result.
import { z } from 'zod';
import type { Decider } from '../decider.js';
import { defineEvent, remaining, type EventOf } from '../events.js';
import { storeKind } from '../store-kinds.js';
import { packedBody } from './packed-body.js';
import { instant } from '../subscriber/events/blocks.js';

export const outcome = z.enum(['applied', 'no_change', 'stale', 'ignored_unknown_type', 'refused']);
export type Outcome = z.output<typeof outcome>;

/** States of a notification. `parked`: processing failed with an internal error. `waiting`: not processed yet. */
export const notificationStates = ['handled', 'ignored', 'refused', 'parked', 'waiting'] as const;
export type NotificationState = (typeof notificationStates)[number];

const states = {
  applied: 'handled',
  no_change: 'handled',
  stale: 'handled',
  ignored_unknown_type: 'ignored',
  refused: 'refused',
} as const;
export const stateOfOutcome = (of: Outcome): NotificationState => states[of];

export const inboxEvents = {
  /** `decoded`: the verified content. `rawBody`: the body as the store sent it, byte for byte; read it with `readRawBody`. */
  StoreNotificationReceived: defineEvent(
    'StoreNotificationReceived',
    {
      inboxId: z.string(),
      appId: z.string(),
      store: storeKind,
      key: z.string(),
      notificationType: z.string(),
      subtype: z.string().nullable(),
      /** The whole body in older events and in bodies without certificates. */
      rawBody: z.union([z.string(), packedBody]),
      /** Content type of the request, for forwarding. Missing in older events and in notifications that were fetched from the store. */
      contentType: z.string().optional(),
      decoded: z.unknown(),
      signedAt: instant,
    },
    { version: 2, upcasts: { 1: (data) => data } },
  ),
  StoreTestNotificationReceived: defineEvent('StoreTestNotificationReceived', {
    inboxId: z.string(),
    appId: z.string(),
  }),
  StoreNotificationProcessed: defineEvent('StoreNotificationProcessed', {
    inboxId: z.string(),
    appId: z.string(),
    outcome,
    reason: z.string().nullable(),
    eventIds: z.array(z.string()),
    /** The customer of the notification. Missing in older events and if it is not about a customer. */
    customerId: z.string().optional(),
  }),
  /** The notification was processed again by a newer translator, which added events. The first outcome does not change. */
  StoreNotificationReprocessed: defineEvent('StoreNotificationReprocessed', {
    inboxId: z.string(),
    appId: z.string(),
    outcome,
    eventIds: z.array(z.string()),
  }),
};
export type InboxEvent = EventOf<typeof inboxEvents>;
type DataOf<T extends InboxEvent['type']> = Extract<InboxEvent, { type: T }>['data'];

/** `added`: ids of the events that reprocessing has added. */
export type InboxState = {
  readonly received: boolean;
  readonly processed: boolean;
  readonly added: readonly string[];
};
export type InboxCommand =
  | { readonly kind: 'receive'; readonly notification: DataOf<'StoreNotificationReceived'> }
  | { readonly kind: 'finish'; readonly isTest: boolean; readonly result: DataOf<'StoreNotificationProcessed'> }
  | { readonly kind: 'finishAgain'; readonly result: DataOf<'StoreNotificationReprocessed'> };

export const inboxDecider: Decider<InboxState, InboxCommand, InboxEvent> = {
  initial: () => ({ received: false, processed: false, added: [] }),
  evolve: (state, event) => {
    switch (event.type) {
      case 'StoreNotificationReceived':
        return { ...state, received: true };
      case 'StoreNotificationProcessed':
        return { ...state, processed: true };
      case 'StoreNotificationReprocessed':
        return { ...state, added: [...state.added, ...event.data.eventIds] };
      default:
        remaining<'StoreTestNotificationReceived'>(event);
        return state;
    }
  },
  decide: (c, state) => {
    if (c.kind === 'receive') return state.received ? [] : [inboxEvents.StoreNotificationReceived.of(c.notification)];
    if (c.kind === 'finishAgain') {
      const isKnown = c.result.eventIds.every((id) => state.added.includes(id));
      return isKnown ? [] : [inboxEvents.StoreNotificationReprocessed.of(c.result)];
    }
    if (state.processed) return [];
    const { inboxId, appId } = c.result;
    const test = c.isTest ? [inboxEvents.StoreTestNotificationReceived.of({ inboxId, appId })] : [];
    return [...test, inboxEvents.StoreNotificationProcessed.of(c.result)];
  },
};
