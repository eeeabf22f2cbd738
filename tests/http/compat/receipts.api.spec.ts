// The status of the answer to a receipt decides whether a purchase is lost: one test for each row of the table.
import { expect } from 'chai';
import { appReceipt } from '../../adapters/ios-store/app-receipts.js';
import { BUNDLE_ID, MONTHLY, signAppReceipt, store, type HttpResponse } from '../support/harness.js';
import { setUpService } from '../support/setup.js';
import { addTestApp, sdkClient, TEST_COINS, TEST_MONTHLY, testToken, type TestApp } from './setup.js';

const DAY_MS = 86_400_000;

describe('a receipt of an SDK', () => {
  const lines: string[] = [];
  const { harness, slice } = setUpService(
    { COMPAT_PORT: '0', LOG_LEVEL: 'warn' },
    {},
    { write: (line) => void lines.push(line) },
  );
  let app: TestApp;
  let android: { readonly id: string; readonly key: string };
  before(async () => {
    app = await addTestApp(harness, slice);
    const as = { token: slice.token };
    const base = `/v1/projects/${slice.projectId}`;
    const made = await harness.call(
      'POST',
      `${base}/apps`,
      { name: 'A', platform: 'android', packageName: 'com.example.a' },
      as,
    );
    const key = await harness.call('POST', `${base}/api-keys`, { name: 'a', kind: 'public', appId: made.body.id }, as);
    android = { id: made.body.id, key: key.body.key };
  });
  const ofTest = sdkClient(harness, () => app.key);
  const ofIos = sdkClient(harness, () => slice.publicKey);
  const ofAndroid = sdkClient(harness, () => android.key);
  let drawn = 8_000_000;

  const signed = (fields: object = {}, bundleId = BUNDLE_ID) =>
    store.signedTransaction({
      bundleId,
      transactionId: `${drawn++}`,
      productId: MONTHLY,
      purchaseDate: Date.now() - DAY_MS,
      expiresDate: Date.now() + 29 * DAY_MS,
      price: 9990,
      currency: 'EUR',
      environment: 'Production',
      ...fields,
    });
  const present = (who: string, fetch_token: string, more: object = {}) =>
    ofIos('POST', '/v1/receipts', { app_user_id: who, fetch_token, product_id: MONTHLY, ...more });
  const buy = (who: string, more: object = {}) =>
    ofTest('POST', '/v1/receipts', {
      app_user_id: who,
      fetch_token: testToken(Date.now()),
      product_id: TEST_MONTHLY,
      ...more,
    });
  const expectAnswer = ({ status, body, headers }: HttpResponse, expected: number, code: number) => {
    expect([status, body.code], JSON.stringify(body)).to.deep.equal([expected, code]);
    expect(body.message).to.be.a('string');
    expect(headers.get('content-type')).to.contain('application/json');
    if (expected === 503) expect(Number(headers.get('retry-after'))).to.be.above(0);
  };

  it('records a signed transaction, in the currency of the purchase', async () => {
    const { status, body } = await present('ann', signed());
    expect(status).to.equal(200);
    expect(body.subscriber.subscriptions[MONTHLY]).to.deep.include({
      store: 'app_store',
      is_sandbox: false,
      price: { amount: 9.99, currency: 'EUR' },
      display_name: 'Pro',
    });
    expect(body.subscriber.management_url).to.match(/^https:/);
    expect(Object.keys(body.subscriber.entitlements)).to.deep.equal(['pro']);
  });

  it('changes nothing when it is sent again', async () => {
    const receipt = signed();
    const first = await present('again', receipt);
    const head = await harness.service().services.deps.log.head();
    const second = await present('again', receipt, { initiation_source: 'queue' });
    expect(second.status).to.equal(200);
    expect(second.body.subscriber.subscriptions).to.deep.equal(first.body.subscriber.subscriptions);
    await harness.service().idle();
    expect(await harness.service().services.deps.log.head()).to.equal(head);
  });

  it('accepts fields that it does not know, and others of a wrong form', async () => {
    const odd = {
      price: '9.99',
      currency: 'nonsense',
      offers: [1],
      paywall: {},
      attributes: 7,
      product_ids: 'x',
      is_restore: 'yes',
    };
    expect((await present('odd', signed(), odd)).status).to.equal(200);
  });

  it('records a product that the catalogue lacks, without an entitlement', async () => {
    const { status, body } = await present('lacking', signed({ productId: 'com.example.unknown' }));
    expect(status).to.equal(200);
    expect(body.subscriber.entitlements).to.deep.equal({});
    expect(Object.keys(body.subscriber.subscriptions)).to.deep.equal(['com.example.unknown']);
  });

  it('gets 400 and code 7103 if its signature is wrong', async () => {
    const [head, , tail] = signed().split('.');
    expectAnswer(await present('bad', `${head}.${Buffer.from('{}').toString('base64url')}.${tail}`), 400, 7103);
  });

  it('gets 400 and code 7103 if it belongs to another app', async () => {
    expectAnswer(await present('other', signed({}, 'com.example.other')), 400, 7103);
  });

  it('gets 409 and code 7102 if the owner rule refuses it', async () => {
    const as = { token: slice.token };
    const receipt = signed();
    expect((await present('owner', receipt)).status).to.equal(200);
    await harness.call('PATCH', `/v1/projects/${slice.projectId}`, { transferBehavior: 'keep' }, as);
    expectAnswer(await present('thief', receipt), 409, 7102);
    await harness.call('PATCH', `/v1/projects/${slice.projectId}`, { transferBehavior: 'transfer' }, as);
  });

  it('gets 503 with an unknown key, since a wrong key in a release must not burn purchases', async () => {
    const stranger = sdkClient(harness, () => 'appl_unknown');
    expectAnswer(await stranger('POST', '/v1/receipts', { app_user_id: 'x', fetch_token: signed() }), 503, 7110);
    const nobody = sdkClient(harness, () => '');
    expectAnswer(await nobody('POST', '/v1/receipts', { app_user_id: 'x', fetch_token: signed() }), 503, 7110);
  });

  it('gets 503 and code 7107 while the android-store’s credentials are missing', async () => {
    const receipt = { app_user_id: 'andy', fetch_token: 'token-1', product_ids: ['com.example.a.pro'] };
    expectAnswer(await ofAndroid('POST', '/v1/receipts', receipt), 503, 7107);
  });

  for (const [name, body] of [
    ['is not JSON', '{'],
    ['is not an object', '[]'],
    ['has no user', { fetch_token: 'x' }],
    ['has the ID of a customer as its user', { app_user_id: `cus_${'0'.repeat(26)}`, fetch_token: 'x' }],
  ] as const)
    it(`gets 503 if it ${name}: the SDK must not finish a purchase for our or its own fault`, async () => {
      const { status, body: answer } = await ofIos('POST', '/v1/receipts', body);
      expect([status, answer.code]).to.deep.equal([503, 7110]);
    });

  it('gets 503 and a line in the log if it is a text that no store gives', async () => {
    expectAnswer(await present('odd-text', 'not-a-receipt'), 503, 7110);
    const refused = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(refused.findLast(({ msg }) => msg === 'a receipt was not recorded')).to.deep.include({
      ...{ projectId: slice.projectId, status: 503 },
      reason:
        'Invalid receipt: send the signed transaction (JWS) or the app receipt (base64) exactly as the store issued it',
    });
  });

  it('creates the customer if nothing was found to restore', async () => {
    const { status, body } = await ofIos('POST', '/v1/receipts', { app_user_id: 'empty', is_restore: true });
    expect([status, body.subscriber.subscriptions]).to.deep.equal([200, {}]);
  });

  describe('of StoreKit 1 without a purchase', () => {
    const present = async (more: object) => {
      const fetch_token = await signAppReceipt(appReceipt(BUNDLE_ID, []));
      return ofIos('POST', '/v1/receipts', { app_user_id: 'bare', fetch_token, ...more });
    };

    it('gets 503 after a purchase, which the store may not have added yet', async () => {
      expectAnswer(await present({ product_id: MONTHLY, initiation_source: 'purchase' }), 503, 7110);
    });

    it('creates the customer if it is restored', async () => {
      const { status, body } = await present({ is_restore: true });
      expect([status, body.subscriber?.subscriptions]).to.deep.equal([200, {}]);
    });
  });

  it('is recorded although its attributes are refused, which the answer lists', async () => {
    const attributes = {
      food: { value: 'pizza', updated_at_ms: Date.now() },
      'not a name': { value: 'x', updated_at_ms: Date.now() },
      notText: { value: 7, updated_at_ms: Date.now() },
      $sdkOnly: { value: 'x', updated_at_ms: Date.now() },
    };
    const { status, body } = await present('attributed', signed(), { attributes });
    expect(status).to.equal(200);
    expect(body.attribute_errors.map((e: { key_name: string }) => e.key_name)).to.deep.equal(['not a name', 'notText']);
    const read = await harness.call('GET', '/v1/subscribers/attributed', undefined, { key: slice.secretKey });
    expect(Object.keys(read.body.subscriber.attributes)).to.deep.equal(['food']);
  });

  describe('of the test store', () => {
    it('is of the sandbox, has the price of the catalogue, and ends with its period', async () => {
      const { status, body } = await buy('tess');
      expect(status).to.equal(200);
      const own = body.subscriber.subscriptions[TEST_MONTHLY];
      expect(own).to.deep.include({ store: 'test_store', is_sandbox: true, price: { amount: 9.99, currency: 'USD' } });
      expect(Date.parse(own.expires_date) - Date.parse(own.purchase_date)).to.be.within(28 * DAY_MS, 31 * DAY_MS);
    });

    it('changes nothing when its token is sent again, in whatever case', async () => {
      const token = testToken(Date.now());
      await buy('repeats', { fetch_token: token });
      const head = await harness.service().services.deps.log.head();
      const { body } = await buy('repeats', { fetch_token: token.toUpperCase().replace('TEST_', 'test_') });
      await harness.service().idle();
      expect(await harness.service().services.deps.log.head()).to.equal(head);
      expect(Object.keys(body.subscriber.subscriptions)).to.deep.equal([TEST_MONTHLY]);
    });

    it('of a consumable product is listed with the client’s transaction ID, and is to be consumed', async () => {
      const token = testToken(Date.now());
      const { body } = await buy('spender', { fetch_token: token, product_id: TEST_COINS });
      expect(body.purchased_products[TEST_COINS]).to.deep.equal({ should_consume: true });
      const [purchase] = body.subscriber.non_subscriptions[TEST_COINS];
      expect(purchase).to.deep.include({ store_transaction_id: token, price: { amount: 1.99, currency: 'USD' } });
    });

    it('gives no access where the project allows no sandbox', async () => {
      const as = { token: slice.token };
      await harness.call('PATCH', `/v1/projects/${slice.projectId}`, { sandboxAccess: 'nobody' }, as);
      const { body } = await buy('locked');
      await harness.call('PATCH', `/v1/projects/${slice.projectId}`, { sandboxAccess: 'anybody' }, as);
      expect(body.subscriber.entitlements).to.deep.equal({});
      const { expires_date, purchase_date } = body.subscriber.subscriptions[TEST_MONTHLY];
      expect(expires_date).to.equal(purchase_date);
    });

    it('gets 400 and code 7103 under the key of another app', async () => {
      expectAnswer(await present('cheat', testToken(Date.now())), 400, 7103);
    });

    it('gets 400 and code 7103 if its token has another form', async () => {
      expectAnswer(await buy('forged', { fetch_token: 'test_free_access' }), 400, 7103);
    });
  });
});
