// Requests to the ios-store for what its notifications missed. All that it returns is signed, and trusted only once that is verified.
import type { IosEnvironment, IosSignedData } from './port.js';

/** `privateKey`: PKCS 8, PEM. A secret: never logged. */
export type IosKey = { readonly issuerId: string; readonly keyId: string; readonly privateKey: string };
export type IosApp = { readonly appId: string; readonly bundleId: string; readonly key: IosKey };

/** The last state of one chain: signed transaction and, for subscriptions, signed renewal info. */
export type IosChainState = {
  readonly originalTransactionId: string;
  /** 1 active, 2 expired, 3 billing retry, 4 billing grace period, 5 revoked. */
  readonly status: number;
  readonly signedTransactionInfo: string;
  readonly signedRenewalInfo: string | undefined;
};

/** `next` names the page after it, for the same span; null: it is the last. The store forgets such a name after a while. */
export type IosNotificationPage = { readonly signedPayloads: readonly string[]; readonly next: string | null };

/** Everything throws `IosStoreRefusal` and `Unavailable` (the store is away, or asks to come later). */
export interface IosStoreApi {
  /** The signed transaction, or null when the store does not know it. */
  transaction(app: IosApp, environment: IosEnvironment, transactionId: string): Promise<string | null>;
  /** All signed transactions of the subscriptions of the customer who made this one, oldest first; null as above. */
  history(app: IosApp, environment: IosEnvironment, transactionId: string): Promise<readonly string[] | null>;
  /** The state of all subscriptions of the customer who made this transaction; null as above. */
  statuses(app: IosApp, environment: IosEnvironment, transactionId: string): Promise<readonly IosChainState[] | null>;
  /** The signed transactions of an order, which is of production; none when the store does not know it. */
  order(app: IosApp, orderId: string): Promise<readonly string[]>;
  /** Signed payloads of notifications that were sent between two instants (ms since the epoch): the first page, or the one that `token` names. */
  notifications(
    app: IosApp,
    environment: IosEnvironment,
    span: { readonly fromMs: number; readonly untilMs: number },
    token: string | null,
  ): Promise<IosNotificationPage>;
}

/** The whole store: what it returns, and what it signs. */
export type IosStorePort = { readonly api: IosStoreApi; readonly signedData: IosSignedData };
