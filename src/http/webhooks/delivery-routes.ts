// Deliveries of a webhook: list, details, redelivery, replay, examples and test events.
import { z } from 'zod';
import { encodeCursor } from '../../adapters/documents/index-keys.js';
import {
  deliveryCollection,
  findDelivery,
  findSentBody,
  RECENT_INDEX,
  type Delivery,
  type StoredDelivery,
  type Attempt,
  type SentBody,
} from '../../commands/webhooks/deliveries.js';
import { exampleBody, redeliver, replayDeliveries, sendTest } from '../../commands/webhooks/redeliver.js';
import { isoFromMs } from '../../domain/time.js';
import { allKinds, kindsOfFormat, sentKinds } from '../../domain/webhook/kinds.js';
import { delivery, deliveryDetail, webhookExample, webhookReplay } from './responses.js';
import { RedactableText, type BodyOf } from '../bodies/response-schemas.js';
import { HttpError } from '../bodies/errors.js';
import { unknownCursorError } from '../bodies/paging.js';
import { defineListRoute, defineRoute, type Route } from '../dispatch/route.js';
import { id, instant, page } from '../bodies/request-schemas.js';
import type { Services } from '../dispatch/services.js';
import { requireWebhook, webhookParams } from './routes.js';
import { withoutMoney } from '../../domain/webhook/payload.js';
import { scanRecords } from '../../adapters/documents/records.js';

const listQuery = page.extend({
  state: z.enum(['pending', 'delivered', 'failed', 'held']).optional(),
  type: z.enum(allKinds).optional(),
  appUserId: z.string().min(1).max(255).optional(),
  from: instant.optional(),
  to: instant.optional(),
});
type ListQuery = z.output<typeof listQuery>;

const replayBody = z.strictObject({
  from: instant,
  to: instant,
  types: z.array(z.enum(allKinds)).min(1).max(allKinds.length).nullable().default(null),
  onlyFailed: z.boolean().default(false),
});

/** Refuses unknown fields of a body that has none. */
const emptyBody = z.strictObject({}).optional();
const testBody = z.strictObject({ type: z.enum(sentKinds).default('TEST') }).optional();

const deliveryParams = z.object({ id, wid: id, did: id });
const base = '/v1/projects/:id/webhooks/:wid';

/**
 * Limit of the deliveries that a page scans. A page may have fewer items than its limit; the next page continues after the scanned ones.
 */
const MAX_SCANNED = 2000;

async function listDeliveries({ deps }: Services, webhookId: string, q: ListQuery) {
  const last = q.startingAfter === undefined ? null : await findDelivery(deps, q.startingAfter);
  if (q.startingAfter !== undefined && last?.doc.endpointId !== webhookId) throw unknownCursorError();
  let after = last ? encodeCursor('recent', RECENT_INDEX, { id: last.id, guard: '', doc: last.doc }) : undefined;
  const bounds = { ...(q.from !== undefined && { from: q.from }), ...(q.to !== undefined && { to: q.to }) };
  const found: StoredDelivery[] = [];
  for (let scanned = 0; scanned < MAX_SCANNED;) {
    const scan = { index: 'recent', eq: [webhookId], ...bounds, limit: 100, reverse: true };
    const { rows, next } = await scanRecords(deps.docs, deliveryCollection.name, {
      ...scan,
      ...(after !== undefined && { after }),
    });
    for (const [i, one] of rows.entries()) {
      if (matches(one.doc, q)) found.push(one);
      const isLast = next === undefined && i === rows.length - 1;
      if (found.length === q.limit) return { found, lastId: isLast ? null : one.id };
    }
    if (next === undefined) return { found, lastId: null };
    after = next;
    scanned += rows.length;
    if (scanned >= MAX_SCANNED) return { found, lastId: rows.at(-1)?.id ?? null };
  }
  return { found, lastId: null };
}

function matches(d: Delivery, { state, type, appUserId }: ListQuery): boolean {
  if (state !== undefined && d.state !== state) return false;
  if (type !== undefined && d.type !== type) return false;
  return appUserId === undefined || d.appUserId === appUserId;
}

export const deliveryRoutes: readonly Route[] = [
  defineListRoute({
    path: `${base}/deliveries`,
    permission: 'readCustomers',
    summary: 'List deliveries of a webhook, newest first',
    params: webhookParams,
    query: listQuery,
    item: delivery,
    list: async ({ params, query, scope }, services) => {
      await requireWebhook(services, scope.projectId, params.wid);
      const { found, lastId } = await listDeliveries(services, params.wid, query);
      return { items: found.map(presentDelivery), lastId };
    },
  }),
  defineRoute({
    method: 'get',
    path: `${base}/deliveries/:did`,
    permission: 'readCustomers',
    summary: 'Get a delivery with its body and attempts',
    description: 'The newest twenty attempts. `responseSnippet` contains the first 4 KiB of the receiver’s response.',
    params: deliveryParams,
    response: deliveryDetail,
    handle: async ({ params, scope }, services) => {
      await requireWebhook(services, scope.projectId, params.wid);
      const found = await findDelivery(services.deps, params.did);
      if (found?.doc.endpointId !== params.wid) {
        throw new HttpError(404, 'delivery not found for this webhook; deliveries are stored for 30 days');
      }
      return { body: presentDeliveryDetail(found, await findSentBody(services.deps, found.doc)) };
    },
  }),
  defineRoute({
    method: 'post',
    path: `${base}/deliveries/:did/redeliver`,
    permission: 'support',
    summary: 'Redeliver a webhook',
    params: deliveryParams,
    body: emptyBody,
    response: delivery,
    handle: async ({ params, scope }, services) => {
      const ref = { projectId: scope.projectId, webhookId: params.wid };
      const one = await redeliver(services.deps, ref, params.did);
      services.offerDeliveries([one]);
      const { customerId } = one.doc;
      return { body: presentDelivery(one), customers: customerId === '' ? [] : [customerId] };
    },
  }),
  defineRoute({
    method: 'post',
    path: `${base}/replay`,
    permission: 'configure',
    summary: 'Replay the deliveries of a period',
    params: webhookParams,
    body: replayBody,
    response: webhookReplay,
    handle: async ({ params, body, scope }, services) => {
      const ref = { projectId: scope.projectId, webhookId: params.wid };
      const { replayId, queued } = await replayDeliveries(services.deps, ref, body);
      services.offerDeliveries(queued);
      return { body: { object: 'webhookReplay', id: replayId, queued: queued.length } };
    },
  }),
  defineListRoute({
    path: `${base}/examples`,
    permission: 'readSetup',
    summary: 'List example events of a webhook',
    params: webhookParams,
    item: webhookExample,
    list: async ({ params, scope: { projectId } }, services) => {
      const { payloadFormat } = await requireWebhook(services, projectId, params.wid);
      const at = isoFromMs(services.runtime.now());
      const items = kindsOfFormat(payloadFormat).map((kind) => {
        const body = exampleBody({ kind, id: `whe_example_${kind.toLowerCase()}`, projectId, at, payloadFormat });
        return { object: 'webhookExample' as const, type: kind, body };
      });
      return { items, lastId: null };
    },
  }),
  defineRoute({
    method: 'post',
    path: `${base}/test`,
    permission: 'configure',
    summary: 'Send a test event',
    params: webhookParams,
    body: testBody,
    response: delivery,
    handle: async ({ params, body, scope, by }, services) => {
      const ref = { projectId: scope.projectId, webhookId: params.wid };
      const one = await sendTest(services.deps, ref, by.requestId, body?.type);
      services.offerDeliveries([one]);
      return { body: presentDelivery(one) };
    },
  }),
];

export function presentDelivery({ id, doc }: StoredDelivery): BodyOf<typeof delivery> {
  const { eventId, type, appUserId, state, attempts, dueAt, createdAt } = doc;
  return {
    object: 'delivery',
    id,
    eventId,
    type,
    appUserId: appUserId === '' ? null : appUserId,
    state,
    attempts: attempts.map(shortenSnippet),
    nextAttemptAt: state === 'pending' ? dueAt : null,
    createdAt,
  };
}

/** Presents a delivery with its body and full attempts. */
export function presentDeliveryDetail(delivery: StoredDelivery, sent: SentBody | null): BodyOf<typeof deliveryDetail> {
  const { attempts } = delivery.doc;
  const body = sent && new RedactableText(({ money }) => (money ? sent.text : withoutMoney(sent.text)));
  return { ...presentDelivery(delivery), attempts, body, contentType: sent?.contentType ?? null };
}

const MAX_SNIPPET_BYTES = 1024;

/** Shortens the response snippet, so that a page of a hundred deliveries with twenty attempts each stays readable. */
function shortenSnippet(attempt: Attempt): Attempt {
  const { responseSnippet } = attempt;
  if (responseSnippet === null || responseSnippet.length * 3 <= MAX_SNIPPET_BYTES) return attempt;
  const short = Buffer.from(responseSnippet).subarray(0, MAX_SNIPPET_BYTES).toString('utf8');
  return { ...attempt, responseSnippet: short };
}
