// The kinds of events that a webhook is sent, for choosing among them.
import type { Schemas } from '../api/client';

export type Kind = NonNullable<Schemas['CreateWebhookBody']['eventTypes']>[number];

/** Those that are sent; the interface also takes names of other products for kinds that never are. */
export const KINDS: readonly Kind[] = [
  'INITIAL_PURCHASE',
  'RENEWAL',
  'NON_RENEWING_PURCHASE',
  'PRODUCT_CHANGE',
  'CANCELLATION',
  'UNCANCELLATION',
  'BILLING_ISSUE',
  'SUBSCRIPTION_PAUSED',
  'SUBSCRIPTION_EXTENDED',
  'EXPIRATION',
  'REFUND',
  'REFUND_REVERSED',
  'PRICE_CORRECTED',
  'PRICE_INCREASE_CONSENT_REQUIRED',
  'PRICE_INCREASE_CONSENT_APPROVED',
  'TRANSFER',
  'SUBSCRIBER_ALIAS',
  'EXPERIMENT_ENROLLMENT',
  'TEMPORARY_ENTITLEMENT_GRANT',
  'ENTITLEMENT_CHANGED',
  'TEST',
];
