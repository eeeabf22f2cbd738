// Explains a customer's access to one entitlement at an instant, from the events that were known at another.
import type { RecordedEvent } from '../../domain/envelope.js';
import type { EntitlementRules, UnlockedEntitlement } from '../../domain/subscriber/entitlements.js';
import {
  accessEndOf,
  describeAccess,
  explainSources,
  type AccessSource,
  type MovedPurchase,
} from '../../domain/subscriber/explain-access.js';
import type { SubscriberEvent } from '../../domain/subscriber/events/events.js';
import { evolveProfile } from '../../domain/subscriber/state/evolve.js';
import { noProfile, type Profile } from '../../domain/subscriber/state/state.js';
import { type CustomerEvents, supersededIn } from './customer-events.js';
import { accessOf, timelineOf, type TimelineEntry } from './timeline.js';

/** All times are ISO 8601 UTC. */
export type AccessExplanation = {
  readonly has: boolean;
  /** Start of the current state; null if it was always so. */
  readonly since: string | null;
  /** End of access if nothing changes; null if it never ends or there is none. */
  readonly until: string | null;
  readonly sentence: string;
  /** Events that led to the current state, newest last. */
  readonly because: readonly TimelineEntry[];
  readonly sources: readonly AccessSource[];
};

const MAX_BECAUSE = 8;

/** Event types that do not change access themselves, but explain why it ends or continues. */
const explanatoryTypes: ReadonlySet<string> = new Set<SubscriberEvent['type']>([
  'SubscriptionAutoRenewDisabled',
  'SubscriptionAutoRenewEnabled',
  'SubscriptionBillingIssueDetected',
  'SubscriptionGracePeriodExpired',
  'SubscriptionBillingRetryEntered',
  'SubscriptionPauseScheduled',
  'SubscriptionPaused',
  'SubscriptionExpired',
  'SubscriptionPending',
  'TransactionRefunded',
]);

/**
 * Explains access at `at` by the events known at `asOf`. If `at` is before `asOf`: by the events that had taken effect by then, including
 * late ones; if it is after: on the assumption that nothing changes. `histories` and `rules`: as of `asOf`.
 */
export function explainAccess(
  histories: CustomerEvents,
  entitlement: UnlockedEntitlement,
  { at, asOf }: { readonly at: string; readonly asOf: string },
  rules: EntitlementRules,
): AccessExplanation {
  const [events] = histories;
  const profile = at < asOf ? profileAt(events, at) : events.reduce(evolveProfile, noProfile);
  const question = { ...entitlement, at };
  const sources = explainSources(profile, transferredPurchases(events), question, rules);
  const timeline = timelineOf(histories, rules);
  const before = timeline.filter((entry) => entry.at <= at && !entry.isSuperseded).toSorted(byTime);
  const has = sources.some((s) => s.counts);
  const since = sinceOf(histories, entitlement.lookupKey, { at, has }, rules);
  const because = before.filter((entry) => isExplanatory(entry, entitlement.lookupKey)).slice(-MAX_BECAUSE);
  return {
    has,
    since,
    until: accessEndOf(sources),
    sentence: describeAccess(sources, question, since),
    because,
    sources,
  };
}

type Event = RecordedEvent<SubscriberEvent>;

/** Returns the state after the events that had taken effect by `at`. */
function profileAt(events: readonly Event[], at: string): Profile {
  return eventsInEffect(events, at).reduce(evolveProfile, noProfile);
}

/** Returns the events that had taken effect by `at`, by their own times. The creation comes first, even if it was later than a purchase. */
function eventsInEffect(events: readonly Event[], at: string): readonly Event[] {
  const superseded = supersededIn(events);
  const current = events.filter((e) => {
    const isCreation = e.type === 'CustomerCreated';
    return (isCreation || e.meta.at <= at) && !superseded.has(e.id) && e.type !== 'PurchaseHistoryRevised';
  });
  return current.map(withoutLateMark).toSorted(byEffect);
}

function byEffect(a: Event, b: Event): number {
  const isFirst = (e: Event) => Number(e.type !== 'CustomerCreated');
  return isFirst(a) - isFirst(b) || byTime(timed(a), timed(b));
}

/** Removes the mark of a late event, so that it takes effect at its own place and not with its revision. */
function withoutLateMark(event: Event): Event {
  const { late: _late, ...meta } = event.meta;
  return { ...event, meta };
}

const timed = ({ meta: { at }, position }: Event) => ({ at, position });

function byTime(a: Pick<TimelineEntry, 'at' | 'position'>, b: typeof a): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1;
  return a.position < b.position ? -1 : 1;
}

function transferredPurchases(events: readonly Event[]): readonly MovedPurchase[] {
  return events.flatMap((e): readonly MovedPurchase[] => {
    if (e.type !== 'PurchaseTransferred' || e.data.direction !== 'out') return [];
    const { toCustomerId, snapshot } = e.data;
    const at = e.meta.at;
    const subscriptions = snapshot.subscriptions.map(({ purchase, startedAt: from }) => {
      return { purchase, id: purchase.subscriptionId, kind: 'subscription' as const, from, at, toCustomerId };
    });
    const owned = snapshot.owned.map(({ purchase, purchasedAt: from }) => {
      return { purchase, id: purchase.transactionId, kind: 'purchase' as const, from, at, toCustomerId };
    });
    return [...subscriptions, ...owned];
  });
}

function isExplanatory({ type, access }: TimelineEntry, lookupKey: string): boolean {
  return access.before[lookupKey] !== access.after[lookupKey] || explanatoryTypes.has(type);
}

/**
 * Returns the latest start or end of the access, by an event or by time alone. Events with equal times take effect together. Null if the
 * events contain none.
 */
function sinceOf(
  histories: CustomerEvents,
  lookupKey: string,
  { at, has }: { readonly at: string; readonly has: boolean },
  rules: EntitlementRules,
): string | null {
  const steps = histories
    .flatMap((events, of) => eventsInEffect(events, at).map((event) => ({ event, of })))
    .toSorted((a, b) => byEffect(a.event, b.event));
  const profiles: Profile[] = histories.map(() => noProfile);
  let until: string | null | undefined;
  let since: string | null = null;
  const lapse = (isOver: (end: string) => boolean) => {
    if (typeof until !== 'string' || !isOver(until)) return;
    since = until;
    until = undefined;
  };
  for (const [i, { event, of }] of steps.entries()) {
    profiles[of] = evolveProfile(profiles[of] ?? noProfile, event);
    const now = event.meta.at;
    if (event.type === 'CustomerCreated' || steps[i + 1]?.event.meta.at === now) continue;
    // A renewal at the exact time of the end leaves no gap.
    lapse((end) => end < now);
    const after = latestOf(profiles.map((profile) => accessOf(profile, now, rules)[lookupKey]));
    if ((after === undefined) !== (until === undefined)) since = now;
    until = after;
  }
  lapse((end) => end <= at);
  return (until !== undefined) === has ? since : null;
}

/** Returns the latest of several ends. Null: no end. Undefined: no access. */
function latestOf(ends: readonly (string | null | undefined)[]): string | null | undefined {
  if (ends.includes(null)) return null;
  return ends
    .filter((end) => typeof end === 'string')
    .toSorted()
    .at(-1);
}
