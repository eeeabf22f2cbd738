// Changes of the time ahead and refunds, as store commands and as events. Days as in `samples.ts`.
import type { CancelReason, ExpirationReason, RefundPolicy } from '../../../src/domain/subscriber/events/blocks.js';
import type { PassDeadline } from '../../../src/domain/subscriber/decide/commands.js';
import type {
  RecordAutoRenew,
  RecordBillingFailure,
  RecordExpiry,
  RecordGraceEnd,
  RecordRefund,
  RecordRefundReversal,
} from '../../../src/domain/subscriber/decide/store-commands.js';
import { subscriberEvents as e, type SubscriberEvent } from '../../../src/domain/subscriber/events/events.js';
import { chain, day, purchaseOf, subPurchaseOf, usd, type Term } from './samples.js';

const signedOn = (n: number) => ({ storeChainId: chain, storeTime: day(n) });

export function autoRenew(on: boolean, signed: number, inferred = false): RecordAutoRenew {
  return { kind: 'recordAutoRenew', ...signedOn(signed), on, reason: 'unsubscribe', inferred };
}

export function failed(signed: number, graceTo: number | null, inferred = false): RecordBillingFailure {
  const graceEndsAt = graceTo === null ? null : day(graceTo);
  return { kind: 'recordBillingFailure', ...signedOn(signed), graceEndsAt, inferred };
}

export function graceOver(signed: number): RecordGraceEnd {
  return { kind: 'recordGraceEnd', ...signedOn(signed) };
}

export function expiry(signed: number, reason: ExpirationReason = 'unsubscribe'): RecordExpiry {
  return { kind: 'recordExpiry', ...signedOn(signed), reason };
}

export function refund(
  transactionId: string,
  on: number,
  o: { readonly policy?: RefundPolicy; readonly share?: number } = {},
): RecordRefund {
  const { policy = 'revoke_immediately', share = 1 } = o;
  const kind = share === 1 ? ('full' as const) : ('prorated' as const);
  return {
    kind: 'recordRefund',
    ...signedOn(on),
    transactionId,
    refundedAt: day(on),
    refund: { kind, share },
    policy,
  };
}

export function reversal(transactionId: string, on: number): RecordRefundReversal {
  return { kind: 'recordRefundReversal', ...signedOn(on), transactionId, reversedAt: day(on) };
}

/** Time passed up to `now`, less the slack. */
export function deadlinePassed(target: string, deadline: number, now: number): PassDeadline {
  return { kind: 'passDeadline', target, expectedAt: day(deadline), dueBefore: day(now) };
}

export function disabled(t: Term, signed: number, o: { reason?: CancelReason; ends?: number; of?: string } = {}) {
  const { reason = 'unsubscribe', ends = t.to } = o;
  const data = { purchase: subPurchaseOf(t, o.of), storeTime: day(signed), reason, effectiveAt: day(ends) };
  return e.SubscriptionAutoRenewDisabled.of(data, { at: day(signed), inferred: false });
}

export function enabled(t: Term, signed: number): SubscriberEvent {
  const data = { purchase: subPurchaseOf(t), storeTime: day(signed) };
  return e.SubscriptionAutoRenewEnabled.of(data, { at: day(signed), inferred: false });
}

export function confirmed(t: Term, signed: number): SubscriberEvent {
  return e.SubscriptionConfirmed.of({ purchase: subPurchaseOf(t), storeTime: day(signed) }, { at: day(signed) });
}

export function issueDetected(t: Term, signed: number, graceTo: number | null): SubscriberEvent {
  const gracePeriodExpiresAt = graceTo === null ? null : day(graceTo);
  const data = { purchase: subPurchaseOf(t), storeTime: day(signed), gracePeriodExpiresAt };
  return e.SubscriptionBillingIssueDetected.of(data, { at: day(signed) });
}

export function graceEntered(t: Term, signed: number, graceTo: number): SubscriberEvent {
  const data = { purchase: subPurchaseOf(t), storeTime: day(signed), gracePeriodExpiresAt: day(graceTo) };
  return e.SubscriptionGracePeriodEntered.of(data, { at: day(signed) });
}

/** `signed` null: by the passing of time. */
export function graceExpired(t: Term, signed: number | null, at: number): SubscriberEvent {
  const storeTime = signed === null ? null : day(signed);
  return e.SubscriptionGracePeriodExpired.of({ purchase: subPurchaseOf(t), storeTime }, { at: day(at) });
}

export function retryEntered(t: Term, signed: number | null, at: number): SubscriberEvent {
  const storeTime = signed === null ? null : day(signed);
  return e.SubscriptionBillingRetryEntered.of({ purchase: subPurchaseOf(t), storeTime }, { at: day(at) });
}

export function expired(
  t: Term,
  at: number,
  reason: ExpirationReason,
  o: { readonly signed?: number | null; readonly of?: string } = {},
): SubscriberEvent {
  const by = o.signed === null ? ('sweeper' as const) : ('store' as const);
  const storeTime = o.signed === null ? null : day(o.signed ?? at);
  return e.SubscriptionExpired.of({ purchase: subPurchaseOf(t, o.of), storeTime, reason, by }, { at: day(at) });
}

export type RefundFields = {
  readonly isLatest: boolean;
  readonly accessRevoked: boolean;
  readonly policy?: RefundPolicy;
  readonly share?: number;
  readonly of?: string | null;
};

export function refunded(t: Pick<Term, 'id' | 'product' | 'price'>, on: number, o: RefundFields): SubscriberEvent {
  const { share = 1, policy = 'revoke_immediately', isLatest, accessRevoked } = o;
  const kind = share === 1 ? ('full' as const) : ('prorated' as const);
  const data = {
    purchase: purchaseOf(t),
    transactionId: t.id,
    subscriptionId: o.of === undefined ? 'sub_t1' : o.of,
    refundedAt: day(on),
    refund: { kind, share, money: usd(Math.round((t.price ?? 9_990_000) * share)) },
    isLatest,
    accessRevoked,
    policy,
  };
  return e.TransactionRefunded.of(data, { at: day(on) });
}

export function reversed(
  t: Pick<Term, 'id' | 'product' | 'price'>,
  on: number,
  o: { readonly accessRestored: boolean; readonly of?: string | null },
): SubscriberEvent {
  const data = {
    purchase: purchaseOf(t),
    transactionId: t.id,
    subscriptionId: o.of === undefined ? 'sub_t1' : o.of,
    refund: { kind: 'full' as const, share: 1, money: usd(t.price ?? 9_990_000) },
    accessRestored: o.accessRestored,
  };
  return e.TransactionRefundReversed.of(data, { at: day(on) });
}
