// Tools to find and understand a customer.
import { z } from 'zod';
import type { Schemas } from '#sdk/client.js';
import { customer as customerItem, customerDetail, transactionDetail } from '../../customers/responses.js';
import { accessExplanation } from '../../customers/responses.js';
import { isCustomerId } from '../../../domain/ids.js';
import { entry, toEntry } from '../entries.js';
import { asOf, cursor, customer, instant, limit, nextCursor } from '../inputs.js';
import { bodyOf, cursorOf, defineTool, given, type Tool } from '../tool.js';

const match = customerItem
  .omit({ object: true, aliases: true })
  .extend({
    aliasCount: z.int(),
    matchedBy: z.enum(['customer ID', 'app user ID', 'alias', 'app user ID prefix', 'transaction or attribute']),
  })
  .strip();

function matchOf({ id, appUserId, aliases }: Schemas['Customer'], query: string): z.output<typeof match>['matchedBy'] {
  const term = query.toLowerCase();
  if (id === query) return 'customer ID';
  if (appUserId.toLowerCase() === term) return 'app user ID';
  if (aliases.some((alias) => alias.toLowerCase() === term)) return 'alias';
  return appUserId.toLowerCase().startsWith(term) ? 'app user ID prefix' : 'transaction or attribute';
}

const findCustomer = defineTool({
  name: 'find_customer',
  title: 'Find customers',
  description:
    'Find customers by app user ID (or its beginning), alias, customer ID, transaction or order ID, or e-mail if the key may see it. Use it first when only a name is known.',
  uses: ['GET /v1/projects/{id}/customers'],
  input: z.strictObject({ query: z.string().trim().min(1).max(255), limit, cursor }),
  output: z.object({ customers: z.array(match), nextCursor }),
  run: async ({ query, limit, cursor: startingAfter }, { client, projectId: id }) => {
    const found = bodyOf(
      await client.GET('/v1/projects/{id}/customers', {
        params: { path: { id }, query: given({ search: query, limit, startingAfter }) },
      }),
    );
    const customers = found.items.map((one) => ({
      ...one,
      aliasCount: one.aliases.length,
      matchedBy: matchOf(one, query),
    }));
    return {
      data: { customers, nextCursor: cursorOf(found) },
      page: `/customers?search=${encodeURIComponent(query)}`,
    };
  },
});

const { shape: detail } = customerDetail;
const MAX_PURCHASES = 20;
/** Share of an answer that attributes may have: apps set them, also hostile ones, and everything else must remain readable. */
const MAX_ATTRIBUTE_BYTES = 12 * 1024;

const getCustomer = defineTool({
  name: 'get_customer',
  title: 'Get a customer',
  description:
    'Entitlements, subscriptions, purchases, grants and experiments of one customer, now or as recorded at an earlier instant. For the reason of access or its absence, use explain_access.',
  uses: ['GET /v1/projects/{id}/customers/{cid}'],
  input: z.strictObject({ customer, asOf }),
  output: customerDetail
    .omit({ object: true, subscriptions: true })
    .extend({
      aliases: detail.aliases.meta({ description: 'At most 20.' }),
      subscriptions: z.array(
        detail.subscriptions.element
          .omit({ object: true, transactions: true })
          .extend({ transactionCount: z.int() })
          .strip(),
      ),
      purchases: detail.purchases.meta({ description: 'The newest 20.' }),
      purchaseCount: z.int(),
      attributes: detail.attributes.meta({ description: 'The newest that fit 12 KiB.' }),
      attributeCount: z.int().optional(),
    })
    .strip(),
  tooLarge: 'Use find_customer and get_timeline instead.',
  run: async ({ customer: cid, asOf }, { client, projectId: id, showsPersonal }) => {
    const { attributes, ...found } = bodyOf(
      await client.GET('/v1/projects/{id}/customers/{cid}', {
        params: { path: { id, cid }, query: given({ asOf }) },
      }),
    );
    const data = {
      ...found,
      ...(showsPersonal && attributes && newestOf(attributes)),
      aliases: found.aliases.slice(0, MAX_PURCHASES),
      subscriptions: found.subscriptions.map((one) => ({ ...one, transactionCount: one.transactions.length })),
      purchases: found.purchases.slice(-MAX_PURCHASES),
      purchaseCount: found.purchases.length,
    };
    return { data, page: customerPage(found.id), asOf };
  },
});

type Attributes = NonNullable<Schemas['CustomerDetail']['attributes']>;

/** Each attribute counts twice, as in the answer: as a field, and in the text that repeats the fields. */
function newestOf(all: Attributes): { readonly attributes: Attributes; readonly attributeCount: number } {
  const entries = Object.entries(all).toSorted(([, a], [, b]) => (a.updatedAt < b.updatedAt ? 1 : -1));
  const newest: typeof entries = [];
  let bytes = 0;
  for (const entry of entries) {
    const text = JSON.stringify(entry);
    bytes += Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(text));
    if (bytes > MAX_ATTRIBUTE_BYTES) break;
    newest.push(entry);
  }
  return { attributes: Object.fromEntries(newest), attributeCount: entries.length };
}

const { shape: explanation } = accessExplanation;

const explainAccess = defineTool({
  name: 'explain_access',
  title: 'Explain access',
  description:
    'Why a customer has or does not have an entitlement at an instant: the verdict as a sentence, the deciding events in order, every purchase and grant with the reason it counts or not, and what would change it. Use it for every question that begins with "why".',
  uses: ['GET /v1/projects/{id}/customers/{cid}/access'],
  input: z.strictObject({
    customer,
    entitlement: z
      .string()
      .max(200)
      .optional()
      .meta({ description: 'ID or lookup key; required if the project has several.' }),
    at: instant.optional().meta({ description: 'The instant to explain; default asOf, else now.' }),
    asOf,
  }),
  output: accessExplanation
    .omit({ object: true })
    .extend({
      because: z.array(entry).meta({ description: 'The deciding events, at most 8, the newest last.' }),
      sources: explanation.sources.meta({ description: 'At most 20; those that grant it first.' }),
    })
    .strip(),
  tooLarge: 'Use get_timeline with a small limit instead.',
  run: async ({ customer: cid, entitlement, at, asOf }, context) => {
    const { client, projectId: id } = context;
    const found = bodyOf(
      await client.GET('/v1/projects/{id}/customers/{cid}/access', {
        params: { path: { id, cid }, query: given({ entitlement, at, asOf }) },
      }),
    );
    const data = {
      ...found,
      because: found.because.map((one) => toEntry(one, context)),
      sources: found.sources.slice(0, MAX_PURCHASES),
      wouldChange: found.wouldChange.slice(0, MAX_PURCHASES),
    };
    return { data, page: customerPage(cid), asOf: found.asOf };
  },
});

const traceTransaction = defineTool({
  name: 'trace_transaction',
  title: 'Trace a transaction',
  description:
    'Everything about one transaction or order ID of a store: its customer, the charge and what was refunded, the other transactions of its subscription, and its events with the notifications that caused them and the webhooks sent.',
  uses: ['GET /v1/projects/{id}/transactions/{transactionId}', 'GET /v1/projects/{id}/customers/{cid}'],
  input: z.strictObject({ transactionId: z.string().trim().min(1).max(200) }),
  output: transactionDetail
    .omit({ object: true })
    .extend({
      events: z.array(entry),
      subscriptionTransactions: z
        .array(
          detail.subscriptions.element.shape.transactions.element
            .pick({
              id: true,
              purchasedAt: true,
              amount: true,
              currency: true,
              refundedAt: true,
              periodType: true,
            })
            .strip(),
        )
        .meta({ description: 'The newest 24 of its subscription.' }),
      revenueUsd: detail.subscriptions.element.shape.totalRevenueUsd.meta({
        description: 'Of its subscription so far: gross, tax, commission and proceeds.',
      }),
    })
    .strip(),
  run: async ({ transactionId }, context) => {
    const { client, projectId: id } = context;
    const found = bodyOf(
      await client.GET('/v1/projects/{id}/transactions/{transactionId}', {
        params: { path: { id, transactionId } },
      }),
    );
    const cid = found.customer.id;
    const buyer = bodyOf(await client.GET('/v1/projects/{id}/customers/{cid}', { params: { path: { id, cid } } }));
    const subscription = buyer.subscriptions.find((one) => one.id === found.subscriptionId);
    const data = {
      ...found,
      events: found.events.map((one) => toEntry(one, context)),
      subscriptionTransactions: subscription?.transactions.slice(-24) ?? [],
      revenueUsd: subscription?.totalRevenueUsd,
    };
    return { data, page: customerPage(cid) };
  },
});

/** Path of a customer's dashboard page, below the project. */
export function customerPage(customerId: string): string {
  return `/customers/${isCustomerId(customerId) ? customerId : encodeURIComponent(customerId)}`;
}

export const customerTools: readonly Tool[] = [findCustomer, getCustomer, explainAccess, traceTransaction];
