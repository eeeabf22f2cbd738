// Purchases of customers while the catalogue changes: products created after their purchase, and deleted products.
import { expect } from 'chai';
import { deliveryBodyCollection } from '../../../src/commands/webhooks/deliveries.js';
import { BUNDLE_ID, MONTHLY, notification, setUpProject, store } from '../support/harness.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpHarness } from '../support/setup.js';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const LATER = 'com.example.app.later';

describe('a catalogue that changes', () => {
  const clock = createManualClock(NOW);
  const harness = setUpHarness({}, clock.runtime);
  beforeEach(() => clock.set(NOW));

  async function project(settings: object = {}) {
    const slice = await setUpProject(harness, settings);
    const base = `/v1/projects/${slice.projectId}`;
    const call = async (method: string, path: string, body?: object) => {
      const response = await harness.call(method, path, body, { key: slice.secretKey });
      expect(response.status, `${method} ${path} ${JSON.stringify(response.body)}`).to.be.within(200, 201);
      return response.body;
    };
    const bought = (transactionId: string, more: object = {}) => ({
      ...{ transactionId, originalTransactionId: transactionId, productId: MONTHLY, price: 9990 },
      ...{ purchaseDate: clock.now() - DAY_MS, expiresDate: clock.now() + 29 * DAY_MS, ...more },
    });
    const present = (
      who: string,
      of: ReturnType<typeof bought>,
      environment: 'Production' | 'Sandbox' = 'Production',
    ) => {
      const receipt = store.signedTransaction({ ...of, bundleId: BUNDLE_ID, environment });
      return call('POST', `/v1/subscribers/${who}/receipts`, { store: 'ios-store', receipt });
    };
    const notify = async (notificationType: string, transaction: ReturnType<typeof bought>, more: object = {}) => {
      const fields = { notificationType, transaction, signedDate: clock.now(), ...more };
      await call('POST', slice.notificationPath, notification(fields));
      await harness.service().idle();
    };
    const subscriber = async (who: string) => (await call('GET', `/v1/subscribers/${who}`)).subscriber;
    const customer = (who: string) => call('GET', `${base}/customers/${who}`);
    const chart = (id: string, query: string) =>
      call('GET', `${base}/metrics/charts/${id}?startDate=2026-11-01&endDate=2026-12-31&interval=year&${query}`);
    return { slice, base, call, bought, present, notify, subscriber, customer, chart };
  }

  const messages = async (projectId: string) => {
    const { docs } = harness.service().services.deps;
    const { rows } = await docs.scan(deliveryBodyCollection.name, { index: 'id', eq: [], limit: 5000 });
    return rows.map(({ doc }) => JSON.parse(String(doc['text'])).event).filter((e) => e.projectId === projectId);
  };

  it('gives what was bought before a product was made that product, everywhere', async () => {
    const { slice, base, call, bought, present, notify, subscriber, customer, chart } = await project();
    await call('POST', `${base}/webhooks`, { url: 'https://hooks.example.com/all', enabled: false });
    const transaction = bought('8000001', { productId: LATER });
    await present('ann', transaction);
    expect((await customer('ann')).subscriptions[0].productId).to.equal(null);
    const beforeIt = new Date(clock.now()).toISOString();
    clock.set(NOW + DAY_MS);
    const fields = { appId: slice.appId, storeProductId: LATER, displayName: 'Later', type: 'subscription' };
    const { id } = await call('POST', `${base}/products`, fields);
    await call('POST', `${base}/entitlements/pro/products`, { productId: id });
    const detail = await customer('ann');
    expect(detail.subscriptions[0].productId).to.equal(id);
    expect(detail.entitlements[0]).to.include({ productId: id, active: true });
    expect((await subscriber('ann')).entitlements.pro).to.include({ productId: id, isActive: true });
    const { items } = await call('GET', `${base}/customers/ann/timeline`);
    const started = items.find((e: { type: string }) => e.type === 'SubscriptionStarted');
    expect(started.data.purchase.productId).to.equal(id);
    const bySegment = await chart('revenue', 'segment=productId');
    expect(bySegment.segments).to.have.all.keys(id);
    expect((await chart('revenue', `filter=productId:${id}`)).buckets[0].values.revenue).to.equal(9.99);
    const then = await chart('revenue', `segment=productId&asOf=${beforeIt.replace('10:00', '10:01')}`);
    expect(then.segments).to.have.all.keys('null');
    await notify('DID_CHANGE_RENEWAL_STATUS', transaction, {
      subtype: 'AUTO_RENEW_DISABLED',
      renewal: { originalTransactionId: '8000001', productId: LATER, autoRenewStatus: 0 },
    });
    const cancelled = (await messages(slice.projectId)).find((e) => e.type === 'CANCELLATION');
    expect(cancelled).to.deep.include({ productId: id, entitlementIds: ['pro'] });
  });

  for (const what of ['a product by force', 'an app'] as const) {
    it(`leaves payers what they paid for until its end when it loses ${what}`, async () => {
      const { slice, base, call, bought, present, subscriber, customer } = await project();
      const { expiresDate } = bought('');
      await present('ann', bought('8100001'));
      await present('old', bought('8100002', { expiresDate: clock.now() - 1 }));
      clock.set(NOW + 1);
      await call(
        'DELETE',
        what === 'an app' ? `${base}/apps/${slice.appId}` : `${base}/products/${slice.productId}?force=true`,
      );
      expect((await subscriber('ann')).entitlements.pro).to.include({ isActive: true, productId: slice.productId });
      expect((await subscriber('old')).entitlements.pro, 'ever held').to.include({ isActive: false });
      expect((await customer('ann')).activeEntitlements).to.deep.equal(['pro']);
      const found = await call('GET', `${base}/customers?entitlement=pro`);
      expect(found.items.map((c: { appUserId: string }) => c.appUserId)).to.deep.equal(['ann']);
      const { items } = await call('GET', `${base}/customers/ann/timeline`);
      const started = items.find((e: { type: string }) => e.type === 'SubscriptionStarted');
      expect(started.access.after).to.have.all.keys('pro');
      clock.set(expiresDate);
      expect((await subscriber('ann')).entitlements.pro).to.include({ isActive: false });
    });
  }

  it('gives no access to new buyers of a deleted product, and keeps that of earlier ones', async () => {
    const { slice, base, call, bought, present, notify, subscriber } = await project();
    await present('ann', bought('8200001'));
    clock.set(NOW + 2 * DAY_MS);
    await call('DELETE', `${base}/products/${slice.productId}?force=true`);
    clock.set(NOW + 29 * DAY_MS);
    await present('ben', bought('8200002', { purchaseDate: clock.now() - 1 }));
    expect((await subscriber('ben')).entitlements).to.deep.equal({});
    const next = { originalTransactionId: '8200001', transactionReason: 'RENEWAL', purchaseDate: clock.now() };
    await notify('DID_RENEW', bought('8200003', next));
    expect((await subscriber('ann')).entitlements.pro.isActive, 'renewed').to.equal(true);
  });

  describe('where sandbox purchases open nothing', () => {
    it('shows it everywhere', async () => {
      const { slice, base, call, bought, present, subscriber, customer } = await project({ sandboxAccess: 'nobody' });
      await call('POST', `${base}/webhooks`, { url: 'https://hooks.example.com/all', enabled: false });
      await present('tess', bought('8300001'), 'Sandbox');
      await harness.service().idle();
      const own = await subscriber('tess');
      expect(own.entitlements).to.deep.equal({});
      expect(own.subscriptions[MONTHLY].givesAccess).to.equal(false);
      const detail = await customer('tess');
      expect(detail).to.deep.include({ status: 'never', activeEntitlements: [], entitlements: [] });
      expect(detail.subscriptions[0].givesAccess).to.equal(false);
      const listed = async (status: string) => (await call('GET', `${base}/customers?status=${status}`)).items.length;
      expect([await listed('active'), await listed('never')]).to.deep.equal([0, 1]);
      const sent = await messages(slice.projectId);
      expect(sent.map((e) => e.type)).to.deep.equal(['INITIAL_PURCHASE']);
      expect(sent[0].entitlementIds).to.equal(null);
    });

    it('lets another customer claim a purchase that gives no access', async () => {
      const settings = { sandboxAccess: 'nobody', transferBehavior: 'transfer_if_no_active' };
      const { bought, present, customer } = await project(settings);
      for (const who of ['tess', 'theo']) await present(who, bought('8400001'), 'Sandbox');
      expect((await customer('theo')).subscriptions).to.have.length(1);
    });
  });

  it('shows a purchase of production whatever testers bought since', async () => {
    const { bought, present, subscriber } = await project();
    await present('ann', bought('8500001'));
    clock.set(NOW + DAY_MS);
    await present('ann', bought('8500002', { expiresDate: clock.now() + 300 * DAY_MS }), 'Sandbox');
    const { subscriptions, entitlements } = await subscriber('ann');
    expect(subscriptions[MONTHLY].isSandbox).to.equal(false);
    expect(entitlements.pro).to.include({ isActive: true, isSandbox: false });
  });
});
