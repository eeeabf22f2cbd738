// A history without the facts that a revision of a purchase found not to hold. They stay, with the time of the revision, since the charts as
// of a time before it still show them.
import type { RecordedEvent } from '../../envelope.js';
import type { SubscriberEvent } from '../../subscriber/events/events.js';
import type { History, Line, Stamp } from './history.js';
import { isEcho, stampOf } from './record.js';

type Revised = RecordedEvent<Extract<SubscriberEvent, { type: 'PurchaseHistoryRevised' }>>;
type Superseded = Revised['data']['superseded'][number];

export function withdraw(h: History, event: Revised): History {
  const { known } = stampOf(event);
  return event.data.superseded.reduce((history, fact) => withoutFact(history, fact, known), h);
}

const MARKS: ReadonlyMap<string, string> = new Map([
  ['SubscriptionAutoRenewEnabled', 'renew_on'],
  ['SubscriptionAutoRenewDisabled', 'renew_off'],
  ['SubscriptionGracePeriodEntered', 'grace'],
  ['SubscriptionExtended', 'extended'],
  ['SubscriptionGracePeriodExpired', 'cut'],
  ['SubscriptionBillingRetryEntered', 'cut'],
  ['SubscriptionPaused', 'cut'],
  ['SubscriptionRevoked', 'cut'],
  ['SubscriptionExpired', 'cut'],
]);
const ADJUSTMENTS: ReadonlyMap<string, string> = new Map([
  ['TransactionRefunded', 'refund'],
  ['TransactionRefundReversed', 'reversal'],
  ['TransactionPriceCorrected', 'corrected'],
]);

function withoutFact(
  h: History,
  { type, at, subscriptionId, transactionId, reason, by }: Superseded,
  known: number,
): History {
  const adjustments = h.adjustments[transactionId ?? ''];
  const adjustment = ADJUSTMENTS.get(type);
  if (adjustment !== undefined) {
    if (!adjustments || transactionId === null) return h;
    const left = withoutOne(adjustments, (a) => a.kind === adjustment && a.at === Date.parse(at), known);
    return { ...h, adjustments: { ...h.adjustments, [transactionId]: left } };
  }
  const id = subscriptionId ?? '';
  const line = h.lines[id];
  if (!line) return h;
  const change = (changed: Partial<Line>): History => ({ ...h, lines: { ...h.lines, [id]: { ...line, ...changed } } });
  if (type === 'SubscriptionStarted' || type === 'SubscriptionRenewed') {
    const periods = withoutOne(line.periods, (p) => p.id === transactionId, known);
    // What takes the place of a start tells anew what the subscription started with.
    return change({ periods, isStarted: line.isStarted && type !== 'SubscriptionStarted' });
  }
  const kind = MARKS.get(type);
  if (kind === undefined || (type === 'SubscriptionExpired' && isEcho({ reason, by }))) return h;
  return change({ marks: withoutOne(line.marks, (m) => m.kind === kind && m.at === Date.parse(at), known) });
}

function withoutOne<S extends Stamp>(facts: readonly S[], fits: (fact: S) => boolean, known: number): readonly S[] {
  const i = facts.findIndex((fact) => fact.gone === undefined && fits(fact));
  return facts.map((fact, j) => (i === j ? { ...fact, gone: known } : fact));
}
