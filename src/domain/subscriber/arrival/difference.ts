// Compares a replayed purchase line with its recorded events: which still hold, which are superseded, and which are new.
import type { Late } from '../../envelope.js';
import { isSameJson } from '../../values/json.js';
import type { SubscriberEvent } from '../events/events.js';
import { spentBy } from '../state/spent.js';
import { lineEventOf, isFailedCharge, refOf, takeAnnounced, takeFrom } from './announced.js';
import type { LineEvent, LineHistory, Subscriber } from '../state/state.js';

/** Event from a replay of the line, with the state just before it. */
export type Decided = { readonly event: SubscriberEvent; readonly before: Subscriber };
export type Superseded = {
  readonly eventId: string;
  readonly type: string;
  readonly at: string;
  readonly subscriptionId: string | null;
  readonly transactionId: string | null;
  readonly reason?: string;
  readonly by?: string;
};
type Difference = {
  readonly superseded: Superseded[];
  readonly late: readonly { readonly event: SubscriberEvent; readonly late: Late }[];
  /** Change of the total that the customer has spent, USD micros. */
  readonly spentMicros: number;
};

/** Matches announcements by kind: an event that replaces another is not announced again, even if its time differs. */
export function differenceOf({ facts, said }: LineHistory, decided: readonly Decided[]): Difference {
  const unmatched = [...facts];
  const added = decided.filter(({ event }) => !takeFrom(unmatched, (known) => isSameEvent(known, event)));
  const spare = decided
    .filter((one) => !added.includes(one) && isAnnouncedAtBeginning(one))
    .map(({ event }) => lineEventOf(event));
  const announced = [...unmatched.filter(({ isUnsaid }) => !isUnsaid), ...said, ...spare];
  const isAnnounced = takeAnnounced(
    announced,
    added.map(({ event }) => lineEventOf(event)),
  );
  const marked = added.map((one, i) => ({
    event: one.event,
    late: isAnnounced[i] === true ? ('announced' as const) : markOf(one, decided),
  }));
  const addedMicros = marked.reduce((sum, { event }) => sum + spentBy(event), 0);
  const removedMicros = unmatched.reduce((sum, { type, data }) => sum + spentBy({ type, data } as SubscriberEvent), 0);
  return { superseded: unmatched.map(supersededOf), late: marked, spentMicros: addedMicros - removedMicros };
}

function markOf(one: Decided, decided: readonly Decided[]): Late {
  return isAnnouncedAtBeginning(one) || isOvercome(one, decided) ? 'overcome' : 'new';
}

/** Ignores the store's time and whether the event was inferred from a message about something else. */
function isSameEvent(known: LineEvent, event: SubscriberEvent): boolean {
  if (known.type !== event.type || (event.at ?? known.at) !== known.at) return false;
  return isSameJson(timeless(known.data), timeless(event.data));
}

function timeless(data: unknown): unknown {
  return { ...(data as object), storeTime: null };
}

/** Returns true for the end of a billing retry or a pause: its expiration was announced when it began. */
function isAnnouncedAtBeginning({ event: { type, data }, before }: Decided): boolean {
  if (type !== 'SubscriptionExpired') return false;
  const s = before.profile.subscriptions.find((one) => one.purchase.subscriptionId === data.purchase.subscriptionId);
  if (data.reason === 'subscription_paused') return s?.pause?.begun === true;
  return data.reason === 'billing_error' && s != null && s.retrySince !== null;
}

/** Returns true for a failed payment that became known only after the renewal was paid. */
function isOvercome({ event }: Decided, decided: readonly Decided[]): boolean {
  if (!isFailedCharge(event.type)) return false;
  const { subscriptionId } = refOf(lineEventOf(event));
  const later = decided.slice(decided.findIndex((one) => one.event === event) + 1);
  return later.some((one) => {
    return one.event.type === 'SubscriptionRenewed' && one.event.data.purchase.subscriptionId === subscriptionId;
  });
}

function supersededOf(event: LineEvent): Superseded {
  const { id, type, at } = event;
  if (id === null) throw new Error(`${type} is superseded before it was recorded`);
  const { reason, by } = event.data as { reason?: string; by?: string };
  const ended = type === 'SubscriptionExpired' && reason !== undefined && by !== undefined ? { reason, by } : {};
  return { eventId: id, type, at, ...refOf(event), ...ended };
}
