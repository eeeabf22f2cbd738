// The subscriber as RevenueCat's SDKs decode it. An SDK drops an entitlement, or the whole answer, whose product it cannot find among the
// purchases: every entitlement here names one. Fields: the SDKs' own decoders (`CustomerInfo`, `SubscriberResponse`).
import {
  entitlementsAt,
  type EntitlementHolding,
  type EntitlementRules,
} from '../../domain/subscriber/entitlements.js';
import { grantProductId } from '../../domain/subscriber/grant-durations.js';
import { precedes } from '../../domain/subscriber/state/app-downloads.js';
import { isoFromMs, msFromIso } from '../../domain/time.js';
import { products } from '../../projections/models/catalogue.js';
import { customers, type CustomerDoc } from '../../projections/models/customers.js';
import { apps } from '../../projections/models/projects.js';
import { transactionDocId, transactions } from '../../projections/models/transactions.js';
import { readEntitlementRules, readTransactions } from '../customers/read-customer.js';
import { ownAppIdOf, type Caller } from '../dispatch/caller.js';
import type { Services } from '../dispatch/services.js';
import { deviceOf } from './sdk-values.js';
import type { SubscriberFormat } from '../subscribers/cached-subscriber.js';
import { readWritten, appIdsInUrl, managementUrl } from '../subscribers/present-subscriber.js';
import type { BodyOf } from '../bodies/response-schemas.js';
import {
  displayNameOf,
  longestOf,
  planField,
  presentGrant,
  presentOneTime,
  presentSubscription,
  priceOf,
  productIdOf,
  splitProductId,
  type Bought,
  type Describe,
} from './customer-purchases.js';
import type { customerInfo } from './responses.js';

export const compatFormat: SubscriberFormat<BodyOf<typeof customerInfo>> = {
  view: 'compat|',
  isOfApp: true,
  hasTag: true,
  startAt: (now) => `{"request_date":"${now}","request_date_ms":${msFromIso(now)},`,
  deviceOf,
  createdStatus: 201,
  read: readCustomerInfo,
  // Prices are read from the transactions, which must not be older than the customer.
  isCacheable: ({ progress }, doc) =>
    !doc.hasOneTimePurchases && (progress.at(transactions.name) ?? '') >= (progress.at(customers.name) ?? ''),
};

/** Returns the whole body; dispatch removes the attributes for callers who may not see personal data. */
async function readCustomerInfo(
  services: Services,
  caller: Caller,
  doc: CustomerDoc,
  now: string,
): Promise<BodyOf<typeof customerInfo>> {
  const { readModels, cached } = services;
  const { profile, projectId, firstSeenAt, lastSeenAt } = doc;
  const rules = await readEntitlementRules(services, projectId, [profile]);
  const oneTime = doc.hasOneTimePurchases ? await readTransactions(readModels, doc.customerId) : [];
  const started = profile.subscriptions.filter((s) => s.pending === null);
  const charges = await readModels.getMany(
    transactions,
    started.map((s) => transactionDocId(projectId, s.purchase.transactionId)),
  );
  const bought = [...started, ...profile.owned].flatMap(({ purchase }) => productIdOf(purchase, rules) ?? []);
  const [appsById, sold] = await Promise.all([
    cached.getMany(apps, appIdsInUrl(profile)),
    cached.getMany(products, [...new Set(bought)]),
  ]);
  const about: Describe = (purchase, charge) => ({
    ...priceOf(charge),
    ...displayNameOf(sold.get(productIdOf(purchase, rules) ?? '')?.displayName),
  });
  const subscriptions = started.map((s) => {
    const charge = charges.get(transactionDocId(projectId, s.purchase.transactionId));
    return [
      splitProductId(s.purchase.storeProductId).product,
      presentSubscription(s, now, rules, about(s.purchase, charge)),
    ] as const;
  });
  const grants = profile.grants.map((grant) => [grantProductId(grant), presentGrant(grant)] as const);
  const subscriber = {
    // The name before a log-in proves nothing afterwards: the merge has used it up.
    original_app_user_id: profile.first.appUserId,
    ...presentDownload(profile, caller, rules),
    first_seen: firstSeenAt,
    last_seen: lastSeenAt,
    management_url: managementUrl(profile, now, (appId) => appsById.get(appId)?.storeIdentifier),
    entitlements: Object.fromEntries(
      entitlementsAt(profile, now, rules)
        .filter(isPresentable)
        .map((h) => [h.lookupKey, presentEntitlement(h, now)]),
    ),
    subscriptions: longestOf([...subscriptions, ...grants]),
    non_subscriptions: presentOneTime(profile.owned, oneTime, about),
    other_purchases: {},
    subscriber_attributes: presentAttributes(doc),
  };
  return { request_date: now, request_date_ms: msFromIso(now), subscriber };
}

/** Presents the download of the key's app; for a server, of the app that was downloaded first. The sandbox names version 1.0 for everybody. */
function presentDownload({ downloads = [] }: CustomerDoc['profile'], caller: Caller, rules: EntitlementRules) {
  const ownId = ownAppIdOf(caller);
  const [first] = downloads
    .filter(
      ({ appId, environment }) => (ownId ?? appId) === appId && (environment === 'production' || rules.allowsSandbox),
    )
    .toSorted((a, b) => (precedes(a, b) ? -1 : 1));
  return {
    original_application_version: first?.version ?? null,
    original_purchase_date: first?.downloadedAt ?? null,
  };
}

/** Returns customer info after a write. Throws `RetryLater` while the read models do not have the customer. */
export async function currentInfo(
  services: Services,
  caller: Caller,
  projectId: string,
  appUserId: string,
): Promise<BodyOf<typeof customerInfo>> {
  const doc = await readWritten(services, projectId, appUserId);
  return readCustomerInfo(services, caller, doc, isoFromMs(services.runtime.now()));
}

/** The web SDK takes every entitlement of a one-time purchase for active, also after a refund: its end is not read. */
function isPresentable({ source, isActive }: EntitlementHolding): boolean {
  return isActive || source.kind !== 'purchase';
}

function presentEntitlement({ source, expiresAt, isActive }: EntitlementHolding, now: string) {
  const isOver = !isActive && (expiresAt === null || expiresAt > now);
  const dated = (purchasedAt: string, graceEndsAt: string | null) => ({
    expires_date: isOver ? purchasedAt : expiresAt,
    grace_period_expires_date: graceEndsAt,
    purchase_date: purchasedAt,
  });
  switch (source.kind) {
    case 'subscription': {
      const { purchase, period, graceEndsAt } = source.subscription;
      return { ...dated(period.purchasedAt, graceEndsAt), ...productFields(purchase) };
    }
    case 'purchase':
      return { ...dated(source.owned.purchasedAt, null), ...productFields(source.owned.purchase) };
    case 'promotional':
      return { ...dated(source.grant.startsAt, null), product_identifier: grantProductId(source.grant) };
  }
}

function productFields({ storeProductId }: Bought) {
  return { product_identifier: splitProductId(storeProductId).product, ...planField(storeProductId) };
}

function presentAttributes({ profile }: CustomerDoc) {
  return Object.fromEntries(profile.attributes.map(({ k, v, t }) => [k, { value: v, updated_at_ms: msFromIso(t) }]));
}
