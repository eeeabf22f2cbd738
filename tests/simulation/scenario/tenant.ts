// Sets a project of the base fixture up over HTTP, as its developers would.
import { BUNDLE_ID, ENTITLEMENT, offers } from '../../../simulator/offers.js';
import type { Response } from '../engine/http.js';
import { iosKey, serviceAccount } from '../engine/store-keys.js';
import type { Client } from './client.js';
import {
  KEYS,
  MEMBERS,
  PASSWORD,
  scopesOf,
  type KeyName,
  type Member,
  type MemberName,
  type ScopedKey,
} from './team.js';

export const TENANTS = ['acme', 'bert'] as const;
export type TenantName = (typeof TENANTS)[number];

export type Tenant = {
  readonly name: string;
  readonly projectId: string;
  readonly appIds: readonly string[];
  readonly secretKey: string;
  readonly owner: Member;
  readonly members: Readonly<Record<MemberName, Member>>;
  readonly scopedKeys: Readonly<Record<KeyName, ScopedKey>>;
  readonly publicKeys: { readonly ios: string; readonly android: string };
  readonly notificationPaths: { readonly 'ios-store': string; readonly 'android-store': string };
  readonly hooks: readonly { readonly id: string; readonly url: string; readonly ordered: boolean }[];
};

const SOLD_OFFERS = ['weekly', 'monthly', 'yearly', 'lifetime'] as const;

export async function setUpTenant(client: Client, name: string): Promise<Tenant> {
  const send = async (token: string, method: string, path: string, body?: unknown) => {
    const response = await client.sendUntilAnswered({ method, path, body, ...(token !== '' && { token }) });
    return requireSuccess(response, `${method} ${path}`);
  };
  const registered = await send('', 'POST', '/auth/register', {
    email: `${name}@example.com`,
    password: PASSWORD,
  });
  const token: string = registered.accessToken;
  const owner: Member = { userId: registered.user.id, email: `${name}@example.com` };
  const { id: projectId } = await send(token, 'POST', '/v1/projects', { name });
  const base = `/v1/projects/${projectId}`;
  const ios = await send(token, 'POST', `${base}/apps`, { name: 'iOS', platform: 'ios', bundleId: BUNDLE_ID });
  const android = await send(token, 'POST', `${base}/apps`, {
    name: 'Android',
    platform: 'android',
    packageName: BUNDLE_ID,
  });
  const productIds: string[] = [];
  for (const { id: appId } of [ios, android])
    for (const sold of SOLD_OFFERS) {
      const { unlocks: _u, priceMilli: _p, introPriceMilli: _i, ...product } = offers[sold];
      productIds.push((await send(token, 'POST', `${base}/products`, { ...product, appId })).id);
    }
  await send(token, 'POST', `${base}/apps/${ios.id}/credentials/ios-store`, {
    issuerId: 'issuer',
    keyId: 'key',
    privateKey: iosKey,
  });
  await send(token, 'POST', `${base}/apps/${android.id}/credentials/android-store`, {
    serviceAccountJson: JSON.stringify(serviceAccount),
  });
  await send(token, 'POST', `${base}/entitlements`, { lookupKey: ENTITLEMENT, displayName: 'Pro' });
  await send(token, 'POST', `${base}/entitlements/${ENTITLEMENT}/products`, { productIds });
  const newKey = async (body: object) => (await send(token, 'POST', `${base}/api-keys`, body)).key as string;
  const secretKey = await newKey({ name: 'server' });
  const publicKeys = {
    ios: await newKey({ name: 'ios', kind: 'public', appId: ios.id }),
    android: await newKey({ name: 'android', kind: 'public', appId: android.id }),
  };
  const scopedKeys = {} as Record<KeyName, ScopedKey>;
  for (const of of KEYS) {
    const { id, key } = await send(token, 'POST', `${base}/api-keys`, { name: of, scopes: scopesOf[of] });
    scopedKeys[of] = { id, key };
  }
  const hooks = [];
  for (const ordered of [true, false]) {
    const url = `https://hooks.example.com/${name}/${ordered ? 'ordered' : 'free'}`;
    const { id } = await send(token, 'POST', `${base}/webhooks`, { url, ordered });
    hooks.push({ id: id as string, url, ordered });
  }
  const members = {} as Record<MemberName, Member>;
  for (const member of MEMBERS) {
    const email = `${member}@${name}.example.com`;
    const role = member === 'leaver' ? 'admin' : member;
    const { token: invitationToken } = await send(token, 'POST', `${base}/members`, { email, role });
    const joined = await send('', 'POST', '/auth/register', { email, password: PASSWORD, invitationToken });
    members[member] = { userId: joined.user.id, email };
  }
  const pathOf = ({ notificationUrl }: { readonly notificationUrl: string }) => new URL(notificationUrl).pathname;
  const notificationPaths = { 'ios-store': pathOf(ios), 'android-store': pathOf(android) };
  const appIds = [ios.id, android.id];
  return { name, projectId, appIds, secretKey, owner, members, scopedKeys, publicKeys, notificationPaths, hooks };
}

function requireSuccess(response: Response | null, what: string) {
  if (response && response.status < 300) return response.body;
  throw new Error(`${what}: ${response ? `${response.status} ${JSON.stringify(response.body)}` : 'no response'}`);
}
