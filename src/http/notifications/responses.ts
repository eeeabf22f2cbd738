// Responses about store notifications.
import { z } from 'zod';
import { notificationStates, outcome } from '../../domain/inbox/inbox.js';
import { storeKind } from '../../domain/store-kinds.js';
import { timelineEntry } from '../customers/responses.js';
import { moneyAndPersonal, time } from '../bodies/response-schemas.js';

const fields = {
  object: z.literal('notification'),
  id: z.string(),
  appId: z.string(),
  store: storeKind,
  type: z.string().meta({ description: 'Type of the store, with its subtype after a slash.' }),
  state: z.enum(notificationStates).meta({
    description:
      '`parked`: stopped by an internal error; `waiting`: not processed yet, or the store cannot be reached.',
  }),
  outcome: outcome.nullable(),
  reason: z.string().nullable(),
  customerId: z
    .string()
    .nullable()
    .meta({ description: 'Null if it concerns no customer, and until it is processed.' }),
  receivedAt: time,
  signedAt: time,
  finishedAt: time.nullable(),
};

export const notification = z.strictObject(fields).meta({ id: 'Notification' });

export const notificationDetail = z
  .strictObject({
    ...fields,
    nextAttemptAt: time
      .nullable()
      .meta({ description: 'Time of the next request to the store, while it waits for that.' }),
    waitsForCredentials: z.boolean(),
    error: moneyAndPersonal(z.string().nullable()).meta({ description: 'Reason for parking.' }),
    eventIds: z.array(z.string()).meta({
      description: 'Resulting events; none if everything was known before.',
    }),
    events: z.array(timelineEntry).meta({ description: 'Those on the customer’s timeline, oldest first.' }),
    confirms: z.array(timelineEntry).meta({
      description:
        'If it added no events because the purchase was already known: the existing events that it confirms.',
    }),
    revocationChecked: z.boolean().nullable().meta({
      description:
        'Whether the store’s OCSP responder confirmed its certificates on arrival. False if the responder did not answer or is not used (`IOS_STORE_ONLINE_CHECKS`); null for stores that send no certificates.',
    }),
    words: moneyAndPersonal(z.record(z.string(), z.unknown())).meta({
      description: 'Decoded content, including signed parts.',
    }),
    rawBody: moneyAndPersonal(z.string()).meta({ description: 'Raw body, byte for byte.' }),
    contentType: z.string().nullable(),
  })
  .meta({ id: 'NotificationDetail' });
