// Apps of a project, with the address at which their store's notifications are received.
import { z } from 'zod';
import { registerApp } from '../../commands/projects.js';
import { revealStoreToken } from '../../commands/store-tokens.js';
import { refundPolicy } from '../../domain/subscriber/blocks.js';
import { apps, type AppDoc } from '../../projections/projects.js';
import { HttpError } from '../errors.js';
import { listBody, newestFirst } from '../paging.js';
import { presentApp } from '../present/resources.js';
import { defineRoute, shownIn, type Route } from '../route.js';
import { id, page, projectParams, text } from '../schemas.js';
import type { Services } from '../services.js';

const STORE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$/;
const storeIdentifier = z.string().regex(STORE_NAME, 'must look like com.example.app');

const createBody = z.discriminatedUnion('platform', [
  z.strictObject({
    name: text(100),
    platform: z.literal('ios'),
    bundleId: storeIdentifier,
    storeAppId: z.int().positive().optional(),
    refundPolicy: refundPolicy.default('revoke_immediately'),
    iosStoreSmallBusiness: z.boolean().default(false),
  }),
  z.strictObject({
    name: text(100),
    platform: z.literal('android'),
    packageName: storeIdentifier,
    refundPolicy: refundPolicy.default('revoke_immediately'),
  }),
]);

/** The address that is entered at the store; its last part is a secret. */
async function withAddress({ deps, publicUrl }: Services, app: AppDoc) {
  const token = await revealStoreToken(deps, app.projectId, app.appId);
  return presentApp(app, token === null ? null : `${publicUrl()}/v1/store/${app.store}/${token}`);
}

export const appRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/apps',
    access: 'project',
    summary: 'List apps',
    params: projectParams,
    query: page,
    handle: async ({ scope, query }, services) => {
      const { docs, isLast } = await newestFirst(services.views, apps, 'project', scope.projectId, query);
      const items = await Promise.all(docs.map((app) => withAddress(services, app)));
      const lastId = isLast ? null : (docs.at(-1)?.appId ?? null);
      return { body: listBody(`/v1/projects/${scope.projectId}/apps`, items, { lastId, limit: query.limit }) };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/apps',
    access: 'project',
    summary: 'Register an app (iOS or Android)',
    params: projectParams,
    body: createBody,
    handle: async ({ scope, body, by }, services) => {
      const isIos = body.platform === 'ios';
      const { app, position } = await registerApp(services.deps, by, scope.projectId, {
        name: body.name,
        platform: body.platform,
        store: isIos ? 'ios-store' : 'android-store',
        storeIdentifier: isIos ? body.bundleId : body.packageName,
        storeAppId: (isIos ? body.storeAppId : null) ?? null,
        notificationForwardingUrl: null,
        refundPolicy: body.refundPolicy,
        iosStoreSmallBusiness: isIos && body.iosStoreSmallBusiness,
      });
      const at = new Date(services.runtime.now()).toISOString();
      const doc = { ...app, projectId: scope.projectId, createdAt: at, updatedAt: at };
      const shown = async () => withAddress(services, (await services.views.get(apps, app.appId)) ?? doc);
      return { status: 201, body: shown, after: shownIn(position, apps) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/apps/:appId',
    access: 'project',
    summary: 'Get app details',
    params: z.object({ id, appId: id }),
    handle: async ({ params, scope }, services) => {
      const app = await services.views.get(apps, params.appId);
      if (app?.projectId !== scope.projectId) throw new HttpError(404, 'no such app in this project');
      return { body: await withAddress(services, app) };
    },
  }),
];
