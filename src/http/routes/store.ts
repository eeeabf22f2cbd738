// Where the stores' servers knock. The token in the path is the credential, the store's signature the proof of the content.
import { z } from 'zod';
import { checkBelongsToApp } from '../../adapters/ios-store/port.js';
import { receiveIosNotification } from '../../commands/inbox.js';
import { findStoreToken } from '../../commands/store-tokens.js';
import type { App } from '../../domain/project/events.js';
import type { StoreKind } from '../../domain/subscriber/blocks.js';
import { streams } from '../../domain/streams.js';
import { HttpError } from '../errors.js';
import { defineRoute, type Route } from '../route.js';
import type { Services } from '../services.js';

async function appOfToken(
  { deps }: Services,
  token: string,
  store: StoreKind,
): Promise<{ projectId: string; app: App }> {
  const found = await findStoreToken(deps, token);
  const project = found?.store === store ? await deps.projects.get(streams.project(found.projectId)) : null;
  const app = project?.apps.find((a) => a.appId === found?.appId);
  if (!project || !app) throw new HttpError(401, 'unknown token; copy notificationUrl from the app again');
  return { projectId: project.projectId, app };
}

/** What is refused is counted for the app whose token it came with. */
async function verified({ iosSignedData, refusals }: Services, app: App, signedPayload: string) {
  try {
    const decoded = await iosSignedData.verifyNotification(signedPayload);
    const storeAppId = app.storeAppId ?? undefined;
    if (checkBelongsToApp(decoded, { bundleId: app.storeIdentifier, storeAppId }) === null) return decoded;
  } catch (err) {
    refusals.note(app.appId);
    throw err;
  }
  refusals.note(app.appId);
  throw new HttpError(401, 'the notification is signed for another app or environment');
}

export const storeRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/v1/store/ios-store/:token',
    access: 'open',
    summary: 'Receiver for iOS store server-to-server notifications',
    params: z.object({ token: z.string().min(1).max(200) }),
    body: z.looseObject({ signedPayload: z.string().min(1) }),
    bodyLimit: 'store',
    handle: async ({ params, body, rawBody }, services) => {
      const { projectId, app } = await appOfToken(services, params.token, 'ios-store');
      const decoded = await verified(services, app, body.signedPayload);
      await receiveIosNotification(services.deps, { projectId, app, rawBody, decoded });
      return { body: {} };
    },
  }),
];
