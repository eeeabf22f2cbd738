// From the key to the first call: whether the notification address can be reached, refused notifications, and a simulated purchase.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { OutboundFailure } from '../../../src/domain/errors.js';
import type { OutboundResponse } from '../../../src/adapters/outbound/port.js';
import { checkAddress } from '../../../src/http/projects/notification-check.js';
import { notification, setUpProject, type Json } from '../support/harness.js';
import { expectRefusal } from '../support/refusal.js';
import { setUpService } from '../support/setup.js';
import { loadDashboard } from '../../dashboard/load-dashboard.js';

const run = promisify(execFile);

describe('the check of the notification address', () => {
  const response = (status: number, body: string, more: object = {}): OutboundResponse => {
    return { status, headers: {}, body: Buffer.from(body), truncated: false, ...more };
  };
  const asked: string[] = [];
  const answering = (answer: OutboundResponse | OutboundFailure) => ({
    outbound: {
      send: ({ url }: { readonly url: string }) => {
        asked.push(url);
        return answer instanceof OutboundFailure ? Promise.reject(answer) : Promise.resolve(answer);
      },
    },
  });
  const ok = response(200, '{"status":"ok"}');

  for (const [address, verdict] of [
    ['http://127.0.0.1:3000', 'loopback'],
    ['https://localhost', 'loopback'],
    ['https://app.localhost:3000', 'loopback'],
    ['http://[::1]:3000', 'loopback'],
    ['http://0.0.0.0:3000', 'loopback'],
    ['http://192.168.1.10:3000', 'private'],
    ['https://10.1.2.3', 'private'],
    ['https://[fd00::1]', 'private'],
    ['https://169.254.169.254', 'private'],
    ['https://100.64.0.1', 'private'],
    ['http://subledger:3000', 'private'],
    ['http://subledger.example.com', 'unencrypted'],
  ] as const) {
    it(`names ${address} as ${verdict} without a request`, async () => {
      asked.splice(0);
      const [found, sentence] = await checkAddress(answering(ok), address);
      expect([found, asked]).to.deep.equal([verdict, []]);
      expect(sentence).to.include(address).and.to.include('Set PUBLIC_URL');
    });
  }

  for (const [what, answer, verdict] of [
    ['this service', ok, 'reachable'],
    ['a page of somebody else', response(200, '<html>'), 'other_service'],
    ['JSON of somebody else', response(200, '{"status":"down"}'), 'other_service'],
    ['a refusal', response(404, '{"status":"ok"}'), 'other_service'],
    ['an allowed private address', response(200, '{"status":"ok"}', { isPrivate: true }), 'private'],
    ['a blocked address', new OutboundFailure('blocked', 'the address is private'), 'private'],
    ['no name', new OutboundFailure('dns', 'the name was not found'), 'unreachable'],
    ['no answer in time', new OutboundFailure('timeout', 'no response'), 'unreachable'],
  ] as const) {
    it(`finds ${verdict} when the address leads to ${what}`, async () => {
      asked.splice(0);
      const [found] = await checkAddress(answering(answer), 'https://subledger.example.com');
      expect([found, asked]).to.deep.equal([verdict, ['https://subledger.example.com/livez']]);
    });
  }
});

describe('the first calls of a project', () => {
  const { harness, slice, as } = setUpService();
  let appId: string;
  const base = () => `/v1/projects/${slice.projectId}`;
  const post = (path: string, body?: object, by: object = as) => harness.call('POST', `${base()}${path}`, body, by);

  before(async () => {
    appId = (await post('/apps', { name: 'Test', platform: 'test' })).body.id;
  });

  it('check the address of the app, and none of a test app', async () => {
    const { status, body } = await post(`/apps/${slice.appId}/notification-check`);
    expect([status, body.verdict, body.address]).to.deep.equal([200, 'loopback', harness.service().url]);
    expectRefusal(await post(`/apps/${appId}/notification-check`), 409);
    const other = await setUpProject(harness);
    expectRefusal(await post(`/apps/${other.appId}/notification-check`), 404);
  });

  it('show a refused notification at once, with the reason that the sender got', async () => {
    const evidenceOf = async (): Promise<Json> =>
      (await harness.call('GET', `${base()}/setup-status`, undefined, as)).body.evidence.apps[0].refusedNotifications;
    expect(await evidenceOf()).to.deep.equal({ count: 0, last: null });
    const unsigned = await harness.call('POST', slice.notificationPath, { signedPayload: 'a.b.c' });
    expect(unsigned.status).to.be.within(400, 499);
    const first = await evidenceOf();
    expect([first.count, first.last.reason]).to.deep.equal([1, unsigned.body.message]);
    const foreign = { notificationType: 'TEST', signedDate: Date.now(), bundleId: 'com.example.stranger' } as const;
    await harness.call('POST', slice.notificationPath, notification(foreign));
    const second = await evidenceOf();
    expect(second.count).to.equal(2);
    expect(second.last.reason).to.match(/another app|an app that this project does not have/);
  });

  it('simulate a purchase of a test app that unlocks, and no other', async () => {
    const fields = { appId, storeProductId: 'pro', displayName: 'Pro', type: 'subscription', duration: 'P1M' };
    const product = await post('/products', fields);
    await post(`/entitlements/${slice.entitlementId}/products`, { productIds: [product.body.id] });
    const path = `/apps/${appId}/test-purchase`;
    const bought = await post(path, { productId: product.body.id, appUserId: 'ann' });
    expect([bought.status, bought.body.storeProductId]).to.deep.equal([201, 'pro']);
    const { body } = await harness.call('GET', `${base()}/customers/ann`, undefined, as);
    expect([body.id, body.activeEntitlements]).to.deep.equal([bought.body.customerId, ['pro']]);
    expect(body.subscriptions.map((s: Json) => [s.environment, s.latestTransactionId])).to.deep.equal([
      ['sandbox', bought.body.transactionId],
    ]);
    expect((await post(path, { productId: product.body.id })).body.appUserId).to.equal('test-user');
    expectRefusal(await post(path, { productId: slice.productId }), 400);
    expectRefusal(await post(path, { productId: product.body.id, appUserId: '' }), 400);
    expectRefusal(await post(`/apps/${slice.appId}/test-purchase`, { productId: slice.productId }), 409);
    expectRefusal(await post('/apps/app_x/test-purchase', { productId: slice.productId }), 404);
  });

  it('work as the guide shows them, with the public and the secret key', async () => {
    const { snippetsOf } = await loadDashboard<{ snippetsOf(call: object): { id: string; code: string }[] }>(
      'setup/snippets.ts',
    );
    const { evidence } = (await harness.call('GET', `${base()}/setup-status`, undefined, as)).body;
    for (const [key, platform] of [
      [slice.publicKey, 'ios'],
      [slice.secretKey, null],
    ]) {
      const [{ code } = { code: '' }] = snippetsOf({ key, platform, ...evidence.addresses });
      const { stdout } = await run('sh', ['-c', code], { timeout: 10_000 });
      expect(JSON.parse(stdout).subscriber.appUserId, stdout).to.equal('ann');
    }
  });

  for (const [platform, names] of [
    [null, 'curl TypeScript'],
    ['ios', 'curl TypeScript Swift Flutter React Native'],
    ['android', 'curl TypeScript Kotlin Flutter React Native'],
    ['test', 'curl TypeScript Swift Kotlin Flutter React Native Web'],
  ] as const) {
    it(`are shown for ${platform ?? 'a server'} in ${names}, each with key and address`, async () => {
      const { snippetsOf } = await loadDashboard<{
        snippetsOf(call: object): { id: string; name: string; code: string }[];
      }>('setup/snippets.ts');
      const snippets = snippetsOf({ key: 'pk_1', platform, api: 'https://a.example', sdk: 'https://b.example' });
      expect(snippets.map(({ name }) => name).join(' ')).to.equal(names);
      for (const { id, code } of snippets) {
        const address = id === 'curl' || id === 'typescript' ? 'https://a.example' : 'https://b.example';
        expect(code, id).to.include('pk_1').and.to.include(address);
      }
      const off = snippetsOf({ key: 'pk_1', platform, api: 'https://a.example', sdk: null }).slice(2);
      for (const { id, code } of off) expect(code, id).to.include('set COMPAT_PORT');
    });
  }

  it('know the addresses of the interfaces', async () => {
    const { evidence } = (await harness.call('GET', `${base()}/setup-status`, undefined, as)).body;
    expect(evidence.addresses).to.deep.equal({ api: harness.service().url, sdk: harness.service().compatUrl });
  });
});
