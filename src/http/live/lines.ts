// Lines of a live feed: their schemas, and their text as server-sent events, serialized once for each visibility.
import { z } from 'zod';
import { appStore, storeKind } from '../../domain/store-kinds.js';
import { notificationStates } from '../../domain/inbox/inbox.js';
import { time, redactableText, RedactableText } from '../bodies/response-schemas.js';
import type { LogPosition } from '../../domain/envelope.js';
import type { FieldVisibility } from '../../domain/values/field-groups.js';
import { createRedaction } from '../bodies/redact.js';
import type { PublishedAttempt } from '../../commands/webhooks/attempts.js';
import { msFromIso } from '../../domain/time.js';

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
  .strictObject({
    ...about,
    eventId: z.string(),
    recordedAt: time,
    notificationId: z.string().nullable(),
    store: appStore.nullable().meta({ description: 'Store of the purchase; null if the event is about none.' }),
  })
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

/** `position` is null for a delivery attempt, which is not in the log, so that no reader can resume from it. */
export type LiveLine = {
  readonly position: LogPosition | null;
  readonly projectId: string;
  readonly event: keyof typeof liveData;
  readonly data: object;
};

const plans = {
  notification: createRedaction(liveData.notification),
  event: createRedaction(liveData.event),
  delivery: createRedaction(liveData.delivery),
};
const texts = new WeakMap<LiveLine, Map<string, string>>();

/** Returns the text of a line, redacted for a visibility. */
export function serializeLine(line: LiveLine, visibility: FieldVisibility): string {
  const key = `${visibility.money}|${visibility.personal}|${visibility.secret}`;
  const ofLine = texts.get(line) ?? new Map<string, string>();
  const cached = ofLine.get(key);
  if (cached !== undefined) return cached;
  const { position, event, data } = line;
  const id = position === null ? '' : `id: ${position}\n`;
  const text = `${id}event: ${event}\ndata: ${JSON.stringify(plans[event](visibility)(data))}\n\n`;
  texts.set(line, ofLine.set(key, text));
  return text;
}

export function lineOfAttempt({ projectId, attempt, ...a }: PublishedAttempt): LiveLine {
  const { type: kind, customerId, deliveryId, webhookId, eventId, causeId, state, createdAt } = a;
  const { at, status, errorCode } = attempt;
  const data = {
    at,
    kind,
    customerId: customerId === '' ? null : customerId,
    summary: new RedactableText(() => `${kind} ${RESULT_TEXTS[state]} (${status ?? errorCode ?? 'no response'}).`),
    ms: Math.max(0, msFromIso(at) - msFromIso(createdAt)),
    ...{ deliveryId, webhookId, eventId, causeId, state, status, errorCode },
  };
  return { position: null, projectId, event: 'delivery', data };
}

const RESULT_TEXTS = {
  delivered: 'was delivered',
  pending: 'failed and will be retried',
  failed: 'failed permanently',
  held: 'failed and is held',
};
