// Selects the events that a timeline shows after the history of a purchase was revised.
import type { RecordedEvent } from '../../domain/envelope.js';
import type { SubscriberEvent } from '../../domain/subscriber/events/events.js';

type Event = RecordedEvent<SubscriberEvent>;

export function supersededIn(events: readonly Event[]): ReadonlySet<string> {
  return new Set(
    events.flatMap((e) => (e.type === 'PurchaseHistoryRevised' ? e.data.superseded : [])).map((s) => s.eventId),
  );
}

/**
 * Returns the events that are not superseded, without the bookkeeping of revisions. Superseded events of passed deadlines remain, because
 * webhooks have sent them, unless the store has reported the same since.
 */
export function visibleEvents(events: readonly Event[]): readonly Event[] {
  const superseded = supersededIn(events);
  if (superseded.size === 0 && !events.some(isBookkeeping)) return events;
  const standing = events.filter((event) => !superseded.has(event.id) && !isBookkeeping(event));
  const standingNames = new Set(standing.map(nameOf));
  return events.filter((event) => {
    if (isBookkeeping(event)) return false;
    return !superseded.has(event.id) || (isPassedDeadline(event) && !standingNames.has(nameOf(event)));
  });
}

/** Returns true for events that only maintain the order of a purchase's history; they are never shown. */
export function isBookkeeping({ type }: Event): boolean {
  return type === 'PurchaseHistoryRevised' || type === 'StoreUpdateRetained';
}

function isPassedDeadline({ meta }: Event): boolean {
  return meta.actor.kind === 'system' && meta.actor.id === 'deadlines' && meta.late === undefined;
}

function nameOf({ stream, type, meta }: Event): string {
  return `${stream}|${type}|${meta.at}`;
}
