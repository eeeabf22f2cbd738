// Deliveries of messages about a project as a whole.
import {
  deliveryIdOf,
  purgeAtOf,
  webhookEventIdOf,
  type NewBody,
  type NewDelivery,
} from '../../commands/webhooks/deliveries.js';
import type { Deps } from '../../commands/handling/deps.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import { isoFromMs } from '../../domain/time.js';
import { kindsOfFormat } from '../../domain/webhook/kinds.js';
import type { Message } from '../../domain/webhook/messages.js';
import { bodyOf } from '../../domain/webhook/payload.js';
import { newDelivery, NO_CUSTOMER, receives, type DeliveryBatch, type Target } from './new-deliveries.js';

/** Creates the deliveries of a message. Those to one ordered endpoint are one queue. */
export function createProjectDeliveries(
  deps: Deps,
  event: RecordedEvent,
  message: Message,
  targets: readonly Target[],
  age: number,
): DeliveryBatch {
  const projectId = event.meta.projectId ?? '';
  const createdAt = isoFromMs(deps.runtime.now());
  const eventId = webhookEventIdOf(deps.hash, event.id, message.kind);
  const payload = { id: eventId, type: message.kind, projectId, ...message.fields };
  const bodies = new Map<string, NewBody>();
  const deliveries: NewDelivery[] = [];
  for (const { endpointId, endpoint } of targets) {
    const format = endpoint.payloadFormat;
    if (!kindsOfFormat(format).includes(message.kind) || !receives(endpoint, message)) continue;
    const bodyId = `${eventId}|${format}`;
    const text = bodyOf(payload, format);
    bodies.set(bodyId, { id: bodyId, text, causeId: event.id, purgeAt: purgeAtOf(createdAt) });
    const id = deliveryIdOf(deps.hash, endpointId, eventId);
    const lane = endpoint.ordered ? `${endpointId}|project` : id;
    const about = { projectId, endpointId, eventId, bodyId, type: message.kind, ...NO_CUSTOMER };
    const order = { lane, place: `${event.position}|00`, causeId: event.id, createdAt };
    deliveries.push({ id, doc: newDelivery({ ...about, ...order }, endpoint, age) });
  }
  return { bodies: [...bodies.values()], deliveries };
}
