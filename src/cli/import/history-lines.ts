// Customers and transactions of the read models as lines of facts, which `subledger import facts` reads back.
import type { z } from 'zod';
import { ORDER_CHAIN } from '../../domain/imports/chain-updates.js';
import type { importedLine } from '../../domain/imports/facts.js';
import { isTestStore, rulesOfStore, type AppStore } from '../../domain/store-kinds.js';
import type { Subscription } from '../../domain/subscriber/state/state.js';
import type { CustomerDoc } from '../../projections/models/customers.js';
import type { TransactionDoc } from '../../projections/models/transactions.js';

export type HistoryLine = z.input<typeof importedLine>;

const PERIODS: ReadonlySet<string> = new Set(['trial', 'intro', 'normal', 'prepaid']);

/** Returns the customer with its names and attributes, then its grants. A customer who was merged or erased has no lines of its own. */
export function customerLines({ profile, firstSeenAt }: CustomerDoc): readonly HistoryLine[] {
  const { appUserId, aliases, country, platform, attributes, grants } = profile;
  if (profile.status !== 'known') return [];
  return [
    {
      type: 'customer',
      appUserId,
      aliases: [...aliases],
      firstSeenAt,
      country,
      platform,
      attributes: Object.fromEntries(attributes.map(({ k, v, t }) => [k, { value: v, updatedAt: t }])),
    },
    ...grants.map(({ lookupKey, startsAt, expiresAt, endedAt }): HistoryLine => {
      return { type: 'grant', appUserId, entitlement: lookupKey, startsAt, expiresAt: endedAt ?? expiresAt };
    }),
  ];
}

/**
 * Returns the line of a transaction; null for the test store, whose purchases no store knows. `next`: the next period of the same
 * subscription.
 */
export function transactionLine(
  t: TransactionDoc,
  next: TransactionDoc | undefined,
  { profile }: CustomerDoc,
  offeringKeyOf: (offeringId: string) => string | null,
): HistoryLine | null {
  if (isTestStore(t.store as AppStore)) return null;
  const { kind: store, namesChainBy } = rulesOfStore(t.store);
  const subscription = profile.subscriptions.find(({ purchase }) => purchase.subscriptionId === t.subscriptionId);
  const isPeriod = PERIODS.has(t.type);
  const chain = subscription?.purchase.storeChainId ?? t.originalTransactionId;
  const isToken = namesChainBy === 'purchaseToken' && !chain.startsWith(ORDER_CHAIN);
  const { currency, amountMicros, usdMicros, taxRate, commissionRate } = t.money;
  return {
    type: 'purchase',
    appUserId: profile.appUserId,
    store,
    appId: t.appId,
    storeProductId: t.storeProductId,
    transactionId: t.transactionId,
    originalTransactionId: namesChainBy === 'purchaseToken' ? null : chain,
    purchaseToken: isToken ? chain : null,
    kind: isPeriod ? (t.type as Subscription['period']['type']) : 'one_time',
    purchasedAt: t.purchasedAt,
    expiresAt: t.expiresAt,
    currency,
    amountMicros,
    usdMicros,
    taxRate,
    commissionRate,
    refundedAt: t.refundedAt,
    refundShare: refundShareOf(t),
    ...intentsOf(t, subscription),
    ...gapOf(t, next),
    environment: t.environment === 'sandbox' ? 'sandbox' : 'production',
    ownership: subscription?.purchase.ownership ?? 'purchased',
    country: t.country,
    offering: t.offeringId === null ? null : offeringKeyOf(t.offeringId),
    productDuration: isPeriod ? (subscription?.period.productDuration ?? null) : null,
    renewals: isPeriod ? (t.kind === 'purchase' ? 0 : 1) : null,
  };
}

function refundShareOf({ refundedAt, refundedUsdMicros, money }: TransactionDoc): number {
  if (refundedAt === null || refundedUsdMicros === null || !money.usdMicros) return 1;
  return Math.min(1, Math.max(1e-6, refundedUsdMicros / money.usdMicros));
}

/** Intents belong to the latest period of a subscription. */
function intentsOf(t: TransactionDoc, s: Subscription | undefined) {
  if (s?.purchase.transactionId !== t.transactionId) return {};
  return {
    autoRenewOffAt: s.autoRenew.on ? null : s.autoRenew.since,
    billingIssueAt: s.billingIssueAt,
    graceExpiresAt: s.graceEndsAt,
    autoResumeAt: s.pause?.begun === true ? s.pause.autoResumeAt : null,
  };
}

/** A subscription that went on after a gap was in billing retry or paused, from the end of the period. */
function gapOf({ expiresAt }: TransactionDoc, next: TransactionDoc | undefined) {
  return expiresAt !== null && next !== undefined && next.purchasedAt > expiresAt ? { billingIssueAt: expiresAt } : {};
}
