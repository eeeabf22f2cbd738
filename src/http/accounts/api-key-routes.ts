// A project's API keys.
import { z } from 'zod';
import { previewOf, sha256Of } from '../../commands/accounts/api-key.js';
import { createApiKey, deleteApiKey } from '../../commands/projects/projects.js';
import { registeredKey } from '../../commands/projects/registered-keys.js';
import { keyScopes } from '../../domain/project/roles.js';
import { apiKeys } from '../../projections/models/projects.js';
import { apiKey, newApiKey, ownApiKey } from './responses.js';
import { deletionOf } from '../bodies/response-schemas.js';
import type { Scope } from '../dispatch/caller.js';
import { HttpError } from '../bodies/errors.js';
import { readNewestFirst } from '../bodies/paging.js';
import { presentApiKey } from '../projects/present-resources.js';
import { defineListRoute, defineRoute, readModelsAt, type Route } from '../dispatch/route.js';
import { text } from '../../domain/values/user-text.js';
import { id, instant, page } from '../bodies/request-schemas.js';
import type { Services } from '../dispatch/services.js';

const keyBody = z
  .strictObject({
    name: text(100),
    kind: z.enum(['secret', 'public']).default('secret'),
    appId: id.optional(),
    expiresAt: instant.optional(),
    scopes: z
      .array(z.enum(keyScopes))
      .min(1, 'must contain at least one scope; omit it for all scopes')
      .max(keyScopes.length)
      .transform((scopes) => keyScopes.filter((scope) => scopes.includes(scope)))
      .optional(),
    key: registeredKey
      .optional()
      .meta({ description: 'Public key that is in a published app already; it is accepted by the compatibility API.' }),
  })
  .refine(
    (b) => b.kind === 'secret' || b.appId !== undefined,
    'appId is required for a public key, which belongs to one app',
  )
  .refine((b) => b.kind === 'public' || b.appId === undefined, 'appId is only allowed for public keys')
  .refine((b) => b.kind === 'public' || b.key === undefined, 'key is for public keys only')
  .refine((b) => b.kind === 'secret' || b.scopes === undefined, 'scopes are for secret keys only');

/** Refuses to repeat the response that created a key which is no longer valid. */
async function expectKeyValid(stored: object, _scope: Scope, { readModels, runtime }: Services): Promise<void> {
  const key = 'key' in stored && typeof stored.key === 'string' ? stored.key : '';
  const doc = await readModels.get(apiKeys, sha256Of(key));
  if (doc && (doc.expiresAt === null || Date.parse(doc.expiresAt) > runtime.now())) return;
  throw new HttpError(
    409,
    `the API key that this request created ${doc ? 'has expired' : 'was deleted'}; send a new Idempotency-Key to create another`,
  );
}

export const apiKeyRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/v1/api-key',
    access: 'sdkKey',
    permission: 'readSetup',
    summary: 'Get the API key of the request',
    description: 'Its project and its scopes, so that a tool can offer only what the key allows.',
    response: ownApiKey,
    handle: ({ caller }) => {
      // The access of the route admits keys only.
      if (caller.kind !== 'key') throw new HttpError(401, 'this endpoint needs an API key: send X-API-Key');
      const { keyId: id, projectId, keyKind: kind, appId, scopes } = caller;
      return Promise.resolve({ body: { object: 'ownApiKey', id, projectId, kind, appId, scopes } });
    },
  }),
  defineListRoute({
    path: '/v1/projects/:id/api-keys',
    permission: 'administer',
    summary: 'List API keys',
    query: page,
    item: apiKey,
    list: async ({ scope, query }, { readModels, keyUses }) => {
      const { docs, lastId } = await readNewestFirst(readModels, apiKeys, 'project', scope.projectId, query);
      const used = await keyUses.lastUsed(docs.map((k) => k.keyId));
      return { items: docs.map((k) => presentApiKey(k, used.get(k.keyId) ?? null)), lastId };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/api-keys',
    access: 'projectUser',
    permission: 'administer',
    summary: 'Create API key; the full key is only in this response',
    example: { name: 'server' },
    body: keyBody,
    response: newApiKey,
    statuses: [201],
    onRepeat: expectKeyValid,
    handle: async ({ scope, body, by }, { deps, runtime, readModels }) => {
      const now = new Date(runtime.now()).toISOString();
      if (body.expiresAt !== undefined && body.expiresAt <= now)
        throw new HttpError(400, 'expiresAt must be in the future');
      const { scopes = [] } = body;
      const terms = { name: body.name, kind: body.kind, appId: body.appId ?? null, expiresAt: body.expiresAt ?? null };
      const { keyId, key, position } = await createApiKey(deps, by, scope.projectId, {
        ...terms,
        scopes,
        registered: body.key,
      });
      const doc = {
        keyId,
        ...terms,
        ...previewOf(key),
        scopes,
        createdAt: now,
      };
      const present = async () => {
        const stored = (await readModels.get(apiKeys, sha256Of(key))) ?? doc;
        return { ...presentApiKey(stored, null), key };
      };
      return { body: present, after: readModelsAt(position, apiKeys), isSecret: true };
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/v1/projects/:id/api-keys/:keyId',
    access: 'projectUser',
    permission: 'administer',
    summary: 'Delete API key',
    params: z.object({ id, keyId: id }),
    response: deletionOf('apiKey'),
    handle: async ({ params, scope, by }, { deps }) => {
      const { position } = await deleteApiKey(deps, by, scope.projectId, params.keyId);
      return { body: { object: 'apiKey', id: params.keyId, deleted: true }, after: readModelsAt(position, apiKeys) };
    },
  }),
];
