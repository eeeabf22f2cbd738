// Apps of a project, with the URL that receives the notifications of their store.
import { z } from 'zod';
import { deleteApp, registerApp, updateApp } from '../../commands/projects/apps.js';
import { moduleOf, mapStores } from '../../commands/stores/modules.js';
import { isStoreApp, refundAnswer, refundConsent, type App } from '../../domain/project/events.js';
import { rulesOfStore, storeOfPlatform, TEST_PLATFORM, TEST_STORE } from '../../domain/store-kinds.js';
import type { FieldVisibility } from '../../domain/values/field-groups.js';
import { refundPolicy } from '../../domain/subscriber/events/blocks.js';
import { entitlements, products, unlocks } from '../../projections/models/catalogue.js';
import { offerings } from '../../projections/models/offerings.js';
import { apiKeys, apps, type AppDoc } from '../../projections/models/projects.js';
import { app } from './responses.js';
import { deletionOf } from '../bodies/response-schemas.js';
import { HttpError } from '../bodies/errors.js';
import { parseReceiverUrl } from '../webhooks/receiver-url.js';
import { notificationUrlOf, presentApp } from './present-resources.js';
import { requireDoc } from '../bodies/find-document.js';
import { readNewestFirst } from '../bodies/paging.js';
import type { Scope } from '../dispatch/caller.js';
import { defineListRoute, defineRoute, readModelsAt, type Route } from '../dispatch/route.js';
import { text } from '../../domain/values/user-text.js';
import { id, page } from '../bodies/request-schemas.js';
import type { Services } from '../dispatch/services.js';

const forwardingUrl = z.string().max(2000);

const testApp = z.strictObject({ name: text(100), platform: z.literal(TEST_PLATFORM) });

const createBody = z.discriminatedUnion('platform', [
  testApp,
  ...mapStores(({ kind, app: { names, settings } }) =>
    z.strictObject({
      name: text(100),
      platform: z.literal(rulesOfStore(kind).platform),
      ...names,
      notificationForwardingUrl: forwardingUrl.nullable().default(null),
      refundPolicy: refundPolicy.default('revoke_immediately'),
      refundAnswer: refundAnswer.default('none'),
      refundConsent: refundConsent.default('each_customer'),
      ...settings,
    }),
  ),
]);

/** Name of the test app in its store: a project has one. */
const TEST_IDENTIFIER = TEST_STORE;

/** Returns the fields of an app by its body; a test app has neither notifications nor refund rules of a store. */
function appFieldsOf(body: z.output<typeof createBody>, forwardingTo: (url: string) => string): Omit<App, 'appId'> {
  const { name, platform } = body;
  if (platform === TEST_PLATFORM) {
    const settings = {
      notificationForwardingUrl: null,
      refundPolicy: 'revoke_immediately',
      iosStoreSmallBusiness: false,
    } as const;
    return { name, platform, store: TEST_STORE, storeIdentifier: TEST_IDENTIFIER, storeAppId: null, ...settings };
  }
  const { notificationForwardingUrl: url, refundPolicy, refundAnswer, refundConsent } = body;
  const store = storeOfPlatform(platform);
  const notificationForwardingUrl = url === null ? null : forwardingTo(url);
  const settings = { notificationForwardingUrl, refundPolicy, refundAnswer, refundConsent };
  return { name, platform, store, ...settings, ...moduleOf(store).app.read(body) };
}

const createExample = { name: 'Stargazer iOS', platform: 'ios' as const, bundleId: 'com.example.stargazer' };

const changesBody = z.strictObject({
  name: text(100).optional(),
  notificationForwardingUrl: forwardingUrl.nullable().optional(),
  refundPolicy: refundPolicy.optional(),
  iosStoreSmallBusiness: z.boolean().optional(),
  refundAnswer: refundAnswer.optional(),
  refundConsent: refundConsent.optional(),
});

const appParams = z.object({ id, appId: id });

function parseForwardingUrl(url: string, visibility: FieldVisibility, { egress }: Services): string {
  return parseReceiverUrl('notificationForwardingUrl', url, { visibility, egress });
}

async function presentWithUrl(services: Services, app: AppDoc) {
  return presentApp(app, await notificationUrlOf(services, app.projectId, app));
}

function requireApp({ readModels }: Services, projectId: string, appId: string): Promise<AppDoc> {
  return requireDoc(readModels, apps, projectId, appId, 'app');
}

/**
 * Refuses to repeat the response with the URL of a deleted app, or with a URL that was replaced when the app's credentials were deleted.
 */
async function expectUrlCurrent(stored: object, { projectId }: Scope, services: Services): Promise<void> {
  const app = 'id' in stored ? await services.readModels.get(apps, String(stored.id)) : undefined;
  if (app?.projectId !== projectId) {
    throw new HttpError(
      409,
      'the app that this request registered was deleted; send a new Idempotency-Key to register another',
    );
  }
  if (!('notificationUrl' in stored)) return;
  const tokenOf = (url: unknown) => String(url).split('/').at(-1);
  if (tokenOf(stored.notificationUrl) === tokenOf(await notificationUrlOf(services, projectId, app))) return;
  throw new HttpError(409, 'the app was registered, but its notificationUrl was replaced since; read the app for it');
}

const NEEDS_PII =
  '`notificationForwardingUrl` receives personal fields: an API key needs the scopes `config` and `pii` to set it.';

export const appRoutes: readonly Route[] = [
  defineListRoute({
    path: '/v1/projects/:id/apps',
    permission: 'readSetup',
    summary: 'List apps',
    query: page,
    item: app,
    list: async ({ scope, query }, services) => {
      const { docs, lastId } = await readNewestFirst(services.readModels, apps, 'project', scope.projectId, query);
      return { items: await Promise.all(docs.map((app) => presentWithUrl(services, app))), lastId };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/apps',
    permission: 'administer',
    summary: 'Register an app (iOS or Android)',
    description: `${NEEDS_PII} Platform \`test\`: an app of the test store, whose purchases are made in the client SDK’s own dialog; for the compatibility API.`,
    example: createExample,
    body: createBody,
    response: app,
    statuses: [201],
    onRepeat: expectUrlCurrent,
    handle: async ({ scope, body, by, visibility }, services) => {
      const fields = appFieldsOf(body, (url) => parseForwardingUrl(url, visibility, services));
      const { app, position } = await registerApp(services.deps, by, scope.projectId, fields);
      if (isStoreApp(app)) services.prepareStore(app.store);
      const at = new Date(services.runtime.now()).toISOString();
      const doc = { ...app, projectId: scope.projectId, createdAt: at, updatedAt: at };
      const present = async () => presentWithUrl(services, (await services.readModels.get(apps, app.appId)) ?? doc);
      return { body: present, after: readModelsAt(position, apps) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/apps/:appId',
    permission: 'readSetup',
    summary: 'Get app details',
    params: appParams,
    response: app,
    handle: async ({ params, scope }, services) => ({
      body: await presentWithUrl(services, await requireApp(services, scope.projectId, params.appId)),
    }),
  }),
  defineRoute({
    method: 'patch',
    path: '/v1/projects/:id/apps/:appId',
    permission: 'administer',
    summary: 'Update app settings',
    description: NEEDS_PII,
    example: { refundPolicy: 'keep_until_expiry', iosStoreSmallBusiness: true },
    params: appParams,
    body: changesBody,
    response: app,
    handle: async ({ params, body, scope, by, visibility }, services) => {
      const { notificationForwardingUrl: url } = body;
      const set =
        url == null ? body : { ...body, notificationForwardingUrl: parseForwardingUrl(url, visibility, services) };
      const change = { appId: params.appId, set };
      const { position } = await updateApp(services.deps, by, scope.projectId, change);
      const present = async () => presentWithUrl(services, await requireApp(services, scope.projectId, params.appId));
      return { body: present, after: readModelsAt(position, apps) };
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/v1/projects/:id/apps/:appId',
    permission: 'administer',
    summary: 'Delete app',
    params: appParams,
    response: deletionOf('app'),
    handle: async ({ params, scope, by }, { deps }) => {
      const { position } = await deleteApp(deps, by, scope.projectId, params.appId);
      return {
        body: { object: 'app', id: params.appId, deleted: true },
        after: readModelsAt(position, apps, apiKeys, products, entitlements, unlocks, offerings),
      };
    },
  }),
];
