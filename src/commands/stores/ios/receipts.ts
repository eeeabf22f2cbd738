// Submits a receipt of a client, a signed transaction or an app receipt that names one, and records it for the subscriber.
import { commandIds } from '../../handling/command-ids.js';
import { InvalidSignedData, Rejection } from '../../../domain/errors.js';
import { readAppReceipt } from '../../../adapters/ios-store/app-receipt.js';
import type { IosTransaction } from '../../../adapters/ios-store/port.js';
import { contextOf, type Requester } from '../../handling/deps.js';
import { recordFromReceipt } from '../../subscribers/purchase-lines.js';
import type { SubscriberResult } from '../../subscribers/subscribers.js';
import type { PresentedPurchase, PresentedReceipt, Receipt, StoreDeps } from '../store-integration.js';
import { invalidReceipt, prepareReceipt } from '../receipts.js';
import { readTransactionOfAppReceipt } from './app-receipts.js';
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
