// The daily look at the orders of the last thirty days. An order that was refunded at the store without being revoked is not in the list of
// voided purchases, and no notification names it.
import { z } from 'zod';
import type { AndroidOrder } from '../../../adapters/android-store/port.js';
import { isoFromMs } from '../../../domain/time.js';
import { commandIds } from '../../handling/command-ids.js';
import type { AppOwner } from '../store-integration.js';
import { addStoreTask, type NextWork } from '../tasks.js';
import type { Deps } from '../../handling/deps.js';
import { readOrders } from './purchases/orders.js';
import { androidAppOf, type AndroidDeps } from './purchases/purchases.js';
import { recordRead } from './purchases/record.js';
import { readOrderRefund } from './refunds.js';

const DAY_MS = 86_400_000;
const LOOK_BACK_MS = 30 * DAY_MS;
/** Wait between two pages, so that other tasks of the app have their turn. */
const BETWEEN_PAGES_MS = 1000;

/** `after`: place of the next page of charges. */
export const orderCheckWork = z.object({
  kind: z.literal('orders'),
  charges: z.enum(['purchase', 'renewal']),
  after: z.string().nullable(),
});
type OrderCheckWork = z.output<typeof orderCheckWork>;

/** Schedules the first look, once for each app. */
export async function scheduleOrderChecks(deps: Deps, projectId: string, appId: string): Promise<void> {
  const work = { kind: 'orders' as const, charges: 'purchase' as const, after: null };
  const dueAt = isoFromMs(deps.runtime.now() + DAY_MS);
  await addStoreTask(deps, `orders|${appId}`, { projectId, appId, dueAt, work });
}

/** Reads the orders of one page of charges, and records those that were refunded. Throws as `readSubscription` does. */
export async function checkOrders(
  deps: AndroidDeps,
  owner: AppOwner,
  { charges, after }: OrderCheckWork,
): Promise<NextWork<OrderCheckWork>> {
  const { projectId, app } = owner;
  const now = deps.runtime.now();
  const since = isoFromMs(now - LOOK_BACK_MS);
  const { transactionIds, next } = await deps.findRecentCharges({
    ...{ projectId, appId: app.appId, kind: charges, since },
    ...(after !== null && { after }),
  });
  const store = await androidAppOf(deps, projectId, app);
  // An add-on has the order of its purchase.
  const orders = await readOrders(
    deps.androidStore,
    store,
    transactionIds.filter((id) => !id.includes('#')),
  );
  for (const [orderId, order] of orders) if (isRefunded(order)) await recordOrder(deps, owner, orderId, order);
  if (next !== undefined) return { work: { kind: 'orders', charges, after: next }, inMs: BETWEEN_PAGES_MS };
  if (charges === 'purchase')
    return { work: { kind: 'orders', charges: 'renewal', after: null }, inMs: BETWEEN_PAGES_MS };
  return { work: { kind: 'orders', charges: 'purchase', after: null }, inMs: DAY_MS };
}

/** Returns whether the store has refunded the order, or a part of it. */
export function isRefunded({ state, orderHistory }: AndroidOrder): boolean {
  return state === 'REFUNDED' || state === 'PARTIALLY_REFUNDED' || orderHistory?.refundEvent !== undefined;
}

async function recordOrder(deps: AndroidDeps, owner: AppOwner, orderId: string, order: AndroidOrder): Promise<void> {
  const { purchaseToken } = order;
  if (purchaseToken === undefined) return;
  const storeTime = isoFromMs(deps.runtime.now());
  const question = { ...owner, type: null, storeTime, offeringId: null, claimed: null };
  const read = await readOrderRefund(deps, question, { orderId, purchaseToken, order });
  const id = commandIds.storeRequest(orderId, storeTime, 'order', storeTime);
  const actor = { kind: 'store' as const, id: 'android-store' };
  const ctx = { commandId: id, correlationId: id, actor, projectId: owner.projectId };
  await recordRead(deps, { question, read, purchaseToken }, ctx);
}
