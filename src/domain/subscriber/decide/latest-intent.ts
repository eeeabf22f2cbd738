// An intent carries the store's time; one older than the newest applied to its chain is stale.
import { latest } from '../../time.js';
import { subscriberEvents as e, type SubscriberEvent } from '../events/events.js';
import { chainOf, storeTimeOf } from '../state/line.js';
import type { Subscriber, Subscription } from '../state/state.js';

export type Intent = {
  readonly storeChainId: string;
  readonly storeTime: string | null;
  readonly readAt?: string;
  /** The transaction that the store showed with the intent. */
  readonly shown?: string;
};
export type Addressed = { readonly s: Subscription; readonly storeTime: string };

/**
 * The subscription that the intent is about, or null when the intent is stale: older than the newest intent, or older than the latest
 * period where only a receipt showed that (receipts carry no intents, so they do not advance the clock). An intent that shows the latest
 * period is about it, though that has yet to begin: stores charge up to a day ahead.
 */
export function addressed(c: Intent, { profile }: Subscriber): Addressed | null {
  const s = chainOf(profile, c.storeChainId).at(-1);
  if (!s || c.storeTime === null) return null;
  const begun = c.shown === s.purchase.transactionId ? '' : s.period.purchasedAt;
  const newest = latest(storeTimeOf(profile, c.storeChainId) ?? '', begun);
  // What is read now holds now, though an old message led to it: it takes effect behind all that is known.
  if (c.readAt !== undefined && c.readAt >= newest) return { s, storeTime: latest(c.storeTime, newest) };
  return c.storeTime < newest ? null : { s, storeTime: c.storeTime };
}

/** Null also when the failed charge is known to have been made since. */
export function addressedFailure(c: Intent, state: Subscriber): Addressed | null {
  const found = addressed(c, state);
  const shown = state.transactions.get(c.shown ?? '');
  const isOvercome = shown !== undefined && found !== null && shown.purchasedAt < found.s.period.purchasedAt;
  return isOvercome ? null : found;
}

/** Nothing changed, but the store's time is later than any known: it is recorded, or an older message would win. */
export function confirmed({ s, storeTime }: Addressed, { profile }: Subscriber): SubscriberEvent[] {
  const known = storeTimeOf(profile, s.purchase.storeChainId);
  if (known !== null && known >= storeTime) return [];
  return [e.SubscriptionConfirmed.of({ purchase: s.purchase, storeTime }, { at: storeTime })];
}
