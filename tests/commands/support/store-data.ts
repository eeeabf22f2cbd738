// Verified data of the ios-store about one subscription, for specs of commands and workers.
import type { IosNotification, IosRenewalInfo, IosTransaction } from '../../../src/adapters/ios-store/port.js';
import { msFromIso } from '../../../src/domain/time.js';
import { BEGIN } from './memory-deps.js';

export const BUNDLE_ID = 'com.example.app';
export const MONTHLY = 'com.example.pro.month';
const DAY_MS = 24 * 3600 * 1000;

/** A paid month, bought `dayOfPurchase` days after the beginning. */
export function monthly(o: Partial<IosTransaction> & { readonly dayOfPurchase?: number } = {}): IosTransaction {
  const { dayOfPurchase = 0, ...given } = o;
  const purchaseDate = msFromIso(BEGIN) + dayOfPurchase * DAY_MS;
  return {
    transactionId: 'tx_1',
    originalTransactionId: 'tx_1',
    bundleId: BUNDLE_ID,
    productId: MONTHLY,
    purchaseDate,
    originalPurchaseDate: purchaseDate,
    expiresDate: purchaseDate + 30 * DAY_MS,
    signedDate: purchaseDate + 1000,
    type: 'Auto-Renewable Subscription',
    environment: 'Production',
    price: 9990,
    currency: 'USD',
    transactionReason: 'PURCHASE',
    ...given,
  };
}

/** The month after {@link monthly}. */
export function renewal(o: Parameters<typeof monthly>[0] = {}): IosTransaction {
  return monthly({ transactionId: 'tx_2', dayOfPurchase: 30, transactionReason: 'RENEWAL', ...o });
}

export function notification(
  notificationType: string,
  transaction: IosTransaction,
  o: { readonly uuid?: string; readonly subtype?: string; readonly renewal?: Partial<IosRenewalInfo> } = {},
): IosNotification {
  const { uuid = `${notificationType}-${transaction.transactionId}`, subtype } = o;
  const { originalTransactionId, environment } = transaction;
  const productId = transaction.productId;
  const withRenewal = o.renewal && { renewal: { originalTransactionId, environment, productId, ...o.renewal } };
  return {
    notificationType,
    ...(subtype !== undefined && { subtype }),
    notificationUUID: uuid,
    version: '2.0',
    signedDate: transaction.signedDate ?? transaction.purchaseDate,
    data: { environment, bundleId: BUNDLE_ID, transaction, ...withRenewal },
  };
}
