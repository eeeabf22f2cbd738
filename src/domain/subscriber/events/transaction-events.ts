// Events of single transactions: one-time purchases, refunds, store requests about them, transfers.
import { z } from 'zod';
import { type CustomerConcern, defineEvent, type EventTable } from '../../events.js';
import { moneySchema } from '../../money.js';
import { inGroups } from '../../values/field-groups.js';
import {
  instant,
  offer,
  oneTimePurchase as purchase,
  refund,
  refundPolicy,
  refundPreference,
  revocationReason,
} from './blocks.js';
import type { PurchaseLine } from '../state/state.js';
import { fieldsOf, listOfFields, type Fields } from '../../values/json.js';

const transactionFields = { purchase, transactionId: z.string() };
const subscriptionFields = { subscriptionId: z.string().nullable() };
/**
 * For a transferred purchase: `paidBy` names the payer in the holder's event, which changes access; `heldBy` names the holder in the
 * payer's event, which changes money. If both are absent, payer and holder are the same customer.
 */
const payerFields = { paidBy: z.string().optional(), heldBy: z.string().optional() };

export const transactionEvents = {
  OneTimePurchaseCompleted: defineEvent('OneTimePurchaseCompleted', {
    purchase,
    productType: z.enum(['consumable', 'non_consumable', 'non_renewing_subscription']),
    quantity: z.int().min(1),
    purchasedAt: instant,
    expiresAt: instant.nullable(),
    money: moneySchema,
    offer,
  }).touching('profile', 'transactions', 'money', 'charts', 'webhooks'),
  OneTimePurchasePendingCancelled: defineEvent('OneTimePurchasePendingCancelled', {
    purchase,
    reason: z.string(),
  }).touching('notices'),
  OneTimePurchaseRevoked: defineEvent('OneTimePurchaseRevoked', { purchase, reason: revocationReason }).touching(
    'profile',
    'webhooks',
  ),
  TransactionRefunded: defineEvent('TransactionRefunded', {
    ...transactionFields,
    ...subscriptionFields,
    ...payerFields,
    refundedAt: instant,
    refund,
    isLatest: z.boolean(),
    accessRevoked: z.boolean(),
    policy: refundPolicy,
  }).touching('profile', 'subscription', 'transactions', 'money', 'refundRequests', 'charts', 'webhooks'),
  TransactionRefundReversed: defineEvent('TransactionRefundReversed', {
    ...transactionFields,
    ...subscriptionFields,
    ...payerFields,
    refund,
    accessRestored: z.boolean(),
  }).touching('profile', 'subscription', 'transactions', 'money', 'charts', 'webhooks'),
  /** A reversal that arrived before its refund: it reverses the refund as soon as that arrives. */
  RefundReversalDeferred: defineEvent('RefundReversalDeferred', { ...transactionFields, reversedAt: instant }).touching(
    'transactions',
  ),
  RefundDeclined: defineEvent('RefundDeclined', transactionFields).touching('notices', 'refundRequests'),
  /** The store requests information before it decides on a refund. `pendingRefundToken`: identifies the request. */
  ConsumptionInformationRequested: defineEvent('ConsumptionInformationRequested', {
    ...transactionFields,
    reason: z.string().nullable(),
    respondBy: instant,
    pendingRefundToken: z.string().nullable(),
  }).touching('notices', 'refundRequests'),
  /**
   * The question of a {@link ConsumptionInformationRequested} with the same `respondBy` was answered. `decidedBy`: the app's setting, or the
   * actor of the event. `refusal`: why the store did not accept the answer; null if it did.
   */
  RefundAnswerSent: defineEvent('RefundAnswerSent', {
    ...transactionFields,
    respondBy: instant,
    preference: refundPreference,
    decidedBy: z.enum(['policy', 'person']),
    customerConsented: z.boolean(),
    sampleContentProvided: z.boolean(),
    refusal: z.string().nullable(),
  }).touching('refundRequests'),
  /** A price or rate became known later. `refundedShare`: share that was refunded before. */
  TransactionPriceCorrected: defineEvent('TransactionPriceCorrected', {
    ...transactionFields,
    ...subscriptionFields,
    ...payerFields,
    previous: moneySchema,
    money: moneySchema,
    refundedShare: inGroups(z.number().min(0).max(1), 'money'),
  }).touching('subscription', 'transactions', 'money', 'charts', 'webhooks'),
  /**
   * A store update arrived late: the events of the purchase line were decided again in the order of the store's times. `superseded` events
   * are no longer valid; the events that replace them follow, marked late. `line`: the state from now on. `spentMicros`: change of the
   * customer's total spend (USD micros). `keepsPassedDeadlines`: changes caused by time alone are still valid.
   */
  PurchaseHistoryRevised: defineEvent(
    'PurchaseHistoryRevised',
    {
      storeChainId: z.string(),
      superseded: z.array(
        z.strictObject({
          eventId: z.string(),
          type: z.string(),
          at: instant,
          subscriptionId: z.string().nullable(),
          transactionId: z.string().nullable(),
          /** Reason of an expiration. `by`: its origin. */
          reason: z.string().optional(),
          by: z.string().optional(),
        }),
      ),
      line: inGroups(z.custom<PurchaseLine>(), 'money'),
      spentMicros: inGroups(z.int(), 'money'),
      keepsPassedDeadlines: z.boolean(),
    },
    { version: 2, upcasts: { 1: ({ keepsSettled, ...data }) => ({ ...data, keepsPassedDeadlines: keepsSettled }) } },
  ).touching('profile', 'transactions', 'money', 'charts'),
  /** A store update that changed nothing, retained because an older one may arrive later. */
  StoreUpdateRetained: defineEvent(
    'StoreUpdateRetained',
    { storeChainId: z.string() },
    { formerNames: ['StoreUpdateKept'] },
  ).touching(),
  /** Recorded in both streams. `snapshot`: the whole line, so that either stream can be read alone. */
  PurchaseTransferred: defineEvent(
    'PurchaseTransferred',
    {
      direction: z.enum(['out', 'in']),
      fromCustomerId: z.string(),
      toCustomerId: z.string(),
      storeChainIds: z.array(z.string()),
      reason: z.enum(['restore', 'purchase', 'api', 'merge']),
      snapshot: inGroups(z.custom<PurchaseLine>(), 'money'),
    },
    { version: 2, upcasts: { 1: upgradeSnapshot } },
  ).touching('profile', 'transactions', 'webhooks'),
} satisfies EventTable<CustomerConcern>;

/** Version 1 had no pending payments, pauses, planned changes, revocations and deferred reversals. */
function upgradeSnapshot(data: Record<string, unknown>): Record<string, unknown> {
  const snapshot = fieldsOf(data['snapshot']);
  const all = (name: string) => listOfFields(snapshot[name]);
  return {
    ...data,
    snapshot: {
      ...snapshot,
      subscriptions: all('subscriptions').map((s) => ({ ...missingInVersion1, ...s })),
      owned: all('owned').map((o) => ({ revokedAt: null, ...o })),
      transactions: all('transactions').map(upgradeTransaction),
      noted: [],
    },
  };
}

const missingInVersion1 = { revokedAt: null, pending: null, pause: null, nextProduct: null, priceIncrease: null };

function upgradeTransaction({ reversedRefunds, ...known }: Fields): Fields {
  const reversed: readonly unknown[] = Array.isArray(reversedRefunds) ? reversedRefunds : [];
  const { at } = fieldsOf(known['refund']);
  const refundedAts = at === undefined ? reversed : [...reversed, at];
  return { ...known, refundedAts, reversedAts: reversed, deferredReversals: [] };
}
