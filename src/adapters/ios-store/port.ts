// Port of the ios-store's signed data: verified and decoded, not yet matched with an app. Names and units are the wire's, as in
// `payloads.ts`.
import type { z } from 'zod';
import type * as payloads from './payloads.js';

export type IosEnvironment = z.infer<typeof payloads.environmentSchema>;
export type IosTransaction = Readonly<z.infer<typeof payloads.transactionSchema>>;
export type IosRenewalInfo = Readonly<z.infer<typeof payloads.renewalInfoSchema>>;
export type IosAppTransaction = Readonly<z.infer<typeof payloads.appTransactionSchema>>;

type WireNotification = z.infer<typeof payloads.notificationSchema>;
type WireData = NonNullable<WireNotification['data']>;
type WireAppData = NonNullable<WireNotification['appData']>;

/**
 * Decoded notification with at most one of `data`, `summary`, `externalPurchaseToken` and `appData`; none when the store uses a container
 * of a later version.
 */
export type IosNotification = Readonly<Omit<WireNotification, 'data' | 'appData'>> & {
  readonly data?: Readonly<Omit<WireData, 'signedTransactionInfo' | 'signedRenewalInfo'>> & {
    readonly transaction?: IosTransaction;
    readonly renewal?: IosRenewalInfo;
  };
  readonly appData?: Readonly<Omit<WireAppData, 'signedAppTransactionInfo'>> & {
    readonly appTransaction?: IosAppTransaction;
  };
};

/** Verified data. `revocationChecked`: the store's responder reported every certificate as good; always false without online checks. */
export type VerifiedData<T> = T & { readonly revocationChecked: boolean };

/** Verifier of signed data. `appId` is our ID of the app that the data was sent to: a simulated store is trusted only for its own apps. */
export interface IosSignedData {
  /** Verifies the `signedPayload` of a notification with its inner payloads. Throws `InvalidSignedData`. */
  verifyNotification(signedPayload: string, appId?: string): Promise<VerifiedData<IosNotification>>;
  /** Verifies a signed transaction as stored on a device. Throws `InvalidSignedData`. */
  verifyTransaction(signed: string, appId?: string): Promise<VerifiedData<IosTransaction>>;
  /** Verifies the signed renewal info of a subscription as returned by the store's API. Throws `InvalidSignedData`. */
  verifyRenewalInfo(signed: string, appId?: string): Promise<VerifiedData<IosRenewalInfo>>;
  /**
   * Returns whether the store signed an app receipt (base64) with certificates that were valid at its creation (ISO 8601 UTC; null: it
   * contains none).
   */
  isSignedAppReceipt(receipt: string, createdAt: string | null): Promise<boolean>;
}

export type IosAppIdentity = {
  readonly bundleId: string;
  /** The store's numeric ID of the app; not compared when undefined. */
  readonly storeAppId?: number | undefined;
};

type AppClaim = {
  readonly bundleId?: string;
  readonly environment: IosEnvironment;
  readonly appAppleId?: number | undefined;
};

/** Returns why verified data does not belong to the app, or null when it does. Inner payloads must have the identity of the outer one. */
export function checkBelongsToApp(
  signed: IosNotification | IosTransaction,
  app: IosAppIdentity,
): 'wrong_bundle' | 'wrong_environment' | null {
  // A single transaction does not contain the numeric app ID.
  if (!('notificationType' in signed)) return signed.bundleId === app.bundleId ? null : 'wrong_bundle';
  for (const { bundleId = app.bundleId, environment, appAppleId = app.storeAppId } of signed.otherContainers ?? []) {
    const isNumberOther = environment === 'Production' && appAppleId !== app.storeAppId && app.storeAppId !== undefined;
    if (bundleId !== app.bundleId || isNumberOther) return 'wrong_bundle';
  }
  const outer = outerClaim(signed);
  if (outer === undefined) return null;
  if (outer.bundleId !== app.bundleId) return 'wrong_bundle';
  const numbered = outer.environment === 'Production' && app.storeAppId !== undefined;
  if (numbered && outer.appAppleId !== app.storeAppId) return 'wrong_bundle';

  for (const inner of innerClaims(signed)) {
    if (inner.bundleId !== undefined && inner.bundleId !== outer.bundleId) return 'wrong_bundle';
    if (inner.environment !== outer.environment) return 'wrong_environment';
  }
  return null;
}

function outerClaim(n: IosNotification): AppClaim | undefined {
  const token = n.externalPurchaseToken;
  if (token === undefined) return n.data ?? n.summary ?? n.appData;
  return { ...token, environment: token.externalPurchaseId.startsWith('SANDBOX') ? 'Sandbox' : 'Production' };
}

function innerClaims(n: IosNotification): AppClaim[] {
  const { transaction, renewal } = n.data ?? {};
  const { appTransaction } = n.appData ?? {};
  const app = appTransaction && { ...appTransaction, environment: appTransaction.receiptType };
  return [transaction, renewal, app].filter((claim) => claim !== undefined);
}
