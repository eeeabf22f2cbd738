// Purchases of one subscription as the ios-store would sign them, by an authority that a service can be configured to trust.
import { createCertificateAuthority } from '../../simulator/ios-store/certificate-authority.js';
import { storePayloads } from '../../simulator/ios-store/payloads.js';
import { BUNDLE_ID, MONTHLY } from '../http/support/harness.js';

const MONTH_MS = 30 * 86_400_000;

export type SignedPurchases = {
  /** Value of `IOS_STORE_ROOT_CERTIFICATES`. */
  readonly rootPem: string;
  /** Returns the notification body of a purchase made now. */
  notification(transactionId: string): ReturnType<ReturnType<typeof storePayloads>['signedNotification']>;
  /** Returns the receipt of the same purchase, as a client has it. */
  receipt(transactionId: string): string;
};

export async function signPurchases(): Promise<SignedPurchases> {
  const authority = await createCertificateAuthority();
  const sign = storePayloads(authority.sign);
  const common = { bundleId: BUNDLE_ID, environment: 'Production' as const };
  const transaction = (transactionId: string, now: number) => {
    const period = { purchaseDate: now, expiresDate: now + MONTH_MS };
    return { transactionId, productId: MONTHLY, ...period, price: 9990, currency: 'USD' };
  };
  return {
    rootPem: authority.rootPem,
    notification: (transactionId) => {
      const now = Date.now();
      return sign.signedNotification({
        notificationType: 'SUBSCRIBED',
        notificationUUID: `uuid-${transactionId}`,
        signedDate: now,
        ...common,
        transaction: transaction(transactionId, now),
        renewal: { originalTransactionId: transactionId, productId: MONTHLY },
      });
    },
    receipt: (transactionId) => sign.signedTransaction({ ...common, ...transaction(transactionId, Date.now()) }),
  };
}
