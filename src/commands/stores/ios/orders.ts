// An order's id, as a buyer finds it in the store's receipt, is in no transaction: the store is asked which transactions it has.
import { NoCredentials } from '../../../domain/errors.js';
import type { AppOwner } from '../store-integration.js';
import { openIosKey } from './credentials.js';
import { verifyTransaction, type IosDeps } from './inbox.js';

/** As on receipts, such as `MK5TTTVWJH`; a transaction id has digits alone. */
const ORDER_ID = /^[A-Z][A-Z0-9]{5,30}$/;

/** Empty when the store does not know it. Throws {@link NoCredentials}, `IosStoreRefusal`, `Unavailable`, `InvalidSignedData`. */
export async function transactionsOfIosOrder(
  deps: IosDeps,
  { projectId, app }: AppOwner,
  orderId: string,
): Promise<readonly string[]> {
  if (!ORDER_ID.test(orderId)) return [];
  const { appId } = app;
  const key = await openIosKey(deps, { projectId, appId });
  // The store knows orders of production alone.
  if (!key?.environments.includes('Production')) throw new NoCredentials(appId, 'ios-store');
  const signed = await deps.iosStore.api.order({ appId, bundleId: app.storeIdentifier, key }, orderId);
  const transactions = await Promise.all(signed.map((text) => verifyTransaction(deps, app, text)));
  return transactions.map(({ transactionId }) => transactionId);
}
