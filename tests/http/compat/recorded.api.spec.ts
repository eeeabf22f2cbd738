// Replays every kind of request that the SDKs send, and checks the class of the answer: successes are decoded by the strictest SDK's rules.
import { expect } from 'chai';
import { BUNDLE_ID, MONTHLY, signAppReceipt, store, type HttpResponse } from '../support/harness.js';
import { setUpService } from '../support/setup.js';
import { appReceipt } from '../../adapters/ios-store/app-receipts.js';
import { receiptOfWeb, receiptsOfAndroid, receiptsOfIos, type RecordedReceipt } from './recorded-receipts.js';
import { headersOfClient, recordedRequests, type ExpectedAnswer, type RecordedRequest } from './recorded-requests.js';
import { addTestApp, sdkClient, testToken } from './setup.js';

const DAY_MS = 86_400_000;

describe('a recorded request of an SDK', () => {
  const { harness, slice } = setUpService({ COMPAT_PORT: '0' });
  const keys: Record<RecordedRequest['client'], string> = { ios: '', oldIos: '', android: '', web: '' };
  before(async () => {
    const as = { token: slice.token };
    const base = `/v1/projects/${slice.projectId}`;
    const fields = { name: 'A', platform: 'android', packageName: 'com.example.a' };
    const { body: app } = await harness.call('POST', `${base}/apps`, fields, as);
    const { body } = await harness.call('POST', `${base}/api-keys`, { name: 'a', kind: 'public', appId: app.id }, as);
    const testApp = await addTestApp(harness, slice);
    Object.assign(keys, { ios: slice.publicKey, oldIos: slice.publicKey, android: body.key, web: testApp.key });
  });

  const send = (r: Omit<RecordedRequest, 'about' | 'answer'>, key = keys[r.client]): Promise<HttpResponse> =>
    sdkClient(harness, () => key)(r.method, r.path, r.body, { ...headersOfClient[r.client], ...r.headers });
  const expectAnswer = ({ status, body, headers }: HttpResponse, [expected, code]: ExpectedAnswer) => {
    expect([status, body.code], JSON.stringify(body)).to.deep.equal([expected, code]);
    expect(headers.get('content-type')).to.contain('application/json');
    if (code !== undefined) expect(body.message).to.be.a('string');
  };

  recordedRequests.forEach((request, n) =>
    it(`${request.about} (${n}) gets ${request.answer.join(' ')}`, async () =>
      expectAnswer(await send(request), request.answer)),
  );

  describe('with a receipt', () => {
    let drawn = 6_000_000;
    const jws = () =>
      store.signedTransaction({
        ...{ bundleId: BUNDLE_ID, environment: 'Sandbox', transactionId: `${drawn++}`, productId: MONTHLY },
        ...{ purchaseDate: Date.now() - DAY_MS, expiresDate: Date.now() + DAY_MS, price: 9990, currency: 'EUR' },
      });
    const submit = (
      client: RecordedRequest['client'],
      { fields }: RecordedReceipt,
      token: object,
      key = keys[client],
    ) => {
      const body = { app_user_id: `buyer-${drawn++}`, ...token, ...fields };
      return send({ client, method: 'POST', path: '/v1/receipts', body }, key);
    };

    for (const one of receiptsOfIos) {
      it(`${one.about} is recorded`, async () => {
        const answer = await submit('ios', one, { fetch_token: jws() });
        expectAnswer(answer, [200]);
        expect(Object.keys(answer.body.subscriber.entitlements)).to.deep.equal(['pro']);
      });

      it(`${one.about} is refused if its receipt is not signed by the store`, async () => {
        expectAnswer(await submit('ios', one, { fetch_token: appReceipt(BUNDLE_ID, []) }), [400, 7103]);
      });

      it(`${one.about} is sent again later if its token has no known form`, async () => {
        for (const fetch_token of ['cmVjZWlwdA==', 'a.b.c'])
          expectAnswer(await submit('ios', one, { fetch_token }), [503, 7110]);
      });

      it(`${one.about} is sent again later while the app has no key of the store`, async () => {
        const purchases = [{ transactionId: '700000', productId: MONTHLY, purchasedAt: '2026-11-20T10:00:00Z' }];
        const fetch_token = await signAppReceipt(appReceipt(BUNDLE_ID, purchases));
        expectAnswer(await submit('oldIos', one, { fetch_token }), [503, 7234]);
      });
    }

    for (const one of receiptsOfAndroid)
      it(`of Android ${one.about} is sent again later while the app has no key of the store`, async () =>
        expectAnswer(await submit('android', one, { fetch_token: `token-${drawn++}` }), [503, 7107]));

    it('of the web is recorded', async () =>
      expectAnswer(await submit('web', receiptOfWeb, { fetch_token: testToken(Date.now()) }), [200]));

    it('is not needed for a restore that finds nothing', async () => {
      const [nothing] = receiptsOfIos.filter(({ about }) => about.endsWith('as a restore'));
      if (!nothing) throw new Error('no receipt of a restore');
      expectAnswer(await submit('ios', nothing, { app_transaction: 'a.b.c' }), [200]);
    });

    it('is sent again later with an unknown key', async () => {
      for (const client of ['ios', 'android', 'web'] as const) {
        const token = { fetch_token: client === 'ios' ? jws() : testToken(Date.now()) };
        expectAnswer(await submit(client, receiptOfWeb, token, 'appl_unknown'), [503, 7110]);
      }
    });
  });
});
