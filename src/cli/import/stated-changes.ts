// Changes of a customer's purchases as facts: what the charts know of each transaction, placed where an import finds it again.
import { valid, type CustomerHistory, type Line, type Mark, type Period } from '../../domain/charts/history/history.js';
import type { ImportedChange } from '../../domain/imports/facts.js';
import type { ExpirationReason } from '../../domain/subscriber/events/blocks.js';
import type { Subscription } from '../../domain/subscriber/state/state.js';
import { earliest, isoFromMs } from '../../domain/time.js';
import type { TransactionDoc } from '../../projections/models/transactions.js';

/** `start`: attributes from the start of the subscription; null if it is a renewal. */
export type TransactionChanges = {
  readonly changes: readonly ImportedChange[];
  readonly start: Pick<Line['about'], 'startReason' | 'offerType' | 'productDuration'> | null;
};

type Bought = Pick<TransactionDoc, 'transactionId' | 'subscriptionId' | 'purchasedAt'>;

/** `next`: the transaction of the same purchase line after it, which may belong to another subscription. */
type PlacedTransaction = {
  readonly transaction: Bought;
  readonly next: Bought | undefined;
  readonly subscription: Subscription | undefined;
};

/**
 * Returns the changes of one transaction, in the order of their times; null for a purchase that was transferred to the customer, whose
 * figures stay with the one who paid.
 */
export function statedChanges(customer: CustomerHistory, placed: PlacedTransaction): TransactionChanges | null {
  const { transaction: t, next, subscription } = placed;
  const histories = [customer.own, ...customer.merged.map(({ history }) => history)];
  const linesOf = (id: string) => histories.flatMap(({ lines }) => lines[id] ?? []);
  const lines = linesOf(t.subscriptionId ?? t.transactionId);
  if (lines.every((line) => valid(line.periods).every(({ id }) => id !== t.transactionId))) return null;
  const periods = lines.flatMap((line) => valid(line.periods)).toSorted((a, b) => a.at - b.at);
  const marks = lines.flatMap((line) => valid(line.marks));
  const own = marks.filter((mark) => placeOf(mark, periods)?.id === t.transactionId);
  const isOther = next !== undefined && next.subscriptionId !== t.subscriptionId;
  const after = isOther ? linesOf(next.subscriptionId ?? '').find(({ isStarted }) => isStarted) : undefined;
  const successor = isOther ? { at: Date.parse(next.purchasedAt), reason: after?.about.startReason ?? null } : null;
  const latest = subscription?.purchase.transactionId === t.transactionId ? subscription : undefined;
  const changes = own.flatMap((mark) => changeOf(mark, { own, successor, latest }) ?? []);
  const adjustments = histories.flatMap((h) => valid(h.adjustments[t.transactionId] ?? []));
  const refunds = adjustments.flatMap((a): ImportedChange[] => {
    const at = isoFromMs(a.at);
    if (a.kind === 'reversal') return [{ kind: 'refund_reversed', at }];
    if (a.kind !== 'refund' || a.share === null || (a.share <= 0 && !a.cuts)) return [];
    // What did not end access when it was recorded does not end it in another project either, whatever the app's policy was.
    const policy = a.cuts ? a.policy : 'keep_until_expiry';
    return [{ kind: 'refunded', at, share: Math.min(1, Math.max(0, a.share)), policy }];
  });
  const [first] = periods;
  const isStart = first?.id === t.transactionId && lines.some(({ isStarted }) => isStarted);
  const start = isStart ? (lines.find(({ isStarted }) => isStarted)?.about ?? null) : null;
  return { changes: [...changes, ...refunds].toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)), start };
}

/** Returns the period that a mark is about: mostly the latest before it, but a charge fails at the end of a period. */
function placeOf(mark: Mark, periods: readonly Period[]): Period | undefined {
  const place = periods.findLastIndex(({ at }) => at <= mark.at);
  const [period, former] = [periods[place] ?? periods[0], periods[place - 1]];
  if (!period || !former) return period;
  const end = period.until ?? period.at;
  const isEarly = mark.kind === 'grace' && mark.at < (period.at + end) / 2;
  const isOfFormer = mark.kind === 'cut' && (mark.at === period.at || (isFailure(mark) && mark.at < end));
  return isEarly || isOfFormer ? former : period;
}

const isFailure = ({ by }: Mark) => by === 'SubscriptionGracePeriodExpired' || by === 'SubscriptionBillingRetryEntered';

type MarkContext = {
  readonly own: readonly Mark[];
  readonly successor: { readonly at: number; readonly reason: string | null } | null;
  /** The subscription if the transaction is its latest. */
  readonly latest: Subscription | undefined;
};

/** Returns null for what an import derives from other changes: a retry after a grace period, and the end by a change of product. */
function changeOf(mark: Mark, { own, successor, latest }: MarkContext): ImportedChange | null {
  const failedAt = latest?.billingIssueAt;
  const at = isoFromMs(mark.at);
  if (successor && mark.at > successor.at) return null;
  switch (mark.kind) {
    case 'renew_on':
      return { kind: 'auto_renew_on', at };
    case 'renew_off':
      return { kind: 'auto_renew_off', at };
    case 'grace':
      return { kind: 'billing_issue', at, graceExpiresAt: isoFromMs(mark.until) };
    case 'extended':
      return { kind: 'extended', at, expiresAt: isoFromMs(mark.until) };
    case 'cut':
      break;
  }
  const follows = (by: string) => own.some((other) => other.by === by && other.at === mark.at);
  switch (mark.by) {
    case 'SubscriptionGracePeriodExpired':
      return { kind: 'grace_expired', at };
    case 'SubscriptionBillingRetryEntered':
      if (follows('SubscriptionGracePeriodExpired')) return null;
      return { kind: 'billing_issue', at: earliest(at, failedAt ?? at), graceExpiresAt: null };
    case 'SubscriptionPaused':
      return { kind: 'paused', at, autoResumeAt: pauseEndOf(at, latest) };
    case 'SubscriptionRevoked':
      return { kind: 'revoked', at };
    default: {
      const isReplaced = successor?.reason === 'product_change';
      if (isReplaced && mark.at === successor?.at) return null;
      return { kind: 'expired', at, reason: isReplaced ? 'product_change' : endReasonOf(mark, own, latest) };
    }
  }
}

/** Charts do not know the reason of an end that a later period followed. */
function endReasonOf({ at }: Mark, own: readonly Mark[], latest: Subscription | undefined): ExpirationReason {
  if (latest?.ended && Date.parse(latest.ended.at) === at) return latest.ended.reason;
  const changes = own.filter(({ kind, at: changed }) => changed <= at && (kind === 'renew_on' || kind === 'renew_off'));
  return changes.toSorted((a, b) => a.at - b.at).at(-1)?.kind === 'renew_off' ? 'unsubscribe' : 'unknown';
}

function pauseEndOf(at: string, subscription: Subscription | undefined): string | null {
  const pause = subscription?.pause;
  return pause?.begun === true && pause.at === at ? pause.autoResumeAt : null;
}
