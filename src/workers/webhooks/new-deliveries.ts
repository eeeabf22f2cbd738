// New deliveries to an endpoint: whether it receives a message, and the state in which a delivery begins.
import { purgeAtOf, type Delivery, type NewBody, type NewDelivery } from '../../commands/webhooks/deliveries.js';
import type { Message } from '../../domain/webhook/messages.js';
import type { Endpoint } from './endpoints.js';

export type Target = { readonly endpointId: string; readonly endpoint: Endpoint };
export type DeliveryBatch = { readonly bodies: readonly NewBody[]; readonly deliveries: readonly NewDelivery[] };

/** Events up to this age are sent; older ones are stored for a manual replay. */
const MAX_SENT_AGE_MS = 7 * 24 * 3600 * 1000;

/** Fields of deliveries that are about no customer. */
export const NO_CUSTOMER = { appUserId: '', customerId: '' };

type DeliveryBasics = Pick<
  Delivery,
  | 'projectId'
  | 'endpointId'
  | 'eventId'
  | 'bodyId'
  | 'type'
  | 'appUserId'
  | 'customerId'
  | 'causeId'
  | 'lane'
  | 'place'
  | 'createdAt'
>;

/** Returns a new delivery: held for a disabled endpoint, or when it is too old to be sent automatically. */
export function newDelivery(basics: DeliveryBasics, { enabled }: Endpoint, age: number): Delivery {
  const none = { claimedBy: null, failures: 0, firstFailedAt: null, attempts: [] };
  if (!enabled || age > MAX_SENT_AGE_MS) {
    return { ...basics, ...none, state: 'held', gate: 'done', dueAt: purgeAtOf(basics.createdAt) };
  }
  return { ...basics, ...none, state: 'pending', gate: 'lane', dueAt: basics.createdAt };
}

/** Returns whether an endpoint receives a message. A filter on a field that the message does not have lets it pass. */
export function receives({ eventTypes, appId, environment }: Endpoint, m: Message): boolean {
  if (eventTypes !== null && !eventTypes.includes(m.kind)) return false;
  if (appId !== null && m.appId !== null && appId !== m.appId) return false;
  return environment === null || m.environment === null || environment === m.environment;
}
