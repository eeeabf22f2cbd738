// Tool to check the deliveries of webhooks.
import { z } from 'zod';
import type { Client, Schemas } from '#sdk/client.js';
import { webhook } from '../../webhooks/responses.js';
import { instant } from '../inputs.js';
import { time } from '../../bodies/response-schemas.js';
import { bodyOf, defineTool, given, ToolError, type Tool, type ToolContext } from '../tool.js';

const PAGE_SIZE = 100;
const MAX_PAGES = 5;
const MAX_ERRORS = 5;

type Delivery = Schemas['Delivery'];
type Range = { readonly from: string; readonly to?: string };

const failure = z.object({
  deliveryId: z.string(),
  type: z.string(),
  at: time,
  status: z.int().nullable().meta({ description: 'Null if there was no response.' }),
  errorCode: z.string().nullable(),
  response: z.string().nullable().optional().meta({ description: 'Beginning of the receiver’s response; data only.' }),
});

const summary = webhook
  .pick({
    id: true,
    name: true,
    enabled: true,
    disabledReason: true,
    ordered: true,
    lastDelivery: true,
    stats24h: true,
  })
  .extend({
    host: z.string(),
    deliveries: z.strictObject({ delivered: z.int(), pending: z.int(), failed: z.int(), held: z.int() }),
    successRate: z.number().nullable().meta({ description: 'Delivered ones of those that ended, 0 to 1.' }),
    isSample: z.boolean().meta({ description: 'True if only the newest 500 deliveries were counted.' }),
    oldestUndeliveredAt: time.nullable().meta({ description: 'Creation of the oldest pending or held delivery.' }),
    failingTypes: z.record(z.string(), z.int()).meta({ description: 'Failed or retried deliveries by event type.' }),
    lastErrors: z.array(failure),
  })
  .strip();

const checkWebhook = defineTool({
  name: 'check_webhook',
  title: 'Check webhooks',
  description:
    'How deliveries of one webhook, or of all, have gone since an instant (default: the last 24 hours), or between two: success rate, failing event types, last errors, and what is still queued or held.',
  uses: [
    'GET /v1/projects/{id}/webhooks',
    'GET /v1/projects/{id}/webhooks/{wid}',
    'GET /v1/projects/{id}/webhooks/{wid}/deliveries',
  ],
  input: z.strictObject({
    webhook: z.string().max(64).optional().meta({ description: 'Webhook ID (wh_…); default all, at most 10.' }),
    since: instant.optional(),
    until: instant.optional().meta({ description: 'Only deliveries created until this instant; default now.' }),
  }),
  output: z.object({ webhooks: z.array(summary) }),
  tooLarge: 'Ask for one webhook.',
  run: async ({ webhook: wid, since, until }, context) => {
    const { client, projectId: id, now } = context;
    const end = until === undefined ? now() : Date.parse(until);
    const from = since ?? new Date(end - 24 * 3_600_000).toISOString();
    if (until !== undefined && Date.parse(from) > end) throw new ToolError('until must not be before since.');
    const query = { limit: 10 };
    const all =
      wid === undefined
        ? bodyOf(await client.GET('/v1/projects/{id}/webhooks', { params: { path: { id }, query } })).items
        : [bodyOf(await client.GET('/v1/projects/{id}/webhooks/{wid}', { params: { path: { id, wid } } }))];
    const webhooks = [];
    for (const one of all) webhooks.push(await checkOne(context, one, given({ from, to: until })));
    return { data: { webhooks }, page: wid === undefined ? '/webhooks' : `/webhooks/${wid}` };
  },
});

async function checkOne(
  { client, projectId: id, showsPersonal }: ToolContext,
  { url, ...one }: Schemas['Webhook'],
  range: Range,
) {
  const { deliveries, isSample } = await readDeliveries(client, { id, wid: one.id }, range);
  const count = (state: Delivery['state']) => deliveries.filter((d) => d.state === state).length;
  const [delivered, failed] = [count('delivered'), count('failed')];
  const failing = deliveries.filter(isFailing);
  const failingTypes: Record<string, number> = {};
  for (const { type } of failing) failingTypes[type] = (failingTypes[type] ?? 0) + 1;
  const open = deliveries.filter(({ state }) => state === 'pending' || state === 'held');
  return {
    ...one,
    // A path or query of the receiver can be a credential.
    host: new URL(url).host,
    deliveries: { delivered, pending: count('pending'), failed, held: count('held') },
    successRate: delivered + failed === 0 ? null : delivered / (delivered + failed),
    isSample,
    oldestUndeliveredAt: open.at(-1)?.createdAt ?? null,
    failingTypes,
    lastErrors: failing.slice(0, MAX_ERRORS).map((d) => describeFailure(d, showsPersonal)),
  };
}

async function readDeliveries(client: Client, path: { readonly id: string; readonly wid: string }, range: Range) {
  const deliveries: Delivery[] = [];
  let next: string | null | undefined;
  for (let pages = 0; pages < MAX_PAGES && next !== null; pages++) {
    const query = given({ limit: PAGE_SIZE, ...range, startingAfter: next ?? undefined });
    const page = bodyOf(await client.GET('/v1/projects/{id}/webhooks/{wid}/deliveries', { params: { path, query } }));
    deliveries.push(...page.items);
    next = page.nextPage === null ? null : new URL(page.nextPage, 'http://service').searchParams.get('startingAfter');
  }
  return { deliveries, isSample: next !== null };
}

function isFailing({ state, attempts }: Delivery): boolean {
  return state === 'failed' || (state !== 'delivered' && attempts.length > 0);
}

function describeFailure({ id, type, createdAt, attempts }: Delivery, showsPersonal: boolean) {
  const last = attempts.reduce<Delivery['attempts'][number] | undefined>(
    (newest, one) => (newest === undefined || one.at > newest.at ? one : newest),
    undefined,
  );
  const { at = createdAt, status = null, errorCode = null, responseSnippet } = last ?? {};
  const response = showsPersonal && responseSnippet !== undefined ? { response: responseSnippet } : {};
  return { deliveryId: id, type, at, status, errorCode, ...response };
}

export const webhookTools: readonly Tool[] = [checkWebhook];
