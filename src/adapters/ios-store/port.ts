// Port of the ios-store: verification of its signed data, and its API, which fetches what notifications missed. What the API returns is
// signed, and trusted only after verification.
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
  /** Verifies the signed proof that a device obtained the app. Throws `InvalidSignedData`. */
  verifyAppTransaction(signed: string, appId?: string): Promise<VerifiedData<IosAppTransaction>>;
  /**
   * Returns whether the store signed an app receipt (base64) with certificates that were valid at its creation (ISO 8601 UTC; null: it
   * contains none).
   */
  isSignedAppReceipt(receipt: string, createdAt: string | null): Promise<boolean>;
}

type IosAppIdentity = {
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
  signed: IosNotification | IosTransaction | IosAppTransaction,
  app: IosAppIdentity,
): 'wrong_bundle' | 'wrong_environment' | null {
  if ('receiptType' in signed) {
    const { bundleId, receiptType, appAppleId } = signed;
    const isNumberOther = receiptType === 'Production' && app.storeAppId !== undefined && appAppleId !== app.storeAppId;
    return bundleId !== app.bundleId || isNumberOther ? 'wrong_bundle' : null;
  }
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

/** `privateKey`: PKCS 8, PEM. A secret: never logged. */
export type IosKey = { readonly issuerId: string; readonly keyId: string; readonly privateKey: string };
export type IosApp = { readonly appId: string; readonly bundleId: string; readonly key: IosKey };

/** Last state of one chain: signed transaction and, for subscriptions, signed renewal info. */
type IosChainState = {
  readonly originalTransactionId: string;
  /** 1 active, 2 expired, 3 billing retry, 4 billing grace period, 5 revoked. */
  readonly status: number;
  readonly signedTransactionInfo: string;
  readonly signedRenewalInfo: string | undefined;
};

/**
 * `restorable` also contains one-time purchases, but no consumables: the store does not restore them on devices either. `all` contains the
 * consumables that the device has not finished, too.
 */
export type IosHistoryScope = 'subscriptions' | 'restorable' | 'all';

/** `next` is the token of the following page of the same span; null on the last page. The store expires these tokens after a while. */
export type IosNotificationPage = { readonly signedPayloads: readonly string[]; readonly next: string | null };

/** Body of the store's page "Send Consumption Information"; the store refuses it without the customer's consent. */
export type IosConsumption = {
  readonly customerConsented: true;
  readonly deliveryStatus: 'DELIVERED';
  /** True if the customer could try the content, free of charge, before the purchase. */
  readonly sampleContentProvided: boolean;
  readonly refundPreference: 'DECLINE' | 'GRANT_FULL' | 'GRANT_PRORATED';
};

/** Every method throws `IosStoreRefusal`, and `Unavailable` when the store cannot be reached or is rate-limiting. */
export interface IosStoreApi {
  /** Returns the signed transaction; null when it is unknown to the store. */
  transaction(app: IosApp, environment: IosEnvironment, transactionId: string): Promise<string | null>;
  /**
   * Returns all signed transactions in the scope of the customer who made this one, ordered by their last change; null as above. `sinceMs`:
   * only purchases from then on (ms since the epoch).
   */
  history(
    app: IosApp,
    environment: IosEnvironment,
    transactionId: string,
    scope: IosHistoryScope,
    sinceMs?: number,
  ): Promise<readonly string[] | null>;
  /** Returns the state of all subscriptions of the customer who made this transaction; null as above. */
  statuses(app: IosApp, environment: IosEnvironment, transactionId: string): Promise<readonly IosChainState[] | null>;
  /** Returns the signed transactions of a production order; empty when the order is unknown to the store. */
  order(app: IosApp, orderId: string): Promise<readonly string[]>;
  /** Answers the store's question about a customer's refund request; a repeat is accepted. */
  sendConsumption(
    app: IosApp,
    environment: IosEnvironment,
    transactionId: string,
    information: IosConsumption,
  ): Promise<void>;
  /**
   * Returns one page of signed payloads of notifications sent between two instants (ms since the epoch): the page of `token`, or the first.
   */
  notifications(
    app: IosApp,
    environment: IosEnvironment,
    span: { readonly fromMs: number; readonly untilMs: number },
    token: string | null,
  ): Promise<IosNotificationPage>;
}

/** `fiscalMonth`: `yyyy-mm` of the store's fiscal year, which begins in October. */
export type IosReportRequest = {
  readonly type: 'FINANCE_DETAIL' | 'FINANCIAL';
  readonly fiscalMonth: string;
  readonly vendorNumber: string;
};

export interface IosReports {
  /**
   * Returns the report of all regions, compressed with gzip; null while there is none. Throws `ReportsRefused`, `Unavailable`, and the
   * reason of the signal.
   */
  report(key: IosKey, request: IosReportRequest, signal: AbortSignal): Promise<Buffer | null>;
}

/** Complete port of the store: its API, its financial reports, and the verification of its signed data. */
export type IosStorePort = {
  readonly api: IosStoreApi;
  readonly reports: IosReports;
  readonly signedData: IosSignedData;
};
