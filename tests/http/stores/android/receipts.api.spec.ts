// Purchase tokens that clients present, products bought once, and stores that are away: what is kept, answered and done later.
import { expect } from 'chai';
import { setUpAndroidScenarios } from './scenarios.js';
import { BASE_PLAN, PACKAGE, PRO } from './scenario.js';
import { expectRefusal } from '../../support/refusal.js';
import { aboutProduct, aboutSubscription, pushBody } from '../../../../simulator/android-store/payloads.js';

const MINUTE_MS = 60_000;

describe('purchases of the android-store', () => {
  const ground = setUpAndroidScenarios();
  const { scenario, store, call, clock, idle, sell } = ground;
  const productId = `${PRO}:${BASE_PLAN}`;
  before(async () => {
    await sell('coins_100', { type: 'consumable', duration: null });
    await sell('forever', { type: 'non_consumable', duration: null });
  });

  const present = (who: string, receipt: string, more: object = {}) => {
    const body = { store: 'android-store', receipt, productId, appId: ground.appId(), ...more };
    return ground.harness().call('POST', `/v1/subscribers/${who}/receipts`, body, { key: ground.slice().secretKey });
  };
  const head = () => ground.harness().service().services.deps.log.head();
  const product = (token: string, fields: object) => {
    const resource = { purchaseState: 0, purchaseTimeMillis: String(clock.now()), regionCode: 'US', ...fields };
    return { token, resource };
  };
  const shelve = (productName: string, { token, resource }: ReturnType<typeof product>) =>
    store().products.set(token, { productId: productName, resource });

  it('open what the product unlocks, once, for who presents the token', async () => {
    const { show, purchase, see, events } = scenario();
    show();
    const { status, body } = await present('ann', purchase);
    expect(status, JSON.stringify(body)).to.equal(200);
    const page = new URL(body.subscriber.managementUrl);
    expect(page.origin + page.pathname).to.equal('https://play.google.com/store/account/subscriptions');
    expect(Object.fromEntries(page.searchParams)).to.deep.equal({ sku: PRO, package: PACKAGE });
    expect(body.subscriber.entitlements.pro).to.include({ isActive: true, store: 'android-store', willRenew: true });
    const before = await head();
    expect((await present('ann', purchase)).status).to.equal(200);
    expect(await head()).to.equal(before);
    expect(await events()).to.deep.equal(['SubscriptionStarted T+0']);
    await see(1, 'active', true);
    expect(store().acknowledged).to.include(purchase);
  });

  it('are refused without a product, under another app, or unknown to the store', async () => {
    const { show, purchase } = scenario();
    show();
    const before = await head();
    expectRefusal(await present('bob', purchase, { productId: undefined }), 400);
    expectRefusal(await present('bob', 'nothing-of-the-kind'), 400);
    expectRefusal(await present('bob', 'no token\n'), 400);
    expectRefusal(await present('bob', purchase, { productId: 'coins_100' }), 400);
    expect(await head()).to.equal(before);
  });

  it('are never read by a token that URL parsers remove, which would be a request for something else', async () => {
    const { requests } = store();
    const before = requests.length;
    for (const token of ['.', '..']) {
      expectRefusal(await present('bob', token), 400);
      expectRefusal(await present('bob', token, { productId: 'coins_100' }), 400);
    }
    expect(requests.slice(before)).to.deep.equal([]);
  });

  it('are refused under the name of another subscription than the token bought', async () => {
    await sell('basic', {});
    const { show, purchase } = scenario();
    show();
    const before = await head();
    expectRefusal(await present('bob', purchase, { productId: 'basic' }), 400);
    expect(await head()).to.equal(before);
    expect((await present('bob', purchase, { productId: PRO })).status).to.equal(200);
  });

  it('are to be presented again while the store is unavailable', async () => {
    const { show, purchase } = scenario();
    show();
    store().setFailure(503);
    const refused = await present('cid', purchase);
    expectRefusal(refused, 503);
    expect(refused.body.message).to.equal('the app store cannot be reached or is busy; retry in 5 seconds');
    expect(refused.headers.get('retry-after')).to.match(/^\d+$/);
    store().setFailure(null);
    expect((await present('cid', purchase)).status).to.equal(200);
  });

  it('are read later when their notification came while the store was unavailable', async () => {
    const { notify, see, purchase } = scenario();
    store().setFailure(500);
    await notify(0, 'PURCHASED');
    const { items } = await call('GET', `${ground.base()}/customers?search=${purchase}`);
    expect(items).to.deep.equal([]);
    store().setFailure(null);
    clock.set(clock.now() + 2 * MINUTE_MS);
    await idle();
    await see(1, 'active', true);
    expect(store().acknowledged).to.include(purchase);
  });

  it('are acknowledged later when the store was unavailable, also after a restart', async () => {
    const { notify, purchase } = scenario();
    store().setFailure(503, /:acknowledge$/);
    await notify(0, 'PURCHASED');
    expect(store().acknowledged).not.to.include(purchase);
    await ground.harness().restart();
    store().setFailure(null);
    clock.set(clock.now() + 2 * MINUTE_MS);
    await idle();
    expect(store().acknowledged).to.include(purchase);
    const acknowledged = store().acknowledged.length;
    clock.set(clock.now() + 60 * MINUTE_MS);
    await idle();
    expect(store().acknowledged).to.have.length(acknowledged);
  });

  it('of one app wait for its store without keeping those of another waiting', async () => {
    const { show, purchase, push, see } = scenario();
    show();
    const away = { name: 'Away', platform: 'android', packageName: `${PACKAGE}.away` };
    const { id, notificationUrl } = await call('POST', `${ground.base()}/apps`, away);
    const key = { serviceAccountJson: store().identity.keyFile() };
    await call('POST', `${ground.base()}/apps/${id}/credentials/android-store`, key);
    await idle();
    store().setFailure(503, /\.away\//);
    const path = new URL(notificationUrl).pathname;
    const asked = store().requests.length;
    const failReads = (n: number) => {
      const kind = aboutSubscription('PURCHASED', `away-${n}`);
      const body = pushBody({ packageName: away.packageName, atMs: clock.now(), messageId: `away-${n}`, kind });
      return ground.harness().call('POST', path, body);
    };
    const responses = await Promise.all(Array.from({ length: 200 }, (_, n) => failReads(n)));
    expect(new Set(responses.map((a) => a.status))).to.deep.equal(new Set([200]));
    await push(0, aboutSubscription('PURCHASED', purchase));
    await see(0, 'active', true);
    expect(store().requests.length - asked, 'questions to a store that is away').to.be.below(40);
  });

  it('wait for credentials', async () => {
    const { id: appId, notificationUrl } = await call('POST', `${ground.base()}/apps`, {
      name: 'Other',
      platform: 'android',
      packageName: `${PACKAGE}.other`,
    });
    const { show, purchase } = scenario();
    show();
    const kind = aboutSubscription('PURCHASED', purchase);
    const body = pushBody({ packageName: `${PACKAGE}.other`, atMs: clock.now(), messageId: 'other-1', kind });
    const path = new URL(notificationUrl).pathname;
    expect((await ground.harness().call('POST', path, body)).status).to.equal(200);
    await idle();
    const status = async () =>
      (await call('GET', `${ground.base()}/apps/${appId}/credentials/status`)).notifications.last24h;
    expect(await status()).to.include({ received: 1, processed: 0 });
    const key = { serviceAccountJson: store().identity.keyFile() };
    await call('POST', `${ground.base()}/apps/${appId}/credentials/android-store`, key);
    await idle();
    expect(await status()).to.include({ received: 1, processed: 1 });
  });

  it('are kept and answered 202 where the app has no credentials, and open what was bought once it has some', async () => {
    const packageName = `${PACKAGE}.bare`;
    const fields = { name: 'Bare', platform: 'android', packageName };
    const { id: appId } = await call('POST', `${ground.base()}/apps`, fields);
    const named = { appId, storeProductId: productId, displayName: 'Pro', type: 'subscription', duration: 'P1M' };
    const { id } = await call('POST', `${ground.base()}/products`, named);
    await call('POST', `${ground.base()}/entitlements/pro/products`, { productId: id });
    const { show, purchase } = scenario();
    show();
    const more = { appId, attributes: { from: 'paywall' } };
    for (const _ of [1, 2]) {
      const { status, body } = await present('bea', purchase, more);
      expect(status).to.equal(202);
      expect(body.pending.reason).to.equal('credentials_missing');
      expect(body.subscriber).to.deep.include({ appUserId: 'bea', entitlements: {} });
      expect(body.subscriber.attributes.from.value).to.equal('paywall');
    }
    await present('gone', `${purchase}-x`, more);
    await call('DELETE', '/v1/subscribers/gone');
    const key = { serviceAccountJson: store().identity.keyFile() };
    await call('POST', `${ground.base()}/apps/${appId}/credentials/android-store`, key);
    await idle();
    const { subscriber } = await call('GET', '/v1/subscribers/bea');
    expect(subscriber.entitlements.pro).to.include({ isActive: true, store: 'android-store' });
    const erased = await ground.harness().call('GET', `${ground.base()}/customers/gone`, undefined, {
      key: ground.slice().secretKey,
    });
    expectRefusal(erased, 404);
    const again = await present('bea', purchase, more);
    expect([again.status, again.body.pending]).to.deep.equal([200, undefined]);
  });

  it('bring attributes along', async () => {
    const { show, purchase } = scenario();
    show();
    const { body } = await present('att', purchase, { attributes: { from: 'paywall' } });
    expect(body.subscriber.attributes.from.value).to.equal('paywall');
    expect(body.subscriber.entitlements.pro.isActive).to.equal(true);
  });

  it('made in the store’s own app after an end are whose the ended one was', async () => {
    const { notify, show, purchase } = scenario();
    show({ to: 3 });
    expect((await present('eve', purchase)).status).to.equal(200);
    const again = `${purchase}-again`;
    const also = { outOfAppPurchaseContext: { expiredPurchaseToken: purchase } };
    await notify(20, 'PURCHASED', { token: again, from: 20, to: 51, also });
    const { items } = await call('GET', `${ground.base()}/customers?search=${again}`);
    expect(items.map((c: { appUserId: string }) => c.appUserId)).to.deep.equal(['eve']);
  });

  it('bought once are owned, or counted, and paid by their order', async () => {
    const { push, purchase } = scenario();
    shelve('coins_100', product(purchase, { orderId: 'GPA.coins', quantity: 3, acknowledgementState: 0 }));
    store().orders.set('GPA.coins', {
      orderId: 'GPA.coins',
      total: { currencyCode: 'USD', units: '2', nanos: 970000000 },
    });
    await push(0, aboutProduct(1, purchase, 'coins_100'));
    const { items } = await call('GET', `${ground.base()}/customers?search=GPA.coins`);
    expect(items).to.have.length(1);
    expect(items[0].totalSpentUsd).to.equal(2.97);
    expect(store().acknowledged).to.include(purchase);
  });

  it('bought once and given back in part lose that part of the money, and no access', async () => {
    const { push, purchase } = scenario();
    const receipt = { productId: 'forever' };
    shelve('forever', product(purchase, { orderId: 'GPA.forever', quantity: 2 }));
    store().orders.set('GPA.forever', { orderId: 'GPA.forever', total: { currencyCode: 'USD', units: '20' } });
    const first = await present('dan', purchase, receipt);
    expect(first.status, JSON.stringify(first.body)).to.equal(200);
    expect(first.body.subscriber.entitlements.pro.isActive).to.equal(true);
    expect(store().acknowledged, 'where the store leaves out its zero').to.include(purchase);
    const voided = { purchaseToken: purchase, orderId: 'GPA.forever' };
    store().voided.push({ ...voided, voidedTimeMillis: String(clock.now()), voidedQuantity: 1 });
    await push(0, { voidedPurchaseNotification: { ...voided, productType: 2, refundType: 2 } });
    const { items } = await call('GET', `${ground.base()}/customers?search=dan`);
    expect(items[0].totalSpentUsd).to.equal(10);
    const again = await present('dan', purchase, receipt);
    expect(again.body.subscriber.entitlements.pro.isActive).to.equal(true);
  });
});
