// Routes of the compatibility API: what RevenueCat's SDKs call, by the same commands as the REST API. Paths and bodies are theirs.
import cors from 'cors';
import type { Express } from 'express';
import { z } from 'zod';
import { mergeAnonymous } from '../../commands/subscribers/merge.js';
import { registerSubscriber, setAttributes } from '../../commands/subscribers/subscribers.js';
import { isAnonymous } from '../../domain/ids.js';
import { appUserId } from '../../domain/values/user-text.js';
import { customers } from '../../projections/models/customers.js';
import { transactions } from '../../projections/models/transactions.js';
import type { Health } from '../app.js';
import { subscriberParams } from '../bodies/request-schemas.js';
import { findSubscriber } from '../customers/read-customer.js';
import { defineRoute, readModelsAt, type Input, type Route, type RouteResponse } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';
import { createExpress, serveErrors, serveRoutes } from '../server/router.js';
import { cachedSubscriber, getSubscriber } from '../subscribers/cached-subscriber.js';
import { expectMayCreate } from '../subscribers/present-subscriber.js';
import { attributeErrors, readAttributes, sentAttributes, deviceOf } from './sdk-values.js';
import { catalogueRoutes } from './catalogue-routes.js';
import { compatFormat, currentInfo } from './customer-info.js';
import { eligibilityRoutes } from './eligibility-routes.js';
import { CODES, CompatError, ATTRIBUTES_PATH, SUBSCRIBER_PATH, compatProtocol } from './protocol.js';
import { receiptRoute } from './receipts.js';
import { customerInfo, nothing } from './responses.js';
import { serverRoutes } from './server-routes.js';
import type { BodyOf } from '../bodies/response-schemas.js';

const MAX_PREVIOUS_ID = 1000;

/** More placeholders that apps send in place of a user: RevenueCat refuses them, so no working app has such a user. */
const PLACEHOLDERS: ReadonlySet<string> = new Set(['no_user', 'none', 'unidentified', '[]', '{}', '[object Object]']);
const userId = appUserId.refine(
  (id) => id.trim() !== '' && !PLACEHOLDERS.has(id),
  'is a placeholder, not an app user ID',
);

/** Any text: only an anonymous ID has an effect, and a device that began as a placeholder must be able to log in. */
const previousId = z.string().max(MAX_PREVIOUS_ID);
const identifyBody = z.object({ app_user_id: previousId, new_app_user_id: userId });

/** Many devices may have begun with one placeholder, which has no effect. */
function namesOf({ app_user_id: previous, new_app_user_id: id }: z.output<typeof identifyBody>): readonly string[] {
  return isAnonymous(previous) ? [id, previous] : [id];
}

async function identify(
  services: Services,
  input: Input<undefined, undefined, z.output<typeof identifyBody>>,
): Promise<RouteResponse<BodyOf<typeof customerInfo>>> {
  const { deps } = services;
  const { scope, by, body, caller } = input;
  const { projectId } = scope;
  const { app_user_id: previous, new_app_user_id: id } = body;
  const before = await findSubscriber(services, projectId, id);
  if (isAnonymous(previous) && previous !== id) await mergeAnonymous(deps, by, projectId, { appUserId: id, previous });
  const result = await registerSubscriber(deps, by, projectId, id, { source: 'sdk', ...deviceOf(input) });
  const status = before?.profile.status === 'known' ? 200 : 201;
  const position = result.position ?? (await deps.log.head());
  return {
    status,
    body: () => currentInfo(services, caller, projectId, id),
    after: readModelsAt(position, customers, transactions),
  };
}

async function putAttributes(
  services: Services,
  input: Input<{ appUserId: string }, undefined, { attributes?: z.output<typeof sentAttributes> }>,
): Promise<RouteResponse<BodyOf<typeof customerInfo>>> {
  const { params, scope, by, body, caller } = input;
  await expectMayCreate(services, input);
  const { changes, errors } = readAttributes(body.attributes, services.runtime.now());
  const result = await setAttributes(services.deps, by, scope.projectId, params.appUserId, { source: 'sdk', changes });
  if (errors.length > 0) {
    const message = 'some attributes are invalid and were not set; all others were';
    throw new CompatError(400, CODES.invalidAttributes, message, attributeErrors(errors));
  }
  const currentBody = () => currentInfo(services, caller, scope.projectId, params.appUserId);
  return { body: currentBody, after: readModelsAt(result.position, customers) };
}

/** Accepted and dropped: nothing here needs them, and an SDK sends them again after an error. */
function dropped(path: string): Route {
  return defineRoute({
    method: 'post',
    path,
    access: 'sdkKey',
    permission: 'recordSubscriber',
    summary: 'Accept and drop',
    body: z.unknown(),
    response: nothing,
    handle: () => Promise.resolve({ body: {} }),
  });
}

export const compatRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: SUBSCRIBER_PATH,
    access: 'sdkKey',
    permission: 'readCustomers',
    summary: 'Get customer info; the customer is created if unknown',
    params: subscriberParams,
    response: customerInfo,
    statuses: [200, 201],
    cached: (request, services) => cachedSubscriber(services, request, compatFormat),
    handle: (input, services) => getSubscriber(services, input, compatFormat),
  }),
  receiptRoute,
  defineRoute({
    method: 'post',
    path: '/v1/subscribers/identify',
    access: 'sdkKey',
    permission: 'recordSubscriber',
    summary: 'Log in',
    body: identifyBody,
    subscribersIn: namesOf,
    response: customerInfo,
    statuses: [200, 201],
    handle: (input, services) => identify(services, input),
  }),
  defineRoute({
    method: 'post',
    path: ATTRIBUTES_PATH,
    access: 'sdkKey',
    permission: 'changeSubscriber',
    summary: 'Set attributes',
    params: subscriberParams,
    body: z.object({ attributes: sentAttributes }),
    response: customerInfo,
    handle: (input, services) => putAttributes(services, input),
  }),
  defineRoute({
    method: 'post',
    path: `${SUBSCRIBER_PATH}/alias`,
    access: 'sdkKey',
    permission: 'recordSubscriber',
    summary: 'Log in, as earlier SDKs do',
    params: z.object({ appUserId: previousId }),
    body: z.object({ new_app_user_id: userId }),
    subscribersIn: (body) => [body.new_app_user_id],
    response: customerInfo,
    statuses: [200, 201],
    handle: async (input, services) => {
      const { params, body } = input;
      const both = { app_user_id: params.appUserId, new_app_user_id: body.new_app_user_id };
      return identify(services, { ...input, params: undefined, body: both });
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/health',
    access: 'open',
    summary: 'Get health',
    response: nothing,
    handle: () => Promise.resolve({ body: {} }),
  }),
  defineRoute({
    method: 'get',
    path: `${SUBSCRIBER_PATH}/virtual_currencies`,
    access: 'sdkKey',
    permission: 'readCustomers',
    summary: 'Get virtual currencies, of which there are none',
    response: z.strictObject({ virtual_currencies: z.strictObject({}) }),
    handle: () => Promise.resolve({ body: { virtual_currencies: {} } }),
  }),
  ...catalogueRoutes,
  ...eligibilityRoutes,
  ...[
    '/v1/events',
    '/v1/diagnostics',
    `${SUBSCRIBER_PATH}/attribution`,
    `${SUBSCRIBER_PATH}/adservices_attribution`,
  ].map(dropped),
  ...serverRoutes,
];

const PREFLIGHT_SECONDS = 86_400;

/** Keys are public and no cookies are sent, so any page may call; which headers a preflight names changes with each SDK. */
const allowAnyPage = cors({
  origin: '*',
  methods: ['GET', 'POST', 'PATCH'],
  exposedHeaders: ['x-revenuecat-etag', 'x-revenuecat-request-time'],
  maxAge: PREFLIGHT_SECONDS,
});

/** Creates the application of the compatibility API: CORS for any page, the routes, and JSON for every other path. */
export function createCompatApp(
  services: Services,
  health: Pick<Health, 'hasCaughtUp'>,
  { trustProxy }: { readonly trustProxy: number | string },
): Express {
  const protocol = compatProtocol(services);
  const app = createExpress(trustProxy);
  app.use(allowAnyPage);
  serveRoutes(app, services, { routes: compatRoutes, protocol, canServe: () => health.hasCaughtUp });
  serveErrors(app, services, protocol, 'not found');
  return app;
}
