// Orders that only a financial report of the store names: a notification about each was lost. They are looked up a few at a time, and the
// purchase of each is read and recorded as if its notification had come late: for its recorded owner, the customer of its account token, or
// an anonymous customer.
import { z } from 'zod';
import type { AndroidOrder } from '../../../adapters/android-store/port.js';
import type { LookUpOutcome } from '../../../domain/books/look-up-outcomes.js';
import { AndroidStoreRefusal, NoCredentials, type StoreRefusalReason } from '../../../domain/errors.js';
import { streams } from '../../../domain/streams.js';
import { isoFromMs } from '../../../domain/time.js';
import { recordLookUps } from '../../books/look-ups.js';
import { commandIds } from '../../handling/command-ids.js';
import type { Deps } from '../../handling/deps.js';
import type { ReportedOrders } from '../reported-sales.js';
import type { AppOwner } from '../store-integration.js';
import { addStoreTask } from '../tasks.js';
import { findOrders } from './purchases/orders.js';
import { androidAppOf, type AndroidDeps, type PurchaseReading } from './purchases/purchases.js';
import { recordRead } from './purchases/record.js';
import { readPurchase } from './receipts.js';
import { isRefunded } from './refunded-orders.js';
import { readOrderRefund } from './refunds.js';

const ORDERS_PER_TASK = 25;
/** Wait between two tasks: some requests a second, far below the store's limit, so that notifications come first. */
const BETWEEN_TASKS_MS = 5000;

const reportedOrder = z.object({ orderId: z.string(), storeProductId: z.string().nullable() });
export const reportedOrdersWork = z.object({
  kind: z.literal('reportedOrders'),
  month: z.string(),
  reportId: z.string(),
  orders: z.array(reportedOrder).max(ORDERS_PER_TASK),
});
type ReportedOrdersWork = z.output<typeof reportedOrdersWork>;

/** Adds tasks of a few orders each, one after another in time. Those that are waiting already do not change. */
export async function scheduleOrderLookUps(
  deps: Deps,
  { projectId, appId, month, reportId, orders }: ReportedOrders,
): Promise<void> {
  const now = deps.runtime.now();
  for (let from = 0; from < orders.length; from += ORDERS_PER_TASK) {
    const some = orders.slice(from, from + ORDERS_PER_TASK);
    const listed = some.map(({ orderId, storeProductId }) => ({ orderId, storeProductId }));
    const work = { kind: 'reportedOrders' as const, month, reportId, orders: listed };
    const dueAt = isoFromMs(now + (from / ORDERS_PER_TASK) * BETWEEN_TASKS_MS);
    await addStoreTask(deps, `reported|${reportId}|${some[0]?.orderId ?? ''}`, { projectId, appId, dueAt, work });
  }
}

/** Looks the orders up and records what came of it. Throws `Unavailable`; then all are looked up again. Safe to repeat. */
export async function lookUpOrders(
  deps: AndroidDeps,
  owner: AppOwner,
  { month, reportId, orders }: ReportedOrdersWork,
): Promise<void> {
  const results = await findOutcomes(deps, owner, reportId, orders);
  await recordLookUps(deps, ACTOR, owner.projectId, { month, reportId, results });
}

const ACTOR = { kind: 'store' as const, id: 'android-store' };

type Outcome = { readonly orderId: string; readonly outcome: LookUpOutcome };

async function findOutcomes(
  deps: AndroidDeps,
  owner: AppOwner,
  reportId: string,
  orders: ReportedOrdersWork['orders'],
): Promise<Outcome[]> {
  const all = (outcome: LookUpOutcome) => orders.map(({ orderId }) => ({ orderId, outcome }));
  try {
    const store = await androidAppOf(deps, owner.projectId, owner.app);
    const found = await findOrders(
      deps.androidStore,
      store,
      orders.map(({ orderId }) => orderId),
    );
    const results: Outcome[] = [];
    /** Readings by token: several orders of one subscription are read once. */
    const readings = new Map<string, PurchaseReading>();
    for (const { orderId, storeProductId } of orders) {
      const order = found.get(orderId);
      const outcome =
        order instanceof AndroidStoreRefusal
          ? ORDER_REFUSALS[order.reason]
          : order && (await recordOrder(deps, owner, { reportId, orderId, storeProductId, order, readings }));
      results.push({ orderId, outcome: outcome ?? 'unknown_order' });
    }
    return results;
  } catch (err) {
    if (err instanceof NoCredentials) return all('no_credentials');
    throw err;
  }
}

const ORDER_REFUSALS: Readonly<Record<StoreRefusalReason, LookUpOutcome>> = {
  ...{ unknown: 'unknown_order', invalid: 'unknown_order', gone: 'unknown_order', forbidden: 'not_permitted' },
};
const PURCHASE_REFUSALS: Readonly<Record<StoreRefusalReason, LookUpOutcome>> = {
  ...{ unknown: 'purchase_deleted', invalid: 'purchase_deleted', gone: 'purchase_deleted' },
  forbidden: 'not_permitted',
};

async function recordOrder(
  deps: AndroidDeps,
  owner: AppOwner,
  o: {
    readonly reportId: string;
    readonly orderId: string;
    readonly storeProductId: string | null;
    readonly order: AndroidOrder;
    readonly readings: Map<string, PurchaseReading>;
  },
): Promise<LookUpOutcome> {
  const { reportId, orderId, storeProductId, order, readings } = o;
  const { purchaseToken } = order;
  if (purchaseToken === undefined) return 'no_purchase';
  const { projectId } = owner;
  const question = { ...owner, type: null, storeTime: isoFromMs(deps.runtime.now()), offeringId: null, claimed: null };
  const correlationId = streams.books(projectId, reportId);
  const contextOf = (commandId: string) => ({ commandId, correlationId, actor: ACTOR, projectId });
  try {
    let read = readings.get(purchaseToken);
    if (!read) {
      const productId = storeProductId ?? order.lineItems[0]?.productId ?? '';
      read = await readPurchase(deps, question, productId, purchaseToken);
      const ctx = contextOf(commandIds.reportedOrder(reportId, orderId));
      await recordRead(deps, { question, read, purchaseToken }, ctx);
      readings.set(purchaseToken, read);
    }
    if (isRefunded(order)) {
      const refund = await readOrderRefund(deps, question, { orderId, purchaseToken, order });
      const ctx = contextOf(commandIds.reportedRefund(reportId, orderId));
      await recordRead(deps, { question, read: refund, purchaseToken }, ctx);
      if (isOf(orderId, refund)) return 'recorded';
    }
    return isOf(orderId, read) ? 'recorded' : 'not_shown';
  } catch (err) {
    if (err instanceof AndroidStoreRefusal) return PURCHASE_REFUSALS[err.reason];
    throw err;
  }
}

/** Returns whether a reading records the order, or one of its items. */
function isOf(orderId: string, { updates }: PurchaseReading): boolean {
  const isItem = (transactionId: string) => transactionId === orderId || transactionId.startsWith(`${orderId}#`);
  return updates.some(({ commands }) =>
    commands.some((command) => {
      if (command.kind === 'recordPeriod' || command.kind === 'recordOneTimePurchase')
        return isItem(command.purchase.transactionId);
      return command.kind === 'recordRefund' && isItem(command.transactionId);
    }),
  );
}
