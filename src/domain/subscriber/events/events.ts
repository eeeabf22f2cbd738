// Events of a subscriber's stream: identity and grants here, subscriptions and transactions in files of their own. States are evolved to an
// event that is decided or stored.
import { z } from 'zod';
import { type CustomerConcern, defineEvent, type EventOf, type EventTable, type TypesTouching } from '../../events.js';
import type { ImportedRow, RetainedUpdate, Late, RecordedEvent } from '../../envelope.js';
import { inGroups } from '../../values/field-groups.js';
import { jsonObject } from '../../values/json-object.js';
import { appDownload, enrolment, grantTerms, instant } from './blocks.js';
import { subscriptionEvents } from './subscription-events.js';
import { transactionEvents } from './transaction-events.js';

const { grantId, entitlementId, lookupKey, startsAt, expiresAt } = grantTerms;
const grant = { grantId, entitlementId, lookupKey };

export const subscriberEvents = {
  CustomerCreated: defineEvent('CustomerCreated', {
    appUserId: z.string(),
    source: z.enum(['sdk', 'api', 'store', 'import']),
    country: z.string().nullable(),
    platform: z.string().nullable(),
    appVersion: z.string().nullable(),
    /** Created with a secret key or by a user: as an account token the app user id identifies this customer. Missing in older events. */
    isTrusted: z.boolean().optional(),
  }).touching('profile', 'charts'),
  /** `trust.appUserId`: confirmed with a secret key or by a user. `trust.accountToken`: whether the account token was written that way. */
  CustomerAttributesUpdated: defineEvent(
    'CustomerAttributesUpdated',
    {
      attributes: inGroups(
        z.record(z.string(), z.strictObject({ value: z.string().nullable(), updatedAt: instant })).nullable(),
        'personal',
      ),
      trust: z.strictObject({ appUserId: z.literal(true).optional(), accountToken: z.boolean().optional() }).optional(),
    },
    { sealed: ['attributes'] },
  ).touching('profile'),
  /** Contains the merged customer's data except purchases, which move line by line, and attributes, which are updated. */
  CustomerMerged: defineEvent(
    'CustomerMerged',
    {
      mergedCustomerId: z.string(),
      mergedAppUserId: z.string(),
      reason: z.enum(['anonymous_identified', 'transfer']),
      first: z.strictObject({ appUserId: z.string(), at: instant }).optional(),
      aliases: z.array(z.string()),
      grants: z.array(z.strictObject({ ...grantTerms, endedAt: instant.nullable() })),
      experiments: z.array(z.strictObject({ ...enrolment, enrolledAt: instant })),
      downloads: z.array(z.strictObject(appDownload)).optional(),
      spentMicros: inGroups(z.int(), 'money'),
    },
    { version: 2, upcasts: { 1: (data) => ({ ...data, aliases: [], grants: [], experiments: [], spentMicros: 0 }) } },
  ).touching('profile', 'charts', 'webhooks'),
  /**
   * `keys`: the data keys to delete, each with its guard, so that a key created later is not deleted. `mergedCustomerIds`: the customers
   * that were merged into this one, directly or through others.
   */
  CustomerErased: defineEvent('CustomerErased', {
    reason: z.enum(['request']),
    keys: z.array(z.strictObject({ subject: z.string(), guard: z.string() })),
    mergedCustomerIds: z.array(z.string()).optional(),
  }).touching('profile'),
  CustomerMergedInto: defineEvent('CustomerMergedInto', { customerId: z.string(), appUserId: z.string() }).touching(
    'profile',
  ),
  ...subscriptionEvents,
  ...transactionEvents,
  EntitlementGranted: defineEvent('EntitlementGranted', {
    ...grant,
    duration: z.string().nullable(),
    startsAt,
    expiresAt,
    source: z.enum(['promotional', 'temporary']),
  }).touching('profile', 'webhooks'),
  EntitlementRevoked: defineEvent('EntitlementRevoked', grant).touching('profile', 'webhooks'),
  EntitlementGrantExpired: defineEvent('EntitlementGrantExpired', grant).touching('profile', 'webhooks'),
  ExperimentEnrolled: defineEvent('ExperimentEnrolled', enrolment).touching('profile', 'webhooks'),
  /** The store's signature shows when the customer downloaded the app for the first time, and in which version. */
  AppDownloadVerified: defineEvent('AppDownloadVerified', appDownload).touching('profile'),
} satisfies EventTable<CustomerConcern>;

export type SubscriberEvent = EventOf<typeof subscriberEvents>;
/** The data of each event by its type, for tables of functions. */
export type SubscriberEventData = { readonly [E in SubscriberEvent as E['type']]: E['data'] };
export type SubscriberTypesTouching<C extends CustomerConcern> = TypesTouching<typeof subscriberEvents, C>;

/** Events in the customer's `activity-` stream of a month. */
export const activityEvents = {
  /** At most one per UTC day, unless the device changed. */
  CustomerSeen: defineEvent(
    'CustomerSeen',
    { platform: z.string().nullable(), appVersion: z.string().nullable(), country: z.string().nullable() },
    // No chart has them as a dimension. The fields of `CustomerCreated` are dimensions of charts and are not sealed.
    { sealed: ['platform', 'appVersion', 'country'] },
  ),
  /** Custom event of the app; `eventId` detects repeats. */
  CustomEventRecorded: defineEvent(
    'CustomEventRecorded',
    {
      eventId: z.string(),
      name: z.string(),
      properties: inGroups(jsonObject.nullable(), 'personal'),
      occurredAt: instant,
    },
    { sealed: ['properties'] },
  ),
};
export type ActivityEvent = EventOf<typeof activityEvents>;

type EventMarks = { readonly late?: Late; readonly update?: RetainedUpdate };

/** Either a decided event with its time, or a stored one. `id` is missing until the event is stored. */
type DecidedOrRecorded<E> = E &
  EventMarks & { readonly id?: string; readonly at?: string; readonly meta?: { readonly at: string } & EventMarks };
export type KnownSubscriberEvent = DecidedOrRecorded<SubscriberEvent> | RecordedEvent<SubscriberEvent>;

export function timeOf(event: { at?: string; meta?: { at: string } }): string {
  return event.meta?.at ?? event.at ?? '';
}

/** Returns true for a late event: the `PurchaseHistoryRevised` before it already contains its effect on the state. */
export function isLate(event: KnownSubscriberEvent): boolean {
  return lateOf(event) !== undefined;
}

export function lateOf(event: KnownSubscriberEvent): Late | undefined {
  return event.meta?.late ?? ('late' in event ? event.late : undefined);
}

export function updateOf(event: KnownSubscriberEvent): RetainedUpdate | undefined {
  return event.meta?.update ?? ('update' in event ? event.update : undefined);
}

/** Returns the events with the row of the imported file that they follow from, if there is one. */
export function withImportedRow(events: SubscriberEvent[], importedFrom: ImportedRow | undefined): SubscriberEvent[] {
  return importedFrom ? events.map((event) => ({ ...event, importedFrom })) : events;
}

/** Returns true for a fact that the project's receivers knew before the import, from where it was imported. */
export function isImported({ meta }: Pick<RecordedEvent, 'meta'>): boolean {
  return meta.actor.kind === 'import' || meta.importedFrom !== undefined;
}
