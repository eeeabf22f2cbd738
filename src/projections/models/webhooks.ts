// A project's webhooks for lists and details. Deliveries use records of the fan-out, never this read model.
import { withChanges } from '../../domain/changes.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import { remaining } from '../../domain/events.js';
import type { DisabledCause, WebhookData, WebhookEvent } from '../../domain/webhook/events.js';
import { ofFamily } from '../runtime/events-of.js';
import type { Projection } from '../runtime/projection.js';

export type WebhookDoc = WebhookData<'WebhookCreated'> & {
  readonly projectId: string;
  readonly disabledReason: DisabledCause | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

const webhookEvent = (event: RecordedEvent) => ofFamily<WebhookEvent>(event, 'webhook');

export const webhooks: Projection<WebhookDoc> = {
  name: 'webhooks',
  version: 1,
  families: ['webhook'],
  indexes: [{ name: 'project', fields: ['projectId', 'webhookId'] }],
  onPoison: 'park',
  keys: (stored) => {
    const event = webhookEvent(stored);
    return event ? [event.data.webhookId] : [];
  },
  fold: (doc, stored) => {
    const event = webhookEvent(stored);
    if (!event) return doc;
    const updatedAt = stored.meta.at;
    if (event.type === 'WebhookCreated') {
      const disabledReason = event.data.enabled ? null : 'user';
      const projectId = stored.meta.projectId ?? '';
      return { ...event.data, projectId, disabledReason, createdAt: updatedAt, updatedAt };
    }
    if (!doc) return doc;
    switch (event.type) {
      case 'WebhookUpdated':
        return { ...withChanges(doc, event.data.changes), updatedAt };
      case 'WebhookDeleted':
        return null;
      case 'WebhookAuthorizationChanged':
      case 'WebhookSecretRotated':
        return { ...doc, updatedAt };
      case 'WebhookDisabled':
        return { ...doc, enabled: false, disabledReason: event.data.cause, updatedAt };
      case 'WebhookEnabled':
        return { ...doc, enabled: true, disabledReason: null, updatedAt };
      default:
        remaining<'WebhookFailing'>(event);
        return doc;
    }
  },
  derived: [],
};
