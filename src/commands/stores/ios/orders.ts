// Order IDs of the ios-store. A buyer finds them in the store's receipt, but no transaction contains them: the store returns the
// transactions of an order.
import { NoCredentials } from '../../../domain/errors.js';
import type { AppOwner } from '../store-integration.js';
import { openIosKey } from './credentials.js';
import { verifyTransaction, type IosDeps } from './inbox.js';

/** Order ID as on receipts, such as `MK5TTTVWJH`; a transaction ID consists of digits. */
const ORDER_ID = /^[A-Z][A-Z0-9]{5,30}$/;

/**
 * Returns an empty list when the store does not know the order. Throws {@link NoCredentials}, `IosStoreRefusal`, `Unavailable`,
 * `InvalidSignedData`.
 */
export async function transactionsOfIosOrder(
  deps: IosDeps,
  { projectId, app }: AppOwner,
  orderId: string,
): Promise<readonly string[]> {
  if (!ORDER_ID.test(orderId)) return [];
  const { appId } = app;
  const key = await openIosKey(deps, { projectId, appId });
  // The store supports order lookup in production only.
  if (!key?.environments.includes('Production')) throw new NoCredentials(appId, 'ios-store');
  const signed = await deps.iosStore.api.order({ appId, bundleId: app.storeIdentifier, key }, orderId);
  const transactions = await Promise.all(signed.map((text) => verifyTransaction(deps, app, text)));
  return transactions.map(({ transactionId }) => transactionId);
}
