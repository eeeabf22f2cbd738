// A receipt that reaches the app of another platform: no store has refused it, so that an SDK must not finish the purchase.
import { expect } from 'chai';
import { BUNDLE_ID, MONTHLY, store, type HttpResponse } from '../support/harness.js';
import { setUpService } from '../support/setup.js';
import { addTestApp, sdkClient } from './setup.js';

const DAY_MS = 86_400_000;

describe('a receipt of a platform', () => {
  const { harness, slice } = setUpService({ COMPAT_PORT: '0' });
  const keys = { android: '', test: '' };
  before(async () => {
    keys.test = (await addTestApp(harness, slice)).key;
    const post = async (path: string, body: object) =>
      (await harness.call('POST', `/v1/projects/${slice.projectId}${path}`, body, { token: slice.token })).body;
    const app = await post('/apps', { name: 'A', platform: 'android', packageName: 'com.example.a' });
    keys.android = (await post('/api-keys', { name: 'a', kind: 'public', appId: app.id })).key;
  });
  const clients = {
    ios: sdkClient(harness, () => slice.publicKey),
    android: sdkClient(harness, () => keys.android),
    test: sdkClient(harness, () => keys.test),
    server: sdkClient(harness, () => slice.secretKey),
  };
  let drawn = 8_500_000;
  const signed = () =>
    store.signedTransaction({
      ...{ bundleId: BUNDLE_ID, transactionId: `${drawn++}`, productId: MONTHLY, environment: 'Production' },
      ...{ purchaseDate: Date.now() - DAY_MS, expiresDate: Date.now() + 29 * DAY_MS, price: 9990, currency: 'EUR' },
    });
  const receipts = {
    ios: () => ({ fetch_token: signed(), product_id: MONTHLY }),
    android: () => ({ fetch_token: 'abcdef.AO-J1Oz', product_ids: ['pro'] }),
    amazon: () => ({ fetch_token: 'amzn1.receipt', product_ids: ['pro'] }),
  };
  const send = (client: keyof typeof clients, receipt: object, platform?: string) =>
    clients[client](
      'POST',
      '/v1/receipts',
      { app_user_id: 'ann', ...receipt },
      platform === undefined ? {} : { 'x-platform': platform },
    );
  const expectRetry = ({ status, body, headers }: HttpResponse) => {
    expect([status, body.code], JSON.stringify(body)).to.deep.equal([503, 7110]);
    expect(Number(headers.get('retry-after'))).to.be.above(0);
  };

  for (const [of, key] of [
    ['ios', 'android'],
    ['ios', 'test'],
    ['android', 'ios'],
    ['android', 'test'],
    ['amazon', 'ios'],
    ['amazon', 'android'],
  ] as const)
    it(`${of} is kept by the device that has the key of ${key}`, async () => {
      expectRetry(await send(key, receipts[of](), of));
    });

  it('is recorded if the key is of its app, on whichever device of the store', async () => {
    for (const platform of ['iOS', 'macOS', 'visionOS', 'an unknown one'])
      expect((await send('ios', receipts.ios(), platform)).status, platform).to.equal(200);
  });

  it('is recorded for a server that names it', async () => {
    expect((await send('server', receipts.ios(), 'ios')).status).to.equal(200);
  });

  for (const platform of ['amazon', 'stripe', 'roku', 'paddle', 'other', undefined])
    it(`${platform} gets 503 for a server, since no app is of it`, async () => {
      expectRetry(await send('server', receipts.ios(), platform));
    });
});
