// Setup progress of a project: one document per project with the time at which each step was first completed.
// A completed step stays completed, even if its object is deleted later.
import type { RecordedEvent } from '../../domain/envelope.js';
import type { CatalogEvent } from '../../domain/catalog/catalog.js';
import type { InboxEvent } from '../../domain/inbox/inbox.js';
import type { ProjectEvent } from '../../domain/project/events.js';
import type { SubscriberEvent } from '../../domain/subscriber/events/events.js';
import type { WebhookEvent } from '../../domain/webhook/events.js';
import { type Projection } from '../runtime/projection.js';
import { ofFamily } from '../../domain/vocabulary.js';

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

type SetupEvent = ProjectEvent | CatalogEvent | SubscriberEvent | InboxEvent | WebhookEvent;

/** Event types that complete each step. */
const completingTypes: Readonly<Record<SetupStep, readonly SetupEvent['type'][]>> = {
  create_app: ['AppRegistered'],
  add_credentials: ['AppCredentialsRegistered'],
  receive_store_notification: ['StoreNotificationReceived'],
  create_product: ['ProductCreated'],
  create_entitlement: ['EntitlementCreated'],
  attach_product_to_entitlement: ['EntitlementProductAttached'],
  create_offering_with_package: ['PackageCreated'],
  create_public_api_key: ['ApiKeyCreated'],
  first_customer: ['CustomerCreated'],
  first_purchase: ['SubscriptionStarted', 'OneTimePurchaseCompleted'],
  create_webhook: ['WebhookCreated'],
  create_paywall: ['PaywallCreated'],
};
const stepByType: ReadonlyMap<string, SetupStep> = new Map(
  setupSteps.flatMap(({ id }) => completingTypes[id].map((type) => [type, id] as const)),
);

export const setupStatus: Projection<SetupStatusDoc> = {
  name: 'setup_status',
  version: 1,
  families: ['project', 'catalog', 'subscriber', 'inbox', 'webhook'],
  indexes: [],
  keys: ({ type, meta }) => {
    const isOurs = type === 'ProjectCreated' || type === 'ProjectDeleted' || stepByType.has(type);
    return isOurs && meta.projectId !== undefined ? [meta.projectId] : [];
  },
  fold: (doc, event) => {
    if (event.type === 'ProjectCreated') return { doneAt: {} };
    if (event.type === 'ProjectDeleted') return null;
    const step = stepOf(event);
    if (!doc || !step || doc.doneAt[step] !== undefined) return doc;
    return { doneAt: { ...doc.doneAt, [step]: event.meta.recordedAt } };
  },
};

function stepOf(stored: RecordedEvent): SetupStep | undefined {
  const event = ofFamily(stored, 'project');
  const isSecretKey = event?.type === 'ApiKeyCreated' && event.data.kind !== 'public';
  return isSecretKey ? undefined : stepByType.get(stored.type);
}
