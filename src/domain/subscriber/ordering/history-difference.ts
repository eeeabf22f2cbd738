// Compares a replayed purchase line with its recorded events: which still hold, which are superseded, and which are new.
import type { Late } from '../../envelope.js';
import { isSameJson } from '../../values/json.js';
import type { SubscriberEvent } from '../events/events.js';
import { spendOf } from '../state/total-spend.js';
import { lineEventOf, isFailedCharge, purchaseIdsOf, removeAnnounced, removeFirst } from './announced-webhooks.js';
import type { LineEvent, LineHistory, Subscriber } from '../state/state.js';

/** Event from a replay of the line, with the state just before it. */
export type DecidedEvent = { readonly event: SubscriberEvent; readonly before: Subscriber };
export type SupersededEvent = {
  readonly eventId: string;
  readonly type: string;
  readonly at: string;
  readonly subscriptionId: string | null;
  readonly transactionId: string | null;
  readonly reason?: string;
  readonly by?: string;
};
type HistoryDifference = {
  readonly superseded: SupersededEvent[];
  readonly late: readonly { readonly event: SubscriberEvent; readonly late: Late }[];
  /** Change of the total that the customer has spent, USD micros. */
  readonly spentMicros: number;
};

/** Matches announcements by kind: an event that replaces another is not announced again, even if its time differs. */
export function diffHistory({ facts, said }: LineHistory, decided: readonly DecidedEvent[]): HistoryDifference {
  const unmatched = [...facts];
  const added = decided.filter(({ event }) => !removeFirst(unmatched, (known) => isSameEvent(known, event)));
  const spare = decided
    .filter((one) => !added.includes(one) && wasAnnouncedAtStart(one))
    .map(({ event }) => lineEventOf(event));
  const announced = [...unmatched.filter(({ isUnsaid }) => !isUnsaid), ...said, ...spare];
  const isAnnounced = removeAnnounced(
    announced,
    added.map(({ event }) => lineEventOf(event)),
  );
  const marked = added.map((one, i) => ({
    event: one.event,
    late: isAnnounced[i] === true ? ('announced' as const) : lateMarkOf(one, decided),
  }));
  const addedMicros = marked.reduce((sum, { event }) => sum + spendOf(event), 0);
  const removedMicros = unmatched.reduce((sum, { type, data }) => sum + spendOf({ type, data } as SubscriberEvent), 0);
  return { superseded: unmatched.map(toSupersededEvent), late: marked, spentMicros: addedMicros - removedMicros };
}

function lateMarkOf(one: DecidedEvent, decided: readonly DecidedEvent[]): Late {
  return wasAnnouncedAtStart(one) || isOvercomeByRenewal(one, decided) ? 'overcome' : 'new';
}

/** Ignores the store's time and whether the event was inferred from a message about something else. */
function isSameEvent(known: LineEvent, event: SubscriberEvent): boolean {
  if (known.type !== event.type || (event.at ?? known.at) !== known.at) return false;
  return isSameJson(withoutStoreTime(known.data), withoutStoreTime(event.data));
}

function withoutStoreTime(data: unknown): unknown {
  return { ...(data as object), storeTime: null };
}

/** Returns true for the end of a billing retry or a pause: its expiration was announced when it began. */
function wasAnnouncedAtStart({ event: { type, data }, before }: DecidedEvent): boolean {
  if (type !== 'SubscriptionExpired') return false;
  const s = before.profile.subscriptions.find((one) => one.purchase.subscriptionId === data.purchase.subscriptionId);
  if (data.reason === 'subscription_paused') return s?.pause?.begun === true;
  return data.reason === 'billing_error' && s != null && s.retrySince !== null;
}

/** Returns true for a failed payment that became known only after the renewal was paid. */
function isOvercomeByRenewal({ event }: DecidedEvent, decided: readonly DecidedEvent[]): boolean {
  if (!isFailedCharge(event.type)) return false;
  const { subscriptionId } = purchaseIdsOf(lineEventOf(event));
  const later = decided.slice(decided.findIndex((one) => one.event === event) + 1);
  return later.some((one) => {
    return one.event.type === 'SubscriptionRenewed' && one.event.data.purchase.subscriptionId === subscriptionId;
  });
}

function toSupersededEvent(event: LineEvent): SupersededEvent {
  const { id, type, at } = event;
  if (id === null) throw new Error(`${type} is superseded before it was recorded`);
  const { reason, by } = event.data as { reason?: string; by?: string };
  const ended = type === 'SubscriptionExpired' && reason !== undefined && by !== undefined ? { reason, by } : {};
  return { eventId: id, type, at, ...purchaseIdsOf(event), ...ended };
}
