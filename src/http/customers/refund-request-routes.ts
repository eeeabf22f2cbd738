// Open questions of the stores about refunds, before their answers are due.
import { z } from 'zod';
import { encodeCursor } from '../../adapters/documents/index-keys.js';
import { isoFromMs } from '../../domain/time.js';
import { storeKinds } from '../../domain/store-kinds.js';
import { customers } from '../../projections/models/customers.js';
import { refundRequests, type RefundRequestDoc } from '../../projections/models/refund-requests.js';
import { firstPage, unknownCursorError } from '../bodies/paging.js';
import { limit } from '../bodies/request-schemas.js';
import { environment, time, type BodyOf } from '../bodies/response-schemas.js';
import { defineListRoute, type Route } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';

const listQuery = z.strictObject({ limit, startingAfter: z.string().max(200).optional() });

const refundRequest = z
  .strictObject({
    object: z.literal('refundRequest'),
    id: z.string(),
    transactionId: z.string(),
    customerId: z.string(),
    appUserId: z.string().nullable(),
    appId: z.string(),
    store: z.enum(storeKinds),
    storeProductId: z.string(),
    environment,
    reason: z.string().nullable().meta({ description: 'Reason of the customer, as the store states it.' }),
    requestedAt: time,
    respondBy: time.meta({ description: 'Time until which the store waits for consumption information.' }),
  })
  .meta({ id: 'RefundRequest' });

type Row = { readonly id: string; readonly doc: RefundRequestDoc };

const [DUE] = refundRequests.indexes;

async function readPage({ readModels, runtime }: Services, projectId: string, q: z.output<typeof listQuery>) {
  const index = DUE?.name ?? '';
  const doc = q.startingAfter === undefined ? null : await readModels.get(refundRequests, q.startingAfter);
  if (q.startingAfter !== undefined && doc?.projectId !== projectId) throw unknownCursorError();
  const last = { id: q.startingAfter ?? '', guard: '', doc: doc ?? {} };
  const after = doc ? { after: encodeCursor(index, DUE?.fields ?? [], last) } : {};
  const from = isoFromMs(runtime.now());
  const page = { index, eq: [projectId, 'open'], from, limit: q.limit + 1, ...after };
  return (await readModels.scan(refundRequests, page)).rows;
}

async function presentRequests(
  { readModels }: Services,
  rows: readonly Row[],
): Promise<readonly BodyOf<typeof refundRequest>[]> {
  const found = await readModels.getMany(customers, [...new Set(rows.map(({ doc }) => doc.customerId))]);
  return rows.map(({ id, doc: { projectId: _project, state: _open, ...doc } }) => {
    const appUserId = found.get(doc.customerId)?.profile.appUserId ?? '';
    return { object: 'refundRequest', id, ...doc, appUserId: appUserId === '' ? null : appUserId };
  });
}

export const refundRequestRoutes: readonly Route[] = [
  defineListRoute({
    path: '/v1/projects/:id/refund-requests',
    permission: 'readCustomers',
    summary: 'List open refund requests, the next due first',
    description:
      'Before it decides on a refund, a store may request information about the consumption and wait for it until `respondBy`. Requests that the store has decided, or whose time has passed, are not listed.',
    query: listQuery,
    item: refundRequest,
    list: async ({ scope: { projectId }, query }, services) => {
      const rows = await readPage(services, projectId, query);
      const { items, lastId } = firstPage(rows, query.limit, ({ id }) => id);
      return { items: await presentRequests(services, items), lastId };
    },
  }),
];
