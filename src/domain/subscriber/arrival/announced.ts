// Which events stand for one announcement: what takes the place of an event that receivers know of is not announced again.
import type { SubscriberEvent, SubscriberTypesTouching } from '../events/events.js';
import type { LineEvent } from '../state/state.js';

type Nature = 'charge' | 'failure' | 'ofTransaction' | 'ofKind';
type FailedCharge = 'SubscriptionBillingIssueDetected' | 'SubscriptionBillingRetryEntered';
type OfWholeLine = 'SubscriptionMigrated' | 'PurchaseTransferred' | 'PurchaseHistoryRevised';
type TransactionEventType = Exclude<SubscriberTypesTouching<'transactions'>, OfWholeLine>;

/** These types need more than their name to tell two events apart, or are failed charges. Events of all other types stand for each other. */
const natures: Readonly<Record<TransactionEventType | FailedCharge, Nature>> = {
  SubscriptionStarted: 'charge',
  SubscriptionRenewed: 'charge',
  OneTimePurchaseCompleted: 'ofTransaction',
  TransactionRefunded: 'ofTransaction',
  TransactionRefundReversed: 'ofTransaction',
  RefundReversalDeferred: 'ofKind',
  TransactionPriceCorrected: 'ofKind',
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

/** Takes from `announced` what each event stands for: the same happening if it is there, else one of its kind. True where one was found. */
export function takeAnnounced(announced: LineEvent[], events: readonly LineEvent[]): readonly boolean[] {
  const found = events.map(() => false);
  for (const isNamed of [isSameHappening, isSameKind])
    for (const [i, event] of events.entries()) found[i] ||= takeFrom(announced, (one) => isNamed(one, event));
  return found;
}

export function takeFrom(events: LineEvent[], fits: (event: LineEvent) => boolean): boolean {
  const i = events.findIndex(fits);
  if (i >= 0) events.splice(i, 1);
  return i >= 0;
}

/** A charge is one whether it starts a subscription or renews one. */
function isSameHappening(a: LineEvent, b: LineEvent): boolean {
  if (isCharge(a.type) && isCharge(b.type)) return refOf(a).transactionId === refOf(b).transactionId;
  return isSameKind(a, b) && a.at === b.at;
}

function isSameKind(a: LineEvent, b: LineEvent): boolean {
  if (kindOf(a) !== kindOf(b) || isCharge(a.type) || isQuiet(a) !== isQuiet(b)) return false;
  return natureByType.get(a.type) !== 'ofTransaction' || refOf(a).transactionId === refOf(b).transactionId;
}

/** An end of access by a failed payment or a pause is announced when that begins, or at its end if the beginning was not known. */
function kindOf({ type, data }: LineEvent): string {
  if (type !== 'SubscriptionExpired') return type;
  const { reason } = data as { reason?: string };
  if (reason === 'billing_error') return 'SubscriptionBillingRetryEntered';
  return reason === 'subscription_paused' ? 'SubscriptionPaused' : type;
}

/** A change of product at a renewal, and the end that comes with any change, are no announcements of their own. */
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
