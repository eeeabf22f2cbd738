// Schemas of the `data` of live feed messages.
import { z } from 'zod';
import { storeKind } from '../../domain/store-kinds.js';
import { notificationStates } from '../../domain/inbox/inbox.js';
import { time, redactableText } from '../bodies/response-schemas.js';

const about = {
  at: time.meta({ description: 'When it took effect.' }),
  kind: z.string(),
  customerId: z.string().nullable(),
  summary: redactableText,
  ms: z.int().nullable().meta({
    description: 'Time from the arrival of the notification until it was recorded; for a delivery from its creation.',
  }),
};

const notificationData = z
  .strictObject({
    ...about,
    notificationId: z.string(),
    appId: z.string(),
    store: storeKind,
    state: z.enum(notificationStates),
  })
  .meta({ id: 'LiveNotification' });

const eventData = z
  .strictObject({ ...about, eventId: z.string(), recordedAt: time, notificationId: z.string().nullable() })
  .meta({ id: 'LiveEvent' });

const deliveryData = z
  .strictObject({
    ...about,
    deliveryId: z.string(),
    webhookId: z.string(),
    eventId: z.string().meta({ description: 'The `webhook-id`, equal for all attempts.' }),
    causeId: z.string().meta({ description: 'What caused it: the `eventId` of an `event` message, or a request.' }),
    state: z.enum(['pending', 'delivered', 'failed', 'held']),
    status: z.int().nullable(),
    errorCode: z.string().nullable(),
  })
  .meta({ id: 'LiveDelivery' });

/** Schemas by `event`. */
export const liveData = { notification: notificationData, event: eventData, delivery: deliveryData };
export const liveLine = z.union([notificationData, eventData, deliveryData]);
