// Format of the android-store's notifications: a Pub/Sub push message with a `DeveloperNotification` in base64. Pure. Fields: the store's
// page "Real-time developer notifications reference guide". Notifications only indicate which purchase to read.
import { z } from 'zod';
import { parseJson } from '../../domain/values/json.js';

const name = z.string().min(1).max(2048);
/** Quoted in practice, although the documentation describes a number. */
const ms = z
  .union([z.string().regex(/^\d{1,15}$/), z.int().min(0)])
  .transform(Number)
  .refine((n) => n <= 253_402_300_799_999, 'must lie before the year 10000');

const developerNotification = z
  .object({
    version: z.string().max(20).optional(),
    packageName: name,
    eventTimeMillis: ms,
    subscriptionNotification: z.object({ notificationType: z.int(), purchaseToken: name }).optional(),
    oneTimeProductNotification: z
      .object({ notificationType: z.int(), purchaseToken: name, sku: z.string().min(1).max(256) })
      .optional(),
    /** `productType`: 1 subscription, 2 one-time. `refundType`: 1 full, 2 part of the quantity. */
    voidedPurchaseNotification: z
      .object({
        purchaseToken: name,
        orderId: name.optional(),
        productType: z.int().optional(),
        refundType: z.int().optional(),
      })
      .optional(),
    pendingRefundReviewNotification: z
      .object({ pendingRefundToken: name, orderId: name, refundReason: z.int().optional() })
      .optional(),
    testNotification: z.looseObject({}).optional(),
  })
  .refine(({ version: _v, packageName: _p, eventTimeMillis: _e, ...kinds }) => {
    return Object.values(kinds).filter((kind) => kind !== undefined).length <= 1;
  }, 'at most one kind of notification is expected');

const envelope = z
  .object({
    data: z.string().max(200_000),
    messageId: z.string().min(1).max(256).optional(),
    message_id: z.string().min(1).max(256).optional(),
  })
  .refine((m) => (m.messageId ?? m.message_id) !== undefined, 'messageId is missing');

export const pushBody = z.looseObject({ message: envelope });

export type AndroidNotification = Readonly<z.output<typeof developerNotification>>;
export type AndroidMessage = { readonly messageId: string; readonly notification: AndroidNotification };

/** Parses a push; null when `data` is not a notification in base64, which a retry would not change. */
export function readPushBody({ message }: z.output<typeof pushBody>): AndroidMessage | null {
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(message.data)) return null;
  const { success, data } = developerNotification.safeParse(parseJson(Buffer.from(message.data, 'base64').toString()));
  return success ? { messageId: message.messageId ?? message.message_id ?? '', notification: data } : null;
}

const SUBSCRIPTION_TYPES: Readonly<Record<number, string>> = {
  1: 'SUBSCRIPTION_RECOVERED',
  2: 'SUBSCRIPTION_RENEWED',
  3: 'SUBSCRIPTION_CANCELED',
  4: 'SUBSCRIPTION_PURCHASED',
  5: 'SUBSCRIPTION_ON_HOLD',
  6: 'SUBSCRIPTION_IN_GRACE_PERIOD',
  7: 'SUBSCRIPTION_RESTARTED',
  8: 'SUBSCRIPTION_PRICE_CHANGE_CONFIRMED',
  9: 'SUBSCRIPTION_DEFERRED',
  10: 'SUBSCRIPTION_PAUSED',
  11: 'SUBSCRIPTION_PAUSE_SCHEDULE_CHANGED',
  12: 'SUBSCRIPTION_REVOKED',
  13: 'SUBSCRIPTION_EXPIRED',
  17: 'SUBSCRIPTION_ITEMS_CHANGED',
  18: 'SUBSCRIPTION_CANCELLATION_SCHEDULED',
  19: 'SUBSCRIPTION_PRICE_CHANGE_UPDATED',
  20: 'SUBSCRIPTION_PENDING_PURCHASE_CANCELED',
  22: 'SUBSCRIPTION_PRICE_STEP_UP_CONSENT_UPDATED',
};
const PRODUCT_TYPES: Readonly<Record<number, string>> = {
  1: 'ONE_TIME_PRODUCT_PURCHASED',
  2: 'ONE_TIME_PRODUCT_CANCELED',
};

export const UNKNOWN_TYPE = 'UNKNOWN';

/** Returns the store's name of the notification type; `UNKNOWN` and the number for an unknown one. */
export function notificationTypeOf(n: AndroidNotification): string {
  const numbered = (names: Readonly<Record<number, string>>, type: number) => names[type] ?? `${UNKNOWN_TYPE}_${type}`;
  if (n.subscriptionNotification) return numbered(SUBSCRIPTION_TYPES, n.subscriptionNotification.notificationType);
  if (n.oneTimeProductNotification) return numbered(PRODUCT_TYPES, n.oneTimeProductNotification.notificationType);
  if (n.voidedPurchaseNotification) return 'VOIDED_PURCHASE';
  if (n.pendingRefundReviewNotification) return 'PENDING_REFUND_REVIEW';
  return n.testNotification ? 'TEST' : UNKNOWN_TYPE;
}

/** Returns the purchase token of a stored notification, or null. */
export function purchaseTokenOf(decoded: unknown): string | null {
  const { success, data: n } = developerNotification.safeParse(decoded);
  if (!success) return null;
  const about = n.subscriptionNotification ?? n.oneTimeProductNotification ?? n.voidedPurchaseNotification;
  return about?.purchaseToken ?? null;
}
