// An unmodified SDK against the compatibility API, in Node: from configuration to a purchase, a login and attributes.
import { expect } from 'chai';
import { Purchases } from '@revenuecat/purchases-js';
import { setUpService } from '../support/setup.js';
import { addTestApp, sdkClient, TEST_MONTHLY, testToken, type TestApp } from './setup.js';

const ANONYMOUS = `$RCAnonymousID:${'0123456789abcdef'.repeat(2)}`;

describe('an unmodified SDK', () => {
  const { harness, slice } = setUpService({ COMPAT_PORT: '0' });
  let app: TestApp;
  let sdk: Purchases;
  before(async () => {
    app = await addTestApp(harness, slice);
    sdk = Purchases.configure({
      apiKey: app.key,
      appUserId: ANONYMOUS,
      httpConfig: { proxyURL: harness.service().compatUrl ?? '' },
      flags: { collectAnalyticsEvents: false },
    });
  });
  after(() => sdk.close());
  const call = sdkClient(harness, () => app.key);

  it('creates an anonymous customer when it is configured', async () => {
    const info = await sdk.getCustomerInfo();
    expect(info.originalAppUserId).to.equal(ANONYMOUS);
    expect(info.entitlements.all).to.deep.equal({});
  });

  it('reads the current offering with the catalogue’s price', async () => {
    const { current } = await sdk.getOfferings();
    expect(current?.identifier).to.equal('default');
    const [monthly] = current?.availablePackages ?? [];
    expect(monthly?.identifier).to.equal('$rc_monthly');
    expect(monthly?.webBillingProduct.identifier).to.equal(TEST_MONTHLY);
    expect(monthly?.webBillingProduct.price.amountMicros).to.equal(9_990_000);
  });

  it('has the entitlement after a purchase in the test store', async () => {
    const receipt = {
      fetch_token: testToken(Date.now()),
      product_id: TEST_MONTHLY,
      currency: 'USD',
      app_user_id: ANONYMOUS,
    };
    const { status, body } = await call('POST', '/v1/receipts', { ...receipt, initiation_source: 'purchase' });
    expect(status).to.equal(200);
    expect(body.purchased_products).to.deep.equal({ [TEST_MONTHLY]: { should_consume: false } });
    const info = await sdk.getCustomerInfo();
    expect(Object.keys(info.entitlements.active)).to.deep.equal(['pro']);
    expect(info.entitlements.active['pro']).to.include({
      isSandbox: true,
      productIdentifier: TEST_MONTHLY,
      store: 'test_store',
    });
    expect([...info.activeSubscriptions]).to.deep.equal([TEST_MONTHLY]);
  });

  it('takes the purchase along when the user logs in', async () => {
    const { customerInfo, wasCreated } = await sdk.identifyUser('alice');
    expect(wasCreated).to.equal(true);
    expect(Object.keys(customerInfo.entitlements.active)).to.deep.equal(['pro']);
    expect(sdk.getAppUserId()).to.equal('alice');
  });

  it('sets attributes, of which reserved names that are not known here are ignored', async () => {
    await sdk.setAttributes({ favouriteFood: 'pizza', $email: 'a@example.com', $unknownOfTheSdk: 'x' });
    const path = `/v1/subscribers/alice`;
    const { body } = await harness.call('GET', path, undefined, { key: slice.secretKey });
    expect(body.subscriber.attributes.favouriteFood.value).to.equal('pizza');
    expect(Object.keys(body.subscriber.attributes)).to.have.members(['favouriteFood', '$email']);
  });

  it('has no entitlement as another user', async () => {
    const { customerInfo } = await sdk.identifyUser('bob');
    expect(customerInfo.entitlements.active).to.deep.equal({});
  });

  it('has the entitlement of a one-time purchase until it is refunded, and lists the purchase afterwards too', async () => {
    const as = { token: slice.token };
    const base = `/v1/projects/${slice.projectId}`;
    const fields = {
      appId: app.appId,
      storeProductId: 'lifetime',
      displayName: 'Pro for life',
      type: 'non_consumable',
    };
    const product = await harness.call('POST', `${base}/products`, fields, as);
    await harness.call('POST', `${base}/products/${product.body.id}/prices`, { amount: 99, currency: 'USD' }, as);
    await harness.call('POST', `${base}/entitlements/pro/products`, { productIds: [product.body.id] }, as);
    const token = testToken(Date.now());
    const { status } = await call('POST', '/v1/receipts', {
      ...{ app_user_id: 'carl', fetch_token: token, product_id: 'lifetime', currency: 'USD' },
    });
    expect(status).to.equal(200);
    const before = await sdk.identifyUser('carl');
    expect(Object.keys(before.customerInfo.entitlements.active)).to.deep.equal(['pro']);
    const path = `${base}/transactions/${token}/test-action`;
    expect((await harness.call('POST', path, { action: 'refund' }, { key: slice.secretKey })).status).to.equal(200);
    const { entitlements, nonSubscriptionTransactions } = await sdk.getCustomerInfo();
    expect(entitlements.active).to.deep.equal({});
    expect(nonSubscriptionTransactions.map((one) => one.productIdentifier)).to.deep.equal(['lifetime']);
  });
});
