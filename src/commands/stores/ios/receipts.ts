// Submits a receipt of a client, a signed transaction or an app receipt that names several, and records it for the subscriber.
import { readAppReceipt, type AppReceipt } from '../../../adapters/ios-store/app-receipt.js';
import type { IosTransaction } from '../../../adapters/ios-store/port.js';
import { InvalidSignedData, Rejection } from '../../../domain/errors.js';
import { commandIds } from '../../handling/command-ids.js';
import { contextOf, type Requester } from '../../handling/deps.js';
import { recordFromReceipt } from '../../subscribers/purchase-lines.js';
import type { SubscriberResult } from '../../subscribers/subscribers.js';
import { emptyReceipt, invalidReceipt, prepareReceipt, unreadableReceipt } from '../receipts.js';
import type { PresentedPurchase, PresentedReceipt, Receipt, StoreDeps } from '../store-integration.js';
import { recordReceiptDownload } from './app-downloads.js';
import { latestOf, recordAppReceipt } from './app-receipts.js';
import { scheduleHistoryOfReceipt } from './history-gaps.js';
import { iosContextOf, verifyTransaction, type IosDeps } from './inbox.js';
import { expectOfBundle, ofAnotherApp } from './receipt-entries.js';
import { restoreOrSchedule } from './restore.js';
import { SUBSCRIPTION } from './translator/transaction.js';
import { translateIosTransaction } from './translator/translator.js';

/**
 * A repeat of the same receipt by its owner changes nothing. A restore also records the customer's whole history, as far as it can be
 * requested from the store. Throws {@link Rejection}; for an app receipt also `NoCredentials`, `IosStoreRefusal` and
 * `Unavailable`.
 */
export async function submitIosReceipt(deps: IosDeps, by: Requester, o: Receipt): Promise<SubscriberResult> {
  const { transaction, result } = await recordReceipt(deps, by, o);
  if (!o.isRestore) return result;
  return (await restoreOrSchedule(deps, by, o, transaction)) ?? result;
}

async function recordReceipt(deps: IosDeps, by: Requester, o: Receipt) {
  const read = await verifyReceipt(deps, o);
  if ('purchases' in read) return recordWithDownload(deps, by, o, read);
  if (o.storeProductId !== undefined && o.storeProductId !== read.productId)
    throw new Rejection('invalid', 'product-mismatch', 'productId does not match the product of the receipt');
  return { transaction: read, result: await recordIosReceipt(deps, by, o, read) };
}

/** The download is recorded without any purchase as well: an app that once was paid has buyers who bought nothing in it. */
async function recordWithDownload(deps: IosDeps, by: Requester, o: Receipt, receipt: AppReceipt) {
  expectOfBundle(receipt, o.app);
  if (receipt.purchases.length === 0) {
    await recordReceiptDownload(deps, by, o, receipt);
    throw emptyReceipt();
  }
  const recorded = await recordAppReceipt(deps, by, o, receipt);
  const downloaded = await recordReceiptDownload(deps, by, o, receipt);
  const position = latestOf(recorded.result.position, downloaded?.position ?? null);
  return { ...recorded, result: { ...recorded.result, position } };
}

/** Purchases that are read of a receipt, the newest: a device holds few. */
const MAX_PRESENTED = 200;

/** Reads what a receipt is about: each of its chains once. Throws {@link Rejection}. */
export async function readIosReceipt(deps: IosDeps, o: PresentedReceipt): Promise<readonly PresentedPurchase[]> {
  const read = await verifyReceipt(deps, o);
  if (!('purchases' in read))
    return [{ storeChainId: read.originalTransactionId, isSubscription: read.type === SUBSCRIPTION }];
  expectOfBundle(read, o.app);
  if (read.purchases.length === 0) throw emptyReceipt();
  const chains = new Map(
    read.purchases.map((p) => [p.originalTransactionId, { isSubscription: p.webOrderLineItemId !== null }]),
  );
  return [...chains].slice(-MAX_PRESENTED).map(([storeChainId, about]) => ({ storeChainId, ...about }));
}

/** Returns the signed transaction, or the signed app receipt. */
async function verifyReceipt(deps: IosDeps, { app, receipt }: PresentedReceipt): Promise<IosTransaction | AppReceipt> {
  try {
    return await verifyTransaction(deps, app, receipt);
  } catch (err) {
    if (!(err instanceof InvalidSignedData)) throw err;
    if (err.reason === 'other_app') throw ofAnotherApp();
    const isTransaction = err.reason !== 'unreadable';
    const appReceipt = isTransaction ? null : readAppReceipt(receipt);
    if (appReceipt) {
      const isSigned = await deps.iosStore.signedData.isSignedAppReceipt(receipt, appReceipt.createdAt);
      if (!isSigned) throw invalidReceipt('it is not signed by the store');
      return appReceipt;
    }
    const message = 'send the signed transaction (JWS) or the app receipt (base64) exactly as the store issued it';
    throw isTransaction ? invalidReceipt(message) : unreadableReceipt(message);
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
