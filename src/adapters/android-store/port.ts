// Port of the android-store: purchases by token, acknowledgements, and verification of pushes. Names and units are the wire's, as in
// `payloads.ts`.
import type { z } from 'zod';
import type { orderSchema } from './order-payloads.js';
import type * as payloads from './payloads.js';

export type AndroidSubscription = Readonly<z.output<typeof payloads.subscriptionSchema>>;
export type AndroidLineItem = AndroidSubscription['lineItems'][number];
type ProductV2 = Readonly<z.output<typeof payloads.productV2Schema>>;
/** `lines`: the products of the purchase with their terms, which the store's old resource lacks. */
export type AndroidProduct = Readonly<z.output<typeof payloads.productSchema>> & Partial<Pick<ProductV2, 'lines'>>;
export type AndroidProductLine = ProductV2['lines'][number];
export type AndroidOrder = Readonly<z.output<typeof orderSchema>>;
export type AndroidPrice = NonNullable<AndroidOrder['total']>;
export type AndroidVoidedPurchase = Readonly<z.output<typeof payloads.voidedPurchaseSchema>>;

/** Parts of a service account's key file; its URLs are never used. */
export type ServiceAccount = {
  readonly clientEmail: string;
  /** PEM, RSA. */
  readonly privateKey: string;
  readonly privateKeyId: string | null;
};

/** App at the store, and the service account for requests about it. */
export type AndroidApp = {
  readonly projectId: string;
  readonly appId: string;
  readonly packageName: string;
  readonly account: ServiceAccount;
};

/** Body of the store's method `orders.reviewrefund`. */
export type AndroidRefundReview = {
  readonly pendingRefundToken: string;
  /** True if the customer could try the content, free of charge, before the purchase. */
  readonly sampleContentProvided: boolean;
  readonly refundPreference: 'DECLINE' | 'APPROVE';
};

/** Every method throws `AndroidStoreRefusal`, and `Unavailable` when the store cannot be reached, is busy or sends an invalid response. */
export interface AndroidStoreApi {
  subscription(app: AndroidApp, purchaseToken: string): Promise<AndroidSubscription>;
  /** Returns a one-time purchase with the terms of its products; by the store's old resource where the new one does not know it. */
  product(app: AndroidApp, productId: string, purchaseToken: string): Promise<AndroidProduct>;
  /** Returns a one-time purchase by the store's old resource, which alone shows the type of a free one and the time of a pending one. */
  oldProduct(app: AndroidApp, productId: string, purchaseToken: string): Promise<AndroidProduct>;
  order(app: AndroidApp, orderId: string): Promise<AndroidOrder>;
  /** Returns orders by ID in one request. The store refuses all of them for one that it does not know. `orderIds`: distinct, at most 1000. */
  orders(app: AndroidApp, orderIds: readonly string[]): Promise<ReadonlyMap<string, AndroidOrder>>;
  /**
   * Returns purchases refunded or voided since the instant (ms since the epoch; the store returns at most 30 days), subscriptions included.
   */
  voidedPurchases(app: AndroidApp, sinceMs: number): Promise<readonly AndroidVoidedPurchase[]>;
  /** Answers the store's question about a refund of an order. The store records the first answer and accepts repeats. */
  reviewRefund(app: AndroidApp, orderId: string, review: AndroidRefundReview): Promise<void>;
  /** Acknowledges a purchase; a repeat is accepted. `productId` of a subscription is without its base plan. */
  acknowledge(app: AndroidApp, kind: 'subscription' | 'product', productId: string, token: string): Promise<void>;
}

export interface PushTokens {
  /**
   * Resolves when the store's identity service signed the token for one of the audiences and, where given, for this account. Throws
   * `InvalidPushToken`, and `Unavailable` while the verification keys are unavailable.
   */
  verify(
    token: string,
    expected: { readonly audiences: readonly string[]; readonly email: string | null },
  ): Promise<void>;
}

/** File in the bucket of reports. `generation`: another one for each content. `size` in bytes. */
export type ReportObject = { readonly name: string; readonly generation: string; readonly size: number };

type ReportOwner = Pick<AndroidApp, 'projectId' | 'account'>;

/** Every method throws `ReportsRefused`, `Unavailable`, and the reason of the signal. */
export interface AndroidReports {
  /** Returns the files whose name begins with the prefix, up to a thousand. */
  list(owner: ReportOwner, bucket: string, prefix: string, signal: AbortSignal): Promise<readonly ReportObject[]>;
  /** Returns the content of a file; null if it has been replaced since. */
  download(owner: ReportOwner, bucket: string, file: ReportObject, signal: AbortSignal): Promise<Buffer | null>;
}

/** Complete port of the store: its API, its financial reports, and the verification of pushes. */
export type AndroidStorePort = {
  readonly api: AndroidStoreApi;
  readonly reports: AndroidReports;
  readonly pushTokens: PushTokens;
};
