// Matches revised events with the webhooks already sent: an event that replaces an announced event is not announced again.
import type { SubscriberEvent, SubscriberTypesTouching } from '../events/events.js';
import type { LineEvent } from '../state/state.js';
import { fieldsOf } from '../../values/json.js';

type MatchRule = 'charge' | 'failure' | 'sameTransaction' | 'sameKind';
type FailedChargeType = 'SubscriptionBillingIssueDetected' | 'SubscriptionBillingRetryEntered';
type WholeLineEventType = 'SubscriptionMigrated' | 'PurchaseTransferred' | 'PurchaseHistoryRevised';
type TransactionEventType = Exclude<SubscriberTypesTouching<'transactions'>, WholeLineEventType>;

/** Event types with a matching rule of their own. Events of any other type match if their types are equal. */
const matchRules: Readonly<Record<TransactionEventType | FailedChargeType, MatchRule>> = {
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

const matchRuleByType: ReadonlyMap<string, string> = new Map(Object.entries(matchRules));

function isCharge(type: string): boolean {
  return matchRuleByType.get(type) === 'charge';
}

export function isFailedCharge(type: string): boolean {
  return matchRuleByType.get(type) === 'failure';
}

export function lineEventOf(event: SubscriberEvent): LineEvent {
  return { id: null, type: event.type, at: event.at ?? '', data: event.data };
}

/** Removes from `announced` what each event replaces: the same occurrence, else one of its kind. Returns true for each match. */
export function removeAnnounced(announced: LineEvent[], events: readonly LineEvent[]): readonly boolean[] {
  const isMatched = events.map(() => false);
  for (const isMatch of [isSameOccurrence, isSameKind])
    for (const [i, event] of events.entries()) isMatched[i] ||= removeFirst(announced, (one) => isMatch(one, event));
  return isMatched;
}

export function removeFirst(events: LineEvent[], fits: (event: LineEvent) => boolean): boolean {
  const i = events.findIndex(fits);
  if (i >= 0) events.splice(i, 1);
  return i >= 0;
}

/** Treats two events of one transaction as the same charge, even if one starts a subscription and the other renews it. */
function isSameOccurrence(a: LineEvent, b: LineEvent): boolean {
  if (isCharge(a.type) && isCharge(b.type)) return purchaseIdsOf(a).transactionId === purchaseIdsOf(b).transactionId;
  return isSameKind(a, b) && a.at === b.at;
}

function isSameKind(a: LineEvent, b: LineEvent): boolean {
  if (
    announcedKindOf(a) !== announcedKindOf(b) ||
    isCharge(a.type) ||
    isNotAnnouncedAlone(a) !== isNotAnnouncedAlone(b)
  )
    return false;
  return (
    matchRuleByType.get(a.type) !== 'sameTransaction' ||
    purchaseIdsOf(a).transactionId === purchaseIdsOf(b).transactionId
  );
}

/** Webhooks announce an end of access by failed payment or pause when it begins, or at its end if the beginning was unknown. */
function announcedKindOf({ type, data }: LineEvent): string {
  if (type !== 'SubscriptionExpired') return type;
  const { reason } = data;
  if (reason === 'billing_error') return 'SubscriptionBillingRetryEntered';
  return reason === 'subscription_paused' ? 'SubscriptionPaused' : type;
}

/** A change of product at a renewal, and the expiration that comes with any change, have no webhook of their own. */
function isNotAnnouncedAlone({ data }: LineEvent): boolean {
  const { mode, reason } = data;
  return mode === 'at_renewal' || reason === 'product_change';
}

export function purchaseIdsOf({ data }: LineEvent): {
  readonly subscriptionId: string | null;
  readonly transactionId: string | null;
} {
  const purchase = fieldsOf(data['purchase']);
  return {
    subscriptionId: textOf(data['subscriptionId']) ?? textOf(purchase['subscriptionId']),
    transactionId: textOf(data['transactionId']) ?? textOf(purchase['transactionId']),
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
