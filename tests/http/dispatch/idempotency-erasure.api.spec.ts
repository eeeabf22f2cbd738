// Responses stored under an Idempotency-Key are erased with their customer, for each route.
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { scanPages } from '../../../src/adapters/documents/records.js';
import { BUNDLE_ID, MONTHLY, notification, store } from '../support/harness.js';
import { expectRefusal } from '../support/refusal.js';
import { tickingClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';
import { addTestApp, sdkClient, TEST_MONTHLY, testToken, type SdkCall, type TestApp } from '../compat/setup.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');

describe('an idempotent request repeated after an erasure', () => {
  const { harness, slice } = setUpService({ COMPAT_PORT: '0' }, tickingClock(NOW));
  let project: string;
  let webhook: string;
  before(async () => {
    project = `/v1/projects/${slice.projectId}`;
    const url = 'https://hooks.example.com/x';
    webhook = (await call('POST', `${project}/webhooks`, { url, name: 'w' })).body.id;
  });

  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    harness.call(method, path, body, { key: slice.secretKey, headers });
  const once = (path: string, body: unknown, key: string) => call('POST', path, body, { 'idempotency-key': key });
  const buy = async (who: string, transactionId: string) => {
    const dates = { purchaseDate: NOW, expiresDate: NOW + 1e9 };
    const bought = { transactionId, productId: MONTHLY, price: 9990, ...dates };
    const receipt = store.signedTransaction({ ...bought, bundleId: BUNDLE_ID, environment: 'Production' });
    const { status } = await call('POST', `/v1/subscribers/${who}/receipts`, { store: 'ios-store', receipt });
    expect(status).to.equal(200);
  };
  const erase = async (who: string) => {
    expect((await call('DELETE', `/v1/subscribers/${who}`)).status).to.equal(200);
    await harness.service().idle();
  };
  const exists = async (who: string) => (await call('GET', `${project}/customers/${who}`)).status === 200;
  /** Sends the request, erases somebody, and expects the repeat to be refused without a trace of them. */
  const expectGone = async (path: string, body: unknown, who: string) => {
    const key = `${path} ${who}`;
    const first = await once(path, body, key);
    expect(first.status, JSON.stringify(first.body)).to.be.within(200, 201);
    expect((await once(path, body, key)).body).to.deep.equal(first.body);
    await erase(who);
    const repeat = await once(path, body, key);
    expectRefusal(repeat, 409);
    expect(JSON.stringify(repeat.body)).not.to.include(who);
    expect(await exists(who)).to.equal(false);
  };

  it('does not create the subscriber again', () =>
    expectGone('/v1/subscribers/anew', { attributes: { $email: 'anew@example.com' } }, 'anew'));

  it('does not create again who was merged from another name', async () => {
    await call('POST', '/v1/subscribers/$anon:merged', {});
    await expectGone('/v1/subscribers/merged', { previousAppUserId: '$anon:merged' }, 'merged');
  });

  for (const who of ['giver', 'taker']) {
    it(`does not show the ${who} of a transferred purchase`, async () => {
      const [from, to] = [`giver-${who}`, `taker-${who}`];
      await buy(from, who === 'giver' ? '880001' : '880002');
      await call('POST', `/v1/subscribers/${to}`, {});
      const body = { transactionId: who === 'giver' ? '880001' : '880002', reason: 'wrong account' };
      await expectGone(`${project}/customers/${to}/purchases/transfer`, body, `${who}-${who}`);
    });
  }

  it('does not reveal the owner of a purchase that is requested by ID', async () => {
    await buy('refreshed', '880003');
    const { body } = await call('GET', `${project}/customers/refreshed`);
    await expectGone(`${project}/customers/${body.id}/refresh`, undefined, 'refreshed');
  });

  it('does not show whom a delivery that was sent again is about', async () => {
    await call('POST', '/v1/subscribers/told', {});
    await call('POST', '/v1/subscribers/told/entitlements', { entitlementId: 'pro', duration: 'weekly' });
    await harness.service().idle();
    const { body } = await call('GET', `${project}/webhooks/${webhook}/deliveries?appUserId=told`);
    await expectGone(`${project}/webhooks/${webhook}/deliveries/${body.items[0].id}/redeliver`, undefined, 'told');
  });

  it('does not show whom a notification that was retried is about', async () => {
    await buy('noticed', '880004');
    const period = { purchaseDate: NOW, expiresDate: NOW + 1e9, price: 9990, currency: 'USD' };
    const transaction = { transactionId: '880004', originalTransactionId: '880004', productId: MONTHLY, ...period };
    const renewal = { notificationType: 'DID_CHANGE_RENEWAL_STATUS', subtype: 'AUTO_RENEW_DISABLED' };
    const body = notification({ ...renewal, signedDate: NOW + 60_000, transaction });
    expect((await harness.call('POST', slice.notificationPath, body)).status).to.equal(200);
    await harness.service().idle();
    const { items } = (await call('GET', `${project}/notifications?limit=1`)).body;
    expect(items[0].customerId).to.match(/^cus_/);
    await expectGone(`${project}/notifications/${items[0].id}/retry`, undefined, 'noticed');
  });

  describe('on the compatibility API', () => {
    let testApp: TestApp;
    before(async () => void (testApp = await addTestApp(harness, slice)));
    const ios = sdkClient(harness, () => slice.publicKey);
    const test = sdkClient(harness, () => testApp.key);
    const anonymous = (n: number) => `$RCAnonymousID:${String(n).padStart(32, '0')}`;
    const bought = (transactionId: string) =>
      store.signedTransaction({
        ...{ bundleId: BUNDLE_ID, environment: 'Production', transactionId, productId: MONTHLY, price: 9990 },
        ...{ purchaseDate: NOW, expiresDate: NOW + 1e9 },
      });
    /** Requests of an SDK about a customer, of whom another name may be in the request. */
    const requests: readonly (readonly [string, SdkCall, string, (who: string) => Promise<object>])[] = [
      [
        'a login',
        ios,
        '/v1/subscribers/identify',
        async (who) => ({ app_user_id: anonymous(1), new_app_user_id: who }),
      ],
      [
        'a login of an earlier SDK',
        ios,
        `/v1/subscribers/${anonymous(2)}/alias`,
        async (who) => ({ new_app_user_id: who }),
      ],
      ['a receipt', ios, '/v1/receipts', async (who) => ({ app_user_id: who, fetch_token: bought('880011') })],
      [
        'a receipt of the test store',
        test,
        '/v1/receipts',
        async (who) => ({ app_user_id: who, fetch_token: testToken(NOW), product_id: TEST_MONTHLY }),
      ],
    ];
    for (const [index, [name, send, path, bodyFor]] of requests.entries())
      it(`does not return whom ${name} was about`, async () => {
        const who = `sdk-${index}`;
        for (const n of [1, 2]) await ios('GET', `/v1/subscribers/${anonymous(n)}`);
        const body = await bodyFor(who);
        const once = () => send('POST', path, body, { 'idempotency-key': who });
        const first = await once();
        expect(first.status, JSON.stringify(first.body)).to.be.oneOf([200, 201]);
        // A login answers with the first name of the customer, another request with the one that was sent.
        const named = 'new_app_user_id' in body ? anonymous(index + 1) : who;
        expect(JSON.stringify(first.body)).to.include(named);
        expect((await once()).body).to.deep.equal(first.body);
        await erase(who);
        const repeat = await once();
        // An SDK keeps a receipt that is answered with 503, and finishes it for most of 4xx.
        expect(repeat.status).to.equal(path === '/v1/receipts' ? 503 : 409);
        for (const name of [who, named]) expect(JSON.stringify(repeat.body)).not.to.include(name);
        expect(await exists(who)).to.equal(false);
      });
  });

  it('leaves no fingerprint that could be guessed from the request', async () => {
    const body = { attributes: { $email: 'guessed@example.com' } };
    await once('/v1/subscribers/guessed', body, 'guess');
    const asked = JSON.stringify(['post', '/v1/subscribers/guessed', slice.projectId, body]);
    const { docs } = harness.service().services.deps;
    const rows: string[] = [];
    const scan = { index: 'id', eq: [], limit: 100 };
    for await (const page of scanPages(scan, (s) => docs.scan('idempotency_2026-11-20', s))) {
      rows.push(...page.map(({ doc }) => String(doc['fingerprint'])));
    }
    expect(rows).not.to.have.length(0);
    expect(rows).not.to.include(createHash('sha256').update(asked).digest('base64url'));
  });
});
