// A third store, from its folders and five lines: played through the receiver to an entitlement, a webhook and a chart.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { pino } from 'pino';
import type * as ConfigModule from '../../src/adapters/configuration/config.js';
import { systemRuntime } from '../../src/adapters/runtime.js';
import type * as MainModule from '../../src/main.js';
import { startWebhookReceiver, type ReceivedWebhook, type WebhookReceiver } from '../../simulator/webhook-receiver.js';
import type { Json } from '../http/support/harness.js';
import { thirdNotification, type ThirdPurchase } from './third-store/simulator/third-store/notify.js';
import { lines, sourceWithThirdStore, type SourceWithThirdStore } from './third-store.js';

const DAY_MS = 86_400_000;
const APP = 'com.example.third';
const PRODUCT = 'pro.month';

describe('a third store', () => {
  let source: SourceWithThirdStore;
  let service: MainModule.Service;
  let receiver: WebhookReceiver;
  let dataDir: string;
  let token: string;
  let project: string;
  let app: Json;
  let noteArrival: (webhook: ReceivedWebhook) => void;
  const arrival = new Promise<ReceivedWebhook>((resolve) => (noteArrival = resolve));
  const now = Date.now();
  const purchase: ThirdPurchase = {
    id: 'order-1',
    app: APP,
    product: PRODUCT,
    from: new Date(now - DAY_MS).toISOString(),
    until: new Date(now + 29 * DAY_MS).toISOString(),
    priceMicros: 5_000_000,
  };

  const call = async (method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }> => {
    const headers = { 'content-type': 'application/json', ...(token !== '' && { authorization: `Bearer ${token}` }) };
    const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(`${service.url ?? ''}${path}`, sent);
    return { status: response.status, body: await response.json() };
  };
  const made = async (path: string, body: unknown): Promise<Json> => {
    const answer = await call('POST', `/v1/projects/${project}${path}`, body);
    expect(answer.status, JSON.stringify(answer.body)).to.be.within(200, 201);
    return answer.body;
  };
  const notify = (of: ThirdPurchase) => call('POST', new URL(app.notificationUrl).pathname, thirdNotification(of));

  before(async function () {
    this.timeout(120_000);
    source = sourceWithThirdStore();
    const { readConfig } = (await source.load('adapters/configuration/config.ts')) as typeof ConfigModule;
    const { startService } = (await source.load('main.ts')) as typeof MainModule;
    dataDir = mkdtempSync(join(tmpdir(), 'subledger-'));
    const egress = { EGRESS_ALLOW_CIDRS: '127.0.0.1/32', EGRESS_ALLOW_HTTP: 'true' };
    const config = readConfig({ DATA_DIR: dataDir, PORT: '0', RATE_LIMITS: 'off', ...egress });
    service = await startService(config, systemRuntime(), pino({ level: 'silent' }));
    await service.ready;
    token = '';
    const user = { email: 'third@example.com', password: 'correct horse battery' };
    token = (await call('POST', '/auth/register', user)).body.accessToken;
    project = (await call('POST', '/v1/projects', { name: 'Third' })).body.id;
    app = await made('/apps', { name: 'Third', platform: 'third', thirdAppName: APP });
    const named = { appId: app.id, storeProductId: PRODUCT, displayName: 'Pro' };
    const product = await made('/products', { ...named, type: 'subscription', duration: 'P1M' });
    await made('/entitlements', { lookupKey: 'pro', displayName: 'Pro' });
    await made('/entitlements/pro/products', { productIds: [product.id] });
    receiver = await startWebhookReceiver((webhook) => noteArrival(webhook));
    receiver.trust((await made('/webhooks', { url: receiver.url })).secret);
  });
  after(async () => {
    await service?.stop();
    await receiver?.stop();
    source?.remove();
    if (dataDir) rmSync(dataDir, { recursive: true, force: true });
  });

  it('takes at most five lines outside its own folders', () => expect(lines).to.have.length.at.most(5));

  it('has an app of its own form, and an address for notifications', () => {
    expect(app).to.include({ platform: 'third', store: 'third-store', thirdAppName: APP });
    expect(new URL(app.notificationUrl).pathname).to.match(/^\/v1\/store\/third-store\//);
  });

  it('is refused what it did not sign, and what is about another app', async () => {
    const path = new URL(app.notificationUrl).pathname;
    const forged = { ...thirdNotification(purchase), signature: 'forged' };
    expect((await call('POST', path, forged)).status).to.equal(401);
    expect((await notify({ ...purchase, app: 'com.example.other' })).status).to.equal(401);
  });

  it('gives an entitlement by a notification', async () => {
    expect((await notify(purchase)).status).to.equal(200);
    await service.idle();
    const { body } = await call('GET', `/v1/projects/${project}/customers?store=third-store`);
    expect(body.items).to.have.length(1);
    const customer = (await call('GET', `/v1/projects/${project}/customers/${body.items[0].id}`)).body;
    expect(customer.entitlements).to.have.length(1);
    expect(customer.entitlements[0]).to.include({ lookupKey: 'pro', active: true, store: 'third-store' });
  });

  it('sends its purchase to webhooks, signed', async () => {
    expect(await arrival).to.include({ type: 'INITIAL_PURCHASE', isSigned: true });
  });

  it('shows in charts, narrowed to it', async () => {
    const day = purchase.from.slice(0, 10);
    const span = `startDate=${day}&endDate=${day}&interval=day`;
    const figures = async (store: string) => {
      const chart = `/v1/projects/${project}/metrics/charts/revenue?${span}&filter=store:${store}`;
      const { body } = await call('GET', chart);
      return body.buckets[0].values;
    };
    expect(await figures('third-store')).to.include({ revenue: 5, transactions: 1 });
    expect(await figures('ios-store')).to.include({ revenue: 0, transactions: 0 });
  });

  it('rejects an unlisted store kind wherever one is parsed', async () => {
    const base = `/v1/projects/${project}`;
    expect((await call('GET', `${base}/customers?store=web-store`)).status).to.equal(400);
    expect((await call('GET', `${base}/metrics/charts/revenue?filter=store:web-store`)).status).to.equal(400);
    expect((await call('POST', '/v1/store/web-store/token', {})).status).to.equal(404);
    const elsewhere = { name: 'Other', platform: 'web', thirdAppName: APP };
    expect((await call('POST', `${base}/apps`, elsewhere)).status).to.equal(400);
  });
});
