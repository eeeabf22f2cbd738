// Credentials of an app's store, and their status. Secrets are never returned.
import { z } from 'zod';
import { mapStores } from '../../commands/stores/modules.js';
import { findCredentialsCheck } from '../../commands/projects/credential-checks.js';
import { readHealth } from '../../commands/webhooks/endpoint-health.js';
import {
  deleteCredentials,
  findCredentials,
  registerCredentials,
  type CredentialsRecord,
} from '../../commands/projects/credentials.js';
import { Rejection } from '../../domain/errors.js';
import { requireApp } from '../../domain/project/decide-app.js';
import type { App } from '../../domain/project/events.js';
import { streams } from '../../domain/streams.js';
import { appNotifications } from '../../projections/models/app-notifications.js';
import { credentialsOf, credentialsStatus } from './responses.js';
import { deletionOf } from '../bodies/response-schemas.js';
import { waitForReadModels } from '../dispatch/consistency.js';
import { notificationUrlOf } from './notification-url.js';
import { presentCredentials, presentCredentialsStatus } from './present-credentials.js';
import { defineRoute, type Route } from '../dispatch/route.js';
import { id } from '../bodies/request-schemas.js';
import type { Services } from '../dispatch/services.js';

const appParams = z.object({ id, appId: id });

const credentialsPath = '/v1/projects/:id/apps/:appId/credentials';

async function requireAppOf({ deps }: Services, projectId: string, appId: string): Promise<App> {
  const project = await deps.projects.get(streams.project(projectId));
  if (!project) throw new Rejection('missing', 'project-unknown', 'project not found');
  return requireApp(project, appId);
}

export const credentialRoutes: readonly Route[] = [
  ...mapStores((module) =>
    defineRoute({
      method: 'post',
      path: `${credentialsPath}/${module.kind}`,
      permission: 'administer',
      summary: module.credentials.summary,
      params: appParams,
      body: module.credentials.body,
      response: credentialsOf(module),
      statuses: [201],
      handle: async ({ params: { appId }, scope: { projectId }, by, body }, services) => {
        // An unknown app is refused before an invalid key, so that the response does not reveal the apps of others.
        await requireAppOf(services, projectId, appId);
        const given = { store: module.kind, ...module.credentials.check(body) };
        return { body: presentCredentials(await registerCredentials(services.deps, by, projectId, appId, given)) };
      },
    }),
  ),
  defineRoute({
    method: 'get',
    path: `${credentialsPath}/status`,
    permission: 'administer',
    summary: 'Get credentials and notification status',
    params: appParams,
    response: credentialsStatus,
    handle: async ({ params, scope }, services) => {
      const app = await requireAppOf(services, scope.projectId, params.appId);
      await waitForReadModels(services, await services.deps.log.head(), [appNotifications]);
      const credentials: CredentialsRecord | null = await findCredentials(services.deps, app.appId);
      const notified = await services.readModels.get(appNotifications, app.appId);
      const body = presentCredentialsStatus({
        app,
        isConfigured: credentials !== null,
        check: await findCredentialsCheck(services.deps, app.appId),
        url: await notificationUrlOf(services, scope.projectId, app),
        received: notified,
        refusedOnReceipt: services.refusals.count(app.appId),
        lastForwarding: (await readHealth(services.deps, [app.appId])).get(app.appId)?.lastDelivery ?? null,
        nowMs: services.runtime.now(),
      });
      return { body };
    },
  }),
  defineRoute({
    method: 'delete',
    path: credentialsPath,
    permission: 'administer',
    summary: 'Delete credentials',
    params: appParams,
    response: deletionOf('appCredentials'),
    handle: async ({ params, scope, by }, { deps }) => {
      await deleteCredentials(deps, by, scope.projectId, params.appId);
      return { body: { object: 'appCredentials', id: params.appId, deleted: true } };
    },
  }),
];
