// Sets a project up as its developers would: registers a user, then the app, what it sells, what that unlocks, and keys.
import { z } from 'zod';
import { accepted, type Client } from './client.js';
import { BUNDLE_ID, ENTITLEMENT, offers } from './offers.js';

export type Login = { readonly email: string; readonly password: string };

/** `expiresIn`: of the access token, in seconds. */
export type Session = { readonly accessToken: string; readonly refreshToken: string; readonly expiresIn: number };

export type SimulatedProject = {
  readonly projectId: string;
  /** Of the registration. */
  readonly session: Session;
  readonly secretKey: string;
  readonly publicKey: string;
  /** Where the store sends its notifications, as a path. */
  readonly notificationPath: string;
  /** The same of the app for the other store. */
  readonly androidKey: string;
  readonly androidNotificationPath: string;
};

const session = z.object({ accessToken: z.string(), refreshToken: z.string(), expiresIn: z.number() });

export function logIn({ ask }: Client, body: Login, atMs: number): Promise<Session> {
  return ask(session, 'POST', '/auth/login', { body, atMs });
}

/** Throws {@link Refused} when the refresh token is too old by then. */
export function refresh({ ask }: Client, refreshToken: string, atMs: number): Promise<Session> {
  return ask(session, 'POST', '/auth/refresh', { body: { refreshToken }, atMs });
}

/** `serviceAccount`: the key file that opens the android-store. */
export async function setUpProject({ as }: Client, login: Login, serviceAccount: object): Promise<SimulatedProject> {
  const session = accepted(await as({}).POST('/auth/register', { body: login }));
  const api = as({ token: session.accessToken });
  const { id: projectId } = accepted(await api.POST('/v1/projects', { body: { name: 'Stargazer' } }));
  const path = { id: projectId };
  const named = { name: 'Stargazer for iOS', platform: 'ios' as const, bundleId: BUNDLE_ID };
  const ios = accepted(await api.POST('/v1/projects/{id}/apps', { params: { path }, body: named }));
  const other = { name: 'Stargazer for Android', platform: 'android' as const, packageName: BUNDLE_ID };
  const android = accepted(await api.POST('/v1/projects/{id}/apps', { params: { path }, body: other }));
  const unlocking: string[] = [];
  for (const app of [ios, android]) {
    for (const { unlocks, priceMilli: _price, introPriceMilli: _intro, ...product } of Object.values(offers)) {
      const body = { ...product, appId: app.id };
      const { id } = accepted(await api.POST('/v1/projects/{id}/products', { params: { path }, body }));
      if (unlocks) unlocking.push(id);
    }
  }
  const credentials = {
    params: { path: { ...path, appId: android.id } },
    body: { serviceAccountJson: JSON.stringify(serviceAccount) },
  };
  accepted(await api.POST('/v1/projects/{id}/apps/{appId}/credentials/android-store', credentials));
  const entitlement = { lookupKey: ENTITLEMENT, displayName: 'Stargazer Pro' };
  accepted(await api.POST('/v1/projects/{id}/entitlements', { params: { path }, body: entitlement }));
  const attach = { params: { path: { ...path, eid: ENTITLEMENT } }, body: { productIds: unlocking } };
  accepted(await api.POST('/v1/projects/{id}/entitlements/{eid}/products', attach));
  const newKey = async (body: { name: string; kind?: 'public'; appId?: string }) =>
    accepted(await api.POST('/v1/projects/{id}/api-keys', { params: { path }, body })).key;
  const secretKey = await newKey({ name: 'server' });
  const publicKey = await newKey({ name: 'app', kind: 'public', appId: ios.id });
  const androidKey = await newKey({ name: 'android app', kind: 'public', appId: android.id });
  const notificationPath = pathOf(ios.notificationUrl);
  const androidNotificationPath = pathOf(android.notificationUrl);
  return { projectId, session, secretKey, publicKey, notificationPath, androidKey, androidNotificationPath };
}

function pathOf(url: string | null): string {
  if (url === null) throw new Error('the app has no address for notifications');
  return new URL(url).pathname;
}
