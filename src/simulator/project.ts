// Sets a project up as its developers would: registers a user, then the app, what it sells, what that unlocks, and keys.
import { z } from 'zod';
import type { Client } from './client.js';
import { BUNDLE_ID, ENTITLEMENT, offers } from './offers.js';

export type Login = { readonly email: string; readonly password: string };

export type SimulatedProject = {
  readonly projectId: string;
  readonly token: string;
  readonly secretKey: string;
  readonly publicKey: string;
  /** Where the store sends its notifications, as a path. */
  readonly notificationPath: string;
};

const made = z.object({ id: z.string() });

export async function setUpProject({ ask }: Client, login: Login): Promise<SimulatedProject> {
  const { accessToken: token } = await ask(z.object({ accessToken: z.string() }), 'POST', '/auth/register', {
    body: login,
  });
  const as = { token };
  const post = <S extends z.ZodType>(schema: S, path: string, body: object) => ask(schema, 'POST', path, { body, as });
  const { id: projectId } = await post(made, '/v1/projects', { name: 'Stargazer' });
  const base = `/v1/projects/${projectId}`;
  const app = { name: 'Stargazer for iOS', platform: 'ios', bundleId: BUNDLE_ID };
  const registered = await post(made.extend({ notificationUrl: z.string() }), `${base}/apps`, app);
  const appId = registered.id;
  const unlocking: string[] = [];
  for (const { unlocks, priceMilli: _price, introPriceMilli: _intro, ...product } of Object.values(offers)) {
    const { id } = await post(made, `${base}/products`, { ...product, appId });
    if (unlocks) unlocking.push(id);
  }
  await post(made, `${base}/entitlements`, { lookupKey: ENTITLEMENT, displayName: 'Stargazer Pro' });
  await post(made, `${base}/entitlements/${ENTITLEMENT}/products`, { productIds: unlocking });
  const newKey = z.object({ key: z.string() });
  const secret = await post(newKey, `${base}/api-keys`, { name: 'server' });
  const open = await post(newKey, `${base}/api-keys`, { name: 'app', kind: 'public', appId });
  const notificationPath = new URL(registered.notificationUrl).pathname;
  return { projectId, token, secretKey: secret.key, publicKey: open.key, notificationPath };
}
