// Withdrawal of entries that a revision of a purchase found to be wrong. They remain with the time of the revision, because charts as of an
// earlier time still show them.
import type { RecordedEvent } from '../../envelope.js';
import type { SubscriberEvent } from '../../subscriber/events/events.js';
import type { Adjustment, History, Line, Mark, Stamp } from './history.js';
import { isEcho, stampOf, type ChartEventType } from './record.js';

type RevisionEvent = RecordedEvent<Extract<SubscriberEvent, { type: 'PurchaseHistoryRevised' }>>;
type SupersededEvent = RevisionEvent['data']['superseded'][number];

export function withdraw(h: History, event: RevisionEvent): History {
  const { known } = stampOf(event);
  return event.data.superseded.reduce((history, superseded) => withoutEvent(history, superseded, known), h);
}

/** Event types that a revision can withdraw; not that a customer was created or seen. */
type Withdrawable = Exclude<ChartEventType, 'CustomerCreated' | 'CustomerSeen'>;

type Place = readonly ['period'] | readonly ['mark', Mark['kind']] | readonly ['adjustment', Adjustment['kind']];

/** Place of each event type in the history. */
const placesByType: Readonly<Record<Withdrawable, Place>> = {
  SubscriptionStarted: ['period'],
  SubscriptionRenewed: ['period'],
  OneTimePurchaseCompleted: ['period'],
  SubscriptionAutoRenewEnabled: ['mark', 'renew_on'],
  SubscriptionAutoRenewDisabled: ['mark', 'renew_off'],
  SubscriptionGracePeriodEntered: ['mark', 'grace'],
  SubscriptionExtended: ['mark', 'extended'],
  SubscriptionGracePeriodExpired: ['mark', 'cut'],
  SubscriptionBillingRetryEntered: ['mark', 'cut'],
  SubscriptionPaused: ['mark', 'cut'],
  SubscriptionRevoked: ['mark', 'cut'],
  SubscriptionExpired: ['mark', 'cut'],
  TransactionRefunded: ['adjustment', 'refund'],
  TransactionRefundReversed: ['adjustment', 'reversal'],
  TransactionPriceCorrected: ['adjustment', 'corrected'],
};
const placeByType: ReadonlyMap<string, Place> = new Map(Object.entries(placesByType));

function withoutEvent(
  h: History,
  { type, at, subscriptionId, transactionId, reason, by }: SupersededEvent,
  known: number,
): History {
  const [place, kind] = placeByType.get(type) ?? [];
  if (place === undefined) return h;
  if (place === 'adjustment') {
    const adjustments = h.adjustments[transactionId ?? ''];
    if (!adjustments || transactionId === null) return h;
    const remaining = withoutOne(adjustments, (a) => a.kind === kind && a.at === Date.parse(at), known);
    return { ...h, adjustments: { ...h.adjustments, [transactionId]: remaining } };
  }
  // A one-time purchase is a line of its own, by its transaction ID.
  const id = subscriptionId ?? transactionId ?? '';
  const line = h.lines[id];
  if (!line) return h;
  const change = (changed: Partial<Line>): History => ({ ...h, lines: { ...h.lines, [id]: { ...line, ...changed } } });
  if (place === 'period') {
    const periods = withoutOne(line.periods, (p) => p.id === transactionId, known);
    // The event that replaces a start sets the attributes of the subscription again.
    return change({ periods, isStarted: line.isStarted && type !== 'SubscriptionStarted' });
  }
  if (type === 'SubscriptionExpired' && isEcho({ reason, by })) return h;
  return change({ marks: withoutOne(line.marks, (m) => m.kind === kind && m.at === Date.parse(at), known) });
}

function withoutOne<S extends Stamp>(stamps: readonly S[], fits: (stamp: S) => boolean, known: number): readonly S[] {
  const i = stamps.findIndex((stamp) => stamp.gone === undefined && fits(stamp));
  return stamps.map((stamp, j) => (i === j ? { ...stamp, gone: known } : stamp));
}
