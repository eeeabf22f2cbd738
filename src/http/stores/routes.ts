// Where the stores' servers knock. The token in the path is the credential, the store's signature the proof of the content.
import { z } from 'zod';
import { pushBody, readPushBody, type AndroidMessage } from '../../adapters/android-store/envelope.js';
import { InvalidPushToken, InvalidSignedData } from '../../domain/errors.js';
import { checkBelongsToApp } from '../../adapters/ios-store/port.js';
import { receiveAndroidNotification } from '../../commands/stores/android/inbox.js';
import { receiveIosNotification } from '../../commands/stores/inbox.js';
import type { App } from '../../domain/project/events.js';
import type { StoreKind } from '../../domain/store-kinds.js';
import { streams } from '../../domain/streams.js';
import { HttpError } from '../bodies/errors.js';
import { defineRoute, type Route } from '../dispatch/route.js';
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

type Reason = 'unreadable' | 'unproven' | 'other-app';

/** What is refused is counted for the app whose token it came with. */
function noteRefusal({ refusals, metrics }: Services, store: StoreKind, app: App, reason: Reason): void {
  refusals.note(app.appId);
  metrics.notification(store, { outcome: 'refused', reason });
}

async function verified(services: Services, app: App, signedPayload: string) {
  const { iosSignedData } = services;
  try {
    const decoded = await iosSignedData.verifyNotification(signedPayload);
    const storeAppId = app.storeAppId ?? undefined;
    if (checkBelongsToApp(decoded, { bundleId: app.storeIdentifier, storeAppId }) === null) return decoded;
  } catch (err) {
    const isUnreadable = err instanceof InvalidSignedData && err.reason === 'unreadable';
    noteRefusal(services, 'ios-store', app, isUnreadable ? 'unreadable' : 'unproven');
    throw err;
  }
  noteRefusal(services, 'ios-store', app, 'other-app');
  throw new HttpError(401, 'the notification is signed for another app or environment');
}

/** Who pushes: checked whenever a token is sent; one must be sent where the app's credentials name the account that pushes. */
async function checkPusher(
  services: Services,
  app: App,
  token: string,
  authorization: string | undefined,
): Promise<void> {
  const { storeRecords, pushTokens, publicUrl } = services;
  const terms = (await storeRecords.credentials(app.appId))?.terms ?? {};
  const email = typeof terms['pushServiceAccountEmail'] === 'string' ? terms['pushServiceAccountEmail'] : null;
  const audience = typeof terms['pushAudience'] === 'string' ? terms['pushAudience'] : null;
  try {
    if (authorization === undefined) {
      if (email === null) return;
      throw new HttpError(401, 'a push identity token is required: let the push subscription send one');
    }
    const [scheme, identity] = authorization.split(' ');
    if (scheme?.toLowerCase() !== 'bearer' || !identity) throw new HttpError(401, 'send Authorization: Bearer');
    const audiences = [audience ?? `${publicUrl()}/v1/store/android-store/${token}`];
    await pushTokens.verify(identity, { audiences, email });
  } catch (err) {
    if (err instanceof HttpError || err instanceof InvalidPushToken)
      noteRefusal(services, 'android-store', app, 'unproven');
    throw err;
  }
}

/** Not the app's own, or no notification at all: refused, and counted. */
function messageFor(services: Services, app: App, body: z.output<typeof pushBody>): AndroidMessage {
  const message = readPushBody(body);
  if (message?.notification.packageName === app.storeIdentifier) return message;
  noteRefusal(services, 'android-store', app, message ? 'other-app' : 'unreadable');
  if (!message) throw new HttpError(400, 'message.data must be a developer notification in base64');
  throw new HttpError(401, 'the notification is about another app');
}

/** What can be sent on as it came. */
function contentTypeOf(header: (name: string) => string | undefined): string | undefined {
  const value = header('content-type');
  return value !== undefined && /^[\x20-\x7e]{1,200}$/.test(value) ? value : undefined;
}

/** Whatever is no token of an app is unknown, of any length. */
const tokenParams = z.object({ token: z.string() });

export const storeRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/v1/store/ios-store/:token',
    access: 'open',
    summary: 'Receive iOS store notification',
    example: { signedPayload: 'eyJhbGciOiJFUzI1NiIsIng1YyI6…' },
    params: tokenParams,
    body: z.looseObject({ signedPayload: z.string().min(1) }),
    bodyLimit: 'store',
    admit: async ({ params }, services) => void (await appOfToken(services, params['token'] ?? '', 'ios-store')),
    answer: z.strictObject({}),
    handle: async ({ params, body, rawBody, header }, services) => {
      const { projectId, app } = await appOfToken(services, params.token, 'ios-store');
      const { deps } = services;
      await deps.burst.first(async () => {
        const decoded = await verified(services, app, body.signedPayload);
        await receiveIosNotification(deps, { projectId, app, rawBody, contentType: contentTypeOf(header), decoded });
      });
      services.metrics.notification('ios-store', { outcome: 'received' });
      return { body: {} };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/v1/store/android-store/:token',
    access: 'open',
    summary: 'Receiver for Android store server-to-server notifications',
    params: tokenParams,
    body: pushBody,
    bodyLimit: 'store',
    admit: async ({ params: { token = '' }, header }, services) => {
      const { app } = await appOfToken(services, token, 'android-store');
      await checkPusher(services, app, token, header('authorization'));
    },
    answer: z.strictObject({}),
    handle: async ({ params, body, rawBody, header }, services) => {
      const { projectId, app } = await appOfToken(services, params.token, 'android-store');
      const message = messageFor(services, app, body);
      const { deps } = services;
      await deps.burst.first(() =>
        receiveAndroidNotification(deps, { projectId, app, rawBody, contentType: contentTypeOf(header), message }),
      );
      services.metrics.notification('android-store', { outcome: 'received' });
      return { body: {} };
    },
  }),
];
