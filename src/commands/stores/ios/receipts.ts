// Submits a receipt of a client, a signed transaction or an app receipt that names one, and records it for the subscriber.
import { readAppReceipt, type AppReceipt, type ReceiptPurchase } from '../../../adapters/ios-store/app-receipt.js';
import type { IosTransaction, IosApp, IosEnvironment } from '../../../adapters/ios-store/port.js';
import {
  InvalidSignedData,
  Rejection,
  IosStoreRefusal,
  NoCredentials,
  StoreUnavailable,
} from '../../../domain/errors.js';
import { isoFromMs } from '../../../domain/time.js';
import { commandIds } from '../../handling/command-ids.js';
import { contextOf, type Requester } from '../../handling/deps.js';
import { recordFromReceipt } from '../../subscribers/purchase-lines.js';
import type { SubscriberResult } from '../../subscribers/subscribers.js';
import { invalidReceipt, prepareReceipt, emptyReceipt } from '../receipts.js';
import type { PresentedPurchase, PresentedReceipt, Receipt, StoreDeps } from '../store-integration.js';
import { openIosApp } from './credentials.js';
import { scheduleHistoryOfReceipt } from './history-gaps.js';
import { iosContextOf, verifyTransaction, type IosDeps } from './inbox.js';
import { restoreOrSchedule } from './restore.js';
import { SUBSCRIPTION } from './translator/transaction.js';
import { translateIosTransaction } from './translator/translator.js';

/**
 * A repeat of the same transaction by its owner changes nothing. A restore also records the customer's whole history, as far as it can be
 * requested from the store. Throws {@link Rejection}; for an app receipt also `NoCredentials`, `IosStoreRefusal` and
 * `Unavailable`.
 */
export async function submitIosReceipt(deps: IosDeps, by: Requester, o: Receipt): Promise<SubscriberResult> {
  const transaction = await verifiedTransaction(deps, o);
  if (o.storeProductId !== undefined && o.storeProductId !== transaction.productId) {
    const message = 'productId does not match the product of the receipt';
    throw new Rejection('invalid', 'product-of-no-receipt', message);
  }
  const recorded = await recordIosReceipt(deps, by, o, transaction);
  if (!o.isRestore) return recorded;
  return (await restoreOrSchedule(deps, by, o, transaction)) ?? recorded;
}

/** Reads what a receipt is about. Errors as those of {@link submitIosReceipt}. */
export async function readIosReceipt(deps: IosDeps, presented: PresentedReceipt): Promise<PresentedPurchase> {
  const { originalTransactionId, type } = await verifiedTransaction(deps, { ...presented, storeProductId: undefined });
  return { storeChainId: originalTransactionId, isSubscription: type === SUBSCRIPTION };
}

async function verifiedTransaction(
  deps: IosDeps,
  o: PresentedReceipt & Pick<Receipt, 'storeProductId'>,
): Promise<IosTransaction> {
  const { app, receipt } = o;
  try {
    return await verifyTransaction(deps, app, receipt);
  } catch (err) {
    if (!(err instanceof InvalidSignedData)) throw err;
    if (err.reason === 'other_app') throw invalidReceipt('it belongs to another app');
    const appReceipt = err.reason === 'unreadable' ? readAppReceipt(receipt) : null;
    if (appReceipt) {
      const isSigned = await deps.iosStore.signedData.isSignedAppReceipt(receipt, appReceipt.createdAt);
      if (!isSigned) throw invalidReceipt('it is not signed by the store');
      return readTransactionOfAppReceipt(deps, o, appReceipt);
    }
    throw invalidReceipt(
      'send the signed transaction (JWS) or the app receipt (base64) exactly as the store issued it',
    );
  }
}

/** Records a verified transaction. */
export async function recordIosReceipt(
  deps: StoreDeps,
  by: Requester,
  o: Omit<Receipt, 'receipt' | 'storeProductId'>,
  transaction: IosTransaction,
): Promise<SubscriberResult> {
  const { projectId, app, appUserId, isRestore, offeringId, claimed } = o;
  const { transferBehavior } = await prepareReceipt(deps, o, transaction.originalTransactionId);
  const ctx = { ...(await iosContextOf(deps, o)), offeringId, claimed };
  const update = translateIosTransaction(transaction, ctx);
  const input = { projectId, store: app.store, update, appUserId, isRestore, transferBehavior };
  const { transactionId, signedDate } = transaction;
  const commandId = commandIds.iosReceipt(transactionId, appUserId, signedDate);
  const recorded = await recordFromReceipt(deps, input, { ...contextOf(by, projectId), commandId });
  await scheduleHistoryOfReceipt(deps, { projectId, appId: app.appId }, transaction, recorded);
  return recorded;
}

/** The response is data of the store that this code, or its configuration, cannot read yet. */
const RETRY_AFTER_S = 60;

type ReceiptContext = Pick<Receipt, 'projectId' | 'app' | 'storeProductId'>;

/**
 * Returns the store's transaction for the latest purchase of the receipt: of the product where the client names one. Throws `Rejection`
 * for a receipt that can never be valid, {@link NoCredentials}, {@link IosStoreRefusal} and `Unavailable`.
 */
async function readTransactionOfAppReceipt(
  deps: IosDeps,
  o: ReceiptContext,
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
  { projectId, app }: ReceiptContext,
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
