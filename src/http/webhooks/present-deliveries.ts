// Bodies of webhook deliveries.
import type { StoredDelivery } from '../../commands/webhooks/deliveries.js';

export function presentDelivery({ id, doc }: StoredDelivery) {
  const { eventId, type, appUserId, state, attempts, dueAt, createdAt } = doc;
  return {
    object: 'delivery' as const,
    id,
    eventId,
    type,
    appUserId: appUserId === '' ? null : appUserId,
    state,
    attempts,
    nextAttemptAt: state === 'pending' ? dueAt : null,
    createdAt,
  };
}
