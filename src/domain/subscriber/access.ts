// Determines access at an instant: a pure function of the recorded state and `now`, independent of whether a worker has run.
import { rulesOfStore } from '../store-kinds.js';
import { addDuration, earliest, latest } from '../time.js';
import type { Grant, OwnedPurchase, Profile, Subscription } from './state/state.js';

export type SubscriptionState =
  | 'pending'
  | 'trial'
  | 'intro'
  | 'active'
  | 'grace_period'
  | 'billing_retry'
  | 'paused'
  | 'expired'
  | 'refunded'
  | 'revoked';

/** The ios-store retries for up to 60 days (its page on billing retry); then the contract has ended. */
const BILLING_RETRY = 'P60D';
/** The same for a month of a commitment (its page on the life cycle of commitments). */
const COMMITMENT_RETRY = 'P90D';

export function stateAt(s: Subscription, now: string): SubscriptionState {
  if (s.pending !== null) return s.pending === 'waiting' ? 'pending' : 'expired';
  if (s.revokedAt !== null && s.revokedAt <= now) return 'revoked';
  if (s.refundedAt !== null && s.refundedAt <= now) return 'refunded';
  if (s.pause?.begun && s.pause.at <= now) return 'paused';
  if (now < s.contractEndsAt) {
    if (s.period.type === 'trial' || s.period.type === 'intro') return s.period.type;
    return 'active';
  }
  if (s.graceEndsAt !== null && now < s.graceEndsAt) return 'grace_period';
  if (s.retrySince !== null && now < retryEndsAt(s)) return 'billing_retry';
  return 'expired';
}

const RUNNING: ReadonlySet<SubscriptionState> = new Set(['trial', 'intro', 'active']);

/** Returns true within a paid or free period, whether it renews afterwards or not. */
export function isRunning(s: Subscription, at: string): boolean {
  return s.ended === null && RUNNING.has(stateAt(s, at));
}

/** Returns the instant at which access ends, as far as is known. */
export function accessEndsAt(s: Subscription): string {
  const cutAt = s.refundedAt ?? s.revokedAt;
  if (cutAt !== null) return earliest(cutAt, s.revokedAt ?? cutAt);
  return s.graceEndsAt === null ? s.contractEndsAt : latest(s.contractEndsAt, s.graceEndsAt);
}

/**
 * Returns the end of the subscription if it is cancelled now: the end of access, or of a commitment, whose remaining periods are charged
 * all the same.
 */
export function termEndsAt(s: Subscription): string {
  return isOver(s) ? accessEndsAt(s) : latest(accessEndsAt(s), s.commitmentEndsAt ?? '');
}

export type AutoRenewStatus =
  'will_renew' | 'will_not_renew' | 'will_change_product' | 'will_pause' | 'requires_price_increase_consent';

/** Returns what will happen at the end of the period. An ended contract does not renew. */
export function autoRenewStatusAt(s: Subscription, now: string): AutoRenewStatus {
  const state = stateAt(s, now);
  if (!s.autoRenew.on || state === 'expired' || state === 'refunded' || state === 'revoked') return 'will_not_renew';
  if (s.pause && !s.pause.begun) return 'will_pause';
  if (s.priceIncrease && !s.priceIncrease.isAccepted) return 'requires_price_increase_consent';
  return s.nextProduct === null ? 'will_renew' : 'will_change_product';
}

export function givesAccess(s: Subscription, now: string): boolean {
  return now < accessEndsAt(s);
}

/** Returns the end of a one-time purchase, refund or revocation included; null if it never ends. */
export function ownedUntil(o: OwnedPurchase): string | null {
  const ends = [o.refundedAt, o.revokedAt].filter((at) => at !== null);
  return ends.length > 0 ? ends.reduce(earliest) : o.expiresAt;
}

export function grantedUntil(g: Grant): string | null {
  return g.endedAt ?? g.expiresAt;
}

/** `until` null: it never ends. */
export function lasts(until: string | null, now: string): boolean {
  return until === null || now < until;
}

/** Returns true if the subscription has ended; only another charge starts it again. */
export function isOver(s: Subscription): boolean {
  return s.ended !== null || s.refundedAt !== null || s.revokedAt !== null;
}

export type Deadline = { readonly kind: 'periodEnd' | 'graceEnd' | 'retryStop' | 'promoEnd'; readonly at: string };

/** Returns the next instant at which time alone changes this subscription, or null if there is none. */
export function nextDeadline(s: Subscription): Deadline | null {
  if (isOver(s) || s.pending !== null || s.pause?.begun) return null;
  if (s.retrySince !== null) return { kind: 'retryStop', at: retryEndsAt(s) };
  if (s.graceEndsAt !== null) return { kind: 'graceEnd', at: latest(s.graceEndsAt, s.contractEndsAt) };
  return { kind: 'periodEnd', at: s.contractEndsAt };
}

export function grantDeadline(g: Grant): Deadline | null {
  return g.endedAt === null && g.expiresAt !== null ? { kind: 'promoEnd', at: g.expiresAt } : null;
}

/** Returns the next instant after `now` at which time alone may change the customer's access, or null if there is none. */
export function nextChangeAfter(
  now: string,
  { subscriptions, owned, grants }: Pick<Profile, 'subscriptions' | 'owned' | 'grants'>,
): string | null {
  const instants = [
    ...subscriptions.flatMap((s) => [
      ...[s.contractEndsAt, s.graceEndsAt, s.refundedAt, s.revokedAt, s.pause?.at ?? null],
      s.retrySince === null ? null : retryEndsAt(s),
    ]),
    ...owned.flatMap((o) => [o.expiresAt, o.refundedAt, o.revokedAt]),
    ...grants.flatMap((g) => [g.expiresAt, g.endedAt]),
  ];
  return instants.reduce(
    (next, at) => (at === null || at <= now ? next : next === null ? at : earliest(next, at)),
    null,
  );
}

function retryEndsAt(s: Subscription): string {
  const isCommitted = s.commitmentEndsAt !== undefined && rulesOfStore(s.purchase.store).retriesCommitmentsLonger;
  return addDuration(s.contractEndsAt, isCommitted ? COMMITMENT_RETRY : BILLING_RETRY);
}
