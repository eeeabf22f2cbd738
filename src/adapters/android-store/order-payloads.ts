// Zod schemas of the android-store's orders: resource "Order" of the Play Developer API v3.
import { z } from 'zod';
import { text, name, instant, price, anyObject } from './payloads.js';

/** Makes an unreadable field of an order undefined: the purchase that the order belongs to must not fail because of it. */
const lenient = <S extends z.ZodType>(schema: S) => schema.optional().catch(undefined);

const orderLineSchema = z.object({
  productId: lenient(text),
  /** Amount paid for this line, taxes included. */
  total: lenient(price),
  subscriptionDetails: lenient(
    z.object({
      basePlanId: lenient(text),
      offerId: lenient(text),
      /** `BASE`, `INTRODUCTORY` or `FREE_TRIAL`; deprecated for `offerPhaseDetails`. */
      offerPhase: lenient(text),
      offerPhaseDetails: lenient(
        z.object({ freeTrialDetails: anyObject.optional(), introductoryPriceDetails: anyObject.optional() }),
      ),
      /** Service period as of the processing of the order. */
      servicePeriodStartTime: lenient(instant),
      servicePeriodEndTime: lenient(instant),
    }),
  ),
});

const refundDetails = lenient(z.object({ total: lenient(price) }));

/** Refunds of an order. An unreadable event still counts as one. */
const orderHistorySchema = z.object({
  refundEvent: lenient(z.object({ eventTime: lenient(instant), refundDetails })),
  partialRefundEvents: z
    .array(
      z.object({
        createTime: lenient(instant),
        processTime: lenient(instant),
        /** `PENDING` or `PROCESSED_SUCCESSFULLY`. */
        state: lenient(text),
        refundDetails,
      }),
    )
    .max(100)
    .catch([])
    .default([]),
});

export const orderSchema = z.object({
  purchaseToken: lenient(name),
  /** `PENDING`, `PROCESSED`, `CANCELED`, `PENDING_REFUND`, `PARTIALLY_REFUNDED` or `REFUNDED`. */
  state: lenient(text),
  createTime: lenient(instant),
  total: lenient(price),
  orderHistory: lenient(orderHistorySchema),
  /** An unreadable line still counts as a line, so that the total of an order with several lines is not taken for that of one. */
  lineItems: z.array(orderLineSchema.catch({})).max(100).catch([]).default([]),
});

export const ordersSchema = z.object({ orders: z.array(orderSchema.extend({ orderId: lenient(name) })).default([]) });
