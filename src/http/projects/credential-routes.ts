// Credentials of an app's store, and their status. Secrets are never returned.
import { z } from 'zod';
import { type CredentialsCheck, findCredentialsCheck } from '../../commands/projects/credential-checks.js';
import {
  type CredentialsRecord,
  deleteCredentials,
  findCredentials,
  registerCredentials,
} from '../../commands/projects/credentials.js';
import { moduleOf, mapStores } from '../../commands/stores/modules.js';
import { readHealth } from '../../commands/webhooks/endpoint-health.js';
import { Rejection } from '../../domain/errors.js';
import { requireApp } from '../../domain/project/decide-app.js';
import type { App } from '../../domain/project/events.js';
import { streams } from '../../domain/streams.js';
import { isoFromMs } from '../../domain/time.js';
import {
  type AppNotificationsDoc,
  type HourDoc,
  appNotifications,
} from '../../projections/models/app-notifications.js';
import { id } from '../bodies/request-schemas.js';
import { deletionOf, type BodyOf } from '../bodies/response-schemas.js';
import { waitForReadModels } from '../dispatch/consistency.js';
import { defineRoute, type Route } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';
import { notificationUrlOf } from './present-resources.js';
import { credentialsOf, credentialsStatus } from './responses.js';

function presentCredentials({ store, createdAt, terms }: CredentialsRecord): BodyOf<ReturnType<typeof credentialsOf>> {
  const publicFields = moduleOf(store).credentials.show(terms);
  return { object: 'appCredentials', store, configured: true, ...publicFields, createdAt };
}

type StatusSource = {
  readonly app: App;
  readonly isConfigured: boolean;
  readonly check: CredentialsCheck;
  readonly url: string | null;
  readonly received: AppNotificationsDoc | undefined;
  /** Notifications that failed verification, which append no events. */
  readonly refusedOnReceipt: number;
  /** Latest attempt to forward a notification; `status` is null if there was no response. */
  readonly lastForwarding: { readonly at: string; readonly status: number | null } | null;
  readonly nowMs: number;
};

const UNCHECKED: CredentialsCheck = { valid: null, lastCheckedAt: null, lastError: null };
const DAY_MS = 24 * 3600 * 1000;

/** Presents the status of credentials. `valid` is null until they were used at the store. */
function presentCredentialsStatus({
  app,
  isConfigured,
  check,
  url,
  received: notified,
  refusedOnReceipt: refusedAtDoor,
  lastForwarding: forwarded,
  nowMs,
}: StatusSource): BodyOf<typeof credentialsStatus> {
  const from = isoFromMs(nowMs - DAY_MS).slice(0, 13);
  const hours = (notified?.hours ?? []).filter((h) => h.hour >= from);
  const sum = (count: Exclude<keyof HourDoc, 'hour'>) => hours.reduce((total, h) => total + h[count], 0);
  return {
    object: 'credentialsStatus',
    store: app.store,
    configured: isConfigured,
    ...(isConfigured ? check : UNCHECKED),
    notifications: {
      url,
      lastReceivedAt: notified?.lastReceivedAt ?? null,
      lastTestAt: notified?.lastTestAt ?? null,
      last24h: {
        received: sum('received'),
        processed: sum('processed'),
        refused: sum('refused') + refusedAtDoor,
      },
      forwarding: {
        url: app.notificationForwardingUrl,
        lastStatus: forwarded?.status ?? null,
        lastAt: forwarded?.at ?? null,
      },
    },
  };
}

const appParams = z.object({ id, appId: id });

const credentialsPath = '/v1/projects/:id/apps/:appId/credentials';

/** Throws {@link Rejection} for an app that is not in the project. */
export async function requireAppOf({ deps }: Services, projectId: string, appId: string): Promise<App> {
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
        const credentials = { store: module.kind, ...module.credentials.check(body) };
        return {
          body: presentCredentials(await registerCredentials(services.deps, by, projectId, appId, credentials)),
        };
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
