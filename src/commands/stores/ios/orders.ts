// Order IDs of the ios-store. A buyer finds them in the store's receipt, but no transaction contains them: the store returns the
// transactions of an order.
import type { AppOwner } from '../store-integration.js';
import { openIosApp } from './credentials.js';
import { verifyTransaction, type IosDeps } from './inbox.js';

/** Order ID as on receipts, such as `MK5TTTVWJH`; a transaction ID consists of digits. */
const ORDER_ID = /^[A-Z][A-Z0-9]{5,30}$/;

/**
 * Returns an empty list when the store does not know the order. Throws `NoCredentials`, `IosStoreRefusal`, `Unavailable`,
 * `InvalidSignedData`.
 */
export async function transactionsOfIosOrder(
  deps: IosDeps,
  owner: AppOwner,
  orderId: string,
): Promise<readonly string[]> {
  if (!ORDER_ID.test(orderId)) return [];
  // The store supports order lookup in production only.
  const signed = await deps.iosStore.api.order(await openIosApp(deps, owner, 'Production'), orderId);
  const transactions = await Promise.all(signed.map((text) => verifyTransaction(deps, owner.app, text)));
  return transactions.map(({ transactionId }) => transactionId);
}
