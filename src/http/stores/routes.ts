// Where the stores' servers knock. The token in the path is the credential, the store's signature the proof of the content.
import { NotificationRefused } from '../../domain/errors.js';
import { z } from 'zod';
import { ofEachStore } from '../../commands/stores/modules.js';
import { receiveNotification } from '../../commands/stores/inbox/inbox.js';
import type { App } from '../../domain/project/events.js';
import type { StoreKind } from '../../domain/store-kinds.js';
import { streams } from '../../domain/streams.js';
import { HttpError } from '../bodies/errors.js';
import { defineRoute, type Door, type Input, type Route } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';

async function appOfToken(
  { deps, metrics, storeRecords }: Services,
  token: string,
  store: StoreKind,
): Promise<{ projectId: string; app: App }> {
  const found = await storeRecords.token(token);
  const project = found?.store === store ? await deps.projects.get(streams.project(found.projectId)) : null;
  const app = project?.apps.find((a) => a.appId === found?.appId);
  if (!project || !app) {
    metrics.notification(store, { outcome: 'refused', reason: 'unknown-token' });
    throw new HttpError(401, 'unknown token; copy notificationUrl from the app again');
  }
  return { projectId: project.projectId, app };
}

/** What is refused is counted for the app whose token it came with. */
async function counting<T>({ refusals, metrics }: Services, app: App, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (err) {
    if (err instanceof NotificationRefused) {
      refusals.note(app.appId);
      metrics.notification(app.store, { outcome: 'refused', reason: err.reason });
    }
    throw err;
  }
}

/** Before the body is read: whose token it is, and whether the store's sender may notify. */
async function admit(services: Services, store: StoreKind, { params: { token = '' }, header }: Door): Promise<void> {
  const { app } = await appOfToken(services, token, store);
  const { deps, storeRecords, publicUrl } = services;
  const { admit: ask } = deps.stores.of(store);
  if (!ask) return;
  const terms = (await storeRecords.credentials(app.appId))?.terms ?? {};
  const address = `${publicUrl()}/v1/store/${store}/${token}`;
  await counting(services, app, () => ask(deps, { authorization: header('authorization'), terms, address }));
}

/** What can be sent on as it came. */
function contentTypeOf(header: (name: string) => string | undefined): string | undefined {
  const value = header('content-type');
  return value !== undefined && /^[\x20-\x7e]{1,200}$/.test(value) ? value : undefined;
}

/** Whatever is no token of an app is unknown, of any length. */
const tokenParams = z.object({ token: z.string() });

type Notified = Input<z.output<typeof tokenParams>, undefined, unknown>;

async function receive(services: Services, store: StoreKind, { params, body, rawBody, header }: Notified) {
  const { projectId, app } = await appOfToken(services, params.token, store);
  const { deps, metrics } = services;
  await deps.burst.first(async () => {
    const read = await counting(services, app, () => deps.stores.of(store).readNotification(deps, app, body));
    await receiveNotification(deps, { projectId, app, rawBody, contentType: contentTypeOf(header) }, read);
  });
  metrics.notification(store, { outcome: 'received' });
  return { body: {} };
}

export const storeRoutes: readonly Route[] = ofEachStore(({ kind, notification: { summary, example, body } }) =>
  defineRoute({
    method: 'post',
    path: `/v1/store/${kind}/:token`,
    access: 'open',
    isHot: true,
    summary,
    ...(example && { example }),
    params: tokenParams,
    body,
    bodyLimit: 'store',
    admit: (door, services) => admit(services, kind, door),
    response: z.strictObject({}),
    handle: (input, services) => receive(services, kind, input),
  }),
);
