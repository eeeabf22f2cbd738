// Webhooks of a project.
import { z } from 'zod';
import { readHealth } from '../../commands/webhooks/endpoint-health.js';
import { createWebhook, deleteWebhook, updateWebhook } from '../../commands/webhooks/webhooks.js';
import { sendTest } from '../../commands/webhooks/redeliver.js';
import { openSigningKeys, secretPreviews } from '../../commands/webhooks/secrets.js';
import { allKinds } from '../../domain/webhook/kinds.js';
import { noHealth } from '../../domain/webhook/health.js';
import { environment } from '../../domain/subscriber/events/blocks.js';
import { webhooks, type WebhookDoc } from '../../projections/models/webhooks.js';
import { deletionOf } from '../bodies/response-schemas.js';
import { bodyFormat, webhook, webhookWithSecret, presentWebhook } from './responses.js';
import type { Scope } from '../dispatch/caller.js';
import { HttpError } from '../bodies/errors.js';
import { parseReceiverUrl } from './receiver-url.js';
import { requireDoc } from '../bodies/find-document.js';
import { readNewestFirst } from '../bodies/paging.js';
import { defineListRoute, defineRoute, readModelsAt, type Route } from '../dispatch/route.js';
import { text } from '../../domain/values/user-text.js';
import { id, page } from '../bodies/request-schemas.js';
import type { Services } from '../dispatch/services.js';

const eventTypes = z
  .array(z.enum(allKinds))
  .min(1, 'send at least one event type, or null for all')
  .max(allKinds.length)
  .transform((kinds) => [...new Set(kinds)])
  .nullable();

/** Visible ASCII and inner spaces, which are safe in a header. */
const authorizationHeader = z
  .string()
  .min(1)
  .max(5000)
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'must be printable ASCII without leading or trailing spaces')
  .nullable();

const createBody = z.strictObject({
  name: text(100).nullable().default(null),
  url: z.string().max(2048),
  eventTypes: eventTypes.default(null),
  appId: id.nullable().default(null),
  environment: environment.nullable().default(null),
  authorizationHeader: authorizationHeader.default(null),
  payloadFormat: bodyFormat.default('camelCase'),
  ordered: z.boolean().default(true),
  enabled: z.boolean().default(true),
  sendTestEvent: z.boolean().default(false),
});

const changesBody = z
  .strictObject({
    name: text(100).nullable().optional(),
    url: z.string().max(2048).optional(),
    eventTypes: eventTypes.optional(),
    appId: id.nullable().optional(),
    environment: environment.nullable().optional(),
    authorizationHeader: authorizationHeader.optional(),
    payloadFormat: bodyFormat.optional(),
    ordered: z.boolean().optional(),
    enabled: z.boolean().optional(),
    rotateSecret: z.boolean().optional(),
    rotateGraceHours: z.int().min(0).max(168).optional(),
  })
  .refine(
    (b) => b.rotateGraceHours === undefined || b.rotateSecret === true,
    'rotateGraceHours requires rotateSecret: true',
  );

const DEFAULT_GRACE_HOURS = 24;

export const webhookParams = z.object({ id, wid: id });

export function requireWebhook({ readModels }: Services, projectId: string, wid: string): Promise<WebhookDoc> {
  return requireDoc(readModels, webhooks, projectId, wid, 'webhook');
}

/** Refuses to repeat the response with the secret of a deleted webhook, or with one that was rotated. */
async function expectSecretCurrent(
  stored: object,
  { projectId }: Scope,
  { readModels, deps }: Services,
): Promise<void> {
  const webhookId = 'id' in stored ? String(stored.id) : '';
  const doc = await readModels.get(webhooks, webhookId);
  if (doc?.projectId !== projectId) {
    throw new HttpError(
      409,
      'the webhook that this request created was deleted; send a new Idempotency-Key to create another',
    );
  }
  const keys = await openSigningKeys(deps, { projectId, webhookId });
  if ('secret' in stored && keys?.secrets[0] === stored.secret) return;
  throw new HttpError(
    409,
    'the webhook was created, but its signing secret was rotated since; PATCH it with rotateSecret: true for a new one',
  );
}

const NEEDS_PII = '`url` receives personal fields: an API key needs the scopes `config` and `pii` to set it.';

/** Reads what is shown of webhooks besides their documents. Returns the function that presents one of them. */
async function webhookPresenter(services: Services, docs: readonly WebhookDoc[]) {
  const ids = docs.map((d) => d.webhookId);
  const [previews, health] = await Promise.all([secretPreviews(services.deps, ids), readHealth(services.deps, ids)]);
  const now = services.runtime.now();
  return (d: WebhookDoc) => presentWebhook(d, previews.get(d.webhookId), health.get(d.webhookId) ?? noHealth, now);
}

async function presentCurrentWebhook(services: Services, projectId: string, wid: string) {
  const doc = await requireWebhook(services, projectId, wid);
  const present = await webhookPresenter(services, [doc]);
  return present(doc);
}

export const webhookRoutes: readonly Route[] = [
  defineListRoute({
    path: '/v1/projects/:id/webhooks',
    permission: 'readSetup',
    summary: 'List webhooks',
    query: page,
    item: webhook,
    list: async ({ scope, query }, services) => {
      const { docs, lastId } = await readNewestFirst(services.readModels, webhooks, 'project', scope.projectId, query);
      return { items: docs.map(await webhookPresenter(services, docs)), lastId };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/webhooks',
    permission: 'configure',
    summary: 'Create webhook; the signing secret is only in this response',
    description: NEEDS_PII,
    body: createBody,
    response: webhookWithSecret,
    statuses: [201],
    onRepeat: expectSecretCurrent,
    handle: async ({ scope, body, by, visibility }, services) => {
      const url = parseReceiverUrl('url', body.url, { visibility, egress: services.egress });
      const { projectId } = scope;
      const { sendTestEvent, ...rest } = body;
      const settings = { ...rest, url };
      if (sendTestEvent && !body.enabled) throw new HttpError(400, 'sendTestEvent needs enabled: true');
      const { webhookId, secret, position } = await createWebhook(services.deps, by, projectId, settings);
      if (sendTestEvent) {
        services.offerDeliveries([await sendTest(services.deps, { projectId, webhookId }, by.requestId)]);
      }
      const present = async () => ({ ...(await presentCurrentWebhook(services, projectId, webhookId)), secret });
      return { body: present, after: readModelsAt(position, webhooks), isSecret: true };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/webhooks/:wid',
    permission: 'readSetup',
    summary: 'Get webhook details',
    params: webhookParams,
    response: webhook,
    handle: async ({ params, scope }, services) => ({
      body: await presentCurrentWebhook(services, scope.projectId, params.wid),
    }),
  }),
  defineRoute({
    method: 'patch',
    path: '/v1/projects/:id/webhooks/:wid',
    permission: 'configure',
    summary: 'Update webhook; `rotateSecret: true` returns a new signing secret',
    description: `${NEEDS_PII} A URL of another origin removes the authorization header, unless the request sets a new one.`,
    params: webhookParams,
    body: changesBody,
    response: webhookWithSecret,
    handle: async ({ params, body, scope, by, visibility }, services) => {
      const { rotateSecret, rotateGraceHours, enabled, authorizationHeader: header, url, ...rest } = body;
      const ref = { projectId: scope.projectId, webhookId: params.wid };
      await requireWebhook(services, ref.projectId, ref.webhookId);
      const { egress } = services;
      const set = url === undefined ? rest : { ...rest, url: parseReceiverUrl('url', url, { visibility, egress }) };
      const hours = rotateSecret ? (rotateGraceHours ?? DEFAULT_GRACE_HOURS) : undefined;
      const update = { set, enabled, authorizationHeader: header, rotateGraceHours: hours };
      const { secret, position } = await updateWebhook(services.deps, by, ref, update);
      const present = async () => {
        const now = await presentCurrentWebhook(services, ref.projectId, ref.webhookId);
        return secret === null ? now : { ...now, secret };
      };
      return { body: present, after: readModelsAt(position, webhooks), isSecret: secret !== null };
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/v1/projects/:id/webhooks/:wid',
    permission: 'configure',
    summary: 'Delete webhook',
    params: webhookParams,
    response: deletionOf('webhook'),
    handle: async ({ params, scope, by }, services) => {
      const ref = { projectId: scope.projectId, webhookId: params.wid };
      const { position } = await deleteWebhook(services.deps, by, ref);
      return { body: { object: 'webhook', id: params.wid, deleted: true }, after: readModelsAt(position, webhooks) };
    },
  }),
];
