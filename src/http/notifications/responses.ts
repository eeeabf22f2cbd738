// Responses about store notifications.
import { z } from 'zod';
import { notificationStates, outcome } from '../../domain/inbox/inbox.js';
import { storeKind } from '../../domain/store-kinds.js';
import { timelineEntry } from '../customers/responses.js';
import { time } from '../bodies/responses.js';
import { moneyAndPersonal } from '../bodies/restricted.js';

const fields = {
  object: z.literal('notification'),
  id: z.string(),
  appId: z.string(),
  store: storeKind,
  type: z.string().meta({ description: 'As the store names it; with its subtype behind a slash.' }),
  state: z.enum(notificationStates).meta({
    description:
      '`parked`: an error of the service keeps it; `waiting`: not worked off yet, or its store cannot be asked.',
  }),
  outcome: outcome.nullable(),
  reason: z.string().nullable(),
  customerId: z.string().nullable().meta({ description: 'Null for what is about nobody, and until it is worked off.' }),
  receivedAt: time,
  signedAt: time,
  finishedAt: time.nullable(),
};

export const notification = z.strictObject(fields).meta({ id: 'Notification' });

export const notificationDetail = z
  .strictObject({
    ...fields,
    nextAttemptAt: time.nullable().meta({ description: 'When its store is asked again, while it waits for that.' }),
    waitsForCredentials: z.boolean(),
    error: moneyAndPersonal(z.string().nullable()).meta({ description: 'Why it is parked.' }),
    eventIds: z.array(z.string()).meta({
      description: 'The events that it led to; none where all that it says was known before.',
    }),
    events: z.array(timelineEntry).meta({ description: 'Those of them on the customer’s timeline, oldest first.' }),
    confirms: z.array(timelineEntry).meta({
      description:
        'Where it led to nothing, since its purchase was known from a receipt or from a question to the store: the events of that purchase on the timeline.',
    }),
    revocationChecked: z.boolean().nullable().meta({
      description:
        'Whether the store’s responder called its certificates good when it came. False where the responder was silent or is not asked (`IOS_STORE_ONLINE_CHECKS`); null for stores that send no certificates.',
    }),
    words: moneyAndPersonal(z.record(z.string(), z.unknown())).meta({
      description: 'What the store said, with its signed parts decoded.',
    }),
    rawBody: moneyAndPersonal(z.string()).meta({ description: 'As it came, byte for byte.' }),
    contentType: z.string().nullable(),
  })
  .meta({ id: 'NotificationDetail' });
