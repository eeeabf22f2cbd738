// Endpoints for store notifications. The token in the path is the credential; the store's signature proves the content.
import { NotificationRefused } from '../../domain/errors.js';
import { z } from 'zod';
import { mapStores } from '../../commands/stores/modules.js';
import { findStoreApp } from '../../commands/projects/apps.js';
import { receiveNotification } from '../../commands/stores/inbox/inbox.js';
import type { ReadNotification } from '../../commands/stores/store-integration.js';
import { isStoreApp, type StoreApp } from '../../domain/project/events.js';
import type { StoreKind } from '../../domain/store-kinds.js';
import { streams } from '../../domain/streams.js';
import { HttpError } from '../bodies/errors.js';
import { defineRoute, type RequestHead, type Input, type Route } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';

async function appOfToken(
  { deps, metrics, storeRecords }: Services,
  token: string,
  store: StoreKind,
): Promise<{ projectId: string; app: StoreApp }> {
  const found = await storeRecords.token(token);
  const app = found?.store === store ? await findStoreApp(deps, found.projectId, found.appId) : undefined;
  if (!found || !app) {
    metrics.notification(store, { outcome: 'refused', reason: 'unknown-token' });
    throw new HttpError(401, 'unknown token; copy notificationUrl from the app again');
  }
  return { projectId: found.projectId, app };
}

/** Counts refused notifications for the app of their token. */
async function countRefusals<T>({ refusals, metrics }: Services, app: StoreApp, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (err) {
    if (err instanceof NotificationRefused) {
      refusals.increment(app.appId, err.message);
      metrics.notification(app.store, { outcome: 'refused', reason: err.reason });
    }
    throw err;
  }
}

/** Checks the token and the store's sender before the body is read. */
async function admit(
  services: Services,
  store: StoreKind,
  { params: { token = '' }, header }: RequestHead,
): Promise<void> {
  const { app } = await appOfToken(services, token, store);
  await countRefusals(services, app, () => verifySender(services, app, token, header('authorization')));
}

async function verifySender(
  services: Services,
  { appId, store }: StoreApp,
  token: string,
  authorization: string | undefined,
) {
  const { deps, storeRecords, publicUrl } = services;
  const { admit: verify } = deps.stores.of(store);
  if (!verify) return;
  const terms = (await storeRecords.credentials(appId))?.terms ?? {};
  await verify(deps, { authorization, terms, address: `${publicUrl()}/v1/store/${store}/${token}` });
}

/** Returns the content type if it can be forwarded unchanged. */
function contentTypeOf(header: (name: string) => string | undefined): string | undefined {
  const value = header('content-type');
  return value !== undefined && /^[\x20-\x7e]{1,200}$/.test(value) ? value : undefined;
}

const OTHER_APP = 'the notification is about an app that this project does not have';

/** Any text is well-formed: a token of no app is unknown. */
const tokenParams = z.object({ token: z.string() });

type NotificationInput = Input<z.output<typeof tokenParams>, undefined, unknown>;

/**
 * Reads a notification. Apps of one project may share a sender: a notification about another of them is read for that one. Null if it is
 * about none of them.
 */
async function readAddressed(
  services: Services,
  projectId: string,
  app: StoreApp,
  notified: NotificationInput,
): Promise<{ readonly app: StoreApp; readonly read: ReadNotification } | null> {
  const { deps } = services;
  const { body, params, header } = notified;
  const integration = deps.stores.of(app.store);
  try {
    return { app, read: await integration.readNotification(deps, app, body) };
  } catch (err) {
    if (!(err instanceof NotificationRefused) || err.about === null) throw err;
    const { about } = err;
    const project = await deps.projects.get(streams.project(projectId));
    const other = project?.apps.filter(isStoreApp).find((a) => a.store === app.store && a.storeIdentifier === about);
    if (!other) return null;
    await verifySender(services, other, params.token, header('authorization'));
    return { app: other, read: await integration.readNotification(deps, other, body) };
  }
}

async function receive(services: Services, store: StoreKind, notified: NotificationInput) {
  const { params, rawBody, header } = notified;
  const { projectId, app } = await appOfToken(services, params.token, store);
  const { deps, metrics, refusals } = services;
  await deps.burst.runFirst(async () => {
    const found = await countRefusals(services, app, () => readAddressed(services, projectId, app, notified));
    if (found) {
      const raw = { projectId, app: found.app, rawBody, contentType: contentTypeOf(header) };
      await receiveNotification(deps, raw, found.read);
      metrics.notification(store, { outcome: 'received' });
    } else {
      // A refused sender would retry for days.
      refusals.increment(app.appId, OTHER_APP);
      metrics.notification(store, { outcome: 'refused', reason: 'other-app' });
    }
  });
  return { body: {} };
}

export const storeRoutes: readonly Route[] = mapStores(({ kind, notification: { summary, example, body } }) =>
  defineRoute({
    method: 'post',
    path: `/v1/store/${kind}/:token`,
    access: 'open',
    summary,
    ...(example && { example }),
    params: tokenParams,
    body,
    bodyLimit: 'store',
    admit: (head, services) => admit(services, kind, head),
    response: z.strictObject({}),
    handle: (input, services) => receive(services, kind, input),
  }),
);
