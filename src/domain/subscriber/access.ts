// Who has access at an instant. A pure function of facts and `now`, never of whether some worker has run.
import { addDuration, latest } from '../time.js';
import type { Grant, OwnedPurchase, Subscription } from './state.js';

export type SubscriptionState =
  'trial' | 'intro' | 'active' | 'grace_period' | 'billing_retry' | 'expired' | 'refunded';

/** The ios-store tries for up to 60 days (its page on billing retry); then the contract is over. */
const BILLING_RETRY = 'P60D';

export function stateAt(s: Subscription, now: string): SubscriptionState {
  if (s.refundedAt !== null && s.refundedAt <= now) return 'refunded';
  if (now < s.contractEndsAt) {
    if (s.period.type === 'trial' || s.period.type === 'intro') return s.period.type;
    return 'active';
  }
  if (s.graceEndsAt !== null && now < s.graceEndsAt) return 'grace_period';
  if (s.retrySince !== null && now < retryEndsAt(s)) return 'billing_retry';
  return 'expired';
}

/** The instant at which access ends, as far as is known now. */
export function accessEndsAt(s: Subscription): string {
  if (s.refundedAt !== null) return s.refundedAt;
  return s.graceEndsAt === null ? s.contractEndsAt : latest(s.contractEndsAt, s.graceEndsAt);
}

export function givesAccess(s: Subscription, now: string): boolean {
  return now < accessEndsAt(s);
}

/** An owned one-time purchase: for ever, until its end, or until the refund that took it away. */
export function ownedUntil(o: OwnedPurchase): string | null {
  return o.refundedAt ?? o.expiresAt;
}

export function grantedUntil(g: Grant): string | null {
  return g.endedAt ?? g.expiresAt;
}

export type Deadline = { readonly kind: 'periodEnd' | 'graceEnd' | 'retryStop' | 'promoEnd'; readonly at: string };

/** The next moment at which time alone changes this subscription, or null when nothing is left to happen. */
export function nextDeadline(s: Subscription): Deadline | null {
  if (s.ended !== null || s.refundedAt !== null) return null;
  if (s.retrySince !== null) return { kind: 'retryStop', at: retryEndsAt(s) };
  if (s.graceEndsAt !== null) return { kind: 'graceEnd', at: latest(s.graceEndsAt, s.contractEndsAt) };
  return { kind: 'periodEnd', at: s.contractEndsAt };
}

export function grantDeadline(g: Grant): Deadline | null {
  return g.endedAt === null && g.expiresAt !== null ? { kind: 'promoEnd', at: g.expiresAt } : null;
}

function retryEndsAt(s: Subscription): string {
  return addDuration(s.contractEndsAt, BILLING_RETRY);
}
