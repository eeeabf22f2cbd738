// Imported transactions of one purchase line as store updates, in the order of the store's times. They are decided by the same rules as a
// store's messages, so that a message about the same fact, earlier or later, adds nothing.
import { subscriptionId, type KeyedHash } from '../ids.js';
import type { ImportedRow } from '../envelope.js';
import type { StoreUpdate } from '../subscriber/decide/commands.js';
import type { RecordPeriod, StoreCommand } from '../subscriber/decide/store-commands.js';
import type { OneTimePurchaseRef, RefundPolicy } from '../subscriber/events/blocks.js';
import type { Product } from '../catalog/products.js';
import type { Money } from '../money.js';
import { addDuration, isSameInstant, latest } from '../time.js';
import { changeUpdates } from './change-updates.js';
import type { ImportedPurchase } from './facts.js';
import { withKnownEnds, withKnownTimes, type KnownPeriod } from './known-periods.js';
import { isFirstPeriod, offerOf, periodDurationOf } from './period-terms.js';

/** Transaction with what the project's catalogue and settings add to it. */
export type ImportedTransaction = {
  readonly fact: ImportedPurchase;
  readonly from: ImportedRow;
  /** Time of the row; empty if unknown. */
  readonly statedAt: string;
  readonly purchase: OneTimePurchaseRef;
  readonly product: Product | null;
  readonly money: Money;
  readonly policy: RefundPolicy;
};

export type ChainContext = {
  readonly projectId: string;
  readonly storeChainId: string;
  readonly hash: KeyedHash;
  /** Time of the import (ISO 8601 UTC). */
  readonly now: string;
};

/** A renewal this long after the end of the period, at most, follows from a failed charge. */
const MAX_BILLING_RETRY = 'P60D';

/** A period of the file, or one that is known here. */
type Neighbour = Pick<
  ImportedPurchase,
  | ('transactionId' | 'storeProductId' | 'purchasedAt' | 'expiresAt' | 'graceExpiresAt')
  | ('refundedAt' | 'refundShare' | 'billingIssueAt' | 'autoResumeAt')
>;

/** Returns the updates of a purchase line. `transactions`: all of the line in the files, in any order. */
export function chainUpdates(
  transactions: readonly ImportedTransaction[],
  ctx: ChainContext,
  known: readonly KnownPeriod[] = [],
): readonly StoreUpdate[] {
  const own = transactions.map((one) => ({ ...one, fact: withKnownTimes(one.fact, known) }));
  const ids = new Set(own.map(({ fact }) => fact.transactionId));
  const reports = new Map<string, KnownPeriod[]>();
  for (const one of known) reports.set(one.transactionId, [...(reports.get(one.transactionId) ?? []), one]);
  const others = [...reports.values()].flatMap(([one]): Neighbour[] =>
    one && !ids.has(one.transactionId) ? [{ ...one, refundedAt: null, refundShare: 1, autoResumeAt: null }] : [],
  );
  const periods = own.flatMap(({ fact }): Neighbour[] => (fact.kind === 'one_time' ? [] : [fact]));
  const all = [...periods, ...others]
    .map((one) => withKnownEnds(one, reports.get(one.transactionId) ?? []))
    .toSorted((a, b) => (a.purchasedAt < b.purchasedAt ? -1 : 1));
  const updates = own.flatMap((one) => {
    if (one.fact.changes !== null) return statedUpdates(one, one.fact.changes, ctx);
    if (one.fact.kind === 'one_time') return [...oneTimeUpdates(one, ctx), ...refundUpdates(one, ctx)];
    const place = all.findIndex(({ transactionId }) => transactionId === one.fact.transactionId);
    return periodUpdates(one, { known: all[place] ?? one.fact, previous: all[place - 1], next: all[place + 1] }, ctx);
  });
  return updates.toSorted((a, b) => (a.orderedAt < b.orderedAt ? -1 : a.orderedAt > b.orderedAt ? 1 : 0));
}

/** Returns the end of access of a period. */
export function accessEndOf({ expiresAt, graceExpiresAt, purchasedAt }: Neighbour): string {
  return latest(expiresAt ?? purchasedAt, graceExpiresAt ?? '');
}

/** Returns the updates of a transaction whose changes the source states: nothing is derived. */
function statedUpdates(
  one: ImportedTransaction,
  changes: NonNullable<ImportedPurchase['changes']>,
  ctx: ChainContext,
): readonly StoreUpdate[] {
  const { fact, from } = one;
  const { storeChainId } = ctx;
  const orderedAt = fact.purchasedAt;
  const period = {
    ...periodCommand(one, undefined, periodDurationOf(one.fact, one.product, undefined), ctx),
    reason: statedReasonOf(fact),
  };
  const bought =
    fact.kind === 'one_time' ? oneTimeUpdates(one, ctx) : [{ orderedAt, commands: [period], importedFrom: from }];
  const past = changes.filter(({ at }) => at >= fact.purchasedAt && at <= ctx.now);
  return [...bought, ...changeUpdates(past, { storeChainId, transactionId: fact.transactionId, from })];
}

/** A change of product is a renewal with another product, whatever state the former subscription is in. */
function statedReasonOf(fact: ImportedPurchase): RecordPeriod['reason'] {
  const { startReason } = fact;
  if (startReason === null) return isFirstPeriod(fact) ? 'purchase' : 'renewal';
  return startReason === 'imported' || startReason === 'product_change' ? 'renewal' : 'purchase';
}

function oneTimeUpdates(one: ImportedTransaction, { storeChainId }: ChainContext): readonly StoreUpdate[] {
  const { fact, purchase, product, money, from } = one;
  const { purchasedAt, expiresAt } = fact;
  const type = product?.type ?? 'consumable';
  const productType = type === 'subscription' ? 'non_renewing_subscription' : type;
  const shared = { storeChainId, storeTime: null, purchase, purchasedAt, expiresAt, money, offer: offerOf(fact) };
  const command: StoreCommand = { kind: 'recordOneTimePurchase', ...shared, productType, quantity: 1 };
  return [{ orderedAt: purchasedAt, commands: [command], importedFrom: from }];
}

/** An early end of access is that of the period, unless a refund at that time ends it, or another period goes on from the contract's end. */
function withEarlyEnd(one: ImportedTransaction, next: Neighbour | undefined): ImportedTransaction {
  const { accessEndsAt, expiresAt, refundedAt } = one.fact;
  const goesOn = next !== undefined && expiresAt !== null && next.purchasedAt <= expiresAt;
  if (accessEndsAt === null || accessEndsAt === refundedAt || goesOn) return one;
  return { ...one, fact: { ...one.fact, expiresAt: accessEndsAt, graceExpiresAt: null } };
}

/** `known`: the period as far as it is known here and in the file. */
type PeriodPlace = {
  readonly known: Neighbour;
  readonly previous: Neighbour | undefined;
  readonly next: Neighbour | undefined;
};

function periodUpdates(
  whole: ImportedTransaction,
  { known, previous, next }: PeriodPlace,
  ctx: ChainContext,
): readonly StoreUpdate[] {
  const one = withEarlyEnd(whole, next);
  const { fact, from } = one;
  const at = (orderedAt: string, command: StoreCommand): StoreUpdate => ({
    orderedAt,
    commands: [command],
    importedFrom: from,
  });
  const { storeChainId } = ctx;
  const of = (storeTime: string) => ({ storeChainId, storeTime, shown: fact.transactionId });
  const period = periodCommand(one, previous, periodDurationOf(whole.fact, whole.product, next), ctx);
  const updates = [at(fact.purchasedAt, period)];
  const isWithin = (time: string | null): time is string =>
    time !== null && time >= fact.purchasedAt && (next === undefined || time <= next.purchasedAt);
  const { autoRenewOffAt, billingIssueAt, autoResumeAt } = fact;
  if (isWithin(autoRenewOffAt)) {
    const reason = 'unsubscribe' as const;
    updates.push(
      at(autoRenewOffAt, { kind: 'recordAutoRenew', ...of(autoRenewOffAt), on: false, reason, inferred: false }),
    );
  }
  if (isWithin(billingIssueAt)) {
    const graceEndsAt = fact.graceExpiresAt;
    updates.push(
      at(billingIssueAt, { kind: 'recordBillingFailure', ...of(billingIssueAt), graceEndsAt, inferred: false }),
    );
  }
  const end = accessEndOf(fact);
  if (autoResumeAt !== null && next === undefined && end <= ctx.now && autoResumeAt > ctx.now) {
    updates.push(at(end, { kind: 'recordPause', ...of(end), pausedAt: end, autoResumeAt, inferred: false }));
  }
  const ending = one === whole ? known : fact;
  const over = next && expiryTime(ending, next, fact.autoRenewOffAt !== null);
  if (over != null) {
    updates.push(at(over, { kind: 'recordExpiry', ...of(over), reason: 'unknown', endedAt: accessEndOf(ending) }));
  }
  return [...updates, ...refundUpdates(one, ctx)];
}

/** Returns when the subscription ended after the period; null if it went on. The end of the latest period is passed as a deadline. */
function expiryTime(fact: Neighbour, next: Neighbour, isCancelled: boolean): string | null {
  const end = accessEndOf(fact);
  if (next.purchasedAt < end || continues(fact, next)) return null;
  const isRetried = fact.billingIssueAt !== null && !isCancelled;
  const retriedUntil = isRetried ? endOfRetry(fact) : end;
  return next.purchasedAt < retriedUntil ? latest(end, fact.billingIssueAt ?? end) : retriedUntil;
}

/**
 * Returns true if the next transaction continues the subscription: without a gap, or after a failed charge. After a full refund
 * only a renewal at the end of the period does.
 */
function continues(fact: Neighbour, next: Neighbour): boolean {
  const end = accessEndOf(fact);
  const { refundedAt, refundShare } = fact;
  const isCut = refundedAt !== null && refundShare === 1 && refundedAt <= next.purchasedAt;
  if (isCut) return next.purchasedAt === fact.expiresAt;
  if (next.purchasedAt <= end || isSameInstant(next.purchasedAt, end)) return true;
  const isRecovered = fact.billingIssueAt !== null || fact.autoResumeAt !== null;
  return isRecovered && next.purchasedAt <= endOfRetry(fact);
}

/** A store retries from the end of the period, also when a grace period follows it. */
function endOfRetry(fact: Neighbour): string {
  return addDuration(fact.expiresAt ?? accessEndOf(fact), MAX_BILLING_RETRY);
}

function periodCommand(
  one: ImportedTransaction,
  previous: Neighbour | undefined,
  periodDuration: string | null,
  { storeChainId, projectId, hash }: ChainContext,
): RecordPeriod {
  const { fact, purchase, product, money } = one;
  const { purchasedAt, expiresAt, kind } = fact;
  const productDuration = fact.productDuration ?? product?.duration ?? null;
  return {
    kind: 'recordPeriod',
    storeChainId,
    storeTime: null,
    purchase,
    newSubscriptionId: subscriptionId(hash, projectId, storeChainId, fact.transactionId),
    reason: previous ? reasonAfter(previous, fact) : isFirstPeriod(fact) ? 'purchase' : 'renewal',
    periodType: kind === 'one_time' ? 'normal' : kind,
    periodDuration,
    productDuration,
    purchasedAt,
    expiresAt: expiresAt ?? purchasedAt,
    money,
    offer: offerOf(fact),
    inferred: false,
  };
}

/** A customer buys again after an end, and another product before the end of the current one. */
function reasonAfter(previous: Neighbour, fact: Neighbour): RecordPeriod['reason'] {
  if (!continues(previous, fact)) return 'purchase';
  const isSame = previous.storeProductId === fact.storeProductId;
  const contractEnd = previous.expiresAt ?? previous.purchasedAt;
  return isSame || fact.purchasedAt >= contractEnd ? 'renewal' : 'purchase';
}

function refundUpdates({ fact, from, policy }: ImportedTransaction, ctx: ChainContext): readonly StoreUpdate[] {
  const { refundedAt, refundShare: share, transactionId } = fact;
  if (refundedAt === null || refundedAt < fact.purchasedAt) return [];
  const refund = { kind: share === 1 ? ('full' as const) : ('prorated' as const), share };
  const shared = { storeChainId: ctx.storeChainId, storeTime: null, transactionId };
  const command: StoreCommand = { kind: 'recordRefund', ...shared, refundedAt, refund, policy };
  return [{ orderedAt: refundedAt, commands: [command], importedFrom: from }];
}
