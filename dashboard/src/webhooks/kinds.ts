// Kinds of webhook events that can be selected.
import type { Schemas } from '../api/client';

export type Kind = Schemas['WebhookExample']['type'];

/** Contains every kind that has an example in the API; the API also accepts names of other products for kinds that are never sent. */
const sentKinds: Readonly<Record<Kind, true>> = {
  INITIAL_PURCHASE: true,
  RENEWAL: true,
  NON_RENEWING_PURCHASE: true,
  PRODUCT_CHANGE: true,
  CANCELLATION: true,
  UNCANCELLATION: true,
  BILLING_ISSUE: true,
  SUBSCRIPTION_PAUSED: true,
  SUBSCRIPTION_EXTENDED: true,
  EXPIRATION: true,
  REFUND: true,
  REFUND_REVERSED: true,
  PRICE_CORRECTED: true,
  PRICE_INCREASE_CONSENT_REQUIRED: true,
  PRICE_INCREASE_CONSENT_APPROVED: true,
  TRANSFER: true,
  SUBSCRIBER_ALIAS: true,
  EXPERIMENT_ENROLLMENT: true,
  TEMPORARY_ENTITLEMENT_GRANT: true,
  ENTITLEMENT_CHANGED: true,
  BOOKS_MONTH_COMPLETE: true,
  BOOKS_LINE_MISSING_HERE: true,
  FIGURE_OUT_OF_BAND: true,
  TEST: true,
};

export const KINDS = Object.keys(sentKinds) as readonly Kind[];
