// Reasons of a difference in words: what was received late, of which time, and when it was received.
import { dayAndTime, isoFromMs } from '../../time.js';
import type { Environment } from '../history/known-history.js';
import type { CustomerHistory, History } from '../history/history.js';
import { historyChangesOf } from '../history/history-steps.js';
import type { RecordedType } from '../ledger/knowledge-time.js';
import { otherKinds } from './history-changes.js';

type Phrase = readonly [one: string, several: string];

const phrases: Readonly<Record<RecordedType, Phrase>> = {
  CustomerCreated: ['a first sighting', 'first sightings'],
  CustomerSeen: ['a use of the app', 'uses of the app'],
  CustomerMerged: ['a merge of customers', 'merges of customers'],
  SubscriptionStarted: ['a new subscription', 'new subscriptions'],
  SubscriptionRenewed: ['a renewal', 'renewals'],
  SubscriptionAutoRenewDisabled: ['a cancellation', 'cancellations'],
  SubscriptionAutoRenewEnabled: ['a cancellation that was undone', 'cancellations that were undone'],
  SubscriptionGracePeriodEntered: ['a failed payment with a grace period', 'failed payments with a grace period'],
  SubscriptionGracePeriodExpired: ['a grace period that ended unpaid', 'grace periods that ended unpaid'],
  SubscriptionBillingRetryEntered: ['a failed payment', 'failed payments'],
  SubscriptionPaused: ['a pause', 'pauses'],
  SubscriptionExpired: ['an ended subscription', 'ended subscriptions'],
  SubscriptionRevoked: ['a revoked subscription', 'revoked subscriptions'],
  SubscriptionExtended: ['an extension', 'extensions'],
  OneTimePurchaseCompleted: ['a one-time purchase', 'one-time purchases'],
  TransactionRefunded: ['a refund', 'refunds'],
  TransactionRefundReversed: ['a reversed refund', 'reversed refunds'],
  TransactionPriceCorrected: ['a corrected price', 'corrected prices'],
  PurchaseHistoryRevised: ['a withdrawn entry', 'withdrawn entries'],
};

/** Time between the two sides of a comparison, UTC ms, in any order. */
export type ReasonWindow = { readonly since: number; readonly until: number; readonly environment: Environment };
/** Period of the compared value, UTC ms; null for a cohort, whose values come from later periods too. */
export type ReasonPeriod = { readonly start: number; readonly end: number } | null;

/** One event of a reason: when it took effect, and when it was received (UTC ms). */
type Receipt = { readonly at: number; readonly known: number };

/**
 * Returns a function that describes a reason, such as `A renewal of 30 Apr 2026 23:50 UTC, received on 2 May 2026 08:12 UTC`. `customers` are
 * the histories of all customers of the reason; null if they are not known, so that the description names only the time between the sides.
 */
export function createReasonSentences({ since, until, environment }: ReasonWindow) {
  const [from, to] = since <= until ? [since, until] : [until, since];
  const between = `between ${instantText(from)} and ${instantText(to)}`;
  const others: Readonly<Record<string, string>> = {
    [otherKinds.time]: `Time that passed ${between}: periods ended or outcomes became due`,
    [otherKinds.setting]: 'Other rules: those of the replay',
    [otherKinds.rates]: `Exchange rates received ${between}`,
    [otherKinds.products]: `Products added to the catalogue ${between}`,
  };
  const receiptsByCustomer = new WeakMap<CustomerHistory, ReadonlyMap<string, readonly Receipt[]>>();
  const receiptsOf = (customer: CustomerHistory) => {
    const known = receiptsByCustomer.get(customer);
    if (known) return known;
    const found = new Map<string, Receipt[]>();
    const isBetween = (received: number) => received >= from && received < to;
    for (const { kind, stamp, known: received } of historyChangesOf(
      withLinesOf(customer, environment),
      true,
      isBetween,
    )) {
      const same = found.get(kind) ?? [];
      found.set(kind, same);
      same.push({ at: stamp.at, known: received });
    }
    receiptsByCustomer.set(customer, found);
    return found;
  };
  return (kind: string, period: ReasonPeriod, customers: readonly CustomerHistory[] | null): string => {
    const other = others[kind];
    if (other !== undefined) return other;
    const [one, several] = phrases[kind as RecordedType] ?? ['a change', 'changes'];
    const all = (customers ?? []).flatMap((customer) => receiptsOf(customer).get(kind) ?? []);
    const inPeriod = period ? all.filter(({ at }) => at >= period.start && at < period.end) : [];
    // A period also changes by what took effect before it, such as a renewal that reaches into it.
    const receipts = inPeriod.length > 0 ? inPeriod : all;
    const [first] = receipts;
    if (!first) return capitalize(`${several} received ${between}`);
    if (receipts.length === 1) {
      return capitalize(`${one} of ${instantText(first.at)}, received on ${instantText(first.known)}`);
    }
    const of = spanText(
      receipts.map(({ at }) => at),
      ['of', 'of', 'to'],
    );
    const received = spanText(
      receipts.map(({ known }) => known),
      ['on', 'from', 'to'],
    );
    return `${receipts.length} ${several} ${of}, received ${received}`;
  };
}

export type ReasonSentence = ReturnType<typeof createReasonSentences>;

/** Removes purchases of the other environment, which do not count. */
function withLinesOf(customer: CustomerHistory, environment: Environment): CustomerHistory {
  const isSandbox = environment === 'sandbox';
  const within = (h: History): History => {
    const lines = Object.entries(h.lines).filter(([, line]) => line.isSandbox === isSandbox && !line.isShared);
    return { ...h, lines: Object.fromEntries(lines) };
  };
  const merged = customer.merged.map((m) => ({ ...m, history: within(m.history) }));
  return { ...customer, own: within(customer.own), merged };
}

function instantText(at: number): string {
  return dayAndTime(isoFromMs(at));
}

type Prepositions = readonly [alone: string, from: string, to: string];

/** Returns `on 2 May 2026 08:12 UTC` for equal instants, else `from … to …`. */
function spanText(instants: readonly number[], [alone, from, to]: Prepositions): string {
  const sorted = [...instants].sort((a, b) => a - b);
  const [first, last] = [instantText(sorted[0] ?? 0), instantText(sorted.at(-1) ?? 0)];
  return first === last ? `${alone} ${first}` : `${from} ${first} ${to} ${last}`;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
