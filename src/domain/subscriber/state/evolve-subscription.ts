// Applies events to the state of one subscription.
import { touches } from '../../events.js';
import { splitRevenue, type Money } from '../../money.js';
import { earliest, latest, msFromIso } from '../../time.js';
import { accessEndsAt } from '../access.js';
import { subscriberEvents, timeOf, type KnownSubscriberEvent } from '../events/events.js';
import type { Revenue, Subscription } from './state.js';

type Of<T extends KnownSubscriberEvent['type']> = Extract<KnownSubscriberEvent, { type: T }>;

type FirstEventType = 'SubscriptionPending' | 'SubscriptionStarted';

export function evolveSubscriptions(
  all: readonly Subscription[],
  event: KnownSubscriberEvent,
): readonly Subscription[] {
  if (event.type === 'SubscriptionPending') return [...all, newPendingSubscription(event)];
  if (event.type === 'SubscriptionStarted') return [...withoutPending(all, event), newSubscription(event)];
  const subscriptionId = subscriptionIdOf(event);
  if (subscriptionId === null) return all;
  return all.map((s) => (s.purchase.subscriptionId === subscriptionId ? applyEvent(s, event) : s));
}

function subscriptionIdOf(event: KnownSubscriberEvent): string | null {
  const { data } = event;
  if ('subscriptionId' in data) return data.subscriptionId;
  return 'purchase' in data && 'subscriptionId' in data.purchase ? data.purchase.subscriptionId : null;
}

/** State that the next charge resets: problems and plans of the last period. */
const CLEARED_STATE = {
  billingIssueAt: null,
  graceEndsAt: null,
  retrySince: null,
  refundedAt: null,
  revokedAt: null,
  pending: null,
  pause: null,
  nextProduct: null,
  priceIncrease: null,
  ended: null,
} as const;

function newSubscription(event: Of<'SubscriptionStarted'>): Subscription {
  const { purchase, startReason, periodType, productDuration, purchasedAt, expiresAt, money } = event.data;
  return {
    purchase,
    startReason,
    startedAt: purchasedAt,
    period: { type: periodType, purchasedAt, productDuration },
    contractEndsAt: expiresAt,
    ...committedUntil(event.data.commitmentEndsAt, expiresAt),
    renewalNumber: 0,
    autoRenew: { on: periodType !== 'prepaid', reason: null, since: null },
    ...CLEARED_STATE,
    revenue: splitRevenue(money),
  };
}

/** Creates a subscription without paid time: its contract ends where it begins. */
function newPendingSubscription(event: Of<'SubscriptionPending'>): Subscription {
  const at = timeOf(event);
  return {
    purchase: event.data.purchase,
    startReason: 'first_purchase',
    startedAt: at,
    period: { type: 'normal', purchasedAt: at, productDuration: null },
    contractEndsAt: at,
    renewalNumber: 0,
    autoRenew: { on: true, reason: null, since: null },
    ...CLEARED_STATE,
    pending: 'waiting',
    revenue: { gross: 0, tax: 0, commission: 0, proceeds: 0 },
  };
}

function withoutPending(all: readonly Subscription[], { data }: Of<'SubscriptionStarted'>): readonly Subscription[] {
  return all.filter((s) => s.purchase.subscriptionId !== data.purchase.subscriptionId);
}

function applyEvent(s: Subscription, event: Exclude<KnownSubscriberEvent, { type: FirstEventType }>): Subscription {
  if (!touches(subscriberEvents, event, 'subscription')) return s;
  switch (event.type) {
    case 'SubscriptionRenewed':
      return renew(s, event);
    case 'SubscriptionPendingCancelled':
      return { ...s, pending: 'cancelled' };
    case 'SubscriptionAutoRenewDisabled':
      return {
        ...s,
        ...committedUntil(event.data.effectiveAt, accessEndsAt(s)),
        autoRenew: { on: false, reason: event.data.reason, since: timeOf(event) },
      };
    case 'SubscriptionConfirmed':
      return event.data.autoRenews ? { ...s, autoRenew: { on: true, reason: null, since: null } } : s;
    case 'SubscriptionAutoRenewEnabled':
      return { ...s, autoRenew: { on: true, reason: null, since: null } };
    case 'SubscriptionBillingIssueDetected':
      return { ...s, billingIssueAt: timeOf(event) };
    case 'SubscriptionGracePeriodEntered':
      return { ...s, graceEndsAt: event.data.gracePeriodExpiresAt, pause: null, ended: null };
    case 'SubscriptionGracePeriodExpired':
      return { ...s, graceEndsAt: s.graceEndsAt && earliest(s.graceEndsAt, timeOf(event)) };
    case 'SubscriptionBillingRetryEntered':
      return { ...s, retrySince: timeOf(event), pause: null, ended: null };
    case 'SubscriptionPauseScheduled': {
      const { pauseAt: at, autoResumeAt } = event.data;
      return { ...s, pause: { begun: false, at, autoResumeAt } };
    }
    case 'SubscriptionPauseCancelled':
      return { ...s, pause: null };
    case 'SubscriptionPaused':
      return pause(s, event);
    case 'SubscriptionExpired':
      return expire(s, event);
    case 'SubscriptionRevoked':
      return { ...s, revokedAt: timeOf(event) };
    case 'SubscriptionProductChangeScheduled': {
      const { newProductId: productId, newStoreProductId: storeProductId, effectiveAt } = event.data;
      return { ...s, nextProduct: { productId, storeProductId, effectiveAt } };
    }
    case 'SubscriptionProductChangeCancelled':
      return { ...s, nextProduct: null };
    case 'PriceIncreaseConsentRequested': {
      const { newPrice, effectiveAt } = event.data;
      return { ...s, priceIncrease: { newPrice, effectiveAt, isAccepted: false } };
    }
    case 'PriceIncreaseAccepted': {
      const { newPrice, effectiveAt } = event.data;
      return { ...s, priceIncrease: { newPrice, effectiveAt, isAccepted: true } };
    }
    case 'TransactionPriceCorrected':
      return { ...s, revenue: correctRevenue(s.revenue, event) };
    case 'SubscriptionExtended':
      return { ...s, contractEndsAt: event.data.expiresAt, ended: null };
    case 'SubscriptionProductChanged':
      return event.data.toSubscriptionId === s.purchase.subscriptionId ? { ...s, purchase: event.data.purchase } : s;
    case 'TransactionRefunded': {
      const revenue = addRevenue(s.revenue, splitRevenue(event.data.refund.money), -1);
      const cuts = event.data.accessRevoked && event.data.transactionId === s.purchase.transactionId;
      return cuts ? { ...s, revenue, refundedAt: event.data.refundedAt } : { ...s, revenue };
    }
    case 'TransactionRefundReversed': {
      const revenue = addRevenue(s.revenue, splitRevenue(event.data.refund.money), 1);
      const restores = event.data.transactionId === s.purchase.transactionId && s.refundedAt !== null;
      if (!restores) return { ...s, revenue };
      return { ...s, revenue, refundedAt: null, ended: event.data.accessRestored ? null : s.ended };
    }
  }
}

/** A period older than the latest only adds money and a number. */
function renew(s: Subscription, event: Of<'SubscriptionRenewed'>): Subscription {
  const { purchase, periodType, productDuration, purchasedAt, expiresAt, money } = event.data;
  const revenue = addRevenue(s.revenue, splitRevenue(money), 1);
  const { commitmentEndsAt: known, ...others } = s;
  const renewed = { ...s, revenue, renewalNumber: s.renewalNumber + 1 };
  if (purchasedAt < s.period.purchasedAt) return { ...renewed, startedAt: earliest(s.startedAt, purchasedAt) };
  return {
    ...{ ...others, revenue, renewalNumber: renewed.renewalNumber },
    ...committedUntil(event.data.commitmentEndsAt ?? known, expiresAt),
    ...(isSignedUpAgain(s, purchasedAt) && { autoRenew: { ...s.autoRenew, isOutdated: true } }),
    purchase,
    period: { type: periodType, purchasedAt, productDuration },
    contractEndsAt: expiresAt,
    ...CLEARED_STATE,
  };
}

/** Returns the end of a commitment that goes beyond the paid time. */
function committedUntil(commitmentEndsAt: string | undefined, paidUntil: string) {
  return commitmentEndsAt !== undefined && commitmentEndsAt > paidUntil ? { commitmentEndsAt } : {};
}

/** Tolerance between the end of a period and the start of the next. */
const SLACK_MS = 60_000;

/**
 * Returns true if an ended subscription without auto-renewal is charged again: the customer must have signed up again, which was not
 * reported (yet). The stored auto-renewal state is older than that.
 */
function isSignedUpAgain(s: Subscription, purchasedAt: string): boolean {
  const isTroubled = s.billingIssueAt !== null || s.retrySince !== null || s.pause !== null;
  const isCommitted = s.ended === null && (s.commitmentEndsAt ?? '') > purchasedAt;
  if (s.autoRenew.on || isTroubled || isCommitted) return false;
  return s.ended?.by === 'store' || msFromIso(purchasedAt) - msFromIso(s.contractEndsAt) > SLACK_MS;
}

function pause(s: Subscription, event: Of<'SubscriptionPaused'>): Subscription {
  const at = timeOf(event);
  const { autoResumeAt } = event.data;
  const contractEndsAt = earliest(s.contractEndsAt, at);
  return { ...s, contractEndsAt, graceEndsAt: null, pause: { begun: true, at, autoResumeAt }, ended: null };
}

/** After a refund the refund itself ends access (and may be reversed); every other expiration cuts the remaining time. */
function expire(s: Subscription, event: Of<'SubscriptionExpired'>): Subscription {
  const at = timeOf(event);
  const end = { at, reason: event.data.reason, by: event.data.by };
  if (event.data.reason === 'customer_support') return { ...s, ended: end };
  const graceEndsAt = s.graceEndsAt && earliest(s.graceEndsAt, latest(at, s.period.purchasedAt));
  const over = { ended: end, graceEndsAt, retrySince: null, pause: null, nextProduct: null };
  return { ...s, ...over, contractEndsAt: earliest(s.contractEndsAt, at) };
}

/** Replaces the revenue by that of the corrected price, including the share that was already refunded. */
function correctRevenue(revenue: Revenue, { data }: Of<'TransactionPriceCorrected'>): Revenue {
  const left = (money: Money) => {
    const [whole, back] = [splitRevenue(money), splitRevenue(money, data.refundedShare)];
    return addRevenue(whole, back, -1);
  };
  return addRevenue(addRevenue(revenue, left(data.previous), -1), left(data.money), 1);
}

function addRevenue(revenue: Revenue, part: Revenue, sign: 1 | -1): Revenue {
  return {
    gross: revenue.gross + sign * part.gross,
    tax: revenue.tax + sign * part.tax,
    commission: revenue.commission + sign * part.commission,
    proceeds: revenue.proceeds + sign * part.proceeds,
  };
}
