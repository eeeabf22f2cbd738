// Steps in which a customer's history was learned between two instants: which events, in which order, and what was known after each.
import type { Adjustment, CustomerHistory, History, Knowledge, Mark, Period, Stamp } from './history.js';

/** Consecutive events of one type. */
export type Step = {
  readonly kind: string;
  readonly known: Knowledge;
};

export type HistoryChange = {
  readonly kind: string;
  /** Time at which the entry was recorded or withdrawn, UTC ms. */
  readonly known: number;
  readonly stamp: Stamp;
  readonly isGone: boolean;
  /** True for app activity only. */
  readonly isSighting: boolean;
};

const byMark: Readonly<Record<Mark['kind'], string>> = {
  renew_on: 'SubscriptionAutoRenewEnabled',
  renew_off: 'SubscriptionAutoRenewDisabled',
  grace: 'SubscriptionGracePeriodEntered',
  extended: 'SubscriptionExtended',
  cut: 'SubscriptionExpired',
};
const byAdjustment: Readonly<Record<Adjustment['kind'], string>> = {
  refund: 'TransactionRefunded',
  reversal: 'TransactionRefundReversed',
  corrected: 'TransactionPriceCorrected',
};
const periodBy = ({ by, type }: Period) =>
  by ?? (type === 'one_time' ? 'OneTimePurchaseCompleted' : 'SubscriptionRenewed');

/** Returns the filter for what took effect before `cutoff` and was known at `from`. UTC ms. */
export function knowledgeAt(from: number, cutoff: number): Knowledge {
  return (stamps) => stamps.filter(({ at, known, gone = Infinity }) => at < cutoff && known < from && gone >= from);
}

/**
 * Returns what was learned at `from <= recordedAt < to` (UTC ms), in the order of the log; events of one millisecond in the order in which
 * a command appends them. Without `sightings`, app activity is omitted.
 */
export function stepsOf(
  customer: CustomerHistory,
  { from, to, sightings }: { readonly from: number; readonly to: number; readonly sightings: boolean },
): readonly Step[] {
  const learned = historyChangesBetween(customer, from, to, sightings);
  const added = new Map<Stamp, number>();
  const dropped = new Map<Stamp, number>();
  const steps: Step[] = [];
  for (const [i, { kind, stamp, isGone }] of learned.entries()) {
    (isGone ? dropped : added).set(stamp, i);
    if (learned[i + 1]?.kind === kind) continue;
    const holds = (s: Stamp): boolean => {
      const { gone } = s;
      if (s.at >= to || (s.known >= from && (added.get(s) ?? Infinity) > i)) return false;
      return gone === undefined || (gone >= from && (dropped.get(s) ?? Infinity) > i);
    };
    steps.push({ kind, known: (stamps) => stamps.filter(holds) });
  }
  return steps;
}

function historyChangesBetween(
  customer: CustomerHistory,
  from: number,
  to: number,
  sightings: boolean,
): readonly HistoryChange[] {
  const all = historyChangesOf(customer, sightings, (known) => known >= from && known < to);
  return all.length < 2 ? all : all.sort((a, b) => a.known - b.known);
}

/**
 * Returns the entries whose recording time `isAsked` accepts; only those of one millisecond are in order. Without `sightings`, app activity
 * is omitted.
 */
export function historyChangesOf(
  customer: CustomerHistory,
  sightings: boolean,
  isAsked: (known: number) => boolean = () => true,
): HistoryChange[] {
  const found: HistoryChange[] = [];
  const withdrawals: HistoryChange[] = [];
  const addChanges = <S extends Stamp>(stamps: readonly S[], kindOf: (s: S) => string, isSighting = false) => {
    for (const stamp of stamps) {
      if (isAsked(stamp.known))
        found.push({ kind: kindOf(stamp), known: stamp.known, stamp, isGone: false, isSighting });
      if (stamp.gone !== undefined && isAsked(stamp.gone))
        withdrawals.push({ kind: 'PurchaseHistoryRevised', known: stamp.gone, stamp, isGone: true, isSighting });
    }
  };
  const histories: readonly History[] = [customer.own, ...customer.merged.map((m) => m.history)];
  for (const h of histories) {
    if (h.created) addChanges([h.created], () => 'CustomerCreated');
    if (sightings) addChanges(h.seen, ({ by }) => by ?? 'CustomerSeen', true);
  }
  for (const h of histories) for (const id in h.lines) addChanges(h.lines[id]?.periods ?? [], periodBy);
  for (const h of histories)
    for (const id in h.lines) addChanges(h.lines[id]?.marks ?? [], ({ by, kind }) => by ?? byMark[kind]);
  for (const h of histories)
    for (const id in h.adjustments) addChanges(h.adjustments[id] ?? [], ({ kind }) => byAdjustment[kind]);
  addChanges(customer.merged, () => 'CustomerMerged');
  if (customer.movedTo) addChanges([customer.movedTo], () => 'CustomerMerged');
  // A revision precedes the events that replace the ones it withdraws.
  return withdrawals.length === 0 ? found : [...withdrawals, ...found];
}
