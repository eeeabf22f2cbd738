// How far a project's owner has come in setting it up: one document per project, with the moment each step was first done.
// A step that was done stays done, whatever is deleted later.
import type { RecordedEvent } from '../../domain/envelope.js';
import type { CatalogEvent } from '../../domain/catalog/catalog.js';
import type { InboxEvent } from '../../domain/inbox/inbox.js';
import type { ProjectEvent } from '../../domain/project/events.js';
import type { SubscriberEvent } from '../../domain/subscriber/events/events.js';
import type { WebhookEvent } from '../../domain/webhook/events.js';
import { ofFamily } from '../runtime/events-of.js';
import type { Projection } from '../runtime/projection.js';

export const setupSteps = [
  { id: 'create_app', title: 'Register an app', required: true },
  { id: 'add_credentials', title: 'Add store credentials', required: true },
  { id: 'receive_store_notification', title: 'Receive a store notification', required: true },
  { id: 'create_product', title: 'Create a product', required: true },
  { id: 'create_entitlement', title: 'Create an entitlement', required: true },
  { id: 'attach_product_to_entitlement', title: 'Attach a product to an entitlement', required: true },
  { id: 'create_offering_with_package', title: 'Create an offering with a package', required: true },
  { id: 'create_public_api_key', title: 'Create a public API key', required: true },
  { id: 'first_customer', title: 'See the first customer', required: true },
  { id: 'first_purchase', title: 'See the first purchase', required: true },
  { id: 'create_webhook', title: 'Create a webhook', required: false },
  { id: 'create_paywall', title: 'Create a paywall', required: false },
] as const;
export type SetupStep = (typeof setupSteps)[number]['id'];

export type SetupStatusDoc = { readonly doneAt: { readonly [step in SetupStep]?: string } };

type Read = ProjectEvent | CatalogEvent | SubscriberEvent | InboxEvent | WebhookEvent;
type DoesNoStep =
  | ('AnnotationAdded' | 'AnnotationDeleted')
  | ('ProjectUpdated' | 'AppSettingsUpdated' | 'AppDeleted' | 'AppCredentialsDeleted')
  | ('RenewalExtensionCompleted' | 'ExternalPurchaseTokenReceived' | 'AppConsentRescinded' | 'ApiKeyDeleted')
  | ('ProductDeleted' | 'ProductPriceAdded' | 'ProductPriceDeleted')
  | ('EntitlementUpdated' | 'EntitlementDeleted' | 'EntitlementProductDetached')
  | ('OfferingCreated' | 'OfferingUpdated' | 'PackageDeleted' | 'PackageProductAttached' | 'PackageProductDetached')
  | ('PaywallUpdated' | 'PaywallDeleted')
  | ('CustomerAttributesUpdated' | 'CustomerMerged' | 'CustomerErased' | 'CustomerMergedInto')
  | ('EntitlementGranted' | 'EntitlementRevoked' | 'EntitlementGrantExpired' | 'ExperimentEnrolled')
  | ('SubscriptionPending' | 'SubscriptionPendingCancelled' | 'SubscriptionRenewed')
  | ('SubscriptionAutoRenewDisabled' | 'SubscriptionAutoRenewEnabled' | 'SubscriptionConfirmed')
  | ('SubscriptionBillingIssueDetected' | 'SubscriptionGracePeriodEntered' | 'SubscriptionGracePeriodExpired')
  | 'SubscriptionBillingRetryEntered'
  | ('SubscriptionPauseScheduled' | 'SubscriptionPauseCancelled' | 'SubscriptionPaused')
  | ('SubscriptionExpired' | 'SubscriptionRevoked' | 'SubscriptionExtended' | 'SubscriptionExtensionFailed')
  | ('SubscriptionProductChangeScheduled' | 'SubscriptionProductChangeCancelled' | 'SubscriptionProductChanged')
  | ('PriceIncreaseConsentRequested' | 'PriceIncreaseAccepted' | 'SubscriptionPriceChanged')
  | ('OfferRedeemed' | 'SubscriptionMetadataChanged' | 'SubscriptionMigrated')
  | ('OneTimePurchasePendingCancelled' | 'OneTimePurchaseRevoked')
  | ('TransactionRefunded' | 'TransactionRefundReversed' | 'RefundReversalDeferred' | 'RefundDeclined')
  | 'ConsumptionInformationRequested'
  | ('TransactionPriceCorrected' | 'PurchaseHistoryRevised' | 'StoreUpdateKept' | 'PurchaseTransferred')
  | ('StoreTestNotificationReceived' | 'StoreNotificationProcessed' | 'StoreNotificationReprocessed')
  | (
      | 'WebhookUpdated'
      | 'WebhookDeleted'
      | 'WebhookAuthorizationChanged'
      | 'WebhookSecretRotated'
      | 'WebhookFailing'
      | 'WebhookDisabled'
    )
  | 'WebhookEnabled'
  | ('MemberInvited' | 'InvitationWithdrawn' | 'MemberJoined' | 'MemberRoleChanged' | 'MemberRemoved');

/** By the first event of which type a step is done. */
const steps: Readonly<Record<Exclude<Read['type'], DoesNoStep | 'ProjectCreated' | 'ProjectDeleted'>, SetupStep>> = {
  AppRegistered: 'create_app',
  AppCredentialsRegistered: 'add_credentials',
  StoreNotificationReceived: 'receive_store_notification',
  ProductCreated: 'create_product',
  EntitlementCreated: 'create_entitlement',
  EntitlementProductAttached: 'attach_product_to_entitlement',
  PackageCreated: 'create_offering_with_package',
  ApiKeyCreated: 'create_public_api_key',
  CustomerCreated: 'first_customer',
  SubscriptionStarted: 'first_purchase',
  OneTimePurchaseCompleted: 'first_purchase',
  WebhookCreated: 'create_webhook',
  PaywallCreated: 'create_paywall',
};
const doneBy: ReadonlyMap<string, SetupStep> = new Map(Object.entries(steps));

export const setupStatus: Projection<SetupStatusDoc> = {
  name: 'setup_status',
  version: 1,
  families: ['project', 'catalog', 'subscriber', 'inbox', 'webhook'],
  indexes: [],
  onPoison: 'park',
  keys: ({ type, meta }) => {
    const isOurs = type === 'ProjectCreated' || type === 'ProjectDeleted' || doneBy.has(type);
    return isOurs && meta.projectId !== undefined ? [meta.projectId] : [];
  },
  fold: (doc, event) => {
    if (event.type === 'ProjectCreated') return { doneAt: {} };
    if (event.type === 'ProjectDeleted') return null;
    const step = stepOf(event);
    if (!doc || !step || doc.doneAt[step] !== undefined) return doc;
    return { doneAt: { ...doc.doneAt, [step]: event.meta.recordedAt } };
  },
  derived: [],
};

function stepOf(stored: RecordedEvent): SetupStep | undefined {
  const event = ofFamily<ProjectEvent>(stored, 'project');
  const isSecretKey = event?.type === 'ApiKeyCreated' && event.data.kind !== 'public';
  return isSecretKey ? undefined : doneBy.get(stored.type);
}
