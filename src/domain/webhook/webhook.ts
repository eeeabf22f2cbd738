// The rules of one webhook. A deleted webhook is not found.
import { change, withChanges } from '../changes.js';
import type { Decider } from '../decider.js';
import { remaining } from '../events.js';
import { Rejection } from '../errors.js';
import {
  webhookEvents as e,
  type DisabledCause,
  type HeaderState,
  type WebhookData,
  type WebhookEvent,
} from './events.js';

export type WebhookSettings = Omit<WebhookData<'WebhookCreated'>, 'webhookId' | 'enabled'>;
export type WebhookChanges = { readonly [K in keyof WebhookSettings]?: WebhookSettings[K] | undefined };

export type Webhook = WebhookSettings & {
  readonly webhookId: string;
  readonly enabled: boolean;
  readonly disabledCause: DisabledCause | null;
};

export type WebhookState = Webhook | 'none' | 'deleted';

export type WebhookCommand =
  | { readonly kind: 'create'; readonly webhook: WebhookData<'WebhookCreated'> }
  | { readonly kind: 'update'; readonly set: WebhookChanges }
  | { readonly kind: 'changeAuthorization'; readonly from: HeaderState; readonly to: HeaderState }
  | { readonly kind: 'rotateSecret'; readonly graceHours: number }
  | { readonly kind: 'warn'; readonly since: string }
  | { readonly kind: 'disable'; readonly cause: DisabledCause }
  | { readonly kind: 'enable' }
  | { readonly kind: 'delete' };

export const webhookDecider: Decider<WebhookState, WebhookCommand, WebhookEvent> = {
  initial: () => 'none',
  evolve: evolveWebhook,
  decide,
};

export function evolveWebhook(state: WebhookState, event: WebhookEvent): WebhookState {
  if (event.type === 'WebhookCreated') {
    return { ...event.data, disabledCause: event.data.enabled ? null : 'user' };
  }
  if (typeof state === 'string') return state;
  switch (event.type) {
    case 'WebhookUpdated':
      return withChanges(state, event.data.changes);
    case 'WebhookDeleted':
      return 'deleted';
    case 'WebhookDisabled':
      return { ...state, enabled: false, disabledCause: event.data.cause };
    case 'WebhookEnabled':
      return { ...state, enabled: true, disabledCause: null };
    default:
      remaining<'WebhookAuthorizationChanged' | 'WebhookSecretRotated' | 'WebhookFailing'>(event);
      return state;
  }
}

function decide(c: WebhookCommand, state: WebhookState): WebhookEvent[] {
  if (c.kind === 'create') return state === 'none' ? [e.WebhookCreated.of(c.webhook)] : [];
  const webhook = requireWebhook(state);
  const { webhookId } = webhook;
  switch (c.kind) {
    case 'update':
      return updateWebhook(webhook, c.set);
    case 'changeAuthorization':
      return c.from === c.to ? [] : [authorizationChanged(webhookId, c)];
    case 'rotateSecret':
      return [e.WebhookSecretRotated.of({ webhookId, graceHours: c.graceHours })];
    case 'warn':
      return webhook.enabled ? [e.WebhookFailing.of({ webhookId, since: c.since })] : [];
    case 'disable':
      return webhook.enabled ? [e.WebhookDisabled.of({ webhookId, cause: c.cause })] : [];
    case 'enable':
      return webhook.enabled ? [] : [e.WebhookEnabled.of({ webhookId })];
    case 'delete':
      return [e.WebhookDeleted.of({ webhookId })];
  }
}

/** Throws {@link Rejection} when the webhook does not exist or is deleted. */
export function requireWebhook(state: WebhookState): Webhook {
  if (typeof state === 'string') throw new Rejection('missing', 'webhook-unknown', 'webhook not found in this project');
  return state;
}

function authorizationChanged(
  webhookId: string,
  { from, to }: { readonly from: HeaderState; readonly to: HeaderState },
) {
  return e.WebhookAuthorizationChanged.of({ webhookId, changes: { authorizationHeader: { from, to } } });
}

function updateWebhook(webhook: Webhook, set: WebhookChanges): WebhookEvent[] {
  const name = change(webhook.name, set.name);
  const url = change(webhook.url, set.url);
  const isSame = JSON.stringify(webhook.eventTypes) === JSON.stringify(set.eventTypes);
  const eventTypes = change(webhook.eventTypes, isSame ? undefined : set.eventTypes);
  const appId = change(webhook.appId, set.appId);
  const environment = change(webhook.environment, set.environment);
  const payloadFormat = change(webhook.payloadFormat, set.payloadFormat);
  const ordered = change(webhook.ordered, set.ordered);
  const changes = {
    ...(name && { name }),
    ...(url && { url }),
    ...(eventTypes && { eventTypes }),
    ...(appId && { appId }),
    ...(environment && { environment }),
    ...(payloadFormat && { payloadFormat }),
    ...(ordered && { ordered }),
  };
  if (Object.keys(changes).length === 0) return [];
  return [e.WebhookUpdated.of({ webhookId: webhook.webhookId, changes })];
}
