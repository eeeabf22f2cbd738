// List of all event types, used by the codec, the golden fixtures and the check for unknown types.
import type { RecordedEvent, StreamName } from './envelope.js';
import type { EventType } from './events.js';
import { booksEvents, type BooksEvent } from './books/events.js';
import { catalogEvents, type CatalogEvent } from './catalog/catalog.js';
import { offeringEvents } from './catalog/offerings.js';
import { paywallEvents } from './catalog/paywalls.js';
import { targetingEvents } from './catalog/targeting.js';
import { experimentEvents, type ExperimentEvent } from './experiment/events.js';
import { certificatesEvents, type CertificatesEvent } from './inbox/packed-body.js';
import { inboxEvents, type InboxEvent } from './inbox/inbox.js';
import { projectEvents, type ProjectEvent } from './project/events.js';
import { purchaseEvents, type PurchaseEvent } from './purchase/purchase.js';
import { ratesEvents, type RatesEvent } from './rates/rates.js';
import {
  activityEvents,
  subscriberEvents,
  type ActivityEvent,
  type SubscriberEvent,
} from './subscriber/events/events.js';
import { familyOf, type Family } from './streams.js';
import { userEvents, type UserEvent } from './user/user.js';
import { webhookEvents, type WebhookEvent } from './webhook/events.js';

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
  booksEvents,
].flatMap((table) => Object.values(table) as unknown as EventType[]);

const versionByType = new Map(vocabulary.map((type) => [type.name, type.version]));

/** Returns false for an event type or version that only newer code supports. */
export function isKnown(event: { readonly type: string; readonly v: number }): boolean {
  return event.v <= (versionByType.get(event.type) ?? 0);
}

type FamilyEvents = {
  readonly user: UserEvent;
  readonly project: ProjectEvent;
  readonly catalog: CatalogEvent;
  readonly experiment: ExperimentEvent;
  readonly webhook: WebhookEvent;
  readonly subscriber: SubscriberEvent;
  readonly purchase: PurchaseEvent;
  readonly inbox: InboxEvent;
  readonly certificates: CertificatesEvent;
  readonly activity: ActivityEvent;
  readonly rates: RatesEvent;
  readonly books: BooksEvent;
};

/** Stored event of a stream of the family. */
export type EventOfFamily<F extends Family> = RecordedEvent<FamilyEvents[F]> & { readonly stream: StreamName<F> };

/** Returns true if the event's stream is of the family. */
export function isOfFamily<F extends Family>(event: RecordedEvent, family: F): event is EventOfFamily<F> {
  return familyOf(event.stream) === family;
}

/** Returns null if the event's stream is of another family. */
export function ofFamily<F extends Family>(event: RecordedEvent, family: F): EventOfFamily<F> | null {
  return isOfFamily(event, family) ? event : null;
}
