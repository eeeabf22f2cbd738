// Responses about a subscriber, read from the read models after they show the write.
import { registerSubscriber } from '../../commands/subscribers/subscribers.js';
import { customerId } from '../../domain/ids.js';
import { isoFromMs } from '../../domain/time.js';
import { customers, type CustomerDoc } from '../../projections/models/customers.js';
import { apps } from '../../projections/models/projects.js';
import {
  requireCustomerAsOf,
  readEntitlementRules,
  findSubscriber,
  readTransactions,
} from '../customers/read-customer.js';
import { isPublicKey, type Caller } from '../dispatch/caller.js';
import { waitForReadModels } from '../dispatch/consistency.js';
import { HttpError } from '../bodies/errors.js';
import { notReadableYetError } from '../bodies/find-document.js';
import type { Input } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';
import { accessEndsAt, givesAccess, stateAt } from '../../domain/subscriber/access.js';
import type { OneTimePurchaseRef } from '../../domain/subscriber/events/blocks.js';
import {
  entitlementsAt,
  isAllowed,
  productOf,
  type EntitlementRules,
  type EntitlementHolding,
} from '../../domain/subscriber/entitlements.js';
import type { Profile, Subscription } from '../../domain/subscriber/state/state.js';
import type { TransactionDoc } from '../../projections/models/transactions.js';
import type { CustomerAsOf } from '../../projections/queries/as-of.js';
import { moduleOf } from '../../commands/stores/modules.js';
import { isTestStore, type AppStore } from '../../domain/store-kinds.js';
import type { BodyOf } from '../bodies/response-schemas.js';
import type { oneTimePurchase, subscriberResponse } from './responses.js';

type SubscriberInput = Input<{ appUserId: string }, unknown, unknown>;
type SubscriberRequest = Pick<SubscriberInput, 'params' | 'scope' | 'caller'>;

/** Returns the current body of a customer. */
export async function presentCustomerAsSubscriber(services: Services, caller: Caller, doc: CustomerDoc, now: string) {
  const { readModels } = services;
  const transactions = doc.hasOneTimePurchases ? await readTransactions(readModels, doc.customerId) : [];
  const rules = await readEntitlementRules(services, doc.projectId, [doc.profile]);
  return subscriberBody(services, caller, { doc, transactions, rules }, now);
}

/** Returns the body as it was known at an instant. Reading the past creates no subscriber. */
export async function presentSubscriberAsOf(
  services: Services,
  { params, scope, caller }: SubscriberRequest,
  asOf: string,
) {
  const id = customerId(services.deps.hash, scope.projectId, params.appUserId);
  return subscriberBody(services, caller, await requireCustomerAsOf(services, scope.projectId, id, asOf), asOf);
}

export function subscriberNotFoundError(): HttpError {
  return new HttpError(404, 'subscriber not found; use a key with the write scope to create it');
}

/** Returns the document of a subscriber, created if unknown. Throws {@link HttpError} 404 if the request must not write. */
export async function requireSubscriber(
  services: Services,
  {
    params: { appUserId },
    scope: { projectId },
    by,
    mayWrite,
  }: SubscriberRequest & Pick<SubscriberInput, 'by' | 'mayWrite'>,
): Promise<CustomerDoc> {
  const doc = await findSubscriber(services, projectId, appUserId);
  if (doc && doc.profile.status === 'known') return doc;
  if (!mayWrite) throw subscriberNotFoundError();
  const registered = await registerSubscriber(services.deps, by, projectId, appUserId, { source: 'sdk' });
  await waitForReadModels(services, registered.position ?? undefined, [customers]);
  return readWritten(services, projectId, appUserId);
}

/** Throws {@link HttpError} 404 for an unknown subscriber if the request must not create one. */
export async function expectMayCreate(
  services: Services,
  { params: { appUserId }, scope: { projectId }, mayWrite }: SubscriberRequest & Pick<SubscriberInput, 'mayWrite'>,
): Promise<void> {
  if (mayWrite) return;
  const doc = await findSubscriber(services, projectId, appUserId);
  if (doc?.profile.status !== 'known') throw subscriberNotFoundError();
}

/** Returns the document of a subscriber after a write. Throws {@link RetryLater} while the read models do not have it. */
export async function readWritten(services: Services, projectId: string, appUserId: string): Promise<CustomerDoc> {
  const doc = await findSubscriber(services, projectId, appUserId);
  if (!doc) throw notReadableYetError('subscriber');
  return doc;
}

export async function presentSubscriber(services: Services, { params, scope, caller }: SubscriberRequest) {
  const doc = await readWritten(services, scope.projectId, params.appUserId);
  return presentCustomerAsSubscriber(services, caller, doc, isoFromMs(services.runtime.now()));
}

type Customer = CustomerAsOf & { readonly rules: EntitlementRules };

async function subscriberBody(
  services: Services,
  caller: Caller,
  { doc, transactions, rules }: Customer,
  now: string,
): Promise<BodyOf<typeof subscriberResponse>> {
  const { profile, firstSeenAt, lastSeenAt } = doc;
  const appsById = await services.cached.getMany(apps, appIdsInUrl(profile));
  const holdings = entitlementsAt(profile, now, rules);
  // The last subscription of each product is shown: the newest, with production before sandbox.
  const current = profile.subscriptions.toSorted(
    (a, b) => rankOf(a) - rankOf(b) || (a.startedAt < b.startedAt ? -1 : 1),
  );
  const hidesAliases = isPublicKey(caller) && profile.aliases.length > 0;
  const subscriber = {
    appUserId: profile.appUserId,
    ...(!hidesAliases && { originalAppUserId: profile.first.appUserId }),
    firstSeenAt,
    lastSeenAt,
    managementUrl: managementUrl(profile, now, (appId) => appsById.get(appId)?.storeIdentifier),
    entitlements: Object.fromEntries(holdings.map((h) => [h.lookupKey, presentHolding(h, rules)])),
    subscriptions: Object.fromEntries(
      current.map((s) => [s.purchase.storeProductId, presentSubscription(s, now, rules)]),
    ),
    nonSubscriptions: presentOneTimePurchases(transactions.filter((t) => t.subscriptionId === null)),
    attributes: presentAttributes(profile),
  };
  return { requestDate: now, subscriber };
}

export function presentAttributes(profile: Profile) {
  return Object.fromEntries(profile.attributes.map(({ k, v, t }) => [k, { value: v, updatedAt: t }]));
}

function presentHolding({ isActive, expiresAt, source }: EntitlementHolding, rules: EntitlementRules) {
  switch (source.kind) {
    case 'subscription': {
      const { purchase, period, graceEndsAt, autoRenew, startedAt } = source.subscription;
      return {
        isActive,
        expiresAt,
        gracePeriodExpiresAt: graceEndsAt,
        purchasedAt: startedAt,
        ...productFieldsOf(purchase, rules),
        periodType: period.type,
        willRenew: autoRenew.on && isActive,
        isSandbox: purchase.environment === 'sandbox',
        ownershipType: purchase.ownership,
      };
    }
    case 'purchase': {
      const { purchase, purchasedAt } = source.owned;
      const fixed = {
        gracePeriodExpiresAt: null,
        purchasedAt,
        ...productFieldsOf(purchase, rules),
        periodType: 'normal' as const,
        willRenew: false,
      };
      const ownershipType = purchase.ownership;
      return { isActive, expiresAt, ...fixed, isSandbox: purchase.environment === 'sandbox', ownershipType };
    }
    case 'promotional': {
      const purchasedAt = source.grant.startsAt;
      const none = { productId: null, storeProductId: null, store: 'promotional', periodType: 'promotional' } as const;
      const fixed = { willRenew: false, isSandbox: false, ownershipType: 'purchased' } as const;
      return { isActive, expiresAt, gracePeriodExpiresAt: null, purchasedAt, ...none, ...fixed };
    }
  }
}

function productFieldsOf(purchase: OneTimePurchaseRef, rules: EntitlementRules) {
  const { storeProductId, store } = purchase;
  return { productId: productOf(purchase, rules), storeProductId, store };
}

function rankOf({ purchase }: Subscription): number {
  return purchase.environment === 'production' ? 1 : 0;
}

function presentSubscription(s: Subscription, now: string, rules: EntitlementRules) {
  return {
    id: s.purchase.subscriptionId,
    state: stateAt(s, now),
    givesAccess: givesAccess(s, now) && isAllowed(s.purchase, rules),
    store: s.purchase.store,
    isSandbox: s.purchase.environment === 'sandbox',
    ownershipType: s.purchase.ownership,
    periodType: s.period.type,
    purchasedAt: s.period.purchasedAt,
    originalPurchasedAt: s.startedAt,
    expiresAt: accessEndsAt(s),
    gracePeriodExpiresAt: s.graceEndsAt,
    unsubscribeDetectedAt: s.autoRenew.since,
    billingIssuesDetectedAt: s.billingIssueAt,
    refundedAt: s.refundedAt,
    autoResumeAt: s.pause?.autoResumeAt ?? null,
  };
}

function presentOneTimePurchases(all: readonly TransactionDoc[]) {
  // A map, since a store product may be called `constructor`.
  const byProduct = new Map<string, BodyOf<typeof oneTimePurchase>[]>();
  for (const t of all) {
    const { transactionId, purchasedAt, store, environment } = t;
    const entry = { id: transactionId, purchasedAt, store, isSandbox: environment === 'sandbox', transactionId };
    byProduct.set(t.storeProductId, [...(byProduct.get(t.storeProductId) ?? []), entry]);
  }
  return Object.fromEntries(byProduct);
}

/** Returns the IDs of apps whose store identifiers the URL contains. */
export function appIdsInUrl({ subscriptions }: Profile): readonly string[] {
  const withAppPage = subscriptions.filter(({ purchase: { store } }) => managementPageOf(store)?.namesApp === true);
  return [...new Set(withAppPage.map((s) => s.purchase.appId))];
}

const ENDED_STATES = new Set(['pending', 'expired', 'refunded', 'revoked']);

/**
 * Returns the page of the newest subscription that has not ended: production before sandbox, and own purchase before family sharing; null
 * without any. `appNameOf` returns the store identifier of an app.
 */
export function managementUrl(
  { subscriptions }: Profile,
  now: string,
  appNameOf: (appId: string) => string | undefined,
): string | null {
  const [latest] = subscriptions
    .filter((s) => !ENDED_STATES.has(stateAt(s, now)))
    .toSorted((a, b) => preferenceOf(a) - preferenceOf(b) || (a.startedAt < b.startedAt ? 1 : -1));
  const purchase = latest?.purchase;
  return (purchase && managementPageOf(purchase.store)?.of(purchase, appNameOf(purchase.appId))) ?? null;
}

/** Null for the test store, which has no pages. */
function managementPageOf(store: AppStore) {
  return isTestStore(store) ? null : moduleOf(store).managementPage;
}

function preferenceOf({ purchase: { environment, ownership } }: Subscription): number {
  return (environment === 'production' ? 0 : 2) + (ownership === 'purchased' ? 0 : 1);
}
