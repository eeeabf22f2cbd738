// Requests about customers as real SDKs, proxies and servers send them, and their neighbours: none may end in a fault or merge strangers.
import { expect } from 'chai';
import { BUNDLE_ID, MONTHLY, store } from '../support/harness.js';
import { rawRequest, requestText } from '../support/raw-request.js';
import { setUpService } from '../support/setup.js';
import { sdkClient } from './setup.js';

const DAY_MS = 86_400_000;
const RECEIPTS = '/v1/receipts';
const anonymous = (n: number) => `$RCAnonymousID:${String(n).padStart(32, 'a')}`;

describe('an untidy request about a customer', () => {
  const { harness, slice } = setUpService({ COMPAT_PORT: '0' });
  const call = sdkClient(harness, () => slice.publicKey);
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
  const transactionsOf = async (who: string) => {
    await harness.service().idle();
    const path = `/v1/projects/${slice.projectId}/transactions?limit=100`;
    const { body } = await harness.call('GET', path, undefined, { token: slice.token });
    return (body.items as readonly { readonly appUserId: string }[]).filter(({ appUserId }) => appUserId === who);
  };

  describe('by a name', () => {
    for (const who of [
      'a b',
      'ann@example.com',
      '😀',
      'x'.repeat(200),
      anonymous(1),
      '%41',
      "o'hara",
      'a;b=c',
      'a?b#c',
    ])
      it(`${JSON.stringify(who.slice(0, 30))} is answered, by each path`, async () => {
        const infos = [
          await call('GET', id(who)),
          await call('GET', `${id(who)}/`),
          await call('GET', id(who), undefined, {
            'x-revenuecat-etag': '',
            'x-nonce': 'AAAAAAAAAAAAAAAA',
            'x-platform': '',
          }),
        ];
        expect(infos.map(({ status }) => status)).to.deep.equal([201, 200, 200]);
        for (const { body } of infos) expect(body.subscriber.original_app_user_id).to.equal(who);
        for (const path of ['offerings', 'virtual_currencies'])
          expect((await call('GET', `${id(who)}/${path}`)).status).to.equal(200);
        const attributes = { colour: { value: 'blue', updated_at_ms: Date.now() } };
        expect((await call('POST', `${id(who)}/attributes`, { attributes })).status).to.equal(200);
      });

    for (const who of ['x'.repeat(300), 'a/b', 'null', 'undefined'])
      it(`${JSON.stringify(who.slice(0, 30))} is refused in the form of the SDKs`, async () => {
        for (const path of ['', '/offerings', '/attributes']) {
          const method = path === '/attributes' ? 'POST' : 'GET';
          const { status, body } = await call(
            method,
            `${id(who)}${path}`,
            method === 'POST' ? { attributes: {} } : undefined,
          );
          expect(status, path).to.be.within(400, 404);
          expect(body.code).to.be.a('number');
        }
      });

    it('by a HEAD request is not created', async () => {
      const headers = headersOf(slice.publicKey);
      const response = await rawRequest(harness.service().compatUrl ?? '', requestText('HEAD', id('head'), headers));
      expect(Number(response.slice(9, 12))).to.be.below(500);
      expect((await call('GET', id('head'))).status).to.equal(201);
    });

    it('with the tag of its last answer gets 304 with the tag again', async () => {
      await call('GET', id('tagged'));
      const first = await call('GET', id('tagged'));
      const tag = first.headers.get('x-revenuecat-etag') ?? '';
      const again = await fetch(`${harness.service().compatUrl ?? ''}${id('tagged')}`, {
        headers: { ...headersOf(slice.publicKey), 'x-revenuecat-etag': tag },
      });
      expect([again.status, again.headers.get('x-revenuecat-etag')]).to.deep.equal([304, tag]);
      expect(Number(again.headers.get('x-revenuecat-request-time'))).to.be.above(0);
    });

    it('sets what is valid of attributes in whatever form', async () => {
      for (const attributes of [null, [], 'x', 7, {}, { colour: null }, { colour: 'blue' }, { a: { value: 7 } }]) {
        const { status, body } = await call('POST', `${id('odd')}/attributes`, { attributes });
        expect(status, JSON.stringify(attributes)).to.be.oneOf([200, 400]);
        if (status === 400) expect(body.code).to.equal(7263);
      }
      const text = { long: { value: 'x'.repeat(1000), updated_at_ms: 1 }, fine: { value: 'y', updated_at_ms: 1 } };
      const { status, body } = await call('POST', `${id('odd')}/attributes`, { attributes: text });
      expect([status, body.attribute_errors.map((e: { key_name: string }) => e.key_name)]).to.deep.equal([
        400,
        ['long'],
      ]);
      await harness.service().idle();
      const read = await asServer('GET', id('odd'));
      expect(Object.keys(read.body.subscriber.subscriber_attributes)).to.deep.equal(['fine']);
    });
  });

  describe('to log in', () => {
    const login = (from: unknown, to: unknown) =>
      call('POST', '/v1/subscribers/identify', { app_user_id: from, new_app_user_id: to });
    const owns = async (who: string) => {
      const { body } = await call('GET', id(who));
      return Object.keys(body.subscriber.subscriptions).length > 0;
    };

    it('as the same user changes nothing, known or not', async () => {
      expect((await login('self', 'self')).status).to.equal(201);
      expect((await login('self', 'self')).status).to.equal(200);
      await present(anonymous(11));
      expect((await login(anonymous(11), anonymous(11))).status).to.equal(200);
      expect(await owns(anonymous(11))).to.equal(true);
    });

    it('from a buyer to another buyer leaves both what they have', async () => {
      await present('buyer one');
      await present('buyer two');
      expect((await login('buyer one', 'buyer two')).status).to.equal(200);
      expect([await owns('buyer one'), await owns('buyer two')]).to.deep.equal([true, true]);
      const infos = await Promise.all(['buyer one', 'buyer two'].map((who) => call('GET', id(who))));
      const [one, two] = infos.map(({ body }) => body.subscriber.subscriptions[MONTHLY].store_transaction_id);
      expect(one).not.to.equal(two);
    });

    it('with an anonymous name that somebody else has used up takes nothing along', async () => {
      await present(anonymous(12));
      await login(anonymous(12), 'first owner');
      expect((await login(anonymous(12), 'second owner')).status).to.equal(201);
      expect([await owns('first owner'), await owns('second owner')]).to.deep.equal([true, false]);
    });

    it('as an anonymous user is answered', async () => {
      expect((await login('named', anonymous(13))).status).to.be.oneOf([200, 201]);
      expect((await login(anonymous(14), anonymous(13))).status).to.be.oneOf([200, 201]);
    });

    it('as an erased user takes nothing of the name to another', async () => {
      await present('erased');
      await asServer('DELETE', id('erased'));
      await harness.service().idle();
      for (const ask of [
        () => login(anonymous(15), 'erased'),
        () => call('POST', `${id('erased')}/alias`, { new_app_user_id: 'heir' }),
        () => call('POST', `${id(anonymous(16))}/alias`, { new_app_user_id: 'erased' }),
      ])
        expect((await ask()).status).to.be.oneOf([200, 201]);
      expect([await owns('heir'), await owns(anonymous(15))]).to.deep.equal([false, false]);
      expect((await present('erased')).status).to.equal(200);
    });

    for (const [from, to] of [
      [anonymous(17), 7],
      [anonymous(17), null],
      [anonymous(17), 'x'.repeat(300)],
      [null, 'ann'],
      [7, 'ann'],
      [undefined, 'ann'],
    ])
      it(`from ${JSON.stringify(from)?.slice(0, 20)} to ${JSON.stringify(to).slice(0, 20)} is refused with code 7220`, async () => {
        const { status, body } = await login(from, to);
        expect([status, body.code]).to.deep.equal([400, 7220]);
      });

    it('ten times at once merges once', async () => {
      await present(anonymous(18));
      const answers = await Promise.all(Array.from({ length: 10 }, () => login(anonymous(18), 'eager')));
      for (const { status } of answers) expect(status).to.be.oneOf([200, 201]);
      expect(await owns('eager')).to.equal(true);
      expect(await transactionsOf('eager')).to.have.length(1);
    });
  });
});
