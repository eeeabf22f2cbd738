// Receipts as real SDKs, proxies and servers send them, and their neighbours: none may end in a fault, burn a purchase or record one twice.
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { BUNDLE_ID, MONTHLY, store } from '../support/harness.js';
import { rawRequest, requestText } from '../support/raw-request.js';
import { setUpService } from '../support/setup.js';
import { addTestApp, sdkClient, TEST_MONTHLY, testToken, type TestApp } from './setup.js';

const DAY_MS = 86_400_000;
const RECEIPTS = '/v1/receipts';

describe('an untidy receipt of an SDK', () => {
  const { harness, slice } = setUpService({ COMPAT_PORT: '0', COMPAT_HOST_NAME: 'sdk.example.com' });
  let app: TestApp;
  before(async () => void (app = await addTestApp(harness, slice)));
  const call = sdkClient(harness, () => slice.publicKey);
  const ofTest = sdkClient(harness, () => app.key);
  const asServer = sdkClient(harness, () => slice.secretKey);
  const id = (who: string) => `/v1/subscribers/${encodeURIComponent(who)}`;
  let drawn = 8_700_000;
  const signed = (fields: object = {}) =>
    store.signedTransaction({
      ...{ bundleId: BUNDLE_ID, transactionId: `${drawn++}`, productId: MONTHLY, environment: 'Production' },
      ...{ purchaseDate: Date.now() - DAY_MS, expiresDate: Date.now() + 29 * DAY_MS, price: 9990, currency: 'EUR' },
      ...fields,
    });
  const present = (who: unknown, more: object = {}) =>
    call('POST', RECEIPTS, { app_user_id: who, fetch_token: signed(), product_id: MONTHLY, ...more });
  const headersOf = (key: string) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });
  const raw = async (text: string | Buffer, at = harness.service().compatUrl) => {
    const response = await rawRequest(at ?? '', text);
    const [, body = ''] = response.split('\r\n\r\n');
    return { status: Number(response.slice(9, 12)), body: body === '' ? {} : (JSON.parse(body) as { code?: number }) };
  };
  const transactionsOf = async (who: string) => {
    await harness.service().idle();
    const path = `/v1/projects/${slice.projectId}/transactions?limit=100`;
    const { body } = await harness.call('GET', path, undefined, { token: slice.token });
    return (body.items as readonly { readonly appUserId: string }[]).filter(({ appUserId }) => appUserId === who);
  };

  describe('with a receipt', () => {
    for (const [about, more] of [
      [
        'nulls where texts belong',
        { product_id: null, transaction_id: null, price: null, currency: null, is_restore: null },
      ],
      ['empty texts', { product_id: '', transaction_id: '', price: '', currency: '', initiation_source: '' }],
      ['lists and objects swapped', { product_ids: {}, attributes: [], offers: {}, platform_product_ids: 'x' }],
      [
        'numbers as texts and texts as numbers',
        { price: '9,99', transaction_id: 7, payload_version: '1', product_id: 7 },
      ],
      ['an attribute of null, which deletes it', { attributes: { colour: { value: null, updated_at_ms: 1 } } }],
      ['attributes without a time', { attributes: { colour: { value: 'blue' }, $email: { value: '' } } }],
      ['attributes that are plain texts', { attributes: { colour: 'blue' } }],
      [
        'a hundred attributes',
        { attributes: Object.fromEntries([...Array(100).keys()].map((n) => [`k${n}`, { value: 'v' }])) },
      ],
      ['a long attribute', { attributes: { colour: { value: 'x'.repeat(100_000), updated_at_ms: 1 } } }],
    ] as const)
      it(`and ${about} is recorded`, async () => {
        const { status, body } = await present(`with ${about}`, more);
        expect(status, JSON.stringify(body)).to.equal(200);
        expect(Object.keys(body.subscriber.entitlements)).to.deep.equal(['pro']);
      });

    for (const who of [
      ' ',
      'a b',
      'ann@example.com',
      'a/b',
      '😀',
      'é'.normalize('NFD'),
      '%2F',
      'x'.repeat(200),
      'x'.repeat(255),
    ])
      it(`of ${JSON.stringify(who.slice(0, 20))} (${who.length}) is recorded`, async () => {
        const { status, body } = await present(who);
        expect([status, body.subscriber?.original_app_user_id]).to.deep.equal([200, who]);
      });

    for (const who of ['', 'x'.repeat(300), 12_345, null, ['ann'], { id: 'ann' }, 'a\u0000b', '\ud800'])
      it(`of ${JSON.stringify(who).slice(0, 20)} is kept by the device`, async () => {
        const { status, body } = await present(who);
        expect([status, body.code]).to.deep.equal([503, 7110]);
      });

    for (const fetch_token of [undefined, null, ''])
      it(`that is ${JSON.stringify(fetch_token)} is kept by the device that names a purchase, and is nothing for a restore`, async () => {
        const bought = { fetch_token, product_id: MONTHLY, transaction_id: '1', initiation_source: 'purchase' };
        expect((await present('bare', bought)).status).to.equal(503);
        expect((await present('bare', { ...bought, is_restore: true })).status).to.equal(503);
        expect((await present('bare', { fetch_token, product_id: undefined })).status).to.equal(503);
        const restored = { fetch_token, product_id: undefined, initiation_source: 'restore' };
        expect((await present('bare', restored)).status).to.equal(200);
        const proof = { fetch_token, product_id: undefined, app_transaction: 'a.b.c' };
        expect((await present('bare', proof)).status).to.equal(200);
      });

    for (const [about, receipt] of [
      ['another app', () => signed({ bundleId: 'com.example.other' })],
      ['Xcode', () => signed({ environment: 'Xcode' })],
      ['a local test', () => signed({ environment: 'LocalTesting' })],
    ] as const)
      it(`of ${about} is refused for good`, async () => {
        const { status, body } = await present('stranger', { fetch_token: receipt() });
        expect([status, body.code]).to.deep.equal([400, 7103]);
      });

    it('of a subscription that is over is recorded without access', async () => {
      const over = signed({ purchaseDate: Date.now() - 60 * DAY_MS, expiresDate: Date.now() - 30 * DAY_MS });
      const { status, body } = await present('late', { fetch_token: over });
      expect(status).to.equal(200);
      expect(Object.keys(body.subscriber.subscriptions)).to.deep.equal([MONTHLY]);
      const { expires_date } = body.subscriber.entitlements.pro ?? { expires_date: '' };
      expect(expires_date < new Date().toISOString()).to.equal(true);
    });

    it('that is posted ten times at once is recorded once', async () => {
      const fetch_token = signed();
      const answers = await Promise.all(Array.from({ length: 10 }, () => present('hasty', { fetch_token })));
      for (const { status } of answers) expect(status).to.equal(200);
      expect(await transactionsOf('hasty')).to.have.length(1);
      const ofStore = { app_user_id: 'hasty tester', fetch_token: testToken(Date.now()), product_id: TEST_MONTHLY };
      const tested = await Promise.all(Array.from({ length: 10 }, () => ofTest('POST', RECEIPTS, ofStore)));
      for (const { status } of tested) expect(status).to.equal(200);
      expect(await transactionsOf('hasty tester')).to.have.length(1);
    });

    it('that two customers post at once has one owner', async () => {
      const fetch_token = signed();
      const answers = await Promise.all(['one', 'two'].map((who) => present(who, { fetch_token })));
      for (const { status } of answers) expect(status).to.equal(200);
      const infos = await Promise.all(['one', 'two'].map((who) => call('GET', id(who))));
      const active = infos.filter(({ body }) => {
        const { pro } = body.subscriber.entitlements;
        return pro !== undefined && pro.expires_date > new Date().toISOString();
      });
      expect(active).to.have.length(1);
    });

    it('of Mac Catalyst is of the ios-store, also for a server', async () => {
      const sent = { app_user_id: 'mac', fetch_token: signed(), product_id: MONTHLY };
      const { status } = await asServer('POST', RECEIPTS, sent, { 'x-platform': 'uikitformac' });
      expect(status).to.equal(200);
      await call('GET', id('macdevice'), undefined, { 'x-platform': 'uikitformac' });
      const path = `/v1/projects/${slice.projectId}/customers/macdevice`;
      const { body } = await harness.call('GET', path, undefined, { token: slice.token });
      expect(body.lastSeenPlatform ?? body.platform).to.equal('macos');
    });
  });

  describe('with a receipt that HTTP itself would refuse is kept by the device', () => {
    const body = () => JSON.stringify({ app_user_id: 'http', fetch_token: signed(), product_id: MONTHLY });
    const post = (
      headers: Record<string, string>,
      text: string | Buffer = body(),
      target = RECEIPTS,
      at?: string | null,
    ) => {
      const bytes = Buffer.from(text);
      const length = { 'content-length': String(bytes.length) };
      const head = requestText('POST', target, { ...headersOf(slice.publicKey), ...length, ...headers });
      return raw(Buffer.concat([Buffer.from(head), bytes]), at);
    };
    for (const [about, headers] of [
      ['another content type', { 'content-type': 'text/plain' }],
      ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
      ['another encoding', { 'content-encoding': 'compress' }],
      ['another character set', { 'content-type': 'application/json; charset=latin9' }],
      ['a second content type', { 'Content-type': 'application/json', 'content-type': 'application/json' }],
      ['an expectation', { expect: 'tea' }],
      ['too many headers', Object.fromEntries([...Array(120).keys()].map((n) => [`x-${n}`, 'x']))],
      ['headers that are too long', { 'x-long': 'x'.repeat(20_000) }],
      ['an empty authorization', { authorization: 'Bearer ' }],
    ] as const)
      it(`for ${about}, by its port and by its host name`, async () => {
        const { url } = harness.service();
        for (const answer of [
          await post(headers),
          await post({ ...headers, host: 'sdk.example.com' }, body(), RECEIPTS, url),
        ])
          expect([answer.status, answer.body.code]).to.deep.equal([503, 7110]);
      });

    it('for a body that is cut off by its own length', async () => {
      const { status, body: answer } = await post({ 'content-length': '20' });
      expect([status, answer.code]).to.deep.equal([503, 7110]);
    });

    it('for a body above every receipt', async () => {
      const sent = { app_user_id: 'big', fetch_token: 'A'.repeat(9 * 1024 * 1024) };
      expect((await call('POST', RECEIPTS, sent)).status).to.equal(503);
    });

    for (const target of [RECEIPTS, `${RECEIPTS}/`, `${RECEIPTS}?a=1`, `http://sdk.example.com${RECEIPTS}`])
      it(`but not for gzip, at ${target}`, async () => {
        const { status } = await post({ 'content-encoding': 'gzip' }, gzipSync(body()), target);
        expect(status).to.equal(200);
      });
  });
});
