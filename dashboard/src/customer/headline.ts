// The one thing that matters about a customer, in sentences with product names: whether there is access, and by what; then the best purchase
// or grant, or what is wrong with it.
import type { ProductNames } from '../names/products';
import { storeName } from '../names/stores';
import { day, wordsOf } from '../parts/format';
import type { CustomerDetail } from './customer-detail';

export type Headline = {
  readonly tone: 'good' | 'warn' | 'bad' | '';
  readonly status: string;
  readonly sentence: string;
};

type Subscription = CustomerDetail['subscriptions'][number];
type Purchase = CustomerDetail['purchases'][number];

/** States of a subscription, the most important one first. */
const RANKS: readonly Subscription['state'][] = [
  ...(['active', 'intro', 'trial', 'grace_period', 'billing_retry', 'paused', 'pending'] as const),
  ...(['refunded', 'revoked', 'expired'] as const),
];
const CURRENT = RANKS.indexOf('pending');

export function headlineOf(customer: CustomerDetail, names: ProductNames, now = Date.now()): Headline {
  const active = customer.entitlements.filter((one) => one.active);
  const main = describeBest(customer, names, now);
  if (active.length === 0) {
    const isPaid = main.tone === 'good';
    return {
      tone: isPaid ? 'bad' : main.tone,
      status: isPaid ? `${main.status}, no access` : main.status,
      sentence: `No access. ${main.sentence}${isPaid ? ' No product of this customer unlocks an entitlement.' : ''}`,
    };
  }
  const isWrong = main.tone === 'bad' || main.tone === 'warn';
  return {
    tone: isWrong ? 'warn' : 'good',
    status: main.tone === 'bad' || main.tone === '' ? `has access, ${main.status}` : main.status,
    sentence: `${describeAccess(active, customer, names)} ${main.sentence}`,
  };
}

type Entitlement = CustomerDetail['entitlements'][number];

function describeAccess(active: readonly Entitlement[], customer: CustomerDetail, names: ProductNames): string {
  const sources = [...new Set(active.map((one) => sourceOf(one, customer, names)))];
  return `Has access to ${active.map(({ lookupKey }) => lookupKey).join(', ')}, by ${sources.join(' and ')}.`;
}

function sourceOf(
  { source, subscriptionId, expiresAt }: Entitlement,
  { subscriptions, purchases }: CustomerDetail,
  names: ProductNames,
): string {
  if (source === 'promotional') {
    return `a grant free of charge ${expiresAt === null ? 'without an end' : `until ${day(expiresAt)}`}`;
  }
  const lasting = purchases.filter((one) => isLasting(one) && one.refundedAt === null);
  const bought =
    subscriptions.find(({ id }) => id === subscriptionId) ??
    (source === 'purchase' && lasting.length === 1 ? lasting[0] : undefined);
  return bought ? names.nameOf(bought) : `a ${source}`;
}

function describeBest(customer: CustomerDetail, names: ProductNames, now: number): Headline {
  const [subscription] = customer.subscriptions.toSorted(byImportance);
  if (subscription && RANKS.indexOf(subscription.state) <= CURRENT) return describeSubscription(subscription, names);
  return (
    describeGrants(customer, now) ??
    describeLastingPurchase(customer.purchases, names, now) ??
    (subscription ? describeSubscription(subscription, names) : null) ??
    describePastPurchases(customer.purchases, names) ??
    describeNothing(customer)
  );
}

function byImportance(a: Subscription, b: Subscription): number {
  const rank = RANKS.indexOf(a.state) - RANKS.indexOf(b.state);
  return rank || Date.parse(b.accessEndsAt) - Date.parse(a.accessEndsAt);
}

function describeSubscription(s: Subscription, names: ProductNames): Headline {
  const name = names.nameOf(s);
  const store = storeName(s.store);
  const end = day(s.accessEndsAt);
  switch (s.state) {
    case 'active':
    case 'intro':
      return { tone: 'good', status: 'subscribed', sentence: `${name}: ${nextStep(s, names)}.` };
    case 'trial': {
      const after = s.autoRenewStatus === 'will_renew' ? 'then it is charged' : 'then it ends: renewal is turned off';
      return { tone: 'good', status: 'free trial', sentence: `${name}: free until ${end}, ${after}.` };
    }
    case 'grace_period':
      return {
        ...{ tone: 'warn', status: 'payment failed, access kept' },
        sentence: `${name}: the last charge failed. Access continues until ${end} while ${store} tries again.`,
      };
    case 'billing_retry':
      return {
        ...{ tone: 'bad', status: 'payment failed' },
        sentence: `${name}: it ended on ${end}, because the charge failed. ${store} is still trying.`,
      };
    case 'paused': {
      const resume = s.autoResumeAt === null ? '' : ` It resumes on ${day(s.autoResumeAt)}.`;
      return { tone: 'warn', status: 'paused', sentence: `${name}: paused by the customer.${resume}` };
    }
    case 'pending':
      return {
        ...{ tone: 'warn', status: 'payment pending' },
        sentence: `${name}: bought, but not paid yet. Access begins with the payment.`,
      };
    case 'refunded':
      return {
        ...{ tone: 'bad', status: 'refunded' },
        sentence: `${name}: refunded on ${day(s.refundedAt ?? s.accessEndsAt)}.`,
      };
    case 'revoked':
      return { tone: 'bad', status: 'taken back', sentence: `${name}: taken back by ${store} on ${end}.` };
    case 'expired':
      return { tone: '', status: 'ended', sentence: `${name}: ended on ${end}${endReason(s.expirationReason)}.` };
  }
}

function nextStep(s: Subscription, names: ProductNames): string {
  const end = day(s.currentPeriodEndsAt);
  switch (s.autoRenewStatus) {
    case 'will_renew':
      return `renews on ${end}`;
    case 'will_not_renew':
      if (s.commitmentEndsAt !== null)
        return `charged until the commitment ends on ${day(s.commitmentEndsAt)}, then it ends: renewal is turned off`;
      return `paid until ${end}, then it ends: renewal is turned off`;
    case 'will_pause':
      return `pauses on ${end}`;
    case 'requires_price_increase_consent':
      return `ends on ${end} unless the customer accepts the new price`;
    case 'will_change_product': {
      const next = s.pendingProductId;
      return `changes${next === null ? '' : ` to ${names.nameOf({ productId: next, storeProductId: next })}`} on ${end}`;
    }
  }
}

const END_REASONS: Readonly<Record<string, string>> = {
  unsubscribe: ', cancelled by the customer',
  billing_error: ', because the renewal could not be charged',
  price_increase: ', because the new price was not accepted',
  product_not_for_sale: ', because the product is no longer sold',
  developer_initiated: ', cancelled by the developer',
  product_change: ', replaced by another product',
};

export function endReason(reason: Subscription['expirationReason']): string {
  if (reason === null || reason === 'unknown') return '';
  return END_REASONS[reason] ?? ` (${wordsOf(reason)})`;
}

function describeGrants({ promotionalGrants }: CustomerDetail, now: number): Headline | null {
  const current = promotionalGrants.filter(
    ({ endedAt, expiresAt }) => endedAt === null && (expiresAt === null || Date.parse(expiresAt) > now),
  );
  const grant = current.find(({ expiresAt }) => expiresAt === null) ?? current.toSorted(byEnd)[0];
  if (!grant) return null;
  const until = grant.expiresAt === null ? 'without an end' : `until ${day(grant.expiresAt)}`;
  return { tone: 'good', status: 'free access', sentence: `${grant.lookupKey}: granted free of charge ${until}.` };
}

function byEnd(a: { readonly expiresAt: string | null }, b: typeof a): number {
  return Date.parse(b.expiresAt ?? '') - Date.parse(a.expiresAt ?? '');
}

/** Describes the purchase that lasts longest; null if none does. */
function describeLastingPurchase(purchases: readonly Purchase[], names: ProductNames, now: number): Headline | null {
  const lasting = purchases.filter((one) => isLasting(one) && one.refundedAt === null && lasts(one, now));
  const best = lasting.find(({ accessEndsAt }) => accessEndsAt === null) ?? lasting[0];
  if (!best) return null;
  const until = best.accessEndsAt === null ? 'has no end' : `lasts until ${day(best.accessEndsAt)}`;
  const sentence = `${names.nameOf(best)}: bought on ${day(best.purchasedAt)}, ${until}.`;
  return { tone: 'good', status: 'bought once', sentence };
}

function describePastPurchases(purchases: readonly Purchase[], names: ProductNames): Headline | null {
  const newestFirst = purchases.toSorted((a, b) => Date.parse(b.purchasedAt) - Date.parse(a.purchasedAt));
  const [newest] = newestFirst;
  if (!newest) return null;
  const paid = newestFirst.filter(({ refundedAt }) => refundedAt === null);
  if (paid.length === 0) {
    const sentence = `${names.nameOf(newest)}: refunded on ${day(newest.refundedAt ?? newest.purchasedAt)}.`;
    return { tone: 'bad', status: 'refunded', sentence };
  }
  const list = [...new Set(paid.map((one) => names.nameOf(one)))].join(', ');
  const last = day(paid[0]?.purchasedAt ?? newest.purchasedAt);
  const when = paid.length === 1 ? `bought on ${last}` : `bought ${paid.length} times, last on ${last}`;
  return { tone: '', status: 'one-time purchases', sentence: `${list}: ${when}. No subscription.` };
}

/** A consumable is used up: it has no end. */
export function isLasting({ periodType }: Purchase): boolean {
  return periodType !== 'consumable';
}

function lasts({ accessEndsAt }: Purchase, now: number): boolean {
  return accessEndsAt === null || Date.parse(accessEndsAt) > now;
}

function describeNothing({ status }: CustomerDetail): Headline {
  if (status === 'transferred') {
    const sentence = 'All purchases of this customer now belong to other customers. The timeline shows to whom.';
    return { tone: 'warn', status: 'transferred', sentence };
  }
  return { tone: '', status: 'no purchases', sentence: 'This customer has not bought anything yet.' };
}
