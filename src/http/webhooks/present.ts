// Bodies of webhooks. A signing secret is only in the response that creates it.
import { statsOf, type EndpointHealth } from '../../domain/webhook/health.js';
import type { WebhookDoc } from '../../projections/models/webhooks.js';

export type PublicSecretFields = { readonly preview: string; readonly hasAuthorizationHeader: boolean };

export function presentWebhook(
  w: WebhookDoc,
  secrets: PublicSecretFields | undefined,
  health: EndpointHealth,
  nowMs: number,
) {
  const { webhookId: id, projectId, name, url, eventTypes, appId, environment, payloadFormat, ordered } = w;
  const { enabled, disabledReason, createdAt, updatedAt } = w;
  return {
    object: 'webhook' as const,
    id,
    projectId,
    name,
    url,
    eventTypes,
    appId,
    environment,
    payloadFormat,
    ordered,
    enabled,
    disabledReason,
    secretPreview: secrets?.preview ?? null,
    hasAuthorizationHeader: secrets?.hasAuthorizationHeader ?? false,
    lastDelivery: health.lastDelivery,
    stats24h: statsOf(health, nowMs),
    createdAt,
    updatedAt,
  };
}
