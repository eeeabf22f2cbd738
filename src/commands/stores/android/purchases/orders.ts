// Orders of the android-store, many with one request. The store refuses a request for one unknown order in it: it is then halved.
import { AndroidStoreRefusal } from '../../../../domain/errors.js';
import type { AndroidApp, AndroidOrder, AndroidStoreApi } from '../../../../adapters/android-store/port.js';

/** The store accepts 1000, whose address would be longer than proxies accept. */
const MAX_ORDERS_PER_REQUEST = 100;

/** Returns orders by ID. Many service accounts may not see orders, and old ones are deleted: those are missing. Throws `Unavailable`. */
export async function readOrders(
  api: AndroidStoreApi,
  app: AndroidApp,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, AndroidOrder>> {
  const found = await findOrders(api, app, orderIds);
  return new Map([...found].flatMap(([id, order]) => (order instanceof AndroidStoreRefusal ? [] : [[id, order]])));
}

/** Returns each order, or the store's refusal of it. Throws `Unavailable`. */
export async function findOrders(
  api: AndroidStoreApi,
  app: AndroidApp,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, AndroidOrder | AndroidStoreRefusal>> {
  const distinct = [...new Set(orderIds)];
  const found = new Map<string, AndroidOrder | AndroidStoreRefusal>();
  for (let from = 0; from < distinct.length; from += MAX_ORDERS_PER_REQUEST) {
    const part = distinct.slice(from, from + MAX_ORDERS_PER_REQUEST);
    for (const [id, order] of await findPart(api, app, part)) found.set(id, order);
  }
  return found;
}

type FoundOrders = readonly (readonly [orderId: string, AndroidOrder | AndroidStoreRefusal])[];

/** Halves a refused part until the refused orders stand alone. A service account without the permission gets no order at all. */
async function findPart(api: AndroidStoreApi, app: AndroidApp, orderIds: readonly string[]): Promise<FoundOrders> {
  const [first = ''] = orderIds;
  try {
    if (orderIds.length === 1) return [[first, await api.order(app, first)]];
    const orders = await api.orders(app, orderIds);
    return orderIds.map((id) => [id, orders.get(id) ?? new AndroidStoreRefusal('unknown', 'order not found')]);
  } catch (err) {
    if (!(err instanceof AndroidStoreRefusal)) throw err;
    if (orderIds.length === 1 || err.reason === 'forbidden') return orderIds.map((id) => [id, err]);
    const middle = Math.ceil(orderIds.length / 2);
    const former = await findPart(api, app, orderIds.slice(0, middle));
    return [...former, ...(await findPart(api, app, orderIds.slice(middle)))];
  }
}
