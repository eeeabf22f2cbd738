// Responses about webhooks. A signing secret is only in the response that creates it.
import { sentKinds } from '../../domain/webhook/kinds.js';
import { z } from 'zod';
import { payloadFormat } from '../../domain/webhook/events.js';
import {
  pickFields,
  environment,
  moneyAndPersonal,
  personal,
  secret,
  time,
  redactableText,
  type BodyOf,
} from '../bodies/response-schemas.js';
import { statsOf, type EndpointHealth } from '../../domain/webhook/health.js';
import type { WebhookDoc } from '../../projections/models/webhooks.js';

export const bodyFormat = payloadFormat.meta({
  description: '`revenuecat`: names, values and kinds of RevenueCat’s webhooks, signed in its way too.',
});

const fields = {
  object: z.literal('webhook'),
  id: z.string(),
  projectId: z.string(),
  name: z.string().nullable(),
  url: z.string(),
  eventTypes: z.array(z.string()).nullable().meta({ description: 'Null for all types.' }),
  appId: z.string().nullable(),
  environment: environment.nullable().meta({ description: 'Null for both.' }),
  payloadFormat: bodyFormat,
  ordered: z.boolean(),
  enabled: z.boolean(),
  disabledReason: z.enum(['gone', 'failures', 'user']).nullable(),
  secretPreview: secret(z.string().nullable()),
  hasAuthorizationHeader: z.boolean(),
  lastDelivery: z
    .strictObject({ at: time, status: z.int().nullable().meta({ description: 'Null if there was no response.' }) })
    .nullable(),
  stats24h: z.strictObject({ delivered: z.int(), failed: z.int() }).meta({ description: 'Attempts by outcome.' }),
  createdAt: time,
  updatedAt: time,
};

export const webhook = z.strictObject(fields).meta({ id: 'Webhook' });

/** Response of a creation and of a secret rotation. */
export const webhookWithSecret = z
  .strictObject({
    ...fields,
    secret: z.string().optional().meta({ description: 'Signing secret. Shown only in this response.' }),
  })
  .meta({ id: 'WebhookWithSecret' });

const deliveryFields = {
  object: z.literal('delivery'),
  id: z.string(),
  eventId: z.string().meta({ description: 'The `webhook-id`, equal for all attempts.' }),
  type: z.string(),
  appUserId: z.string().nullable(),
  state: z.enum(['pending', 'delivered', 'failed', 'held']),
  attempts: z.array(
    z.strictObject({
      at: time,
      ms: z.int(),
      status: z.int().nullable(),
      errorCode: z.string().nullable(),
      responseSnippet: moneyAndPersonal(z.string().nullable()),
    }),
  ),
  nextAttemptAt: time.nullable(),
  createdAt: time,
};
export const delivery = z.strictObject(deliveryFields).meta({ id: 'Delivery' });

export const deliveryDetail = z
  .strictObject({
    ...deliveryFields,
    body: personal(redactableText.nullable()).meta({
      description: 'Request body; null if it is no longer stored. Without amounts for callers who may not see money.',
    }),
    contentType: z.string().nullable(),
  })
  .meta({ id: 'DeliveryDetail' });

export const webhookExample = z
  .strictObject({
    object: z.literal('webhookExample'),
    type: z.enum(sentKinds),
    body: z
      .string()
      .meta({ description: 'In the `payloadFormat` of the webhook. For a fictional customer, marked `isExample`.' }),
  })
  .meta({ id: 'WebhookExample' });

export const webhookReplay = z
  .strictObject({ object: z.literal('webhookReplay'), id: z.string(), queued: z.int() })
  .meta({ id: 'WebhookReplay' });

export function presentWebhook(
  w: WebhookDoc,
  secrets: { readonly preview: string; readonly hasAuthorizationHeader: boolean } | undefined,
  health: EndpointHealth,
  nowMs: number,
): BodyOf<typeof webhook> {
  return pickFields(webhook, {
    ...w,
    object: 'webhook',
    id: w.webhookId,
    secretPreview: secrets?.preview ?? null,
    hasAuthorizationHeader: secrets?.hasAuthorizationHeader ?? false,
    lastDelivery: health.lastDelivery,
    stats24h: statsOf(health, nowMs),
  });
}
