// App receipts of StoreKit 1. Nothing in them is trusted: they name a transaction, and the store's response about it counts.
import type { AppReceipt, ReceiptPurchase } from '../../../adapters/ios-store/app-receipt.js';
import type { IosApp } from '../../../adapters/ios-store/api-port.js';
import type { IosEnvironment, IosTransaction } from '../../../adapters/ios-store/port.js';
import { InvalidSignedData, IosStoreRefusal, NoCredentials, StoreUnavailable } from '../../../domain/errors.js';
import { isoFromMs } from '../../../domain/time.js';
import type { Receipt } from '../store-integration.js';
import { emptyReceipt, invalidReceipt } from '../receipts.js';
import { openIosApp } from './credentials.js';
import { verifyTransaction, type IosDeps } from './inbox.js';

/** The response is data of the store that this code, or its configuration, cannot read yet. */
const RETRY_AFTER_S = 60;

type PresentedReceipt = Pick<Receipt, 'projectId' | 'app' | 'storeProductId'>;

/**
 * Returns the store's transaction for the latest purchase of the receipt: of the product where the client names one. Throws `Rejection`
 * for a receipt that can never be valid, {@link NoCredentials}, {@link IosStoreRefusal} and `Unavailable`.
 */
export async function readTransactionOfAppReceipt(
  deps: IosDeps,
  o: PresentedReceipt,
  receipt: AppReceipt,
): Promise<IosTransaction> {
  const { app } = o;
  if (receipt.bundleId !== null && receipt.bundleId !== app.storeIdentifier) throw ofAnotherApp();
  const purchase = latestPurchase(receipt, o.storeProductId);
  if (!purchase) throw emptyReceipt();
  const transaction = await requestTransaction(deps, o, purchase.transactionId);
  if (!isAbout(transaction, purchase)) throw invalidReceipt('the store reports another purchase for its transaction');
  return transaction;
}

/**
 * Anybody can make a receipt, and a transaction number may be known to others. The receipt must contain what only the buyer's device and the
 * store have: the number of the order line item, or without one (one-time purchases) the second of the purchase.
 */
function isAbout(transaction: IosTransaction, purchase: ReceiptPurchase): boolean {
  const { transactionId, productId, webOrderLineItemId, purchaseDate, originalPurchaseDate } = transaction;
  if (productId !== purchase.productId) return false;
  if (transactionId !== purchase.transactionId) return false;
  if (webOrderLineItemId !== undefined) return webOrderLineItemId === purchase.webOrderLineItemId;
  const dates = [purchaseDate, originalPurchaseDate ?? purchaseDate];
  return dates.some((ms) => secondOf(isoFromMs(ms)) === secondOf(purchase.purchasedAt));
}

/** The part of an instant (ISO 8601, UTC) up to its seconds. */
function secondOf(instant: string): string {
  return instant.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length);
}

function latestPurchase({ purchases }: AppReceipt, storeProductId: string | undefined): ReceiptPurchase | undefined {
  const ofProduct = purchases.filter(({ productId }) => productId === storeProductId);
  const candidates = ofProduct.length > 0 ? ofProduct : purchases;
  return candidates.reduce<ReceiptPurchase | undefined>(
    (latest, purchase) => (latest && latest.purchasedAt > purchase.purchasedAt ? latest : purchase),
    undefined,
  );
}

/** Asks production first, where almost all receipts are from; a transaction exists in one environment only. */
async function requestTransaction(
  deps: IosDeps,
  { projectId, app }: PresentedReceipt,
  transactionId: string,
): Promise<IosTransaction> {
  const store = await openIosApp(deps, { projectId, app });
  const { environments } = store.key;
  let refusal: IosStoreRefusal | null = null;
  for (const environment of environments) {
    const response = await requestOrRefusal(deps, store, environment, transactionId);
    if (typeof response === 'string') return verifyResponse(deps, app, environment, response);
    refusal ??= response;
  }
  if (refusal) throw refusal;
  // The transaction may be of the environment that the key is not for.
  if (environments.length < ENVIRONMENTS) throw new NoCredentials(app.appId, 'ios-store');
  throw invalidReceipt('the store knows no such purchase of this app');
}

const ENVIRONMENTS = 2;

/** Production refuses every key of an app that is not released; its review and its testers buy in the sandbox. */
async function requestOrRefusal(
  deps: IosDeps,
  store: IosApp,
  environment: IosEnvironment,
  transactionId: string,
): Promise<string | IosStoreRefusal | null> {
  try {
    return await deps.iosStore.api.transaction(store, environment, transactionId);
  } catch (err) {
    if (err instanceof IosStoreRefusal) return err;
    throw err;
  }
}

/** The client can do nothing about a response that does not verify: the receipt may be valid later. */
async function verifyResponse(
  deps: IosDeps,
  app: Receipt['app'],
  environment: IosEnvironment,
  signed: string,
): Promise<IosTransaction> {
  try {
    const transaction = await verifyTransaction(deps, app, signed);
    if (transaction.environment === environment) return transaction;
    throw new StoreUnavailable('the ios-store answered with a transaction of another environment', RETRY_AFTER_S);
  } catch (err) {
    if (!(err instanceof InvalidSignedData)) throw err;
    if (err.reason === 'other_app') throw ofAnotherApp();
    throw new StoreUnavailable(err.message, RETRY_AFTER_S);
  }
}

function ofAnotherApp() {
  return invalidReceipt('it belongs to another app');
}
