// Bodies of webhook deliveries.
import type { Attempt, SentBody, StoredDelivery } from '../../commands/webhooks/deliveries.js';
import { withoutMoney } from '../../domain/webhook/payload.js';
import { RedactableText } from '../bodies/response-schemas.js';

export function presentDelivery({ id, doc }: StoredDelivery) {
  const { eventId, type, appUserId, state, attempts, dueAt, createdAt } = doc;
  return {
    object: 'delivery' as const,
    id,
    eventId,
    type,
    appUserId: appUserId === '' ? null : appUserId,
    state,
    attempts: attempts.map(shortenSnippet),
    nextAttemptAt: state === 'pending' ? dueAt : null,
    createdAt,
  };
}

/** Presents a delivery with its body and full attempts. */
export function presentDeliveryDetail(delivery: StoredDelivery, sent: SentBody | null) {
  const { attempts } = delivery.doc;
  const body = sent && new RedactableText(({ money }) => (money ? sent.text : withoutMoney(sent.text)));
  return { ...presentDelivery(delivery), attempts, body, contentType: sent?.contentType ?? null };
}

const MAX_SNIPPET_BYTES = 1024;

/** Shortens the response snippet, so that a page of a hundred deliveries with twenty attempts each stays readable. */
function shortenSnippet(attempt: Attempt): Attempt {
  const { responseSnippet } = attempt;
  if (responseSnippet === null || responseSnippet.length * 3 <= MAX_SNIPPET_BYTES) return attempt;
  const short = Buffer.from(responseSnippet).subarray(0, MAX_SNIPPET_BYTES).toString('utf8');
  return { ...attempt, responseSnippet: short };
}
