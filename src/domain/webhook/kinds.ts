// The kinds of webhook events. The names are RevenueCat's where it has one, because handlers and tutorials use them.
import type { PayloadFormat } from './events.js';

/** Kinds that are sent, in the order in which the messages of one domain event are sent. */
export const sentKinds = [
  'TEST',
  'TRANSFER',
  'SUBSCRIBER_ALIAS',
  'INITIAL_PURCHASE',
  'RENEWAL',
  'NON_RENEWING_PURCHASE',
  'TEMPORARY_ENTITLEMENT_GRANT',
  'PRODUCT_CHANGE',
  'BILLING_ISSUE',
  'CANCELLATION',
  'UNCANCELLATION',
  'SUBSCRIPTION_PAUSED',
  'SUBSCRIPTION_EXTENDED',
  'EXPIRATION',
  'REFUND',
  'REFUND_REVERSED',
  'PRICE_CORRECTED',
  'PRICE_INCREASE_CONSENT_REQUIRED',
  'PRICE_INCREASE_CONSENT_APPROVED',
  'EXPERIMENT_ENROLLMENT',
  'ENTITLEMENT_CHANGED',
  'BOOKS_MONTH_COMPLETE',
  'BOOKS_LINE_MISSING_HERE',
  'FIGURE_OUT_OF_BAND',
] as const;
export type Kind = (typeof sentKinds)[number];

/** Kinds about the project as a whole, and no customer. */
const projectKinds = [
  'TEST',
  'BOOKS_MONTH_COMPLETE',
  'BOOKS_LINE_MISSING_HERE',
  'FIGURE_OUT_OF_BAND',
] as const satisfies readonly Kind[];
export type ProjectKind = (typeof projectKinds)[number];

export function isProjectKind(kind: Kind): kind is ProjectKind {
  return projectKinds.some((one) => one === kind);
}

/** Kinds that a webhook may select and that are never sent: there is no web billing, no virtual currency and no paywall message. */
const unsentKinds = [
  'INVOICE_ISSUANCE',
  'VIRTUAL_CURRENCY_TRANSACTION',
  'PURCHASE_REDEEMED',
  'PAYWALL_IMPRESSION',
  'PAYWALL_CLOSE',
  'PAYWALL_CANCEL',
  'PAYWALL_EXIT_OFFER',
  'PAYWALL_COMPONENT_INTERACTED',
] as const;

/** RevenueCat has no such kind; a refund is a CANCELLATION there. */
const withoutCounterpart: ReadonlySet<Kind> = new Set<Kind>([
  'REFUND',
  'PRICE_CORRECTED',
  'PRICE_INCREASE_CONSENT_REQUIRED',
  'PRICE_INCREASE_CONSENT_APPROVED',
  'ENTITLEMENT_CHANGED',
  'BOOKS_MONTH_COMPLETE',
  'BOOKS_LINE_MISSING_HERE',
  'FIGURE_OUT_OF_BAND',
]);

/** Returns the kinds that are sent in a format. */
export function kindsOfFormat(format: PayloadFormat): readonly Kind[] {
  return format === 'revenuecat' ? sentKinds.filter((kind) => !withoutCounterpart.has(kind)) : sentKinds;
}

export const allKinds = [...sentKinds, ...unsentKinds] as const;
