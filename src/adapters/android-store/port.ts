// The android-store as the rest of the code sees it: purchases read by their token, acknowledgements, and who may push to us.
// Names and units are the wire's; `payloads.ts` holds them field by field.
import type { z } from 'zod';
import type * as payloads from './payloads.js';

export type AndroidSubscription = Readonly<z.output<typeof payloads.subscriptionSchema>>;
export type AndroidLineItem = AndroidSubscription['lineItems'][number];
export type AndroidProduct = Readonly<z.output<typeof payloads.productSchema>>;
export type AndroidOrder = Readonly<z.output<typeof payloads.orderSchema>>;
export type AndroidPrice = NonNullable<AndroidOrder['total']>;
export type AndroidVoidedPurchase = Readonly<z.output<typeof payloads.voidedPurchaseSchema>>;

/** What of a service account's key file is used: its addresses never are. */
export type ServiceAccount = {
  readonly clientEmail: string;
  /** PEM, RSA. */
  readonly privateKey: string;
  readonly privateKeyId: string | null;
};

/** An app at the store, and in whose name it is asked about. */
export type AndroidApp = {
  readonly projectId: string;
  readonly appId: string;
  readonly packageName: string;
  readonly account: ServiceAccount;
};

/** All throw `AndroidStoreRefusal`, and `Unavailable` when the store cannot be reached, is busy or answers unreadably. */
export interface AndroidStoreApi {
  subscription(app: AndroidApp, purchaseToken: string): Promise<AndroidSubscription>;
  product(app: AndroidApp, productId: string, purchaseToken: string): Promise<AndroidProduct>;
  order(app: AndroidApp, orderId: string): Promise<AndroidOrder>;
  /** What was given back since the instant (ms since the epoch; the store looks 30 days back at most), subscriptions included. */
  voidedPurchases(app: AndroidApp, sinceMs: number): Promise<readonly AndroidVoidedPurchase[]>;
  /** Acknowledged already is fine. `productId` of a subscription without its base plan. */
  acknowledge(app: AndroidApp, kind: 'subscription' | 'product', productId: string, token: string): Promise<void>;
}

export interface PushTokens {
  /**
   * Resolves when the store's identity service signed the token for one of the audiences and, where given, for this account.
   * Throws `InvalidPushToken`; `Unavailable` while the keys to check it with cannot be had.
   */
  verify(
    token: string,
    expected: { readonly audiences: readonly string[]; readonly email: string | null },
  ): Promise<void>;
}

/** The whole store: what it returns, and who may push in its name. */
export type AndroidStorePort = { readonly api: AndroidStoreApi; readonly pushTokens: PushTokens };
