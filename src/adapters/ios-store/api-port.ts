// Port of the ios-store's API, which fetches what notifications missed. Everything it returns is signed, and trusted only after
// verification.
import type { IosEnvironment, IosSignedData } from './port.js';

/** `privateKey`: PKCS 8, PEM. A secret: never logged. */
export type IosKey = { readonly issuerId: string; readonly keyId: string; readonly privateKey: string };
export type IosApp = { readonly appId: string; readonly bundleId: string; readonly key: IosKey };

/** Last state of one chain: signed transaction and, for subscriptions, signed renewal info. */
export type IosChainState = {
  readonly originalTransactionId: string;
  /** 1 active, 2 expired, 3 billing retry, 4 billing grace period, 5 revoked. */
  readonly status: number;
  readonly signedTransactionInfo: string;
  readonly signedRenewalInfo: string | undefined;
};

/** `restorable` also contains one-time purchases, but no consumables: the store does not restore them on devices either. */
export type IosHistoryScope = 'subscriptions' | 'restorable';

/** `next` is the token of the following page of the same span; null on the last page. The store expires these tokens after a while. */
export type IosNotificationPage = { readonly signedPayloads: readonly string[]; readonly next: string | null };

/** Every method throws `IosStoreRefusal`, and `Unavailable` when the store cannot be reached or is rate-limiting. */
export interface IosStoreApi {
  /** Returns the signed transaction; null when it is unknown to the store. */
  transaction(app: IosApp, environment: IosEnvironment, transactionId: string): Promise<string | null>;
  /**
   * Returns all signed transactions in the scope of the customer who made this one, ordered by their last change; null as above.
   */
  history(
    app: IosApp,
    environment: IosEnvironment,
    transactionId: string,
    scope: IosHistoryScope,
  ): Promise<readonly string[] | null>;
  /** Returns the state of all subscriptions of the customer who made this transaction; null as above. */
  statuses(app: IosApp, environment: IosEnvironment, transactionId: string): Promise<readonly IosChainState[] | null>;
  /** Returns the signed transactions of a production order; empty when the order is unknown to the store. */
  order(app: IosApp, orderId: string): Promise<readonly string[]>;
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

/** Complete port of the store: its API and the verification of its signed data. */
export type IosStorePort = { readonly api: IosStoreApi; readonly signedData: IosSignedData };
