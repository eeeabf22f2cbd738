// The ios-store's words turned into store-neutral facts. Pure; everything that is the store's own stays here and in its adapter.
// Types and subtypes: App Store Server Notifications V2, pages "notificationType" and "subtype".
import type { IosNotification, IosRenewalInfo, IosTransaction } from '../../adapters/ios-store/port.js';
import type { App } from '../../domain/project/events.js';
import type { ExpirationReason } from '../../domain/subscriber/blocks.js';
import type { StoreFactCommand } from '../../domain/subscriber/commands.js';
import { isoFromMs } from '../../domain/time.js';
import { purchaseFacts, type IosContext } from './ios-transaction.js';

/** Facts about one store chain, oldest first, and the name that the store gives its owner. */
export type StoreFacts = {
  readonly storeChainId: string;
  readonly facts: readonly StoreFactCommand[];
  readonly accountToken: string | null;
  /** When the transaction took place, for a customer that comes to be through it. */
  readonly firstAt: string;
};

/** Null: nothing here to apply (a test, or a type that this translator does not know). */
export function translateIosNotification(n: IosNotification, ctx: IosContext): StoreFacts | null {
  const { transaction, renewal } = n.data ?? {};
  const specific = handled.get(n.notificationType);
  if (!transaction || !specific) return null;
  const storeTime = isoFromMs(n.signedDate);
  const shared = { storeChainId: transaction.originalTransactionId, storeTime };
  const announces = specific === announced;
  const facts = [
    ...purchaseFacts(transaction, storeTime, !announces, ctx),
    ...specific({ n, transaction, renewal, shared, app: ctx.app }),
    ...renewalFacts(n, renewal, shared),
  ];
  return { ...outline(transaction), facts };
}

/** A transaction as a device holds it: says what was bought, nothing about intentions. */
export function translateIosTransaction(transaction: IosTransaction, ctx: IosContext): StoreFacts {
  const facts: StoreFactCommand[] = [...purchaseFacts(transaction, null, false, ctx)];
  if (transaction.revocationDate !== undefined) {
    facts.push(refundOf(transaction, { storeChainId: transaction.originalTransactionId, storeTime: null }, ctx.app));
  }
  return { ...outline(transaction), facts };
}

type Shared = { readonly storeChainId: string; readonly storeTime: string };
type Input = {
  readonly n: IosNotification;
  readonly transaction: IosTransaction;
  readonly renewal: IosRenewalInfo | undefined;
  readonly shared: Shared;
  readonly app: App;
};

/** The transaction itself is the news. */
const announced = (): StoreFactCommand[] => [];

/** Tells nothing that is followed here; still a snapshot, which may hold what a lost message told. */
const snapshot = (): StoreFactCommand[] => [];

/** What each type adds to the transaction and the renewal state that every payload carries. */
const handled: ReadonlyMap<string, (input: Input) => StoreFactCommand[]> = new Map([
  ['SUBSCRIBED', announced],
  ['DID_RENEW', announced],
  ['ONE_TIME_CHARGE', announced],
  ['OFFER_REDEEMED', announced],
  ['DID_CHANGE_RENEWAL_PREF', announced],
  ['RENEWAL_EXTENDED', announced],
  ['PRICE_INCREASE', snapshot],
  ['REFUND_DECLINED', snapshot],
  ['CONSUMPTION_REQUEST', snapshot],
  [
    'DID_CHANGE_RENEWAL_STATUS',
    ({ n, shared }: Input) => [autoRenew(shared, n.subtype === 'AUTO_RENEW_ENABLED', false)],
  ],
  ['DID_FAIL_TO_RENEW', ({ n, renewal, shared }: Input) => [billingFailure(n.subtype, renewal, shared)]],
  ['GRACE_PERIOD_EXPIRED', ({ shared }: Input) => [{ kind: 'recordGraceEnd' as const, ...shared }]],
  [
    'EXPIRED',
    ({ n, renewal, shared }: Input) => [
      { kind: 'recordExpiry' as const, ...shared, reason: expiredBy(n.subtype, renewal) },
    ],
  ],
  ['REFUND', ({ transaction, shared, app }: Input) => [refundOf(transaction, shared, app)]],
  [
    'REFUND_REVERSED',
    ({ n, transaction, shared }: Input) => [
      {
        kind: 'recordRefundReversal' as const,
        ...shared,
        transactionId: transaction.transactionId,
        reversedAt: isoFromMs(n.signedDate),
      },
    ],
  ],
]);

/** Types that tell by themselves how a failed payment goes on. */
const tellsOfPayment = new Set(['DID_FAIL_TO_RENEW', 'GRACE_PERIOD_EXPIRED', 'EXPIRED']);

/** Every payload is a snapshot: what its own notification failed to tell is read off it. */
function renewalFacts(n: IosNotification, renewal: IosRenewalInfo | undefined, shared: Shared): StoreFactCommand[] {
  if (!renewal) return [];
  const facts: StoreFactCommand[] = [];
  if (renewal.isInBillingRetryPeriod && !tellsOfPayment.has(n.notificationType)) {
    const graceMs = renewal.gracePeriodExpiresDate ?? 0;
    const graceEndsAt = graceMs > n.signedDate ? isoFromMs(graceMs) : null;
    facts.push({ kind: 'recordBillingFailure', ...shared, graceEndsAt, inferred: true });
  }
  if (renewal.autoRenewStatus !== undefined && n.notificationType !== 'DID_CHANGE_RENEWAL_STATUS') {
    facts.push(autoRenew(shared, renewal.autoRenewStatus === 1, true));
  }
  return facts;
}

function autoRenew(shared: Shared, on: boolean, inferred: boolean): StoreFactCommand {
  return { kind: 'recordAutoRenew', ...shared, on, reason: 'unsubscribe', inferred };
}

function billingFailure(
  subtype: string | undefined,
  renewal: IosRenewalInfo | undefined,
  shared: Shared,
): StoreFactCommand {
  const graceMs = subtype === 'GRACE_PERIOD' ? renewal?.gracePeriodExpiresDate : undefined;
  const graceEndsAt = graceMs === undefined ? null : isoFromMs(graceMs);
  return { kind: 'recordBillingFailure', ...shared, graceEndsAt, inferred: false };
}

const SUBTYPE_REASONS: ReadonlyMap<string, ExpirationReason> = new Map([
  ['VOLUNTARY', 'unsubscribe'],
  ['BILLING_RETRY', 'billing_error'],
  ['PRICE_INCREASE', 'price_increase'],
  ['PRODUCT_NOT_FOR_SALE', 'product_not_for_sale'],
]);
const INTENT_REASONS: readonly (ExpirationReason | undefined)[] = [
  undefined,
  'unsubscribe',
  'billing_error',
  'price_increase',
  'product_not_for_sale',
  'unknown',
];

function expiredBy(subtype: string | undefined, renewal: IosRenewalInfo | undefined): ExpirationReason {
  return SUBTYPE_REASONS.get(subtype ?? '') ?? INTENT_REASONS[renewal?.expirationIntent ?? 0] ?? 'unknown';
}

/** `revocationPercentage` is in milliunits of percent: 50000 is half the price. */
function refundOf(
  t: IosTransaction,
  shared: { storeChainId: string; storeTime: string | null },
  app: App,
): StoreFactCommand {
  const isPart = t.revocationType === 'REFUND_PRORATED' && t.revocationPercentage !== undefined;
  const share = isPart ? Math.min(1, Math.max(0, (t.revocationPercentage ?? 0) / 100_000)) : 1;
  return {
    kind: 'recordRefund',
    ...shared,
    transactionId: t.transactionId,
    refundedAt: isoFromMs(t.revocationDate ?? t.signedDate ?? t.purchaseDate),
    refund: { kind: isPart ? 'prorated' : 'full', share },
    policy: app.refundPolicy,
  };
}

function outline(t: IosTransaction): Omit<StoreFacts, 'facts'> {
  return {
    storeChainId: t.originalTransactionId,
    accountToken: t.appAccountToken ?? null,
    firstAt: isoFromMs(t.purchaseDate),
  };
}
