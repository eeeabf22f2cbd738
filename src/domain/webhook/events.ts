// Events of a webhook: its settings and its status. Its secrets and its deliveries are records.
import { z } from 'zod';
import { changeOf } from '../changes.js';
import { defineEvent, type EventOf } from '../events.js';
import { environment, instant } from '../subscriber/events/blocks.js';

export const payloadFormat = z.enum(['camelCase', 'snake_case', 'revenuecat']);
export type PayloadFormat = z.output<typeof payloadFormat>;

/** `eventTypes`, `appId` and `environment` null: all. `ordered`: a subscriber's events are delivered one after another. */
const settings = {
  name: z.string().nullable(),
  url: z.string(),
  eventTypes: z.array(z.string()).nullable(),
  appId: z.string().nullable(),
  environment: environment.nullable(),
  payloadFormat,
  ordered: z.boolean(),
};
const webhookId = z.string();
/** `changed`: replaced with another value. */
const headerState = z.enum(['none', 'set', 'changed']);
export type HeaderState = z.output<typeof headerState>;

export const webhookEvents = {
  WebhookCreated: defineEvent('WebhookCreated', { webhookId, ...settings, enabled: z.boolean() }),
  WebhookUpdated: defineEvent('WebhookUpdated', {
    webhookId,
    changes: z.strictObject({
      name: changeOf(settings.name),
      url: changeOf(settings.url),
      eventTypes: changeOf(settings.eventTypes),
      appId: changeOf(settings.appId),
      environment: changeOf(settings.environment),
      payloadFormat: changeOf(settings.payloadFormat),
      ordered: changeOf(settings.ordered),
    }),
  }),
  WebhookDeleted: defineEvent('WebhookDeleted', { webhookId }),
  /** Presence of the authorization header of its requests, never its value. */
  WebhookAuthorizationChanged: defineEvent('WebhookAuthorizationChanged', {
    webhookId,
    changes: z.strictObject({ authorizationHeader: z.strictObject({ from: headerState, to: headerState }) }),
  }),
  /** The previous secret also signs for this number of hours. */
  WebhookSecretRotated: defineEvent('WebhookSecretRotated', { webhookId, graceHours: z.int().min(0) }),
  /** All attempts since `since` have failed. */
  WebhookFailing: defineEvent('WebhookFailing', { webhookId, since: instant }),
  WebhookDisabled: defineEvent('WebhookDisabled', { webhookId, cause: z.enum(['gone', 'failures', 'user']) }),
  WebhookEnabled: defineEvent('WebhookEnabled', { webhookId }),
};
export type WebhookEvent = EventOf<typeof webhookEvents>;
export type WebhookData<T extends WebhookEvent['type']> = Extract<WebhookEvent, { type: T }>['data'];
export type DisabledCause = WebhookData<'WebhookDisabled'>['cause'];
