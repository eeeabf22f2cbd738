// Projects and their API keys.
import { z } from 'zod';
import { sha256Of } from '../../commands/api-key.js';
import { createApiKey, createProject, deleteApiKey } from '../../commands/projects.js';
import { sandboxAccess, transferBehavior } from '../../domain/project/events.js';
import { apiKeys, membershipId, projects, type MembershipDoc } from '../../projections/projects.js';
import type { Views } from '../../projections/views.js';
import { HttpError } from '../errors.js';
import { listBody, newestFirst, ULID_ID, unknownCursor } from '../paging.js';
import { presentApiKey, presentProject } from '../present/resources.js';
import { defineRoute, shownIn, type Route } from '../route.js';
import { id, instant, page, projectParams, text, type PageQuery } from '../schemas.js';

const createBody = z.strictObject({
  name: text(100),
  timezone: z.literal('UTC', 'must be UTC').optional(),
  transferBehavior: transferBehavior.default('transfer'),
  sandboxAccess: sandboxAccess.default('anybody'),
  displayCurrency: z.literal('USD', 'must be USD').default('USD'),
});

const keyBody = z
  .strictObject({
    name: text(100),
    kind: z.enum(['secret', 'public']).default('secret'),
    appId: id.optional(),
    expiresAt: instant.optional(),
    scopes: z.array(z.literal('read')).max(1).default([]),
  })
  .refine(
    (b) => b.kind === 'secret' || b.appId !== undefined,
    'appId is required for a public key: it is tied to one app',
  )
  .refine((b) => b.kind === 'public' || b.appId === undefined, 'appId is for public keys only');

/** The caller's role in a project: a key acts with its owner's rights on its own project. */
async function roleIn(views: Views, projectId: string, userId: string | null): Promise<string> {
  if (userId === null) return 'owner';
  const member = await views.getDerived<MembershipDoc>(projects, 'memberships', membershipId(projectId, userId));
  return member?.role ?? 'none';
}

async function projectsOf(views: Views, userId: string, { limit, startingAfter }: PageQuery) {
  if (startingAfter !== undefined && !ULID_ID.test(startingAfter)) throw unknownCursor();
  const to = startingAfter === undefined ? {} : { to: startingAfter };
  const scan = { index: 'user', eq: [userId], limit, reverse: true, ...to };
  const { rows, next } = await views.scanDerived<MembershipDoc>(projects, 'memberships', scan);
  const found = await views.getMany(
    projects,
    rows.map((r) => r.doc.projectId),
  );
  const items = rows.flatMap(({ doc }) => {
    const project = found.get(doc.projectId);
    return project ? [presentProject(project, doc.role)] : [];
  });
  return { items, lastId: next === undefined ? null : (rows.at(-1)?.doc.projectId ?? null) };
}

export const projectRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/v1/projects',
    access: 'account',
    summary: 'List projects',
    query: page,
    handle: async ({ caller, query }, { views }) => {
      if (caller.kind !== 'key') {
        const { items, lastId } = await projectsOf(views, caller.kind === 'user' ? caller.userId : '', query);
        return { body: listBody('/v1/projects', items, { lastId, limit: query.limit }) };
      }
      const own = await views.get(projects, caller.projectId);
      const items = own ? [presentProject(own, 'owner')] : [];
      return { body: listBody('/v1/projects', items, { lastId: null, limit: query.limit }) };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/v1/projects',
    access: 'accountUser',
    summary: 'Create project',
    body: createBody,
    handle: async ({ caller, body, by }, { deps, runtime, views }) => {
      const { timezone: _utc, ...settings } = body;
      const ownerId = caller.kind === 'user' ? caller.userId : '';
      const { projectId, position } = await createProject(deps, by, { ...settings, ownerId });
      const at = new Date(runtime.now()).toISOString();
      const doc = { projectId, ...settings, ownerId, createdAt: at, updatedAt: at };
      const shown = async () => presentProject((await views.get(projects, projectId)) ?? doc, 'owner');
      return { status: 201, body: shown, after: shownIn(position, projects) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id',
    access: 'project',
    summary: 'Get project details',
    params: projectParams,
    handle: async ({ caller, scope }, { views }) => {
      const project = await views.get(projects, scope.projectId);
      if (!project) throw new HttpError(404, 'no such project');
      const userId = caller.kind === 'user' ? caller.userId : null;
      return { body: presentProject(project, await roleIn(views, scope.projectId, userId)) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/api-keys',
    access: 'project',
    summary: 'List API keys',
    params: projectParams,
    query: page,
    handle: async ({ scope, query }, { views }) => {
      const { docs, isLast } = await newestFirst(views, apiKeys, 'project', scope.projectId, query);
      const lastId = isLast ? null : (docs.at(-1)?.keyId ?? null);
      const url = `/v1/projects/${scope.projectId}/api-keys`;
      return {
        body: listBody(
          url,
          docs.map((k) => presentApiKey(k)),
          { lastId, limit: query.limit },
        ),
      };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/api-keys',
    access: 'projectUser',
    summary: 'Create API key; the full key appears only in this response',
    params: projectParams,
    body: keyBody,
    handle: async ({ scope, body, by }, { deps, runtime, views }) => {
      const now = new Date(runtime.now()).toISOString();
      if (body.expiresAt !== undefined && body.expiresAt <= now)
        throw new HttpError(400, 'expiresAt must be in the future');
      const facts = { name: body.name, kind: body.kind, appId: body.appId ?? null, expiresAt: body.expiresAt ?? null };
      const { keyId, key, position } = await createApiKey(deps, by, scope.projectId, { ...facts, scopes: body.scopes });
      const doc = {
        keyId,
        ...facts,
        prefix: key.slice(0, 3),
        last4: key.slice(-4),
        scopes: body.scopes,
        createdAt: now,
      };
      const shown = async () => presentApiKey((await views.get(apiKeys, sha256Of(key))) ?? doc, key);
      return { status: 201, body: shown, after: shownIn(position, apiKeys), isSecret: true };
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/v1/projects/:id/api-keys/:keyId',
    access: 'projectUser',
    summary: 'Delete API key',
    params: z.object({ id, keyId: id }),
    handle: async ({ params, scope, by }, { deps }) => {
      const { position } = await deleteApiKey(deps, by, scope.projectId, params.keyId);
      const body = { object: 'apiKey', id: params.keyId, deleted: true };
      return { body, after: shownIn(position, apiKeys) };
    },
  }),
];
