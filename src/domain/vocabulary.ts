// List of all event types, used by the codec, the golden fixtures and the check for unknown types.
import type { EventType } from './events.js';
import { catalogEvents } from './catalog/catalog.js';
import { offeringEvents } from './catalog/offerings.js';
import { paywallEvents } from './catalog/paywalls.js';
import { targetingEvents } from './catalog/targeting.js';
import { experimentEvents } from './experiment/events.js';
import { certificatesEvents } from './inbox/packed-body.js';
import { inboxEvents } from './inbox/inbox.js';
import { projectEvents } from './project/events.js';
import { purchaseEvents } from './purchase/purchase.js';
import { ratesEvents } from './rates/rates.js';
import { activityEvents, subscriberEvents } from './subscriber/events/events.js';
import { userEvents } from './user/user.js';
import { webhookEvents } from './webhook/events.js';

export const vocabulary: readonly EventType[] = [
  userEvents,
  projectEvents,
  catalogEvents,
  offeringEvents,
  paywallEvents,
  targetingEvents,
  subscriberEvents,
  activityEvents,
  purchaseEvents,
  inboxEvents,
  certificatesEvents,
  ratesEvents,
  webhookEvents,
  experimentEvents,
].flatMap((table) => Object.values(table) as unknown as EventType[]);

const versionByType = new Map(vocabulary.map((type) => [type.name, type.version]));

/** Returns false for an event type or version that only newer code supports. */
export function isKnown(event: { readonly type: string; readonly v: number }): boolean {
  return event.v <= (versionByType.get(event.type) ?? 0);
}
