// Events of a project: its settings, its apps and their store credentials, its API keys, its members. No event contains a secret: the token
// of an invitation is a record, and emails are never in plain text here.
import { z } from 'zod';
import { changeOf } from '../changes.js';
import { type ProjectConcern, defineEvent, type EventTable, type EventOf, type TypesTouching } from '../events.js';
import { appPlatform, appStore, isTestStore, storeKind, type StoreKind } from '../store-kinds.js';
import { streams } from '../streams.js';
import { instant, environment, refundPolicy, refundPreference } from '../subscriber/events/blocks.js';
import { inGroups } from '../values/field-groups.js';
import { roles, keyScopes } from './roles.js';

const role = z.enum(roles);

const memberEvents = {
  /** `emailKey`: a keyed hash that names the stream of the user with that email. The data key of that user also seals the email here. */
  MemberInvited: defineEvent(
    'MemberInvited',
    { invitationId: z.string(), emailKey: z.string(), email: z.string().nullable(), role, expiresAt: instant },
    { sealed: ['email'], sealedFor: ({ emailKey }) => streams.user(emailKey) },
  ).touching('project'),
  InvitationWithdrawn: defineEvent('InvitationWithdrawn', { invitationId: z.string() }).touching('project'),
  /** A member joined by invitation. The creator of the project is its first owner, without an event. */
  MemberJoined: defineEvent('MemberJoined', { userId: z.string(), role, invitationId: z.string() }).touching('project'),
  MemberRoleChanged: defineEvent('MemberRoleChanged', { userId: z.string(), from: role, to: role }).touching('project'),
  MemberRemoved: defineEvent('MemberRemoved', { userId: z.string(), role }).touching('project'),
} satisfies EventTable<ProjectConcern>;
export type MemberEventName = keyof typeof memberEvents;

export const transferBehavior = z.enum(['transfer', 'transfer_if_no_active', 'keep']);
export type TransferBehavior = z.output<typeof transferBehavior>;
export const sandboxAccess = z.enum(['anybody', 'nobody']);

export const annotationKind = z.enum(['note', 'release', 'price', 'offering', 'experiment']);
export type AnnotationKind = z.output<typeof annotationKind>;

const settings = {
  name: z.string(),
  transferBehavior,
  sandboxAccess,
  displayCurrency: z.string().length(3),
  /** IANA name of the zone in which times are shown to people. Figures do not depend on it. */
  timezone: z.string(),
};

/** Answer of an app to a store's question about a refund, without a member; `none`: a member decides each. */
export const refundAnswer = z.enum(['none', ...refundPreference.options]);
/** Which customers agree that their data is sent to the store: those with {@link REFUND_CONSENT}, or all, by the app's terms. */
export const refundConsent = z.enum(['each_customer', 'terms']);
export type RefundAnswer = z.output<typeof refundAnswer>;
export type RefundConsent = z.output<typeof refundConsent>;
/** Attribute of a customer who agrees; its value is `true`. */
export const REFUND_CONSENT = '$refundConsent';

const refundSettings = { refundAnswer, refundConsent };

const appSettings = {
  name: z.string(),
  notificationForwardingUrl: z.string().nullable(),
  refundPolicy,
  iosStoreSmallBusiness: z.boolean(),
};

const credentials = { appId: z.string(), store: storeKind, fingerprint: z.string() };

/** `account`: vendor number or bucket. `fingerprint`: SHA-256 of the public half of its key; null without a key of its own. */
const reportSource = { appId: z.string(), store: storeKind, account: z.string(), fingerprint: z.string().nullable() };

const appFields = { appId: z.string(), environment };

export const projectEvents = {
  ProjectCreated: defineEvent('ProjectCreated', {
    projectId: z.string(),
    name: settings.name,
    ownerId: z.string(),
    transferBehavior: settings.transferBehavior,
    sandboxAccess: settings.sandboxAccess,
    displayCurrency: settings.displayCurrency,
    /** Missing in older events: UTC. */
    timezone: settings.timezone.optional(),
    /** True: a demo project with simulated customers. */
    isDemo: z.boolean().optional(),
  }).touching('project'),
  ProjectUpdated: defineEvent('ProjectUpdated', {
    changes: z.strictObject({
      name: changeOf(settings.name),
      transferBehavior: changeOf(settings.transferBehavior),
      sandboxAccess: changeOf(settings.sandboxAccess),
      displayCurrency: changeOf(settings.displayCurrency),
      timezone: changeOf(settings.timezone),
    }),
  }).touching('project'),
  /** The project is no longer accessible; its history is retained. */
  ProjectDeleted: defineEvent('ProjectDeleted', { projectId: z.string(), ownerId: z.string() }).touching(
    'project',
    'figures',
    'cleanup',
  ),
  AppRegistered: defineEvent('AppRegistered', {
    appId: z.string(),
    platform: appPlatform,
    store: appStore,
    /** The store's identifier of the app: bundle id or package name. */
    storeIdentifier: z.string(),
    storeAppId: z.int().nullable(),
    ...appSettings,
    /** Missing in older events: `none` and `each_customer`. */
    refundAnswer: refundSettings.refundAnswer.optional(),
    refundConsent: refundSettings.refundConsent.optional(),
  }).touching('apps'),
  AppSettingsUpdated: defineEvent('AppSettingsUpdated', {
    appId: z.string(),
    changes: z.strictObject({
      name: changeOf(appSettings.name),
      notificationForwardingUrl: changeOf(appSettings.notificationForwardingUrl),
      refundPolicy: changeOf(appSettings.refundPolicy),
      iosStoreSmallBusiness: changeOf(appSettings.iosStoreSmallBusiness),
      refundAnswer: changeOf(refundSettings.refundAnswer),
      refundConsent: changeOf(refundSettings.refundConsent),
    }),
  }).touching('apps'),
  AppDeleted: defineEvent('AppDeleted', { appId: z.string() }).touching(
    'apps',
    'credentials',
    'reportSources',
    'cleanup',
  ),
  /** `fingerprint`: SHA-256 of the public half of the registered key. The key itself is a record. */
  AppCredentialsRegistered: defineEvent('AppCredentialsRegistered', credentials).touching('credentials'),
  AppCredentialsDeleted: defineEvent('AppCredentialsDeleted', credentials).touching('credentials'),
  /** From now on the reports of the account are fetched each day. */
  ReportSourceRegistered: defineEvent('ReportSourceRegistered', reportSource).touching('reportSources'),
  ReportSourceDeleted: defineEvent('ReportSourceDeleted', reportSource).touching('reportSources'),
  /** A request to extend many subscriptions was completed; each subscription has events of its own. */
  RenewalExtensionCompleted: defineEvent('RenewalExtensionCompleted', {
    ...appFields,
    requestIdentifier: z.string(),
    storeProductId: z.string().nullable(),
    /** ISO 3166 alpha-3, as the store sends them; empty: all countries. */
    storefrontCountryCodes: z.array(z.string()),
    succeededCount: z.int(),
    failedCount: z.int(),
  }).touching(),
  /** `reason`: the store's reason for sending it (`CREATED`, `UNREPORTED`, `ACTIVE_TOKEN_REMINDER`). */
  ExternalPurchaseTokenReceived: defineEvent('ExternalPurchaseTokenReceived', {
    ...appFields,
    externalPurchaseId: z.string(),
    reason: z.string().nullable(),
    tokenType: z.string().nullable(),
    createdAt: instant.nullable(),
    expiresAt: instant.nullable(),
  }).touching(),
  /** A parent no longer allows a child to use the app. */
  AppConsentRescinded: defineEvent('AppConsentRescinded', {
    ...appFields,
    appTransactionId: z.string().nullable(),
  }).touching(),
  /** Only the key's SHA-256 is recorded; its value is returned once and not stored. */
  ApiKeyCreated: defineEvent('ApiKeyCreated', {
    keyId: z.string(),
    name: z.string(),
    kind: z.enum(['secret', 'public']),
    appId: z.string().nullable(),
    sha256: z.string(),
    prefix: z.string(),
    last4: z.string(),
    /** Scopes of the key; empty: all. */
    scopes: z.array(z.enum(keyScopes)),
    expiresAt: instant.nullable(),
  }).touching('keys'),
  ApiKeyDeleted: defineEvent('ApiKeyDeleted', { keyId: z.string(), sha256: z.string() }).touching('keys'),
  /** `day`: UTC day, such as 2026-11-20. */
  AnnotationAdded: defineEvent('AnnotationAdded', {
    annotationId: z.string(),
    day: z.iso.date(),
    text: z.string(),
    kind: annotationKind,
  }).touching('annotations'),
  AnnotationDeleted: defineEvent('AnnotationDeleted', { annotationId: z.string() }).touching('annotations'),
  /** From now on a message is sent when the figure of a day of the chart leaves its usual band. */
  FigureWatchStarted: defineEvent('FigureWatchStarted', { chartId: z.string() }).touching('figures'),
  FigureWatchStopped: defineEvent('FigureWatchStopped', { chartId: z.string() }).touching('figures'),
  /** `day`: UTC day. `low`, `high`: the band that the same weekdays before make, `days` of them; `unit`: count, usd or percent. */
  FigureLeftBand: defineEvent('FigureLeftBand', {
    chartId: z.string(),
    measure: z.string(),
    unit: z.enum(['count', 'usd', 'percent']),
    day: z.iso.date(),
    side: z.enum(['low', 'high']),
    figure: inGroups(
      z.strictObject({ value: z.number(), low: z.number(), high: z.number(), median: z.number(), spread: z.number() }),
      'money',
    ),
    days: z.int(),
  }).touching('figures'),
  /** Somebody had a history imported. The counts are those of the dry run; null if none is known. */
  ImportConfirmed: defineEvent('ImportConfirmed', {
    importId: z.string(),
    files: z.array(z.string()),
    customers: z.int().nullable(),
    transactions: z.int().nullable(),
    events: z.int().nullable(),
  }).touching(),
  ...memberEvents,
} satisfies EventTable<ProjectConcern>;
export type ProjectEvent = EventOf<typeof projectEvents>;
export type ProjectTypesTouching<C extends ProjectConcern> = TypesTouching<typeof projectEvents, C>;
export type ProjectData<T extends ProjectEvent['type']> = Extract<ProjectEvent, { type: T }>['data'];

export type App = ProjectData<'AppRegistered'>;
/** App of a store with a server; has notifications and credentials. */
export type StoreApp = App & { readonly store: StoreKind };

export function isStoreApp(app: App): app is StoreApp {
  return !isTestStore(app.store);
}
