// Reads a purchase line from the android-store and records it. The token is found by an order for a line that was imported without one.
import { AndroidStoreRefusal, StoreRefusal, UnknownPurchaseToken } from '../../../domain/errors.js';
import { ORDER_CHAIN } from '../../../domain/imports/period-terms.js';
import { isoFromMs } from '../../../domain/time.js';
import type { CommandContext } from '../../handling/run-command.js';
import type { AppOwner, FoundTokens, OwnedPurchase, StoreReading } from '../store-integration.js';
import { findOrders } from './purchases/orders.js';
import { newestToken } from './purchases/purchase-tokens.js';
import { androidAppOf, readProduct, type AndroidDeps } from './purchases/purchases.js';
import { recordRead } from './purchases/record.js';
import { readWithRefunds } from './refunds.js';

/** Throws {@link UnknownPurchaseToken}, `NoCredentials`, `AndroidStoreRefusal` and `Unavailable`. */
export async function refreshAndroidPurchase(
  deps: AndroidDeps,
  about: OwnedPurchase,
  ctx: CommandContext,
): Promise<StoreReading> {
  const { projectId, app, purchase, isSubscription } = about;
  const storeTime = isoFromMs(deps.runtime.now());
  const question = { projectId, app, type: null, storeTime, offeringId: null, claimed: null };
  const token = await tokenOf(deps, about);
  const purchaseToken = await newestToken(deps, app.appId, token);
  const read = isSubscription
    ? await readWithRefunds(deps, question, purchaseToken)
    : await readProduct(deps, question, purchase.storeProductId, purchaseToken);
  await recordRead(deps, { question, read, purchaseToken }, ctx);
  const ofLine = read.updates.filter(({ storeChainId }) => storeChainId === purchase.storeChainId);
  return { commands: ofLine.flatMap(({ commands }) => commands), listsPast: false };
}

/** Looks the orders of purchases up that were imported without a token. Throws `NoCredentials` and `Unavailable`. */
export async function findTokensOfOrders(
  deps: AndroidDeps,
  { projectId, app }: AppOwner,
  about: readonly OwnedPurchase[],
): Promise<FoundTokens> {
  const orderIds = about.filter(isKnownByOrder).map(({ purchase }) => purchase.transactionId);
  if (orderIds.length === 0) return new Map();
  const found = await findOrders(deps.androidStore, await androidAppOf(deps, projectId, app), orderIds);
  return new Map(
    [...found].map(([id, order]) => [
      id,
      order instanceof AndroidStoreRefusal ? order : { purchaseToken: order.purchaseToken ?? null },
    ]),
  );
}

function isKnownByOrder({ purchase }: OwnedPurchase): boolean {
  return purchase.storeChainId.startsWith(ORDER_CHAIN);
}

async function tokenOf(deps: AndroidDeps, about: OwnedPurchase): Promise<string> {
  const { originalTransactionId, storeChainId, transactionId } = about.purchase;
  if (!storeChainId.startsWith(ORDER_CHAIN)) return originalTransactionId;
  const found = about.found ?? (await findTokensOfOrders(deps, about, [about])).get(transactionId);
  if (found instanceof StoreRefusal) throw found;
  if (!found || found.purchaseToken === null) throw new UnknownPurchaseToken();
  return found.purchaseToken;
}
