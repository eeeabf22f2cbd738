// Reads a purchase line from the android-store and records it. The token is found by an order for a line that was imported without one.
import { UnknownPurchaseToken } from '../../../domain/errors.js';
import { ORDER_CHAIN } from '../../../domain/imports/chain-updates.js';
import { isoFromMs } from '../../../domain/time.js';
import type { CommandContext } from '../../handling/run-command.js';
import type { FindByAccountToken } from '../notification-types.js';
import type { OwnedPurchase, StoreReading } from '../store-integration.js';
import { newestToken } from './purchases/purchase-tokens.js';
import { androidAppOf, readProduct, type AndroidDeps, type PurchaseRequest } from './purchases/purchases.js';
import { recordRead } from './purchases/record.js';
import { readWithRefunds } from './refunds.js';

/** Throws {@link UnknownPurchaseToken}, `NoCredentials`, `AndroidStoreRefusal` and `Unavailable`. */
export async function refreshAndroidPurchase(
  deps: AndroidDeps,
  find: FindByAccountToken,
  about: OwnedPurchase,
  ctx: CommandContext,
): Promise<StoreReading> {
  const { projectId, app, purchase, isSubscription } = about;
  const storeTime = isoFromMs(deps.runtime.now());
  const question = { projectId, app, type: null, storeTime, offeringId: null, claimed: null };
  const token = await tokenOf(deps, question, about);
  const purchaseToken = await newestToken(deps, app.appId, token);
  const read = isSubscription
    ? await readWithRefunds(deps, question, purchaseToken)
    : await readProduct(deps, question, purchase.storeProductId, purchaseToken);
  await recordRead(deps, find, { question, read, purchaseToken }, ctx);
  const ofLine = read.updates.filter(({ storeChainId }) => storeChainId === purchase.storeChainId);
  return { commands: ofLine.flatMap(({ commands }) => commands), listsPast: false };
}

async function tokenOf(deps: AndroidDeps, q: PurchaseRequest, about: OwnedPurchase): Promise<string> {
  const { originalTransactionId, storeChainId, transactionId } = about.purchase;
  if (!storeChainId.startsWith(ORDER_CHAIN)) return originalTransactionId;
  // Messages about a one-time purchase name its line by the token: read by it, the purchase would count twice.
  if (!about.isSubscription) throw new UnknownPurchaseToken();
  const order = await deps.androidStore.order(await androidAppOf(deps, q.projectId, q.app), transactionId);
  if (order.purchaseToken === undefined) throw new UnknownPurchaseToken();
  return order.purchaseToken;
}
