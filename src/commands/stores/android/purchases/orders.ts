// Orders of the android-store, read several at a time.
import { AndroidStoreRefusal } from '../../../../domain/errors.js';
import type { AndroidApp, AndroidOrder, AndroidStoreApi } from '../../../../adapters/android-store/port.js';

const MAX_ORDERS_PER_REQUEST = 8;

/** Returns orders by ID. Many service accounts may not see orders, and old ones are deleted: those are missing. Throws `Unavailable`. */
export async function readOrders(
  api: AndroidStoreApi,
  app: AndroidApp,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, AndroidOrder>> {
  const orders = new Map<string, AndroidOrder>();
  const waiting = orderIds.values();
  const readOneAfterAnother = async () => {
    for (const orderId of waiting) {
      const order = await findOrder(api, app, orderId);
      if (order) orders.set(orderId, order);
    }
  };
  await Promise.all(Array.from({ length: Math.min(MAX_ORDERS_PER_REQUEST, orderIds.length) }, readOneAfterAnother));
  return orders;
}

async function findOrder(api: AndroidStoreApi, app: AndroidApp, orderId: string): Promise<AndroidOrder | null> {
  try {
    return await api.order(app, orderId);
  } catch (err) {
    if (!(err instanceof AndroidStoreRefusal)) throw err;
    return null;
  }
}
