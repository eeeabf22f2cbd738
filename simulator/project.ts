// Sets a project up as its developers would: apps, products, an entitlement, offerings, and API keys.
import type { Client as SdkClient } from '#sdk/client.js';
import { requireData } from './client.js';
import { createOfferings } from './selling.js';
import { BUNDLE_ID, ENTITLEMENT, offers, type OfferName } from './offers.js';

export type SimulatedProject = {
  readonly projectId: string;
  readonly iosAppId: string;
  readonly secretKey: string;
  readonly publicKey: string;
  /** Path that the store sends its notifications to. */
  readonly notificationPath: string;
  /** Public key of the Android app; empty without one. */
  readonly androidKey: string;
  /** Notification path of the Android app; empty without one. */
  readonly androidNotificationPath: string;
};

type NewApp =
  | { readonly name: string; readonly platform: 'ios'; readonly bundleId: string }
  | { readonly name: string; readonly platform: 'android'; readonly packageName: string };

/** Creates the apps, the catalogue, the offerings and the API keys of a project. Without a `serviceAccount` it gets no Android app. */
export async function populateProject(
  api: SdkClient,
  projectId: string,
  serviceAccount: object | null,
): Promise<SimulatedProject> {
  const path = { id: projectId };
  const register = async (body: NewApp) =>
    requireData(await api.POST('/v1/projects/{id}/apps', { params: { path }, body }));
  const ios = await register({ name: 'Stargazer for iOS', platform: 'ios', bundleId: BUNDLE_ID });
  const other: NewApp = { name: 'Stargazer for Android', platform: 'android', packageName: BUNDLE_ID };
  const android = serviceAccount === null ? null : await register(other);
  const apps = android === null ? [ios] : [ios, android];
  const productIds = new Map<OfferName, string[]>();
  for (const app of apps) {
    for (const name of Object.keys(offers) as OfferName[]) {
      const { unlocks: _unlocks, priceMilli: _price, introPriceMilli: _intro, ...product } = offers[name];
      const body = { ...product, appId: app.id };
      const { id } = requireData(await api.POST('/v1/projects/{id}/products', { params: { path }, body }));
      productIds.set(name, [...(productIds.get(name) ?? []), id]);
    }
  }
  const unlocking = [...productIds].flatMap(([name, ids]) => (offers[name].unlocks ? ids : []));
  if (android !== null) {
    const credentials = {
      params: { path: { ...path, appId: android.id } },
      body: { serviceAccountJson: JSON.stringify(serviceAccount) },
    };
    requireData(await api.POST('/v1/projects/{id}/apps/{appId}/credentials/android-store', credentials));
  }
  const entitlement = { lookupKey: ENTITLEMENT, displayName: 'Stargazer Pro' };
  requireData(await api.POST('/v1/projects/{id}/entitlements', { params: { path }, body: entitlement }));
  const attach = { params: { path: { ...path, eid: ENTITLEMENT } }, body: { productIds: unlocking } };
  requireData(await api.POST('/v1/projects/{id}/entitlements/{eid}/products', attach));
  await createOfferings(api, projectId, productIds);
  const newKey = async (body: { name: string; kind?: 'public'; appId?: string }) =>
    requireData(await api.POST('/v1/projects/{id}/api-keys', { params: { path }, body })).key;
  const secretKey = await newKey({ name: 'server' });
  const publicKey = await newKey({ name: 'app', kind: 'public', appId: ios.id });
  const androidKey = android === null ? '' : await newKey({ name: 'android app', kind: 'public', appId: android.id });
  const androidNotificationPath = android === null ? '' : pathOf(android.notificationUrl);
  const notificationPath = pathOf(ios.notificationUrl);
  return { projectId, iosAppId: ios.id, secretKey, publicKey, notificationPath, androidKey, androidNotificationPath };
}

function pathOf(url: string | null | undefined): string {
  if (url == null) throw new Error('the app has no notification URL');
  return new URL(url).pathname;
}
