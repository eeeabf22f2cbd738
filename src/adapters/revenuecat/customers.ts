// Customers in RevenueCat's REST APIs. Times are ISO 8601 UTC with v1 and ms since the epoch with v2, as in the responses.
import { z } from 'zod';
import { RevenueCatRefusal, type RevenueCatRequests } from './requests.js';

const NEEDS_V1 = 'a secret key of API v1 (project settings, API keys), or set REVENUECAT_PROJECT_ID to use API v2';
const needsV2 = (permission: string) =>
  `a secret key of API v2 with the permission ${permission} (project settings, API keys)`;
const NEEDS_CUSTOMERS = needsV2('customer_information:customers:read');
const domain = 'customers' as const;

const time = z.iso.datetime({ offset: true });
const optionalTime = time.nullish().transform((t) => t ?? null);
const v1Purchase = z.object({ store: z.string(), is_sandbox: z.boolean().default(false) });

const v1Subscriber = z.object({
  entitlements: z.record(
    z.string(),
    z.object({
      expires_date: optionalTime,
      grace_period_expires_date: optionalTime,
      product_identifier: z.string().nullish(),
    }),
  ),
  subscriptions: z.record(z.string(), v1Purchase).default({}),
  non_subscriptions: z.record(z.string(), z.array(v1Purchase)).default({}),
});
export type V1Subscriber = z.output<typeof v1Subscriber>;

/**
 * Reads a customer with API v1. RevenueCat creates a customer for an unknown id; `isCreated` is true then. Throws
 * {@link RevenueCatRefusal}.
 */
export async function readSubscriber(
  { get }: RevenueCatRequests,
  appUserId: string,
  signal?: AbortSignal,
): Promise<{ readonly isCreated: boolean; readonly subscriber: V1Subscriber }> {
  const path = `/v1/subscribers/${encodeURIComponent(appUserId)}`;
  const response = z.object({ subscriber: v1Subscriber });
  const { status, body } = await get(response, { domain, path, needs: NEEDS_V1 }, signal);
  return { isCreated: status === 201, subscriber: body.subscriber };
}

const ms = z.int();
const activeEntitlement = z.object({ entitlement_id: z.string(), expires_at: ms.nullable() });
const listOf = <S extends z.ZodType>(item: S) => z.object({ items: z.array(item), next_page: z.string().nullish() });
const customer = z.object({
  id: z.string(),
  first_seen_at: ms.nullish(),
  last_seen_at: ms.nullish(),
  last_seen_country: z.string().nullish(),
  last_seen_platform: z.string().nullish(),
  active_entitlements: listOf(activeEntitlement).nullish(),
});
const unlocked = listOf(z.object({ id: z.string(), lookup_key: z.string() }));
const purchaseFields = {
  id: z.string(),
  product_id: z.string().nullish(),
  entitlements: unlocked.nullish(),
  environment: z.string(),
  store: z.string(),
};
const subscription = z.object({
  ...purchaseFields,
  gives_access: z.boolean(),
  starts_at: ms.nullish(),
  status: z.string(),
  current_period_ends_at: ms.nullish(),
  ends_at: ms.nullish(),
  store_subscription_identifier: z.string().nullish(),
  current_period_starts_at: ms.nullish(),
  ownership: z.string().nullish(),
  country: z.string().nullish(),
});
const subscriptionTransaction = z.object({
  id: z.string(),
  purchased_at: ms,
  product_store_identifier: z.string().nullish(),
  expiration_date: ms.nullish(),
  effective_expiration_date: ms.nullish(),
});
const purchase = z.object({
  ...purchaseFields,
  status: z.string(),
  ownership: z.string().nullish(),
  country: z.string().nullish(),
  purchased_at: ms.nullish(),
  store_purchase_identifier: z.string().nullish(),
});
export type V2SubscriptionTransaction = z.output<typeof subscriptionTransaction>;
export type V2Subscription = z.output<typeof subscription>;
export type V2Purchase = z.output<typeof purchase>;
export type V2ActiveEntitlement = z.output<typeof activeEntitlement>;
export type V2Customer = z.output<typeof customer>;
export type V2Subject = { readonly projectId: string; readonly customerId: string };

const PAGE = 'limit=100';
const pathOf = ({ projectId, customerId }: V2Subject, rest = '') =>
  `/v2/projects/${encodeURIComponent(projectId)}/customers/${encodeURIComponent(customerId)}${rest}`;

/** Reads a customer with API v2; undefined for an unknown id. Throws {@link RevenueCatRefusal}. */
export async function readCustomer(
  { get }: RevenueCatRequests,
  subject: V2Subject,
  signal?: AbortSignal,
): Promise<V2Customer | undefined> {
  try {
    return (await get(customer, { domain, path: pathOf(subject), needs: NEEDS_CUSTOMERS }, signal)).body;
  } catch (err) {
    if (err instanceof RevenueCatRefusal && err.status === 404) return undefined;
    throw err;
  }
}

/** Lists the entitlements that are active now, in addition to the first ones that {@link readCustomer} returns. */
export function listActiveEntitlements({ list }: RevenueCatRequests, subject: V2Subject, signal?: AbortSignal) {
  const path = pathOf(subject, `/active_entitlements?${PAGE}`);
  return list(activeEntitlement, { domain, path, needs: NEEDS_CUSTOMERS }, signal);
}

/**
 * Yields customers, page by page, the last active first. RevenueCat's list changes while it is read, repeats customers who become active,
 * and leaves others out.
 */
export function pagesOfCustomers({ pages }: RevenueCatRequests, projectId: string, signal?: AbortSignal) {
  const path = `/v2/projects/${encodeURIComponent(projectId)}/customers?${PAGE}`;
  return pages(customer, { domain, path, needs: NEEDS_CUSTOMERS }, signal);
}

/** Lists all IDs of a customer. */
export function listAliases({ list }: RevenueCatRequests, subject: V2Subject, signal?: AbortSignal) {
  const alias = z.object({ id: z.string(), created_at: ms.nullish().transform((at) => at ?? 0) });
  return list(alias, { domain, path: pathOf(subject, `/aliases?${PAGE}`), needs: NEEDS_CUSTOMERS }, signal);
}

/** Lists the attributes of a customer. */
export function listAttributes({ list }: RevenueCatRequests, subject: V2Subject, signal?: AbortSignal) {
  const attribute = z.object({ name: z.string(), value: z.string().nullable(), updated_at: ms });
  return list(attribute, { domain, path: pathOf(subject, `/attributes?${PAGE}`), needs: NEEDS_CUSTOMERS }, signal);
}

/** Lists the subscriptions of a customer, sandbox ones included. */
export function listSubscriptions({ list }: RevenueCatRequests, subject: V2Subject, signal?: AbortSignal) {
  const needs = needsV2('customer_information:subscriptions:read');
  return list(subscription, { domain, path: pathOf(subject, `/subscriptions?${PAGE}`), needs }, signal);
}

/** Lists the transactions of a subscription of a store, without prices, refunds, and the kind of their period. */
export function listSubscriptionTransactions(
  { list }: RevenueCatRequests,
  { projectId, subscriptionId }: { readonly projectId: string; readonly subscriptionId: string },
  signal?: AbortSignal,
) {
  const needs = needsV2('customer_information:subscriptions:read');
  const path = `/v2/projects/${encodeURIComponent(projectId)}/subscriptions/${encodeURIComponent(subscriptionId)}/transactions`;
  return list(subscriptionTransaction, { domain, path, needs }, signal);
}

/** Lists the one-time purchases of a customer, sandbox ones included. */
export function listPurchases({ list }: RevenueCatRequests, subject: V2Subject, signal?: AbortSignal) {
  const needs = needsV2('customer_information:purchases:read');
  return list(purchase, { domain, path: pathOf(subject, `/purchases?${PAGE}`), needs }, signal);
}
