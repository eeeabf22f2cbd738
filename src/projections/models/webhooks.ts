// A project's webhooks for lists and details. Deliveries use records of the fan-out, never this read model.
import { withChanges } from '../../domain/changes.js';
import { remaining } from '../../domain/events.js';
import type { DisabledCause, WebhookData } from '../../domain/webhook/events.js';
import { defineProjection, type Projection } from '../runtime/projection.js';
import { ofFamily } from '../../domain/vocabulary.js';

export type WebhookDoc = WebhookData<'WebhookCreated'> & {
  readonly projectId: string;
  readonly disabledReason: DisabledCause | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const webhooks: Projection<WebhookDoc> = defineProjection({
  name: 'webhooks',
  version: 1,
  families: ['webhook'],
  indexes: [{ name: 'project', fields: ['projectId', 'webhookId'] }],
  select: (stored) => ofFamily(stored, 'webhook'),
  keys: (event) => [event.data.webhookId],
  fold: (doc, event) => {
    const updatedAt = event.meta.at;
    if (event.type === 'WebhookCreated') {
      const disabledReason = event.data.enabled ? null : 'user';
      const projectId = event.meta.projectId ?? '';
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
});
