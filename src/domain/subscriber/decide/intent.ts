// Rules for intents, the store commands about the future: auto-renewal, failed payments, expirations.
// Each carries the store's time; one older than the newest applied to its chain is stale and appends nothing.
import { rulesOfStore } from '../../store-kinds.js';
import { earliest, latest } from '../../time.js';
import { accessEndsAt, isOver, termEndsAt } from '../access.js';
import type { ExpirationReason } from '../events/blocks.js';
import { subscriberEvents as e, type SubscriberEvent } from '../events/events.js';
import { chainOf, storeTimeOf } from '../state/line.js';
import type { Subscriber, Subscription } from '../state/state.js';
import type {
  RecordAutoRenew,
  RecordBillingFailure,
  RecordExpiry,
  RecordGraceEnd,
  RecordReplacement,
} from './store-commands.js';

type Intent = {
  readonly storeChainId: string;
  readonly storeTime: string | null;
  readonly readAt?: string;
  /** Transaction in the store's message about the intent. */
  readonly shown?: string;
};
export type IntentTarget = { readonly s: Subscription; readonly storeTime: string };

export function recordAutoRenew(c: RecordAutoRenew, state: Subscriber): SubscriberEvent[] {
  const found = findIntentTarget(c, state);
  if (!found || (c.inferred && isOver(found.s))) return [];
  const { s, storeTime } = found;
  const meta = { at: storeTime, inferred: c.inferred };
  const { purchase } = s;
  if (s.autoRenew.on === c.on) return c.inferred ? [] : confirmStoreTime(found, state);
  // Auto-renewal came with a new sign-up that is not known (yet), not with a change of the setting.
  if (c.on && c.inferred && s.autoRenew.isOutdated)
    return [e.SubscriptionConfirmed.of({ purchase, storeTime, autoRenews: true }, { at: storeTime, inferred: true })];
  if (c.on) return [e.SubscriptionAutoRenewEnabled.of({ purchase, storeTime }, meta)];
  const reason = hasRefund(s, state) ? 'customer_support' : c.reason;
  const { effectiveAt = termEndsAt(s) } = c;
  return [e.SubscriptionAutoRenewDisabled.of({ purchase, storeTime, reason, effectiveAt }, meta)];
}

/** Records one billing issue per failed renewal, together with the grace period or the retry that follows. */
export function recordBillingFailure(c: RecordBillingFailure, state: Subscriber): SubscriberEvent[] {
  const found = c.inferred ? findIntentTarget(c, state) : findFailureTarget(c, state);
  if (!found || (c.inferred && isOver(found.s) && !isEndedByDeadline(found.s))) return [];
  const { s, storeTime } = found;
  const { purchase } = s;
  const meta = { at: storeTime, inferred: c.inferred };
  const events: SubscriberEvent[] = [];
  if (s.billingIssueAt === null) {
    events.push(
      e.SubscriptionBillingIssueDetected.of({ purchase, storeTime, gracePeriodExpiresAt: c.graceEndsAt }, meta),
    );
  }
  if (c.graceEndsAt !== null && s.retrySince === null && s.graceEndsAt !== c.graceEndsAt) {
    const data = { purchase, storeTime, gracePeriodExpiresAt: c.graceEndsAt };
    events.push(e.SubscriptionGracePeriodEntered.of(data, meta));
  }
  if (c.graceEndsAt === null && s.retrySince === null) {
    if (s.graceEndsAt !== null) events.push(...endGrace(found, earliest(storeTime, accessEndsAt(s))));
    else events.push(enterRetry(found, latest(storeTime, s.contractEndsAt), c.inferred));
  }
  return events.length > 0 || c.inferred ? events : confirmStoreTime(found, state);
}

/** Returns true if a deadline ended the subscription before a failed payment was known. */
function isEndedByDeadline({ ended, billingIssueAt }: Subscription): boolean {
  return ended?.by === 'sweeper' && billingIssueAt === null;
}

export function recordGraceEnd(c: RecordGraceEnd, state: Subscriber): SubscriberEvent[] {
  const found = findFailureTarget(c, state);
  if (!found || isOver(found.s) || found.s.retrySince !== null) return [];
  return endGrace(found, earliest(found.storeTime, accessEndsAt(found.s)));
}

/** Ends the grace period: access ends, while the store continues to retry the charge. */
export function endGrace(found: { s: Subscription; storeTime: string | null }, at: string): SubscriberEvent[] {
  const { s, storeTime } = found;
  const expiry = e.SubscriptionGracePeriodExpired.of({ purchase: s.purchase, storeTime }, { at });
  return [...(s.graceEndsAt === null ? [] : [expiry]), enterRetry(found, at, false)];
}

/** Expires the subscription when access ends: at the contract's end even if the message is late; during retries at the store's time. */
export function recordExpiry(c: RecordExpiry, state: Subscriber): SubscriberEvent[] {
  const found = findIntentTarget(c, state);
  // An end of an older charge than the latest says nothing about the renewal that was paid since.
  if (!found || isOver(found.s) || isAboutOlderCharge(c, found.s, state)) return [];
  const { s, storeTime } = found;
  const at = s.retrySince === null ? earliest(c.endedAt ?? storeTime, accessEndsAt(s)) : storeTime;
  const data = { purchase: s.purchase, storeTime, reason: reasonOf(c, s), by: 'store' as const };
  return [e.SubscriptionExpired.of(data, { at })];
}

/** Ends a replaced charge only if no newer one is known, which would itself contain the end. */
export function recordReplacement(c: RecordReplacement, { profile }: Subscriber): SubscriberEvent[] {
  const s = chainOf(profile, c.storeChainId).at(-1);
  if (!s || s.purchase.transactionId !== c.transactionId || isOver(s) || c.storeTime === null) return [];
  const data = { purchase: s.purchase, storeTime: null, reason: 'product_change' as const, by: 'store' as const };
  return [e.SubscriptionExpired.of(data, { at: earliest(c.storeTime, accessEndsAt(s)), inferred: true })];
}

/** A pause that does not resume is itself the reason; if the store reports none, the reason follows from the earlier state. */
function reasonOf({ reason }: RecordExpiry, s: Subscription): ExpirationReason {
  if (reason === 'product_change') return reason;
  if (reason === 'billing_error' && isWithoutConsent(s)) return 'price_increase';
  return s.pause?.begun || reason === 'unknown' ? expectedEndReason(s) : reason;
}

/** Returns the expected reason of an expiration. */
export function expectedEndReason(s: Subscription): ExpirationReason {
  if (s.pause !== null) return 'subscription_paused';
  if (s.autoRenew.on && isWithoutConsent(s)) return 'price_increase';
  // A cancelled commitment is charged until its end: before that, the cancellation is not the reason.
  if (s.autoRenew.on || s.commitmentEndsAt !== undefined) return 'unknown';
  return s.autoRenew.reason ?? 'unknown';
}

/** Returns true if the new price was not accepted and no charge failed: the android-store then cancels without a reason of its own. */
function isWithoutConsent({ purchase, priceIncrease, billingIssueAt }: Subscription): boolean {
  const isPending = priceIncrease !== null && !priceIncrease.isAccepted;
  return isPending && billingIssueAt === null && rulesOfStore(purchase.store).endsWithoutConsent;
}

function enterRetry(
  found: { s: Subscription; storeTime: string | null },
  at: string,
  inferred: boolean,
): SubscriberEvent {
  const { s, storeTime } = found;
  return e.SubscriptionBillingRetryEntered.of({ purchase: s.purchase, storeTime }, { at, inferred });
}

function hasRefund(s: Subscription, { transactions }: Subscriber): boolean {
  const { storeChainId } = s.purchase;
  return [...transactions.values()].some((t) => t.purchase.storeChainId === storeChainId && t.refund !== null);
}

/**
 * Returns the subscription that the intent concerns, or null if the intent is stale: older than the latest intent, or older than a latest
 * period known only from a receipt (receipts contain no intents and do not advance the clock). An intent that contains the latest period
 * concerns it even before it begins: stores charge up to a day ahead.
 */
export function findIntentTarget(c: Intent, state: Subscriber): IntentTarget | null {
  const { profile } = state;
  const s = chainOf(profile, c.storeChainId).at(-1);
  if (!s || c.storeTime === null) return null;
  const startedAt = c.shown === s.purchase.transactionId ? '' : s.period.purchasedAt;
  const newest = latest(storeTimeOf(profile, c.storeChainId) ?? '', startedAt);
  // A store API response is valid now, even if an old message caused the request: it takes effect after all that is known. If its charge
  // is no longer the latest, another was recorded after the request, and the response contains nothing about that one.
  if (c.readAt !== undefined && isAboutOlderCharge(c, s, state)) return null;
  if (c.readAt !== undefined && c.readAt >= newest) return { s, storeTime: latest(c.storeTime, newest) };
  return c.storeTime < newest ? null : { s, storeTime: c.storeTime };
}

/** Returns null also if the failed charge has been paid since. */
function findFailureTarget(c: Intent, state: Subscriber): IntentTarget | null {
  const found = findIntentTarget(c, state);
  return found && isAboutOlderCharge(c, found.s, state) ? null : found;
}

/** Returns true if the charge in the store's message is older than the latest known one. */
function isAboutOlderCharge(c: Intent, s: Subscription, { transactions }: Subscriber): boolean {
  const transaction = transactions.get(c.shown ?? '');
  return transaction !== undefined && transaction.purchasedAt < s.period.purchasedAt;
}

/** Records a later store time even if nothing changed: otherwise an older message would win. */
export function confirmStoreTime({ s, storeTime }: IntentTarget, { profile }: Subscriber): SubscriberEvent[] {
  const known = storeTimeOf(profile, s.purchase.storeChainId);
  if (known !== null && known >= storeTime) return [];
  return [e.SubscriptionConfirmed.of({ purchase: s.purchase, storeTime }, { at: storeTime })];
}
