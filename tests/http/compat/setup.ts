// Calls of the compatibility API as an SDK makes them, and a test app with products. Every success is decoded by the strictest SDK's rules.
import express from 'express';
import { compatRoutes } from '../../../src/http/compat/routes.js';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Harness, HttpResponse, Json, Slice } from '../support/harness.js';

export const TEST_MONTHLY = 'pro_monthly';
export const TEST_COINS = 'coins';

export type SdkCall = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<HttpResponse>;

let matched: (typeof compatRoutes)[number] | undefined;
const matching = express();
matching.set('case sensitive routing', true);
for (const route of compatRoutes) matching[route.method](route.path, () => void (matched = route));
matching.use(() => void (matched = undefined));

/** Throws for a success that the strict decoder does not take. */
function decode(method: string, path: string, status: number, body: unknown): void {
  if (status >= 300) return;
  const req = Object.assign(new IncomingMessage(new Socket()), { method, url: path });
  matching(req, new ServerResponse(req));
  if (!matched) throw new Error(`no route for ${method} ${path}`);
  matched.response.parse(body);
}

/** A client with one key; `key` is read at each call. */
export function sdkClient(harness: Harness, key: () => string): SdkCall {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(`${harness.service().compatUrl ?? ''}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key()}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed: unknown = text === '' ? undefined : JSON.parse(text);
    if (method !== 'OPTIONS') decode(method, path, response.status, parsed);
    return { status: response.status, body: parsed as Json, headers: response.headers };
  };
}

export type TestApp = { readonly appId: string; readonly key: string; readonly productId: string };

/** Adds a test app to the project: a monthly product that unlocks `pro`, coins, and an offering with the monthly package. */
export async function addTestApp(harness: Harness, slice: Slice): Promise<TestApp> {
  const as = { token: slice.token };
  const base = `/v1/projects/${slice.projectId}`;
  const post = async (path: string, body: object) => {
    const { status, body: made } = await harness.call('POST', base + path, body, as);
    if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(made)}`);
    return made;
  };
  const app = await post('/apps', { name: 'Test', platform: 'test' });
  const { key } = await post('/api-keys', { name: 'test', kind: 'public', appId: app.id });
  const monthly = { appId: app.id, storeProductId: TEST_MONTHLY, displayName: 'Pro monthly', type: 'subscription' };
  const product = await post('/products', { ...monthly, duration: 'P1M' });
  await post(`/products/${product.id}/prices`, { amount: 9.99, currency: 'USD' });
  const coins = await post('/products', {
    appId: app.id,
    storeProductId: TEST_COINS,
    displayName: 'Coins',
    type: 'consumable',
  });
  await post(`/products/${coins.id}/prices`, { amount: 1.99, currency: 'USD' });
  await post(`/entitlements/${slice.entitlementId}/products`, { productIds: [product.id] });
  const offering = await post('/offerings', { lookupKey: 'default', displayName: 'Default', isCurrent: true });
  const monthlyPackage = await post(`/offerings/${offering.id}/packages`, {
    lookupKey: '$monthly',
    displayName: 'Monthly',
  });
  await post(`/offerings/${offering.id}/packages/${monthlyPackage.id}/products`, { productIds: [product.id] });
  return { appId: app.id, key, productId: product.id };
}

let drawn = 0;

/** Token as an SDK makes one for the test store, different at each call. */
export function testToken(atMs: number): string {
  return `test_${atMs}_52a055a7-12c4-4960-967e-${String(++drawn).padStart(12, '0')}`;
}
