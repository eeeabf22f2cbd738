// Which facts stand for one announcement: what takes the place of a fact that receivers were told of is not announced again.
import type { SubscriberEvent } from '../events/events.js';
import type { LineFact } from '../state/state.js';

export function factOf(event: SubscriberEvent): LineFact {
  return { id: null, type: event.type, at: event.at ?? '', data: event.data };
}

/** Takes from `announced` what each of the facts stands for: the same happening if it is there, else one of its kind. True where there was. */
export function takeAnnounced(announced: LineFact[], facts: readonly LineFact[]): readonly boolean[] {
  const found = facts.map(() => false);
  for (const isNamed of [isSameHappening, isSameKind])
    for (const [i, fact] of facts.entries()) found[i] ||= takeFrom(announced, (one) => isNamed(one, fact));
  return found;
}

export function takeFrom(facts: LineFact[], fits: (fact: LineFact) => boolean): boolean {
  const i = facts.findIndex(fits);
  if (i >= 0) facts.splice(i, 1);
  return i >= 0;
}

/** A charge is one whether it starts a subscription or renews one. */
function isSameHappening(a: LineFact, b: LineFact): boolean {
  if (PERIODS.has(a.type) && PERIODS.has(b.type)) return refOf(a).transactionId === refOf(b).transactionId;
  return isSameKind(a, b) && a.at === b.at;
}

function isSameKind(a: LineFact, b: LineFact): boolean {
  if (kindOf(a) !== kindOf(b) || PERIODS.has(a.type) || isQuiet(a) !== isQuiet(b)) return false;
  return !OF_TRANSACTION.has(a.type) || refOf(a).transactionId === refOf(b).transactionId;
}

/** Access that ends for want of payment is announced when the retries begin, or at their end if they were not heard of. */
function kindOf({ type, data }: LineFact): string {
  const isForWantOfPayment = type === 'SubscriptionExpired' && (data as { reason?: string }).reason === 'billing_error';
  return isForWantOfPayment ? 'SubscriptionBillingRetryEntered' : type;
}

/** A change of product at a renewal, and the end that comes with any change, are no announcements of their own. */
function isQuiet({ data }: LineFact): boolean {
  const { mode, reason } = data as { mode?: string; reason?: string };
  return mode === 'at_renewal' || reason === 'product_change';
}

const PERIODS = new Set(['SubscriptionStarted', 'SubscriptionRenewed']);
const OF_TRANSACTION = new Set(['TransactionRefunded', 'TransactionRefundReversed', 'OneTimePurchaseCompleted']);

export function refOf({ data }: LineFact): {
  readonly subscriptionId: string | null;
  readonly transactionId: string | null;
} {
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
