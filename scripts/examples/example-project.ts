// Setup of the examples' project: its user, apps, catalogue, keys, paywall, experiment and webhook.
import { BUNDLE_ID, offers } from '../../simulator/offers.js';
import { IOS_KEY_ID, type Json, type ExampleService } from './example-service.js';

export const PASSWORD = 'correct horse battery';
export const EMAIL = 'ada@example.com';

export type ExampleProject = Awaited<ReturnType<typeof createExampleProject>>;

export async function createExampleProject({ ask, iosKey, receiverUrl, idle }: ExampleService) {
  const registered = await ask('POST /auth/register', { body: { email: EMAIL, password: PASSWORD, name: 'Ada' } });
  // The token is valid for a day and is replaced later.
  const me: { token: string } = { token: registered.accessToken };
  await ask('POST /auth/refresh', { body: { refreshToken: registered.refreshToken } });
  const project = await ask('POST /v1/projects', { as: me, body: { name: 'Stargazer' } });
  const id: string = project.id;
  const about = (route: string, path: Readonly<Record<string, string>> = {}, body?: unknown): Promise<Json> =>
    ask(route, { as: me, path: { id, ...path }, body });

  const iosApp = await about('POST /v1/projects/:id/apps', {}, app('Stargazer for iOS', 'ios', 'bundleId'));
  const androidApp = await about('POST /v1/projects/:id/apps', {}, app('Stargazer', 'android', 'packageName'));
  const credentials = { issuerId: '57246542-96fe-1a63-e053-0824d011072a', keyId: IOS_KEY_ID, privateKey: iosKey };
  const storeAppId = 1234567890;
  const toIos = 'POST /v1/projects/:id/apps/:appId/credentials/ios-store';
  await about(toIos, { appId: iosApp.id }, { ...credentials, storeAppId, environment: 'both' });
  await about('PATCH /v1/projects/:id/apps/:appId', { appId: iosApp.id }, { iosStoreSmallBusiness: true });
  await about('POST /v1/projects/:id/apps/:appId/notification-check', { appId: iosApp.id });

  const products: string[] = [];
  for (const { id: appId } of [iosApp, androidApp]) {
    for (const { unlocks: _u, priceMilli: _p, introPriceMilli: _i, ...fields } of [offers.yearly, offers.monthly]) {
      const { id: productId } = await about('POST /v1/projects/:id/products', {}, { appId, ...fields });
      products.push(productId);
    }
  }
  const [iosYearly = '', iosMonthly = '', androidYearly = '', androidMonthly = ''] = products;
  const price = { amount: 9.99, currency: 'USD', country: 'US' };
  const priced = await about('POST /v1/projects/:id/products/:pid/prices', { pid: iosMonthly }, price);
  await about('POST /v1/projects/:id/entitlements', {}, { lookupKey: 'pro', displayName: 'Pro' });
  await about('POST /v1/projects/:id/entitlements/:eid/products', { eid: 'pro' }, { productIds: products });

  const offering = { lookupKey: 'default', displayName: 'Default', metadata: { accent: 'gold' } };
  const { id: offeringId } = await about('POST /v1/projects/:id/offerings', {}, offering);
  const packed = async (oid: string, lookupKey: string, displayName: string, productIds: readonly string[]) => {
    const body = { lookupKey, displayName };
    const { id: pid } = await about('POST /v1/projects/:id/offerings/:oid/packages', { oid }, body);
    await about('POST /v1/projects/:id/offerings/:oid/packages/:pid/products', { oid, pid }, { productIds });
  };
  await packed('default', '$annual', 'Yearly', [iosYearly, androidYearly]);
  await packed('default', '$monthly', 'Monthly', [iosMonthly, androidMonthly]);
  await about('POST /v1/projects/:id/offerings', {}, { lookupKey: 'yearly-first', displayName: 'Yearly first' });
  await packed('yearly-first', '$annual', 'Yearly', [iosYearly, androidYearly]);
  const paywall = { name: 'Winter', offeringId, config: { layout: 'cards' }, status: 'published' };
  const localizations = { de: { title: 'Mehr sehen' } };
  const { id: paywallId } = await about('POST /v1/projects/:id/paywalls', {}, { ...paywall, localizations });

  const key = await about('POST /v1/projects/:id/api-keys', {}, { name: 'server' });
  const open = { name: 'iOS app', kind: 'public', appId: iosApp.id };
  const opened = await ask('POST /v1/projects/:id/api-keys', { as: me, path: { id }, body: open });
  await about('POST /v1/projects/:id/api-keys', {}, { name: 'reports', scopes: ['read'] });
  const hook = { name: 'backend', url: `${receiverUrl}/subledger`, eventTypes: null };
  const { id: webhookId } = await about('POST /v1/projects/:id/webhooks', {}, hook);

  const experiment = { name: 'Yearly first?', description: 'Does it bring more to show the year first?' };
  const { id: experimentId } = await about('POST /v1/projects/:id/experiments', {}, experiment);
  for (const [name, offeringId] of [
    ['as it is', 'default'],
    ['yearly first', 'yearly-first'],
  ]) {
    const variant = { name, offeringId };
    await about('POST /v1/projects/:id/experiments/:eid/variants', { eid: experimentId }, variant);
  }
  await about('PATCH /v1/projects/:id/experiments/:eid', { eid: experimentId }, { status: 'running' });
  await idle();
  return {
    ...{ id, me, about, priceId: priced.id as string, offeringId: offeringId as string },
    ...{ paywallId: paywallId as string, webhookId: webhookId as string, experimentId: experimentId as string },
    ...{ iosApp, androidApp, iosMonthly, keyId: key.id as string },
    ...{ server: { key: key.key as string }, device: { key: opened.key as string } },
  };
}

function app(name: string, platform: 'ios' | 'android', storeName: 'bundleId' | 'packageName') {
  return { name, platform, [storeName]: BUNDLE_ID };
}
