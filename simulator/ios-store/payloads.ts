// Builds signed transactions, renewal infos and notifications of the ios-store. Dates are milliseconds since the epoch, prices milliunits
// of their currency (10990 = 10.99), as on the wire.
import { randomUUID } from 'node:crypto';

export type SignPayload = (payload: object) => string;

export type StoreEnvironment = 'Production' | 'Sandbox' | 'Xcode' | 'LocalTesting';

/** Fields of a transaction. Other fields of the wire format are passed through. */
export type TransactionFields = {
  readonly transactionId: string;
  /** ID of the chain's first transaction; its own ID by default. */
  readonly originalTransactionId?: string;
  readonly productId: string;
  readonly purchaseDate: number;
  readonly originalPurchaseDate?: number;
  /** Only for subscriptions. */
  readonly expiresDate?: number;
  readonly type?: 'Auto-Renewable Subscription' | 'Non-Consumable' | 'Consumable' | 'Non-Renewing Subscription';
  readonly price?: number;
  readonly currency?: string;
  readonly offerType?: 1 | 2 | 3 | 4;
  readonly offerDiscountType?: 'FREE_TRIAL' | 'PAY_AS_YOU_GO' | 'PAY_UP_FRONT' | 'ONE_TIME';
  readonly inAppOwnershipType?: 'PURCHASED' | 'FAMILY_SHARED';
  readonly transactionReason?: 'PURCHASE' | 'RENEWAL';
  readonly appAccountToken?: string;
  /** ISO 3166 alpha-3. */
  readonly storefront?: string;
  readonly revocationDate?: number;
  readonly revocationReason?: 0 | 1;
  readonly bundleId?: string;
  readonly environment?: StoreEnvironment;
  readonly signedDate?: number;
  readonly [field: string]: unknown;
};

export type RenewalFields = {
  readonly originalTransactionId: string;
  readonly productId: string;
  readonly autoRenewProductId?: string;
  /** 1 on (default), 0 off. */
  readonly autoRenewStatus?: 0 | 1;
  readonly isInBillingRetryPeriod?: boolean;
  readonly gracePeriodExpiresDate?: number;
  readonly expirationIntent?: 1 | 2 | 3 | 4 | 5;
  readonly renewalDate?: number;
  readonly renewalPrice?: number;
  readonly currency?: string;
  readonly environment?: StoreEnvironment;
  readonly signedDate?: number;
  readonly [field: string]: unknown;
};

export type NotificationFields = {
  readonly notificationType: string;
  readonly subtype?: string;
  /** Fields, or a JWS that is passed through. */
  readonly transaction?: TransactionFields | string | undefined;
  readonly renewal?: RenewalFields | string | undefined;
  readonly signedDate: number;
  /** The same on every retry of one notification; random by default. */
  readonly notificationUUID?: string;
  readonly bundleId: string;
  readonly environment?: StoreEnvironment;
  /** Only in Production. */
  readonly appAppleId?: number;
  readonly [field: string]: unknown;
};

export type NotificationBody = { readonly signedPayload: string };

/** Fields of the proof that a device obtained the app. */
export type AppTransactionFields = {
  readonly bundleId: string;
  readonly receiptType: StoreEnvironment;
  readonly originalApplicationVersion: string;
  readonly originalPurchaseDate: number;
  readonly receiptCreationDate: number;
  readonly [field: string]: unknown;
};

export type StorePayloads = {
  signedAppTransaction(fields: AppTransactionFields): string;
  signedTransaction(fields: TransactionFields & { readonly bundleId: string }): string;
  signedRenewalInfo(fields: RenewalFields): string;
  /** Returns the request body. Inner payloads take bundle, environment and signing date from the outer one. */
  signedNotification(fields: NotificationFields): NotificationBody;
};

/** Returns builders that sign with `sign`, for example of a certificate authority. */
export function storePayloads(sign: SignPayload): StorePayloads {
  const signedTransaction = (fields: TransactionFields): string => sign(withDefaults(fields));
  const signedRenewalInfo = (fields: RenewalFields): string =>
    sign({
      autoRenewProductId: fields.productId,
      autoRenewStatus: 1,
      isInBillingRetryPeriod: false,
      environment: 'Sandbox',
      signedDate: Date.now(),
      ...fields,
    });

  return {
    signedAppTransaction: (fields) => sign(fields),
    signedTransaction,
    signedRenewalInfo,
    signedNotification(fields) {
      const { transaction, renewal, bundleId, environment = 'Sandbox', appAppleId, signedDate, ...outer } = fields;
      const shared = { environment, signedDate };
      const data = {
        environment,
        bundleId,
        appAppleId,
        bundleVersion: '1',
        signedTransactionInfo: signInner(transaction, (t) => signedTransaction({ bundleId, ...shared, ...t })),
        signedRenewalInfo: signInner(renewal, (r) => signedRenewalInfo({ ...shared, ...r })),
        status: subscriptionStatus(transaction, renewal, signedDate),
      };
      return { signedPayload: sign({ notificationUUID: randomUUID(), version: '2.0', signedDate, data, ...outer }) };
    },
  };
}

/** Returns 1 active, 2 expired, 3 billing retry, 4 billing grace period, 5 revoked; undefined for a purchase without an expiry. */
export function subscriptionStatus(
  transaction: TransactionFields | string | undefined,
  renewal: RenewalFields | string | undefined,
  at: number,
): 1 | 2 | 3 | 4 | 5 | undefined {
  if (transaction === undefined || typeof transaction === 'string' || transaction.expiresDate === undefined)
    return undefined;
  if (transaction.revocationDate !== undefined && transaction.revocationDate <= at) return 5;
  if (at < transaction.expiresDate) return 1;
  if (renewal === undefined || typeof renewal === 'string') return 2;
  if (renewal.gracePeriodExpiresDate !== undefined && at < renewal.gracePeriodExpiresDate) return 4;
  return renewal.isInBillingRetryPeriod ? 3 : 2;
}

function withDefaults(fields: TransactionFields): object {
  const originalTransactionId = fields.originalTransactionId ?? fields.transactionId;
  const isSubscription = fields.expiresDate !== undefined;
  return {
    webOrderLineItemId: isSubscription ? `7${fields.transactionId}` : undefined,
    subscriptionGroupIdentifier: isSubscription ? '20000001' : undefined,
    originalPurchaseDate: fields.purchaseDate,
    type: isSubscription ? 'Auto-Renewable Subscription' : 'Non-Consumable',
    quantity: 1,
    inAppOwnershipType: 'PURCHASED',
    transactionReason: originalTransactionId === fields.transactionId ? 'PURCHASE' : 'RENEWAL',
    price: 0,
    currency: 'USD',
    storefront: 'USA',
    storefrontId: '143441',
    environment: 'Sandbox',
    signedDate: fields.purchaseDate,
    ...fields,
    originalTransactionId,
  };
}

function signInner<F extends object>(
  fieldsOrText: F | string | undefined,
  sign: (fields: F) => string,
): string | undefined {
  return fieldsOrText === undefined || typeof fieldsOrText === 'string' ? fieldsOrText : sign(fieldsOrText);
}
