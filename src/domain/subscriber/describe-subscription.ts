// Describes in sentences why a subscription gives access at an instant or not, and what changes next.
import { dayAndTime } from '../time.js';
import { accessEndsAt, nextDeadline, stateAt } from './access.js';
import type { Subscription } from './state/state.js';

export const sourceReasons = [
  ...(['gives', 'expired', 'refunded', 'revoked', 'paused', 'billing_retry', 'moved'] as const),
  ...(['sandbox_not_allowed', 'product_not_attached', 'not_begun'] as const),
] as const;
export type SourceReason = (typeof sourceReasons)[number];

export const changeKinds = [
  ...(['renewal_due', 'period_ends', 'grace_ends', 'retry_ends', 'resumes', 'payment'] as const),
  ...(['purchase_ends', 'grant_ends'] as const),
] as const;

/** Next change of access. `at`: UTC; null if the time is unknown. */
export type AccessChange = {
  readonly at: string | null;
  readonly kind: (typeof changeKinds)[number];
  readonly effect: 'gives' | 'takes';
  readonly sentence: string;
};

/** Returns why a started subscription no longer gives access. */
export function endReasonOf(s: Subscription, at: string): SourceReason {
  const state = stateAt(s, at);
  switch (state) {
    case 'refunded':
    case 'revoked':
    case 'paused':
    case 'billing_retry':
      return state;
    default:
      return 'expired';
  }
}

export function describeSubscription(s: Subscription, why: SourceReason, at: string): string {
  const end = dayAndTime(accessEndsAt(s));
  switch (why) {
    case 'not_begun':
      return s.pending === 'waiting' ? 'is not paid yet' : 'was never paid';
    case 'refunded':
      return `was refunded on ${end}`;
    case 'revoked':
      return `was revoked by the store on ${end}`;
    case 'paused':
      return `has been paused since ${end}${s.pause?.autoResumeAt ? `, until ${dayAndTime(s.pause.autoResumeAt)}` : ''}`;
    case 'billing_retry':
      return `could not be renewed: the store could not charge renewal ${s.renewalNumber + 1} and is retrying${describeGrace(s)}`;
    case 'gives':
      return s.graceEndsAt !== null && at >= s.contractEndsAt
        ? `is in its grace period until ${end}, because the store could not charge renewal ${s.renewalNumber + 1}`
        : `runs until ${end} and ${describeRenewal(s)}`;
    default:
      return `ended on ${end}: ${describeEndReason(s)}`;
  }
}

function describeRenewal(s: Subscription): string {
  if (s.commitmentEndsAt === undefined) return s.autoRenew.on ? 'renews then' : 'does not renew';
  const committed = dayAndTime(s.commitmentEndsAt);
  return s.autoRenew.on
    ? `renews then, with a commitment until ${committed}`
    : `renews then until its commitment ends on ${committed}`;
}

function describeGrace(s: Subscription): string {
  return s.graceEndsAt === null ? '' : `; the grace period ended on ${dayAndTime(s.graceEndsAt)} without a payment`;
}

function describeEndReason(s: Subscription): string {
  switch (s.ended?.reason) {
    case 'billing_error':
      return `the store could not charge renewal ${s.renewalNumber + 1}${describeGrace(s)}`;
    case 'unsubscribe':
      return 'auto-renewal had been turned off';
    case 'price_increase':
      return 'the customer did not accept the new price';
    case undefined:
      return s.retrySince === null
        ? 'the store has reported no renewal'
        : `the store could not charge renewal ${s.renewalNumber + 1}${describeGrace(s)}`;
    default:
      return `the store reports the reason ${s.ended?.reason ?? 'unknown'}`;
  }
}

export function nextChangesOf(s: Subscription, at: string): readonly AccessChange[] {
  if (s.pending === 'waiting')
    return [{ at: null, kind: 'payment', effect: 'gives', sentence: 'the payment is completed' }];
  if (s.pause?.begun) {
    const { autoResumeAt } = s.pause;
    return [{ at: autoResumeAt, kind: 'resumes', effect: 'gives', sentence: 'the subscription resumes and is paid' }];
  }
  const due = nextDeadline(s);
  if (!due || due.at <= at) return [];
  switch (due.kind) {
    case 'periodEnd':
      return s.autoRenew.on || s.commitmentEndsAt !== undefined
        ? [{ at: due.at, kind: 'renewal_due', effect: 'takes', sentence: 'the renewal is due; access ends without it' }]
        : [{ at: due.at, kind: 'period_ends', effect: 'takes', sentence: 'the paid period ends and does not renew' }];
    case 'graceEnd':
      return [{ at: due.at, kind: 'grace_ends', effect: 'takes', sentence: 'the grace period ends without a payment' }];
    case 'retryStop': {
      const paid = { at: null, kind: 'payment', effect: 'gives', sentence: 'the store charges the renewal' } as const;
      const grace = s.graceEndsAt !== null && s.graceEndsAt > at ? s.graceEndsAt : null;
      const ends = {
        kind: 'grace_ends',
        effect: 'takes',
        sentence: 'the grace period ends without a payment',
      } as const;
      const stop = { kind: 'retry_ends', effect: 'takes', sentence: 'the store stops retrying the charge' } as const;
      return grace === null ? [paid, { at: due.at, ...stop }] : [{ at: grace, ...ends }];
    }
    case 'promoEnd':
      return [];
  }
}
