// Changing an app's settings, and deleting it with its data.
import { expect } from 'chai';
import { BUNDLE_ID, MONTHLY, notification } from '../support/harness.js';
import { expectRefusal, expectRefused, headOf } from '../support/refusal.js';
import { tickingClock } from '../support/manual-clock.js';
import { setUpServiceWithFreshProjects } from '../support/setup.js';

describe('an app', () => {
  const { harness, slice, as } = setUpServiceWithFreshProjects({}, tickingClock());
  let base: string;
  let path: string;
  beforeEach(() => {
    base = `/v1/projects/${slice.projectId}`;
    path = `${base}/apps/${slice.appId}`;
  });

  const patch = (body: object, at = path) => harness.call('PATCH', at, body, as);
  const get = () => harness.call('GET', path, undefined, as);
  const remove = () => harness.call('DELETE', path, undefined, as);
  const begin = Date.parse('2026-11-20T10:00:00.000Z');
  const HOUR = 3600_000;
  const notify = async (type: string, transactionId: string, more: object = {}) => {
    const terms = { transactionId, productId: MONTHLY, purchaseDate: begin - HOUR, expiresDate: begin + 1000 * HOUR };
    const transaction = { ...terms, price: 9990, currency: 'USD', ...more };
    const body = notification({ notificationType: type, signedDate: begin, transaction });
    const response = await harness.call('POST', slice.notificationPath, body);
    await harness.service().idle();
    return response;
  };
  const activeOf = async (transactionId: string) => {
    const found = await harness.call('GET', `${base}/customers?search=${transactionId}`, undefined, as);
    return found.body.items[0].activeEntitlements;
  };

  it('changes what is sent, and is read so at once', async () => {
    const before = (await get()).body;
    const settings = {
      name: 'Renamed',
      notificationForwardingUrl: 'https://hooks.example.com/store?x=1',
      refundPolicy: 'keep_until_expiry',
      iosStoreSmallBusiness: true,
    };
    const { status, body } = await patch(settings);
    expect(status).to.equal(200);
    expect(body).to.deep.equal({ ...before, ...settings, updatedAt: body.updatedAt });
    expect((await get()).body).to.deep.equal(body);
    expect((await patch({ notificationForwardingUrl: null })).body.notificationForwardingUrl).to.equal(null);
  });

  it('that is so already stays as it is', async () => {
    const { body } = await patch({ refundPolicy: 'keep_until_expiry' });
    const head = await headOf(harness);
    expect((await patch({ refundPolicy: 'keep_until_expiry' })).body).to.deep.equal(body);
    expect(await headOf(harness)).to.equal(head);
  });

  for (const body of [
    { name: '' },
    { refundPolicy: 'never' },
    { iosStoreSmallBusiness: 'yes' },
    { bundleId: 'com.example.other' },
    ...['http://hooks.example.com', 'https://127.0.0.1/x', 'https://localhost', 'hooks.example.com', 7].map((url) => ({
      notificationForwardingUrl: url,
    })),
  ]) {
    it(`refuses ${JSON.stringify(body)}`, () => expectRefused(harness, () => patch(body), 400));
  }

  it('of Android has no small-business programme', async () => {
    const fields = { name: 'A', platform: 'android', packageName: 'com.example.a' };
    const android = await harness.call('POST', `${base}/apps`, fields, as);
    const at = `${base}/apps/${android.body.id}`;
    expectRefusal(await patch({ iosStoreSmallBusiness: false }, at), 400);
    expect((await patch({ refundPolicy: 'keep_until_expiry' }, at)).status).to.equal(200);
  });

  it('is made with a forwarding address that is checked too', async () => {
    const made = (url: string) =>
      harness.call(
        'POST',
        `${base}/apps`,
        { name: 'B', platform: 'ios', bundleId: 'com.example.b', notificationForwardingUrl: url },
        as,
      );
    expectRefusal(await made('https://10.0.0.1/'), 400);
    expect((await made('https://hooks.example.com/')).body.notificationForwardingUrl).to.equal(
      'https://hooks.example.com/',
    );
  });

  it('treats refunds by the policy of the moment they become known', async () => {
    const tx = (n: number) => `${n}${slice.appId}`;
    for (const n of [1, 2]) await notify('SUBSCRIBED', tx(n));
    const refunded = { revocationDate: begin, revocationReason: 1 };
    await notify('REFUND', tx(1), refunded);
    expect(await activeOf(tx(1))).to.deep.equal([]);
    await patch({ refundPolicy: 'keep_until_expiry' });
    expect(await activeOf(tx(1)), 'refunded before').to.deep.equal([]);
    await notify('REFUND', tx(2), refunded);
    expect(await activeOf(tx(2)), 'refunded after').to.deep.equal(['pro']);
  });

  it('that is deleted is gone, with its products, keys and store token', async () => {
    const { status, body } = await remove();
    expect([status, body]).to.deep.equal([200, { object: 'app', id: slice.appId, deleted: true }]);
    expectRefusal(await get(), 404);
    expectRefusal(await patch({ name: 'x' }), 404);
    expectRefusal(await remove(), 404);
    expect((await harness.call('GET', `${base}/apps`, undefined, as)).body.items).to.deep.equal([]);
    expectRefusal(await harness.call('GET', `${base}/products/${slice.productId}`, undefined, as), 404);
    const pro = await harness.call('GET', `${base}/entitlements/pro`, undefined, as);
    expect(pro.body.products).to.deep.equal([]);
    expectRefusal(await harness.call('GET', '/v1/subscribers/ann', undefined, { key: slice.publicKey }), 401);
    expectRefusal(await notify('TEST', '1'), 401);
    const product = { appId: slice.appId, storeProductId: 'x.y', displayName: 'X', type: 'subscription' };
    expectRefusal(await harness.call('POST', `${base}/products`, product, as), 400);
  });

  it('that is deleted leaves history, and those who paid in it what they paid for', async () => {
    const tx = `3${slice.appId}`;
    await notify('SUBSCRIBED', tx);
    expect(await activeOf(tx)).to.deep.equal(['pro']);
    await remove();
    expect(await activeOf(tx)).to.deep.equal(['pro']);
    const [found] = (await harness.call('GET', `${base}/customers?search=${tx}`, undefined, as)).body.items;
    const customer = await harness.call('GET', `${base}/customers/${found.id}`, undefined, as);
    expect(customer.body.subscriptions).to.have.length(1);
  });

  it('that is deleted leaves its bundle id to another, and does not end that one', async () => {
    await remove();
    const again = await harness.call('POST', `${base}/apps`, { name: 'A', platform: 'ios', bundleId: BUNDLE_ID }, as);
    expect(again.status).to.equal(201);
    await harness.service().idle();
    await harness.restart();
    expect((await harness.call('GET', `${base}/apps/${again.body.id}`, undefined, as)).status).to.equal(200);
  });
});
