// A customer of a project as lines of facts: names, attributes, grants, and each transaction with all changes after it.
import type { z } from 'zod';
import type { CustomerHistory } from '../../domain/charts/history/history.js';
import { ORDER_CHAIN } from '../../domain/imports/period-terms.js';
import type { importedLine } from '../../domain/imports/facts.js';
import { isTestStore, rulesOfStore } from '../../domain/store-kinds.js';
import type { Subscription } from '../../domain/subscriber/state/state.js';
import type { CustomerDoc } from '../../projections/models/customers.js';
import type { TransactionDoc } from '../../projections/models/transactions.js';
import { statedChanges } from './stated-changes.js';

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

type ToExport = {
  readonly customer: CustomerDoc;
  readonly history: CustomerHistory;
  readonly offeringKeyOf: (offeringId: string) => string | null;
};

/**
 * Returns the lines of the transactions that `isAsked` accepts, but for those of the test store, whose purchases no store knows. `all`: the
 * customer's transactions, the earliest first.
 */
export function transactionLines(
  all: readonly TransactionDoc[],
  isAsked: (t: TransactionDoc) => boolean,
  o: ToExport,
): readonly HistoryLine[] {
  return all.flatMap((t, i) => {
    if (isTestStore(t.store) || !isAsked(t)) return [];
    const chain = chainOf(t, o.customer);
    const next = all.slice(i + 1).find((one) => one.subscriptionId !== null && chainOf(one, o.customer) === chain);
    return [transactionLine(t, t.subscriptionId === null ? undefined : next, o)];
  });
}

function chainOf(t: TransactionDoc, { profile }: CustomerDoc): string {
  return subscriptionOf(t, profile)?.purchase.storeChainId ?? t.originalTransactionId;
}

function subscriptionOf(t: TransactionDoc, { subscriptions }: CustomerDoc['profile']): Subscription | undefined {
  return subscriptions.find(({ purchase }) => purchase.subscriptionId === t.subscriptionId);
}

function transactionLine(
  t: TransactionDoc,
  next: TransactionDoc | undefined,
  { customer, history, offeringKeyOf }: ToExport,
): HistoryLine {
  const { profile } = customer;
  const { kind: store, namesChainBy } = rulesOfStore(t.store);
  const subscription = subscriptionOf(t, profile);
  const isPeriod = PERIODS.has(t.type);
  const chain = chainOf(t, customer);
  const isToken = namesChainBy === 'purchaseToken' && !chain.startsWith(ORDER_CHAIN);
  const { currency, amountMicros, usdMicros, taxRate, commissionRate } = t.money;
  const stated = statedChanges(history, { transaction: t, next, subscription });
  const start = stated?.start;
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
    environment: t.environment === 'sandbox' ? 'sandbox' : 'production',
    ownership: subscription?.purchase.ownership ?? 'purchased',
    country: t.country,
    offering: t.offeringId === null ? null : offeringKeyOf(t.offeringId),
    offerType: (start?.offerType ?? null) as HistoryOffer,
    productDuration: isPeriod ? ((start ?? subscription?.period)?.productDuration ?? null) : null,
    periodDuration: isPeriod ? t.periodDuration : null,
    renewals: isPeriod ? (t.kind === 'purchase' ? 0 : 1) : null,
    startReason: isPeriod ? ((start?.startReason ?? null) as HistoryStart) : null,
    changes: stated && [...stated.changes],
  };
}

type HistoryPurchase = Extract<HistoryLine, { type: 'purchase' }>;
type HistoryOffer = Exclude<HistoryPurchase['offerType'], undefined>;
type HistoryStart = Exclude<HistoryPurchase['startReason'], undefined>;

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
