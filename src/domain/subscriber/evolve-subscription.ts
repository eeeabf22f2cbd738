// How each fact changes one subscription.
import { split, type Money } from '../money.js';
import { earliest, latest } from '../time.js';
import { timeOf, type KnownSubscriberEvent } from './evolve.js';
import type { Revenue, Subscription } from './state.js';

type Of<T extends KnownSubscriberEvent['type']> = Extract<KnownSubscriberEvent, { type: T }>;

export function evolveSubscriptions(
  all: readonly Subscription[],
  event: KnownSubscriberEvent,
): readonly Subscription[] {
  if (event.type === 'SubscriptionStarted') return [...all, start(event)];
  const subscriptionId = subscriptionIdOf(event);
  if (subscriptionId === null) return all;
  return all.map((s) => (s.purchase.subscriptionId === subscriptionId ? change(s, event) : s));
}

function subscriptionIdOf(event: KnownSubscriberEvent): string | null {
  if (event.type === 'TransactionRefunded' || event.type === 'TransactionRefundReversed')
    return event.data.subscriptionId;
  const data = event.data as { purchase?: { subscriptionId?: string } };
  return data.purchase?.subscriptionId ?? null;
}

function start(event: Of<'SubscriptionStarted'>): Subscription {
  const { purchase, startReason, periodType, productDuration, purchasedAt, expiresAt, money } = event.data;
  return {
    purchase,
    startReason,
    startedAt: purchasedAt,
    period: { type: periodType, purchasedAt, productDuration },
    contractEndsAt: expiresAt,
    renewalNumber: 0,
    autoRenew: { on: periodType !== 'prepaid', reason: null, since: null },
    billingIssueAt: null,
    graceEndsAt: null,
    retrySince: null,
    refundedAt: null,
    ended: null,
    revenue: split(money),
  };
}

function change(s: Subscription, event: KnownSubscriberEvent): Subscription {
  switch (event.type) {
    case 'SubscriptionRenewed':
      return renew(s, event);
    case 'SubscriptionAutoRenewDisabled':
      return { ...s, autoRenew: { on: false, reason: event.data.reason, since: timeOf(event) } };
    case 'SubscriptionAutoRenewEnabled':
      return { ...s, autoRenew: { on: true, reason: null, since: null } };
    case 'SubscriptionBillingIssueDetected':
      return { ...s, billingIssueAt: timeOf(event) };
    case 'SubscriptionGracePeriodEntered':
      return { ...s, graceEndsAt: event.data.gracePeriodExpiresAt, ended: null };
    case 'SubscriptionGracePeriodExpired':
      return { ...s, graceEndsAt: s.graceEndsAt && earliest(s.graceEndsAt, timeOf(event)) };
    case 'SubscriptionBillingRetryEntered':
      return { ...s, retrySince: timeOf(event), ended: null };
    case 'SubscriptionExpired':
      return expire(s, event);
    case 'SubscriptionExtended':
      return { ...s, contractEndsAt: event.data.expiresAt, ended: null };
    case 'SubscriptionProductChanged':
      return event.data.toSubscriptionId === s.purchase.subscriptionId ? { ...s, purchase: event.data.purchase } : s;
    case 'TransactionRefunded': {
      const revenue = sum(s.revenue, event.data.refund.money, -1);
      const cuts = event.data.accessRevoked && event.data.transactionId === s.purchase.transactionId;
      return cuts ? { ...s, revenue, refundedAt: event.data.refundedAt } : { ...s, revenue };
    }
    case 'TransactionRefundReversed': {
      const revenue = sum(s.revenue, event.data.refund.money, 1);
      const restores = event.data.transactionId === s.purchase.transactionId && s.refundedAt !== null;
      if (!restores) return { ...s, revenue };
      return { ...s, revenue, refundedAt: null, ended: event.data.accessRestored ? null : s.ended };
    }
    default:
      return s;
  }
}

/** A period older than the latest only adds money and a number. */
function renew(s: Subscription, event: Of<'SubscriptionRenewed'>): Subscription {
  const { purchase, periodType, productDuration, purchasedAt, expiresAt, money } = event.data;
  const revenue = sum(s.revenue, money, 1);
  const counted = { ...s, revenue, renewalNumber: s.renewalNumber + 1 };
  if (purchasedAt < s.period.purchasedAt) return { ...counted, startedAt: earliest(s.startedAt, purchasedAt) };
  return {
    ...counted,
    purchase,
    period: { type: periodType, purchasedAt, productDuration },
    contractEndsAt: expiresAt,
    billingIssueAt: null,
    graceEndsAt: null,
    retrySince: null,
    refundedAt: null,
    ended: null,
  };
}

/** After a refund the refund itself cuts (and may be reversed); every other end cuts what lies ahead. */
function expire(s: Subscription, event: Of<'SubscriptionExpired'>): Subscription {
  const at = timeOf(event);
  const ended = { at, reason: event.data.reason, by: event.data.by };
  if (event.data.reason === 'customer_support') return { ...s, ended };
  const graceEndsAt = s.graceEndsAt && earliest(s.graceEndsAt, latest(at, s.period.purchasedAt));
  return { ...s, ended, contractEndsAt: earliest(s.contractEndsAt, at), graceEndsAt, retrySince: null };
}

function sum(revenue: Revenue, money: Money, sign: 1 | -1): Revenue {
  const part = split(money);
  return {
    gross: revenue.gross + sign * part.gross,
    tax: revenue.tax + sign * part.tax,
    commission: revenue.commission + sign * part.commission,
    proceeds: revenue.proceeds + sign * part.proceeds,
  };
}
