// Receipts: the customer who gets the purchase, and the access that it gives.
import { expect } from 'chai';
import { BUNDLE_ID, MONTHLY, setUpProject, store, type Slice } from '../support/harness.js';
import { expectRefused, headOf } from '../support/refusal.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const DAY_MS = 86_400_000;
const END = '2026-12-15T10:00:00.000Z';

describe('a receipt', () => {
  const clock = createManualClock(NOW);
  const { harness, slice } = setUpService({}, clock.runtime);
  let drawn = 5_000_000;
  beforeEach(() => clock.set(NOW));

  const call = (method: string, path: string, body: unknown, within = slice) =>
    harness.call(method, path, body, { key: within.secretKey });
  const bought = (fields: object = {}) => ({
    transactionId: `${drawn++}`,
    productId: MONTHLY,
    purchaseDate: NOW - 5 * DAY_MS,
    expiresDate: NOW + 25 * DAY_MS,
    price: 9990,
    ...fields,
  });
  const signed = (transaction: ReturnType<typeof bought>, environment: 'Production' | 'Sandbox' = 'Production') =>
    store.signedTransaction({ ...transaction, bundleId: BUNDLE_ID, environment });
  const present = (who: string, receipt: string, more: object = {}, within = slice) =>
    call('POST', `/v1/subscribers/${who}/receipts`, { store: 'ios-store', receipt, ...more }, within);
  const entitlementsOf = async (who: string, within = slice) =>
    (await call('GET', `/v1/subscribers/${who}`, undefined, within)).body.subscriber.entitlements;
  const timeline = async (who: string) => {
    const path = `/v1/projects/${slice.projectId}/customers/${encodeURIComponent(who)}/timeline?order=oldest`;
    return (await call('GET', path, undefined)).body.items.map((e: { type: string }) => e.type);
  };

  it('records nothing when the attributes sent along are refused', async () => {
    const tooMany = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, 'v']));
    const receipt = signed(bought());
    await expectRefused(harness, () => present('nobody-yet', receipt, { attributes: tooMany }), 400);
  });

  it('opens what the product unlocks', async () => {
    const transaction = bought();
    const { status, body, headers } = await present('ann', signed(transaction));
    expect(status).to.equal(200);
    expect(headers.get('x-position')).to.match(/^\d{20}$/);
    expect(body.subscriber.entitlements.pro).to.deep.equal({
      isActive: true,
      expiresAt: END,
      gracePeriodExpiresAt: null,
      purchasedAt: '2026-11-15T10:00:00.000Z',
      productId: slice.productId,
      storeProductId: MONTHLY,
      store: 'ios-store',
      periodType: 'normal',
      willRenew: true,
      isSandbox: false,
      ownershipType: 'purchased',
    });
    expect(body.subscriber.managementUrl).to.equal('https://apps.apple.com/account/subscriptions');
    const { id, ...subscription } = body.subscriber.subscriptions[MONTHLY];
    expect(id).to.match(/^sub_[0-9a-z]{26}$/);
    expect(subscription).to.deep.equal({
      state: 'active',
      givesAccess: true,
      store: 'ios-store',
      isSandbox: false,
      ownershipType: 'purchased',
      periodType: 'normal',
      purchasedAt: '2026-11-15T10:00:00.000Z',
      originalPurchasedAt: '2026-11-15T10:00:00.000Z',
      expiresAt: END,
      gracePeriodExpiresAt: null,
      unsubscribeDetectedAt: null,
      billingIssuesDetectedAt: null,
      refundedAt: null,
      autoResumeAt: null,
    });
    expect(await entitlementsOf('ann')).to.deep.equal(body.subscriber.entitlements);
  });

  it('counts once, however often it is presented', async () => {
    const receipt = signed(bought());
    const first = await present('ben', receipt);
    const before = await headOf(harness);
    const again = await present('ben', receipt, { isRestore: true });
    expect([again.status, again.body]).to.deep.equal([200, first.body]);
    expect(await headOf(harness)).to.equal(before);
  });

  it('brings attributes along', async () => {
    const { body } = await present('bob', signed(bought()), { attributes: { from: 'paywall' } });
    expect(body.subscriber.attributes.from.value).to.equal('paywall');
  });

  it('of a refunded transaction opens nothing', async () => {
    const receipt = signed(bought({ revocationDate: NOW - DAY_MS }));
    const { body } = await present('cid', receipt);
    expect(body.subscriber.entitlements.pro).to.include({ isActive: false, expiresAt: '2026-11-19T10:00:00.000Z' });
  });

  it('for a product that was not listed opens it once it is', async () => {
    const storeProductId = 'com.example.app.later';
    await present('dan', signed(bought({ productId: storeProductId })));
    expect(await entitlementsOf('dan')).to.deep.equal({});
    const fields = { appId: slice.appId, storeProductId, displayName: 'Later', type: 'subscription' };
    const base = `/v1/projects/${slice.projectId}`;
    const product = await call('POST', `${base}/products`, fields);
    await call('POST', `${base}/entitlements/pro/products`, { productId: product.body.id });
    expect((await entitlementsOf('dan')).pro.isActive).to.equal(true);
  });

  for (const productId of ['com.example.app.coins', 'constructor', '__proto__']) {
    it(`of a one-time purchase of ${productId} is listed by its product`, async () => {
      const transaction = bought({ productId, expiresDate: undefined, type: 'Consumable' });
      const { status, body } = await present(`eve-${productId}`, signed(transaction));
      expect(status).to.equal(200);
      const { transactionId } = transaction;
      const entry = { id: transactionId, transactionId, store: 'ios-store', isSandbox: false };
      const listed = Object.entries(body.subscriber.nonSubscriptions);
      expect(listed).to.deep.equal([[productId, [{ ...entry, purchasedAt: '2026-11-15T10:00:00.000Z' }]]]);
    });
  }

  describe('that another customer presented before', () => {
    const projectWith = (transferBehavior: string) => setUpProject(harness, { transferBehavior });

    it('takes the purchase along', async () => {
      const receipt = signed(bought());
      await present('fay', receipt);
      const { status, body } = await present('gil', receipt);
      expect([status, body.subscriber.entitlements.pro.isActive]).to.deep.equal([200, true]);
      expect(await entitlementsOf('fay')).to.deep.equal({});
      expect((await timeline('fay')).at(-1)).to.equal('PurchaseTransferred');
      expect((await timeline('gil')).at(-1)).to.equal('PurchaseTransferred');
    });

    it('can go back again', async () => {
      const receipt = signed(bought());
      for (const who of ['hal', 'ivy', 'hal']) await present(who, receipt, { isRestore: true });
      expect((await entitlementsOf('hal')).pro.isActive).to.equal(true);
      expect(await entitlementsOf('ivy')).to.deep.equal({});
    });

    it('takes along this purchase only', async () => {
      const one = signed(bought());
      await present('jan', one);
      await present('jan', signed(bought()));
      await present('kim', one);
      expect((await entitlementsOf('jan')).pro.isActive).to.equal(true);
    });

    it('is refused where purchases are kept', async () => {
      const keeping = await projectWith('keep');
      const receipt = signed(bought());
      await present('fay', receipt, {}, keeping);
      await expectRefused(harness, () => present('gil', receipt, {}, keeping), 409);
      expect((await entitlementsOf('fay', keeping)).pro.isActive).to.equal(true);
    });

    it('is refused while it gives access, where that is the rule, and taken along after', async () => {
      const careful = await projectWith('transfer_if_no_active');
      const receipt = signed(bought());
      await present('fay', receipt, {}, careful);
      await expectRefused(harness, () => present('gil', receipt, {}, careful), 409);
      clock.set(Date.parse(END));
      expect((await present('gil', receipt, {}, careful)).status).to.equal(200);
      expect(await entitlementsOf('fay', careful)).to.deep.equal({});
    });
  });

  describe('from the sandbox', () => {
    const opens = async (within: Slice) => {
      const { body } = await present('tess', signed(bought(), 'Sandbox'), {}, within);
      expect(body.subscriber.subscriptions[MONTHLY].isSandbox).to.equal(true);
      return body.subscriber.entitlements.pro?.isActive ?? false;
    };

    it('opens what it unlocks', async () => expect(await opens(slice)).to.equal(true));
    it('gives no access where it cannot be used', async () =>
      expect(await opens(await setUpProject(harness, { sandboxAccess: 'nobody' }))).to.equal(false));
  });

  it('must name its app when the project has several of the store', async () => {
    const several = await setUpProject(harness);
    const app = { name: 'Two', platform: 'ios', bundleId: 'com.example.two' };
    const two = await call('POST', `/v1/projects/${several.projectId}/apps`, app, several);
    await expectRefused(harness, () => present('ola', signed(bought()), {}, several), 400);
    expect((await present('ola', signed(bought()), { appId: several.appId }, several)).status).to.equal(200);
    const body = { store: 'ios-store', receipt: signed(bought()) };
    const asApp = await harness.call('POST', '/v1/subscribers/pat/receipts', body, { key: several.publicKey });
    expect(asApp.status, 'a public key speaks for its app').to.equal(200);
    const receipt = store.signedTransaction({ ...bought(), bundleId: app.bundleId, environment: 'Production' });
    const ofTwo = { store: 'ios-store', receipt, appId: two.body.id };
    const asOther = () => harness.call('POST', '/v1/subscribers/pat/receipts', ofTwo, { key: several.publicKey });
    await expectRefused(harness, asOther, 400);
  });
});
