// Free trials of the test store: offered and begun once for each customer and product.
import { expect } from 'chai';
import { setUpService } from '../support/setup.js';
import { addTestApp, sdkClient, testToken, type TestApp } from './setup.js';

const TRIAL = 'pro_with_trial';
const WEEK_MS = 7 * 86_400_000;

describe('a product of the test store with a free trial', () => {
  const { harness, slice, as } = setUpService({ COMPAT_PORT: '0' });
  let app: TestApp;
  const sdk = sdkClient(harness, () => app.key);
  const post = (path: string, body: object) => harness.call('POST', `/v1/projects/${slice.projectId}${path}`, body, as);
  before(async () => {
    app = await addTestApp(harness, slice);
    const product = { appId: app.appId, storeProductId: TRIAL, displayName: 'Trial', type: 'subscription' };
    const made = await post('/products', { ...product, duration: 'P1M', trialDuration: 'P1W' });
    await post(`/products/${made.body.id}/prices`, { amount: 4.99, currency: 'USD' });
  });

  const offeredTrial = async (who: string) => {
    const { body } = await sdk('GET', `/rcbilling/v1/subscribers/${who}/products?id=${TRIAL}`);
    return body.product_details[0].purchase_options.base_option.trial;
  };
  const buy = async (who: string, token = testToken(Date.now())) => {
    const receipt = { app_user_id: who, fetch_token: token, product_id: TRIAL };
    const { body } = await sdk('POST', '/v1/receipts', receipt);
    return body.subscriber.subscriptions[TRIAL];
  };

  it('offers the trial as a phase without a price', async () => {
    expect(await offeredTrial('stranger')).to.deep.equal({ period_duration: 'P1W', cycle_count: 1, price: null });
  });

  it('begins with the trial, which a renewal ends', async () => {
    const token = testToken(Date.now());
    const { period_type, purchase_date, expires_date, price } = await buy('tina', token);
    expect([period_type, price.amount]).to.deep.equal(['trial', 0]);
    expect(Date.parse(expires_date) - Date.parse(purchase_date)).to.equal(WEEK_MS);
    const { body } = await post(`/transactions/${token}/test-action`, { action: 'renew' });
    const [s] = body.customer.subscriptions;
    expect(s).to.include({ state: 'active', periodType: 'normal' });
    expect(s.transactions.map((t: { amountUsd: number }) => t.amountUsd)).to.have.members([0, 4.99]);
    expect(body.changed[0].data.isTrialConversion).to.equal(true);
  });

  it('gives each customer one trial', async () => {
    const token = testToken(Date.now());
    await buy('uwe', token);
    await post(`/transactions/${token}/test-action`, { action: 'expire' });
    expect(await offeredTrial('uwe')).to.equal(null);
    expect((await buy('uwe')).period_type).to.equal('normal');
  });

  it('remains in the trial when the receipt is sent again', async () => {
    const token = testToken(Date.now());
    const first = await buy('vera', token);
    expect(await buy('vera', token)).to.deep.equal(first);
  });
});
