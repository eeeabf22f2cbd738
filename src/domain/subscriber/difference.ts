// What has to be recorded when a purchase line was decided again: which facts stand, which do not hold any more, and which are new.
import type { Late } from '../envelope.js';
import { isSameJson } from '../json.js';
import type { SubscriberEvent } from './events.js';
import { spentBy } from './spent.js';
import type { LineFact, Subscriber } from './state.js';

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

/** Webhooks announced a fact that only stands elsewhere now, or says more than it did. */
export function differenceOf(held: readonly LineFact[], decided: readonly Decided[]): Difference {
  const standing = new Set(held);
  const take = (fits: (fact: LineFact) => boolean): LineFact | undefined => {
    for (const fact of standing) {
      if (!fits(fact)) continue;
      standing.delete(fact);
      return fact;
    }
    return undefined;
  };
  const others = decided.filter(({ event }) => !take((fact) => isSameFact(fact, event)));
  const announced = [...standing];
  const late = others.map((one) => {
    const { event } = one;
    const i = announced.findIndex((fact) => nameOf(fact) === nameOf(eventFact(event)));
    if (i >= 0) announced.splice(i, 1);
    const isSilent = i >= 0 || isAnnouncedByRetry(one) || isOvercome(one, decided);
    return { event, late: isSilent ? ('silent' as const) : ('new' as const) };
  });
  const superseded = [...standing].map(supersededOf);
  const added = late.reduce((sum, { event }) => sum + spentBy(event), 0);
  const removed = [...standing].reduce((sum, { type, data }) => sum + spentBy({ type, data } as SubscriberEvent), 0);
  return { superseded, late, spentMicros: added - removed };
}

/** When the store said so, and whether by its own message, makes it no other fact. */
function isSameFact(fact: LineFact, event: SubscriberEvent): boolean {
  if (fact.type !== event.type || (event.at ?? fact.at) !== fact.at) return false;
  return isSameJson(timeless(fact.data), timeless(event.data));
}

function timeless(data: unknown): unknown {
  return { ...(data as object), storeTime: null };
}

function eventFact(event: SubscriberEvent): LineFact {
  return { id: null, type: event.type, at: event.at ?? '', data: event.data };
}

/** Equal for facts about the same happening: a charge is one whether it starts a subscription or renews one. */
function nameOf(fact: LineFact): string {
  const { transactionId } = refOf(fact);
  if (PERIODS.has(fact.type)) return `period|${transactionId}`;
  return OF_TRANSACTION.has(fact.type) ? `${fact.type}|${transactionId}|${fact.at}` : `${fact.type}|${fact.at}`;
}

const PERIODS = new Set(['SubscriptionStarted', 'SubscriptionRenewed']);
const OF_TRANSACTION = new Set(['TransactionRefunded', 'TransactionRefundReversed', 'OneTimePurchaseCompleted']);

/** Retries that come to an end were announced as an expiration when they began. */
function isAnnouncedByRetry({ event: { type, data }, before }: Decided): boolean {
  if (type !== 'SubscriptionExpired' || data.reason !== 'billing_error') return false;
  const s = before.profile.subscriptions.find((one) => one.purchase.subscriptionId === data.purchase.subscriptionId);
  return s != null && s.retrySince !== null;
}

const FAILURES = new Set(['SubscriptionBillingIssueDetected', 'SubscriptionBillingRetryEntered']);

/** A failed payment of which the store tells only after it told that the charge was made in the end. */
function isOvercome({ event }: Decided, decided: readonly Decided[]): boolean {
  if (!FAILURES.has(event.type)) return false;
  const { subscriptionId } = refOf(eventFact(event));
  const later = decided.slice(decided.findIndex((one) => one.event === event) + 1);
  return later.some((one) => {
    return one.event.type === 'SubscriptionRenewed' && one.event.data.purchase.subscriptionId === subscriptionId;
  });
}

function supersededOf(fact: LineFact): Superseded {
  const { id, type, at } = fact;
  if (id === null) throw new Error(`${type} is superseded before it was recorded`);
  const { reason, by } = fact.data as { reason?: string; by?: string };
  const ended = type === 'SubscriptionExpired' && reason !== undefined && by !== undefined ? { reason, by } : {};
  return { eventId: id, type, at, ...refOf(fact), ...ended };
}

function refOf({ data }: LineFact): Pick<Superseded, 'subscriptionId' | 'transactionId'> {
  const { purchase, subscriptionId, transactionId } = data as {
    purchase?: { subscriptionId?: string; transactionId?: string };
    subscriptionId?: string | null;
    transactionId?: string;
  };
  return {
    subscriptionId: subscriptionId ?? purchase?.subscriptionId ?? null,
    transactionId: transactionId ?? purchase?.transactionId ?? null,
  };
}
