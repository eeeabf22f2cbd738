// Builds push messages and API resources of the simulated android-store in wire format. Pure.

const SUBSCRIPTION_TYPES = {
  RECOVERED: 1,
  RENEWED: 2,
  CANCELED: 3,
  PURCHASED: 4,
  ON_HOLD: 5,
  IN_GRACE_PERIOD: 6,
  RESTARTED: 7,
  PRICE_CHANGE_CONFIRMED: 8,
  DEFERRED: 9,
  PAUSED: 10,
  PAUSE_SCHEDULE_CHANGED: 11,
  REVOKED: 12,
  EXPIRED: 13,
  ITEMS_CHANGED: 17,
  CANCELLATION_SCHEDULED: 18,
  PRICE_CHANGE_UPDATED: 19,
  PENDING_PURCHASE_CANCELED: 20,
  PRICE_STEP_UP_CONSENT_UPDATED: 22,
} as const;
export type SubscriptionType = keyof typeof SUBSCRIPTION_TYPES;

/** Returns the body of a Pub/Sub push. `kind` is one of the parts of a developer notification. */
export function pushBody(o: {
  readonly packageName: string;
  readonly atMs: number;
  readonly messageId: string;
  readonly kind: Readonly<Record<string, unknown>>;
}) {
  const notification = { version: '1.0', packageName: o.packageName, eventTimeMillis: String(o.atMs), ...o.kind };
  const data = Buffer.from(JSON.stringify(notification)).toString('base64');
  const message = { data, messageId: o.messageId, publishTime: new Date(o.atMs).toISOString(), attributes: {} };
  return { message, subscription: 'projects/stargazer/subscriptions/store' };
}

export function aboutSubscription(type: SubscriptionType | number, purchaseToken: string) {
  const notificationType = typeof type === 'number' ? type : SUBSCRIPTION_TYPES[type];
  return { subscriptionNotification: { version: '1.0', notificationType, purchaseToken } };
}

/** `type`: 1 purchased, 2 cancelled. */
export function aboutProduct(type: number, purchaseToken: string, sku: string) {
  return { oneTimeProductNotification: { version: '1.0', notificationType: type, purchaseToken, sku } };
}

export type SubscriptionFields = {
  readonly state?: string;
  readonly productId: string;
  readonly basePlanId?: string;
  readonly orderId: string;
  readonly startMs: number;
  readonly expiryMs: number;
  /** Price of a standard renewal, milliunits of US dollars. */
  readonly priceMilli?: number;
  readonly willRenew?: boolean;
  readonly phase?: 'freeTrial' | 'introductoryPrice' | 'basePrice';
  readonly accountId?: string;
  readonly linkedPurchaseToken?: string;
  readonly regionCode?: string;
  /** Additional fields of the resource. */
  readonly also?: Readonly<Record<string, unknown>>;
  /** Additional fields of its line item. */
  readonly item?: Readonly<Record<string, unknown>>;
};

/** Returns a `SubscriptionPurchaseV2`. */
export function subscriptionResource(f: SubscriptionFields) {
  const { priceMilli = 9990, willRenew = true, phase = 'basePrice', regionCode = 'US' } = f;
  const autoRenewingPlan = {
    ...(willRenew && { autoRenewEnabled: true }),
    recurringPrice: money(priceMilli),
  };
  return {
    kind: 'androidpublisher#subscriptionPurchaseV2',
    subscriptionState: `SUBSCRIPTION_STATE_${f.state ?? 'ACTIVE'}`,
    startTime: new Date(f.startMs).toISOString(),
    regionCode,
    latestOrderId: f.orderId,
    acknowledgementState: 'ACKNOWLEDGEMENT_STATE_PENDING',
    ...(f.linkedPurchaseToken !== undefined && { linkedPurchaseToken: f.linkedPurchaseToken }),
    ...(f.accountId !== undefined && { externalAccountIdentifiers: { obfuscatedExternalAccountId: f.accountId } }),
    lineItems: [
      {
        productId: f.productId,
        expiryTime: new Date(f.expiryMs).toISOString(),
        latestSuccessfulOrderId: f.orderId,
        autoRenewingPlan,
        ...(f.basePlanId !== undefined && { offerDetails: { basePlanId: f.basePlanId } }),
        offerPhase: { [phase]: {} },
        ...f.item,
      },
    ],
    ...f.also,
  };
}

const PRODUCT_STATES = ['PURCHASED', 'CANCELLED', 'PENDING'];

/** Returns the `ProductPurchaseV2` of a `ProductPurchase`. `v2` of the resource: additional fields, such as its lines. */
export function productResourceV2(productId: string, resource: Readonly<Record<string, unknown>>) {
  const { purchaseState = 0, purchaseTimeMillis, acknowledgementState = 0, purchaseType, quantity = 1, v2 } = resource;
  const { orderId, regionCode, obfuscatedExternalAccountId, refundableQuantity } = resource;
  return {
    kind: 'androidpublisher#productPurchaseV2',
    productLineItem: [
      { productId, productOfferDetails: { quantity, ...(refundableQuantity !== undefined && { refundableQuantity }) } },
    ],
    purchaseStateContext: { purchaseState: PRODUCT_STATES[Number(purchaseState)] },
    ...(purchaseType === 0 && { testPurchaseContext: { fopType: 'TEST' } }),
    ...(purchaseTimeMillis !== undefined &&
      purchaseState !== 2 && { purchaseCompletionTime: new Date(Number(purchaseTimeMillis)).toISOString() }),
    acknowledgementState: `ACKNOWLEDGEMENT_STATE_${acknowledgementState === 1 ? 'ACKNOWLEDGED' : 'PENDING'}`,
    orderId,
    regionCode,
    obfuscatedExternalAccountId,
    ...(v2 as object | undefined),
  };
}

/** Returns an `Order` of a subscription. Times are ms since the epoch. */
export function orderResource(f: {
  readonly orderId: string;
  readonly productId: string;
  readonly basePlanId?: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly priceMilli: number;
  readonly offerPhase?: 'FREE_TRIAL' | 'INTRODUCTORY' | 'BASE';
}) {
  const { orderId, productId, basePlanId, fromMs, toMs, priceMilli, offerPhase = 'BASE' } = f;
  const subscriptionDetails = {
    ...(basePlanId !== undefined && { basePlanId }),
    offerPhase,
    servicePeriodStartTime: new Date(fromMs).toISOString(),
    servicePeriodEndTime: new Date(toMs).toISOString(),
  };
  const createTime = new Date(fromMs).toISOString();
  const lineItems = [{ productId, subscriptionDetails }];
  return { orderId, state: 'PROCESSED', createTime, total: money(priceMilli), lineItems };
}

/** Converts milliunits of US dollars to the API's `Money`, which omits zeros. */
export function money(milli: number) {
  const units = Math.trunc(milli / 1000);
  const nanos = (milli % 1000) * 1_000_000;
  return { currencyCode: 'USD', ...(units !== 0 && { units: String(units) }), ...(nanos !== 0 && { nanos }) };
}
