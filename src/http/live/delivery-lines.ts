// Live feed message about a webhook attempt.
import type { PublishedAttempt } from '../../commands/webhooks/attempts.js';
import { msFromIso } from '../../domain/time.js';
import { Worded } from '../bodies/responses.js';
import type { LiveLine } from './line.js';

export function attemptLine({ projectId, attempt, ...a }: PublishedAttempt): LiveLine {
  const { type: kind, customerId, deliveryId, webhookId, eventId, state, createdAt } = a;
  const { at, status, errorCode } = attempt;
  const data = {
    at,
    kind,
    customerId: customerId === '' ? null : customerId,
    summary: new Worded(() => `${kind} ${results[state]} (${status ?? errorCode ?? 'no response'}).`),
    ms: Math.max(0, msFromIso(at) - msFromIso(createdAt)),
    ...{ deliveryId, webhookId, eventId, state, status, errorCode },
  };
  return { position: null, projectId, event: 'delivery', data };
}

const results = {
  delivered: 'was delivered',
  pending: 'failed and will be retried',
  failed: 'failed permanently',
  held: 'failed and is held',
};
