// Positions in the log of changes by people and API keys: of configuration, keys, members, credentials and grants. The content is read
// from the log and not copied, so that an erasure in the log applies here too.
import type { BooksEvent } from '../../domain/books/events.js';
import type { CatalogEvent } from '../../domain/catalog/catalog.js';
import type { LogPosition, RecordedEvent, StreamName } from '../../domain/envelope.js';
import type { ExperimentEvent } from '../../domain/experiment/events.js';
import type { ProjectEvent } from '../../domain/project/events.js';
import { familyOf } from '../../domain/streams.js';
import type { SubscriberEvent } from '../../domain/subscriber/events/events.js';
import type { WebhookEvent } from '../../domain/webhook/events.js';
import type { Projection } from '../runtime/projection.js';

/** Its id is the id of the event. `at`: time of recording. */
export type ChangeDoc = {
  readonly projectId: string;
  readonly actorId: string;
  readonly at: string;
  /** Position in the log, which orders changes of the same time. */
  readonly position: LogPosition;
  readonly action: string;
  readonly targetKind: string;
  readonly targetId: string;
  readonly stream: StreamName;
  readonly revision: number;
};

/** Kind of the changed object, and the field of the event with its id. Null: not a change by a person or an API key. */
type Target = readonly [kind: string, field: string] | null;

const app = ['app', 'appId'] as const;
const credentials = ['credentials', 'appId'] as const;
const reportSource = ['reportSource', 'appId'] as const;
const apiKey = ['apiKey', 'keyId'] as const;
const product = ['product', 'productId'] as const;
const price = ['price', 'priceId'] as const;
const entitlement = ['entitlement', 'entitlementId'] as const;
const offering = ['offering', 'offeringId'] as const;
const offeringPackage = ['package', 'packageId'] as const;
const paywall = ['paywall', 'paywallId'] as const;
const placement = ['placement', 'placementId'] as const;
const targetingRule = ['targetingRule', 'ruleId'] as const;
const experiment = ['experiment', 'experimentId'] as const;
const variant = ['variant', 'variantId'] as const;
const webhook = ['webhook', 'webhookId'] as const;
const invitation = ['invitation', 'invitationId'] as const;
const member = ['member', 'userId'] as const;
const project = ['project', 'projectId'] as const;
const historyImport = ['import', 'importId'] as const;
const grant = ['grant', 'grantId'] as const;
const bookMonth = ['bookMonth', 'month'] as const;
const chart = ['chart', 'chartId'] as const;
const storeReport = ['storeReport', 'reportId'] as const;

type ConfigurationEvent = ProjectEvent | CatalogEvent | ExperimentEvent | WebhookEvent | BooksEvent;
/** A new event type of the configuration does not compile until it is listed here. */
const targets: { readonly [type in ConfigurationEvent['type']]: Target } = {
  ...{ ProjectCreated: project, ProjectUpdated: project, ProjectDeleted: project },
  ...{ AppRegistered: app, AppSettingsUpdated: app, AppDeleted: app },
  ...{ AppCredentialsRegistered: credentials, AppCredentialsDeleted: credentials },
  ...{ ReportSourceRegistered: reportSource, ReportSourceDeleted: reportSource },
  ...{ ApiKeyCreated: apiKey, ApiKeyDeleted: apiKey },
  ...{ MemberInvited: invitation, InvitationWithdrawn: invitation },
  ...{ MemberJoined: member, MemberRoleChanged: member, MemberRemoved: member },
  ...{ RenewalExtensionCompleted: null, ExternalPurchaseTokenReceived: null, AppConsentRescinded: null },
  ...{ ImportConfirmed: historyImport },
  ...{ FigureWatchStarted: chart, FigureWatchStopped: chart, FigureLeftBand: null },
  ...{ AnnotationAdded: null, AnnotationDeleted: null },
  ...{ StoreReportReceived: storeReport, StoreReportPartReceived: null },
  ...{ BooksSettingsChanged: project, BooksAccountsChanged: project, MonthClosingPartRecorded: null },
  ...{ MonthClosed: bookMonth, MonthReopened: bookMonth, MonthCompleted: null },
  ...{ ReportDeclaredAbsent: bookMonth, ReportAbsenceWithdrawn: bookMonth },
  ...{ MissingLinesFound: null, OrdersLookedUp: null },
  ...{ ProductCreated: product, ProductDeleted: product, ProductPriceAdded: price, ProductPriceDeleted: price },
  ...{ EntitlementCreated: entitlement, EntitlementUpdated: entitlement, EntitlementDeleted: entitlement },
  ...{ EntitlementProductAttached: entitlement, EntitlementProductDetached: entitlement },
  ...{ OfferingCreated: offering, OfferingUpdated: offering },
  ...{ PackageCreated: offeringPackage, PackageDeleted: offeringPackage },
  ...{ PackageProductAttached: offeringPackage, PackageProductDetached: offeringPackage },
  ...{ PaywallCreated: paywall, PaywallUpdated: paywall, PaywallDeleted: paywall },
  ...{ PlacementCreated: placement, PlacementUpdated: placement, PlacementDeleted: placement },
  ...{
    TargetingRuleCreated: targetingRule,
    TargetingRuleUpdated: targetingRule,
    TargetingRuleDeleted: targetingRule,
  },
  ...{ ExperimentCreated: experiment, ExperimentUpdated: experiment, ExperimentDeleted: experiment },
  ...{ ExperimentStarted: experiment, ExperimentStopped: experiment },
  ...{ ExperimentVariantAdded: variant, ExperimentVariantDeleted: variant },
  ...{ WebhookCreated: webhook, WebhookUpdated: webhook, WebhookDeleted: webhook },
  ...{
    WebhookAuthorizationChanged: webhook,
    WebhookSecretRotated: webhook,
    WebhookFailing: null,
    WebhookDisabled: webhook,
    WebhookEnabled: webhook,
  },
};
const grants: { readonly [type in SubscriberEvent['type']]?: Target } = {
  EntitlementGranted: grant,
  EntitlementRevoked: grant,
};
const byType: ReadonlyMap<string, Target> = new Map(Object.entries({ ...targets, ...grants }));

/** Returns the target of a change, or null if the event is not listed. */
function targetOf({ type, data, meta }: RecordedEvent): { readonly kind: string; readonly id: string } | null {
  const [kind, field] = byType.get(type) ?? [];
  if (kind === undefined || field === undefined) return null;
  const targetId = data[field];
  return { kind, id: typeof targetId === 'string' ? targetId : (meta.projectId ?? '') };
}

/** Returns the field of a change with the id of its target. */
export function targetFieldOf(type: string): string | undefined {
  return byType.get(type)?.[1];
}

const timeOrder = ['at', 'position'];

export const changes: Projection<ChangeDoc> = {
  name: 'changes',
  version: 1,
  families: ['project', 'catalog', 'experiment', 'webhook', 'subscriber', 'books'],
  indexes: [
    { name: 'project', fields: ['projectId', ...timeOrder] },
    { name: 'actor', fields: ['projectId', 'actorId', ...timeOrder] },
    { name: 'target', fields: ['projectId', 'targetId', ...timeOrder] },
  ],
  isPartitioned: true,
  keys: (event) => (targetOf(event) && event.meta.projectId !== undefined ? [event.id] : []),
  fold: (doc, event) => {
    const target = targetOf(event);
    if (!target) return doc;
    const { stream, revision, position, type: action, meta } = event;
    const { projectId = '', recordedAt: at, actor } = meta;
    const targetFields = { targetKind: target.kind, targetId: target.id };
    return { projectId, actorId: actor.id, at, position, action, ...targetFields, stream, revision };
  },
};

/** Returns true for grants, the only changes of a customer. */
export const isAboutCustomer = (stream: StreamName): boolean => familyOf(stream) === 'subscriber';
