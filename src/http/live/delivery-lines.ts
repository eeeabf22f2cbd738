// Live feed message about a webhook attempt.
import type { PublishedAttempt } from '../../commands/webhooks/attempts.js';
import { msFromIso } from '../../domain/time.js';
import { RedactableText } from '../bodies/response-schemas.js';
import type { LiveLine } from './line.js';

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
