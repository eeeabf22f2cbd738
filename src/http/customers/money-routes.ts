// Transactions of a project: purchases, renewals and refunds, newest first.
import { z } from 'zod';
import { encodeCursor, compareKeys } from '../../adapters/documents/index-keys.js';
import { appStore } from '../../domain/store-kinds.js';
import { customers } from '../../projections/models/customers.js';
import {
  chargeOfRefund,
  refundDocId,
  transactionDocId,
  transactions,
  type RefundDoc,
  type TransactionDoc,
} from '../../projections/models/transactions.js';
import { environment, money, time, type BodyOf } from '../bodies/response-schemas.js';
import { firstPage, unknownCursorError } from '../bodies/paging.js';
import { instant, limit } from '../bodies/request-schemas.js';
import { defineListRoute, type Route } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';

const kinds = ['purchase', 'renewal', 'refund'] as const;
type Kind = (typeof kinds)[number];

const listQuery = z.strictObject({
  since: instant.optional(),
  kind: z.enum(kinds).optional(),
  environment: environment.optional(),
  limit,
  startingAfter: z.string().max(600).optional(),
});
type Query = z.output<typeof listQuery>;

const moneyEntry = z
  .strictObject({
    object: z.literal('transaction'),
    id: z.string(),
    kind: z.enum(kinds),
    at: time.meta({ description: 'Time of the charge or refund.' }),
    customerId: z.string(),
    appUserId: z.string().nullable(),
    subscriptionId: z.string().nullable(),
    appId: z.string(),
    store: appStore,
    environment,
    storeProductId: z.string(),
    periodType: z.string().meta({ description: 'For a one-time purchase: the product type.' }),
    quantity: z.int(),
    country: z.string().nullable(),
    amount: money(z.number().nullable()).meta({ description: 'Amount charged, also in the entry of a refund.' }),
    currency: z.string().nullable(),
    amountUsd: money(z.number().nullable()),
    refundedUsd: money(z.number().nullable()).meta({
      description: 'Amount refunded so far; null if unknown.',
    }),
  })
  .meta({ id: 'MoneyEntry' });

/** Position of an entry: the time of its charge or refund, and the ID of its document. */
type Place = { readonly at: string; readonly id: string };

const cursorParts = z.tuple([instant, z.string().min(1).max(300), z.boolean()]);

function cursorOf({ at, id }: Place, projectId: string): string {
  const charge = chargeOfRefund(id);
  const transactionId = (charge ?? id).slice(transactionDocId(projectId, '').length);
  return Buffer.from(JSON.stringify([at, transactionId, charge !== null])).toString('base64url');
}

/** Decodes a cursor without reading its document: a refund may be reversed between two pages. Throws {@link HttpError} 400. */
function placeOf(cursor: string, projectId: string): Place {
  let json: unknown = null;
  try {
    json = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    // Invalid JSON is refused by the check below.
  }
  const { data } = cursorParts.safeParse(json);
  if (!data) throw unknownCursorError();
  const [at, transactionId, isRefund] = data;
  const charge = transactionDocId(projectId, transactionId);
  return { at, id: isRefund ? refundDocId(charge) : charge };
}

/** Reads the entries of one kind and environment after `last`, one more than the limit. */
async function readEntries(
  { readModels }: Services,
  projectId: string,
  selection: { readonly environment: string; readonly kind: Kind },
  q: Query,
  last: Place | null,
): Promise<readonly Place[]> {
  const isRefund = selection.kind === 'refund';
  const eq = [projectId, selection.environment, ...(isRefund ? [] : [selection.kind])];
  const fields = ['projectId', 'environment', ...(isRefund ? [] : ['kind']), 'at'];
  const doc = last && { ...selection, projectId, at: last.at };
  const after = last && doc ? { after: encodeCursor('money', fields, { id: last.id, guard: '', doc }) } : {};
  const from = q.since === undefined ? {} : { from: q.since };
  const scan = { index: 'money', eq, ...from, limit: q.limit + 1, reverse: true, ...after };
  if (!isRefund) {
    const { rows } = await readModels.scan<TransactionDoc>(transactions, scan);
    return rows.map(({ id, doc: { purchasedAt: at } }) => ({ id, at }));
  }
  const { rows } = await readModels.scanDerived<RefundDoc>(transactions, 'refunds', scan);
  return rows.map(({ id, doc: { refundedAt: at } }) => ({ id, at }));
}

async function listTransactions(services: Services, projectId: string, q: Query) {
  const last = q.startingAfter === undefined ? null : placeOf(q.startingAfter, projectId);
  const environments = q.environment === undefined ? environment.options : [q.environment];
  const selections = environments.flatMap((e) =>
    (q.kind === undefined ? kinds : [q.kind]).map((kind) => ({ environment: e, kind })),
  );
  const found = (
    await Promise.all(selections.map((selection) => readEntries(services, projectId, selection, q, last)))
  ).flat();
  const newestFirst = found.sort((a, b) => compareKeys([b.at, b.id], [a.at, a.id]));
  return firstPage(newestFirst, q.limit, (end) => cursorOf(end, projectId));
}

async function presentTransactions(
  { readModels }: Services,
  places: readonly Place[],
): Promise<readonly BodyOf<typeof moneyEntry>[]> {
  const docs = await readModels.getMany(
    transactions,
    places.map(({ id }) => chargeOfRefund(id) ?? id),
  );
  const owners = await readModels.getMany(customers, [...new Set([...docs.values()].map((d) => d.customerId))]);
  return places.flatMap(({ id: place, at }) => {
    const charge = chargeOfRefund(place);
    const doc = docs.get(charge ?? place);
    if (!doc) return [];
    const { transactionId: id, customerId, subscriptionId, appId, store, environment: env, storeProductId } = doc;
    const { type: periodType, quantity, country, money: paid } = doc;
    const appUserId = owners.get(customerId)?.profile.appUserId ?? '';
    const kind: Kind = charge === null ? doc.kind : 'refund';
    const customerFields = { customerId, appUserId: appUserId === '' ? null : appUserId, subscriptionId };
    const purchaseFields = { appId, store, environment: env, storeProductId, periodType, quantity, country };
    const amounts = {
      amount: toUnits(paid.amountMicros),
      currency: paid.currency,
      amountUsd: toUnits(paid.usdMicros),
      refundedUsd: toUnits(doc.refundedUsdMicros),
    };
    return [{ object: 'transaction', id, kind, at, ...customerFields, ...purchaseFields, ...amounts }];
  });
}

function toUnits(micros: number | null): number | null {
  return micros === null ? null : micros / 1_000_000;
}

export const moneyRoutes: readonly Route[] = [
  defineListRoute({
    path: '/v1/projects/:id/transactions',
    permission: 'readCustomers',
    summary: 'List transactions, newest money first',
    description:
      'A refund is a separate entry with the ID of its transaction. `since` is inclusive. Both environments by default.',
    query: listQuery,
    item: moneyEntry,
    list: async ({ scope: { projectId }, query }, services) => {
      const { items, lastId } = await listTransactions(services, projectId, query);
      return { items: await presentTransactions(services, items), lastId };
    },
  }),
];
