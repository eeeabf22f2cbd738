// The fields of a webhook event: the customer, the grant, which has no store, the charge, the subscription, the transaction, the transfer.
import type { RecordedEvent } from '../envelope.js';
import type { SubscriberEvent } from '../subscriber/events/events.js';
import { grantedUntil } from '../subscriber/access.js';
import type { Profile, Subscription } from '../subscriber/state/state.js';
import { msFromIso } from '../time.js';
import type { ActiveEntitlements } from './entitlement-changed.js';
import type { KnownCharges } from './known-charges.js';
import {
  moneyFields,
  nextPriceFields,
  offerFields,
  ownedFields,
  periodFields,
  refFields,
  termFields,
  type Fields,
  type ProductLookup,
} from './purchase-fields.js';

export type MessageContext = {
  readonly event: RecordedEvent<SubscriberEvent>;
  readonly before: Profile;
  readonly after: Profile;
  readonly sold: ProductLookup;
  /** Charges that receivers were sent before this event. */
  readonly charges: KnownCharges;
  /** The app user id of another customer, for transfers. */
  readonly nameOf: (customerId: string) => string;
  /** Access as last sent to the receiver and current access; null for an event that others of the same command follow. */
  readonly access: { readonly before: ActiveEntitlements; readonly after: ActiveEntitlements } | null;
};

type ChargeData = Extract<SubscriberEvent, { type: 'SubscriptionStarted' | 'SubscriptionRenewed' }>['data'];

export function chargeFields(context: MessageContext, data: ChargeData): Fields {
  return {
    ...refFields(data.purchase, context.sold),
    subscriptionId: data.purchase.subscriptionId,
    periodType: toUpperCase(data.periodType),
    ...termFields(data),
    renewalNumber: 'renewalNumber' in data ? data.renewalNumber : 0,
    ...moneyFields(data.money),
    ...offerFields(data.offer),
  };
}

export function subscriptionFields(
  context: MessageContext,
  { purchase }: { readonly purchase: Subscription['purchase'] },
): Fields {
  const subscription = findSubscription(context.after, purchase.subscriptionId);
  return { ...refFields(purchase, context.sold), ...periodFields(subscription), ...moneyFields(null) };
}

type PriceIncreaseData = Extract<SubscriberEvent, { type: 'PriceIncreaseAccepted' }>['data'];

export function consentFields(context: MessageContext, data: PriceIncreaseData, respondBy: string | null): Fields {
  const { newPrice, effectiveAt } = data;
  const times = { effectiveAtMs: msFromIso(effectiveAt), respondByMs: msOf(respondBy) };
  return { ...subscriptionFields(context, data), ...nextPriceFields(newPrice), ...times };
}

type CancellationData = Extract<SubscriberEvent, { type: 'SubscriptionAutoRenewDisabled' }>['data'];

/** `effectiveAtMs`: the end of the paid time, or of the commitment whose remaining periods are still charged. */
export function cancellationFields(context: MessageContext, data: CancellationData): Fields {
  const { reason, effectiveAt } = data;
  const fields = subscriptionFields(context, data);
  return { ...fields, cancelReason: toUpperCase(reason), effectiveAtMs: msFromIso(effectiveAt) };
}

export function msOf(iso: string | null): number | null {
  return iso === null ? null : msFromIso(iso);
}

type TransactionTarget = {
  readonly purchase: Parameters<typeof refFields>[0];
  readonly subscriptionId: string | null;
};

export function transactionFields(context: MessageContext, { purchase, subscriptionId }: TransactionTarget): Fields {
  const subscription = subscriptionId === null ? undefined : findSubscription(context.after, subscriptionId);
  return { ...refFields(purchase, context.sold), ...periodFields(subscription), ...moneyFields(null) };
}

type RevokedData = Extract<SubscriberEvent, { type: 'OneTimePurchaseRevoked' }>['data'];

export function revokedItemFields({ after, sold }: MessageContext, { purchase }: RevokedData): Fields {
  const item = after.owned.find((one) => one.purchase.transactionId === purchase.transactionId);
  return { ...refFields(purchase, sold), subscriptionId: null, ...(item && ownedFields(item)), ...moneyFields(null) };
}

type TransferData = Extract<SubscriberEvent, { type: 'PurchaseTransferred' }>['data'];

export function transferFields({ after, sold, nameOf }: MessageContext, data: TransferData): Fields {
  const purchase = data.snapshot.transactions.at(-1)?.purchase;
  const names = { transferredFrom: [nameOf(data.fromCustomerId)], transferredTo: [after.appUserId, ...after.aliases] };
  return { ...(purchase && refFields(purchase, sold)), ...names };
}

export function findSubscription({ subscriptions }: Profile, subscriptionId: string): Subscription | undefined {
  return subscriptions.find((s) => s.purchase.subscriptionId === subscriptionId);
}

export function toUpperCase(word: string): string {
  return word.toUpperCase();
}

/** Returns the identity of the customer as of the event, and the sequence number of the event among the customer's. */
export function customerFields(event: RecordedEvent<SubscriberEvent>, after: Profile): Fields {
  const { appUserId, first, aliases, attributes, experiments } = after;
  const subscriberAttributes = Object.fromEntries(
    attributes.map(({ k, v, t }) => [k, { value: v, updatedAtMs: msFromIso(t) }]),
  );
  return {
    eventTimestampMs: msFromIso(event.meta.at),
    sequence: event.revision,
    appUserId,
    originalAppUserId: first.appUserId,
    aliases: [appUserId, ...aliases],
    subscriberAttributes,
    experiments: experiments.map(({ experimentId, variantId, enrolledAt }) => ({
      experimentId,
      experimentVariant: variantId,
      enrolledAtMs: msFromIso(enrolledAt),
    })),
  };
}

export function grantFields({ grants }: Profile, grantId: string): Fields {
  const grant = grants.find((g) => g.grantId === grantId);
  return {
    store: 'promotional',
    productId: null,
    storeProductId: null,
    entitlementIds: grant ? [grant.lookupKey] : null,
    periodType: 'PROMOTIONAL',
    transactionId: grantId,
    ...(grant && termFields({ purchasedAt: grant.startsAt, expiresAt: grantedUntil(grant) })),
    ...moneyFields(null),
  };
}
