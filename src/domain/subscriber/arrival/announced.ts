// Matches revised events with the webhooks already sent: an event that replaces an announced event is not announced again.
import type { SubscriberEvent, SubscriberTypesTouching } from '../events/events.js';
import type { LineEvent } from '../state/state.js';

type Nature = 'charge' | 'failure' | 'sameTransaction' | 'sameKind';
type FailedCharge = 'SubscriptionBillingIssueDetected' | 'SubscriptionBillingRetryEntered';
type OfWholeLine = 'SubscriptionMigrated' | 'PurchaseTransferred' | 'PurchaseHistoryRevised';
type TransactionEventType = Exclude<SubscriberTypesTouching<'transactions'>, OfWholeLine>;

/** Event types with a matching rule of their own. Events of any other type match if their types are equal. */
const natures: Readonly<Record<TransactionEventType | FailedCharge, Nature>> = {
  SubscriptionStarted: 'charge',
  SubscriptionRenewed: 'charge',
  OneTimePurchaseCompleted: 'sameTransaction',
  TransactionRefunded: 'sameTransaction',
  TransactionRefundReversed: 'sameTransaction',
  RefundReversalDeferred: 'sameKind',
  TransactionPriceCorrected: 'sameKind',
  SubscriptionBillingIssueDetected: 'failure',
  SubscriptionBillingRetryEntered: 'failure',
};

const natureByType: ReadonlyMap<string, string> = new Map(Object.entries(natures));

export function isCharge(type: string): boolean {
  return natureByType.get(type) === 'charge';
}

export function isFailedCharge(type: string): boolean {
  return natureByType.get(type) === 'failure';
}

export function lineEventOf(event: SubscriberEvent): LineEvent {
  return { id: null, type: event.type, at: event.at ?? '', data: event.data };
}

/** Removes from `announced` what each event replaces: the same occurrence, else one of its kind. Returns true for each match. */
export function takeAnnounced(announced: LineEvent[], events: readonly LineEvent[]): readonly boolean[] {
  const isMatched = events.map(() => false);
  for (const isMatch of [isSameHappening, isSameKind])
    for (const [i, event] of events.entries()) isMatched[i] ||= takeFrom(announced, (one) => isMatch(one, event));
  return isMatched;
}

export function takeFrom(events: LineEvent[], fits: (event: LineEvent) => boolean): boolean {
  const i = events.findIndex(fits);
  if (i >= 0) events.splice(i, 1);
  return i >= 0;
}

/** Two events of one transaction are the same charge, even if one starts a subscription and the other renews it. */
function isSameHappening(a: LineEvent, b: LineEvent): boolean {
  if (isCharge(a.type) && isCharge(b.type)) return refOf(a).transactionId === refOf(b).transactionId;
  return isSameKind(a, b) && a.at === b.at;
}

function isSameKind(a: LineEvent, b: LineEvent): boolean {
  if (kindOf(a) !== kindOf(b) || isCharge(a.type) || isQuiet(a) !== isQuiet(b)) return false;
  return natureByType.get(a.type) !== 'sameTransaction' || refOf(a).transactionId === refOf(b).transactionId;
}

/** Webhooks announce an end of access by failed payment or pause when it begins, or at its end if the beginning was unknown. */
function kindOf({ type, data }: LineEvent): string {
  if (type !== 'SubscriptionExpired') return type;
  const { reason } = data as { reason?: string };
  if (reason === 'billing_error') return 'SubscriptionBillingRetryEntered';
  return reason === 'subscription_paused' ? 'SubscriptionPaused' : type;
}

/** A change of product at a renewal, and the expiration that comes with any change, have no webhook of their own. */
function isQuiet({ data }: LineEvent): boolean {
  const { mode, reason } = data as { mode?: string; reason?: string };
  return mode === 'at_renewal' || reason === 'product_change';
}

export function refOf({ data }: LineEvent): {
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
