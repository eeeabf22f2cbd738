// The fields of a webhook event about the customer and about a grant, which has no store.
import type { RecordedEvent } from '../envelope.js';
import type { SubscriberEvent } from '../subscriber/events/events.js';
import type { Profile } from '../subscriber/state/state.js';
import { msFromIso } from '../time.js';
import { moneyFields, termFields, type Fields } from './purchase-fields.js';

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
    ...(grant && termFields({ purchasedAt: grant.startsAt, expiresAt: grant.expiresAt })),
    ...moneyFields(null),
  };
}
