// The ios-store's signed data as the rest of the code sees it: verified, decoded, not yet checked against an app.
// Names and units are the wire's; `payloads.ts` holds them field by field.
import type { z } from 'zod';
import type * as payloads from './payloads.js';

export type IosEnvironment = z.infer<typeof payloads.environmentSchema>;
export type IosTransaction = Readonly<z.infer<typeof payloads.transactionSchema>>;
export type IosRenewalInfo = Readonly<z.infer<typeof payloads.renewalInfoSchema>>;
export type IosAppTransaction = Readonly<z.infer<typeof payloads.appTransactionSchema>>;

type Wire = z.infer<typeof payloads.notificationSchema>;
type WireData = NonNullable<Wire['data']>;
type WireAppData = NonNullable<Wire['appData']>;

/** At most one of `data`, `summary`, `externalPurchaseToken` and `appData` is there; none where the store uses a container of a later version. */
export type IosNotification = Readonly<Omit<Wire, 'data' | 'appData'>> & {
  readonly data?: Readonly<Omit<WireData, 'signedTransactionInfo' | 'signedRenewalInfo'>> & {
    readonly transaction?: IosTransaction;
    readonly renewal?: IosRenewalInfo;
  };
  readonly appData?: Readonly<Omit<WireAppData, 'signedAppTransactionInfo'>> & {
    readonly appTransaction?: IosAppTransaction;
  };
};

/** `revocationChecked`: the store's responder called every certificate good. Always false without online checks. */
export type Verified<T> = T & { readonly revocationChecked: boolean };

/** `appId`: of ours, which the data was sent to. A simulated store is trusted for its own apps alone. */
export interface IosSignedData {
  /** Takes the `signedPayload` of a notification; its inner payloads are verified too. Throws `InvalidSignedData`. */
  verifyNotification(signedPayload: string, appId?: string): Promise<Verified<IosNotification>>;
  /** Takes a signed transaction, as a device holds it. Throws `InvalidSignedData`. */
  verifyTransaction(signed: string, appId?: string): Promise<Verified<IosTransaction>>;
  /** Takes the signed renewal info of a subscription, as the store's API returns it. Throws `InvalidSignedData`. */
  verifyRenewalInfo(signed: string, appId?: string): Promise<Verified<IosRenewalInfo>>;
}

export type IosAppIdentity = {
  readonly bundleId: string;
  /** The store's number of the app; without one it is not compared. */
  readonly storeAppId?: number | undefined;
};

type Claim = {
  readonly bundleId?: string;
  readonly environment: IosEnvironment;
  readonly appAppleId?: number | undefined;
};

/** Why verified data is not the app's, or `null` when it is. Inner payloads must name what the outer one names. */
export function checkBelongsToApp(
  signed: IosNotification | IosTransaction,
  app: IosAppIdentity,
): 'wrong_bundle' | 'wrong_environment' | null {
  // A transaction by itself carries no number of the app.
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

function outerClaim(n: IosNotification): Claim | undefined {
  const token = n.externalPurchaseToken;
  if (token === undefined) return n.data ?? n.summary ?? n.appData;
  return { ...token, environment: token.externalPurchaseId.startsWith('SANDBOX') ? 'Sandbox' : 'Production' };
}

function innerClaims(n: IosNotification): Claim[] {
  const { transaction, renewal } = n.data ?? {};
  const { appTransaction } = n.appData ?? {};
  const app = appTransaction && { ...appTransaction, environment: appTransaction.receiptType };
  return [transaction, renewal, app].filter((claim) => claim !== undefined);
}
