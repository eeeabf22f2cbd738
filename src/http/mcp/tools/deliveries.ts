// Tools that send webhooks: redelivery of failed ones, and test events to a webhook that exists.
import { z } from 'zod';
import { sentKinds } from '../../../domain/webhook/kinds.js';
import { changeInput, changeOutput, previewOrApply } from '../change.js';
import { instant } from '../inputs.js';
import { bodyOf, defineTool, readList, ToolError, type Tool, type ToolContext } from '../tool.js';

const MAX_DELIVERIES = 50;
const MAX_TESTS = 5;
const webhook = z.string().max(64).meta({ description: 'Webhook ID (wh_…), see check_webhook.' });
const sent = z.array(z.string()).optional().meta({ description: 'IDs of the queued deliveries; see check_webhook.' });

const redeliver = defineTool({
  name: 'redeliver',
  title: 'Redeliver webhooks',
  description:
    'Send again one delivery of a webhook, or its failed ones since an instant (at most 50). The first call returns a preview and changes nothing.',
  kind: 'write',
  uses: [
    'GET /v1/projects/{id}/webhooks/{wid}/deliveries',
    'GET /v1/projects/{id}/webhooks/{wid}/deliveries/{did}',
    'POST /v1/projects/{id}/webhooks/{wid}/deliveries/{did}/redeliver',
  ],
  input: z.strictObject({
    webhook,
    delivery: z.string().max(64).optional(),
    since: instant.optional().meta({ description: 'Instead of delivery.' }),
    ...changeInput,
  }),
  output: z.object({ ...changeOutput, deliveries: sent }),
  run: async (input, context) => {
    const { webhook: wid, delivery, since } = input;
    if ((delivery === undefined) === (since === undefined)) throw new ToolError('Send either delivery or since.');
    const ids =
      since === undefined ? [await findOne(context, wid, delivery ?? '')] : await findFailed(context, wid, since);
    const data = await previewOrApply(context, {
      tool: 'redeliver',
      input,
      state: ids.join(),
      preview:
        ids.length === 0
          ? ['No failed delivery since then.']
          : [`Send again ${ids.length} ${ids.length === 1 ? 'delivery' : 'deliveries'}:`, ...ids],
      apply: async (key) => {
        for (const did of ids) {
          bodyOf(
            await context.client.POST('/v1/projects/{id}/webhooks/{wid}/deliveries/{did}/redeliver', {
              params: { path: { id: context.projectId, wid, did } },
              headers: { 'idempotency-key': `${key}-${did}` },
            }),
          );
        }
        return { deliveries: ids };
      },
    });
    return { data, page: `/webhooks/${wid}` };
  },
});

async function findFailed({ client, projectId: id }: ToolContext, wid: string, from: string) {
  const path = { id, wid };
  const failed = await readList(
    (page) =>
      client.GET('/v1/projects/{id}/webhooks/{wid}/deliveries', {
        params: { path, query: { ...page, state: 'failed', from } },
      }),
    MAX_DELIVERIES,
  );
  return failed.map((one) => one.id);
}

/** A preview must not promise to send what does not exist. Throws {@link ToolError}. */
async function findOne({ client, projectId: id }: ToolContext, wid: string, did: string) {
  const params = { path: { id, wid, did } };
  return bodyOf(await client.GET('/v1/projects/{id}/webhooks/{wid}/deliveries/{did}', { params })).id;
}

const verifyWebhookHandler = defineTool({
  name: 'verify_webhook_handler',
  title: 'Send test events to a webhook',
  description:
    'Send test events about a fictional customer to a webhook that is configured already; check_webhook shows how its handler answered. No other address can be given. The first call returns a preview and sends nothing.',
  kind: 'write',
  uses: ['GET /v1/projects/{id}/webhooks/{wid}', 'POST /v1/projects/{id}/webhooks/{wid}/test'],
  input: z.strictObject({
    webhook,
    kinds: z.array(z.enum(sentKinds)).min(1).max(MAX_TESTS).default(['TEST']),
    ...changeInput,
  }),
  output: z.object({ ...changeOutput, deliveries: sent }),
  run: async (input, context) => {
    const { client, projectId: id } = context;
    const path = { id, wid: input.webhook };
    const { url, updatedAt } = bodyOf(await client.GET('/v1/projects/{id}/webhooks/{wid}', { params: { path } }));
    const data = await previewOrApply(context, {
      tool: 'verify_webhook_handler',
      input,
      state: updatedAt,
      preview: input.kinds.map((kind) => `Send a ${kind} test event to ${new URL(url).host}.`),
      apply: async (key) => {
        const deliveries: string[] = [];
        for (const [i, type] of input.kinds.entries()) {
          const result = bodyOf(
            await client.POST('/v1/projects/{id}/webhooks/{wid}/test', {
              params: { path },
              body: { type },
              headers: { 'idempotency-key': `${key}-${i}` },
            }),
          );
          deliveries.push(result.id);
        }
        return { deliveries };
      },
    });
    return { data, page: `/webhooks/${input.webhook}` };
  },
});

export const deliveryTools: readonly Tool[] = [redeliver, verifyWebhookHandler];
