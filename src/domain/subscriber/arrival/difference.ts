// What has to be recorded when a purchase line was decided again: which events stand, which do not hold any more, and which are new.
import type { Late } from '../../envelope.js';
import { isSameJson } from '../../values/json.js';
import type { SubscriberEvent } from '../events/events.js';
import { spentBy } from '../state/spent.js';
import { lineEventOf, isFailedCharge, refOf, takeAnnounced, takeFrom } from './announced.js';
import type { LineEvent, LineHistory, Subscriber } from '../state/state.js';

/** An event of the line decided again, with what was known just before it. */
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
  /** USD micros that the customer has spent more than was known. */
  readonly spentMicros: number;
};

/** Announcements count by kind: an event that takes the place of another is not announced again, even with another time. */
export function differenceOf({ facts, said }: LineHistory, decided: readonly Decided[]): Difference {
  const standing = [...facts];
  const others = decided.filter(({ event }) => !takeFrom(standing, (known) => isSameEvent(known, event)));
  const spare = decided
    .filter((one) => !others.includes(one) && isAnnouncedAtBeginning(one))
    .map(({ event }) => lineEventOf(event));
  const announced = [...standing.filter(({ isUnsaid }) => !isUnsaid), ...said, ...spare];
  const isAnnounced = takeAnnounced(
    announced,
    others.map(({ event }) => lineEventOf(event)),
  );
  const marked = others.map((one, i) => ({
    event: one.event,
    late: isAnnounced[i] === true ? ('announced' as const) : markOf(one, decided),
  }));
  const added = marked.reduce((sum, { event }) => sum + spentBy(event), 0);
  const removed = standing.reduce((sum, { type, data }) => sum + spentBy({ type, data } as SubscriberEvent), 0);
  return { superseded: standing.map(supersededOf), late: marked, spentMicros: added - removed };
}

function markOf(one: Decided, decided: readonly Decided[]): Late {
  return isAnnouncedAtBeginning(one) || isOvercome(one, decided) ? 'overcome' : 'new';
}

/** Events that differ only in the store's time, or in whether a message of their own brought them, are the same. */
function isSameEvent(known: LineEvent, event: SubscriberEvent): boolean {
  if (known.type !== event.type || (event.at ?? known.at) !== known.at) return false;
  return isSameJson(timeless(known.data), timeless(event.data));
}

function timeless(data: unknown): unknown {
  return { ...(data as object), storeTime: null };
}

/** Retries and pauses that come to an end were announced as an expiration when they began. */
function isAnnouncedAtBeginning({ event: { type, data }, before }: Decided): boolean {
  if (type !== 'SubscriptionExpired') return false;
  const s = before.profile.subscriptions.find((one) => one.purchase.subscriptionId === data.purchase.subscriptionId);
  if (data.reason === 'subscription_paused') return s?.pause?.begun === true;
  return data.reason === 'billing_error' && s != null && s.retrySince !== null;
}

/** A failed payment that is learned of only after the charge was made in the end. */
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
