// The main job from outside: a project is set up, the store sends notifications, a client submits a receipt, support reads why.
import { expect } from 'chai';
import { MONTHLY, notification, store, BUNDLE_ID } from '../support/harness.js';
import { setUpService } from '../support/setup.js';

const DAY = 24 * 3600 * 1000;

describe('the main job over HTTP', () => {
  const { harness, slice } = setUpService();
  const now = Date.now();
  const purchase = {
    transactionId: '2000001',
    productId: MONTHLY,
    purchaseDate: now - 5 * DAY,
    expiresDate: now + 26 * DAY,
    price: 9990,
    currency: 'USD',
  };
  const asServer = () => ({ key: slice.secretKey });

  const notify = async (body: object) => {
    const response = await harness.call('POST', slice.notificationPath, body);
    expect(response.status).to.equal(200);
    expect(response.body).to.deep.equal({});
    await harness.service().idle();
  };
  const subscriber = async (appUserId: string) =>
    (await harness.call('GET', `/v1/subscribers/${appUserId}`, undefined, asServer())).body.subscriber;

  it('gives access after a signed notification and merges its anonymous customer on the receipt', async () => {
    await notify(
      notification({
        notificationType: 'SUBSCRIBED',
        subtype: 'INITIAL_BUY',
        signedDate: now - 5 * DAY,
        transaction: purchase,
        renewal: { originalTransactionId: '2000001', productId: MONTHLY },
      }),
    );
    const receipt = store.signedTransaction({ ...purchase, bundleId: BUNDLE_ID, environment: 'Production' });
    const response = await harness.call(
      'POST',
      '/v1/subscribers/user-1/receipts',
      { store: 'ios-store', receipt },
      { key: slice.publicKey },
    );
    expect(response.status).to.equal(200);
    expect(response.body.subscriber.entitlements.pro).to.include({
      isActive: true,
      willRenew: true,
      store: 'ios-store',
    });
    expect(response.body.subscriber.entitlements.pro.expiresAt).to.equal(new Date(purchase.expiresDate).toISOString());
    expect(response.body.subscriber).not.to.have.property('attributes');
  });

  it('counts the same notification and the same receipt once', async () => {
    const receipt = store.signedTransaction({ ...purchase, bundleId: BUNDLE_ID, environment: 'Production' });
    const before = await harness.service().services.deps.log.head();
    await harness.call('POST', '/v1/subscribers/user-1/receipts', { store: 'ios-store', receipt }, asServer());
    const customer = await harness.call(
      'GET',
      `/v1/projects/${slice.projectId}/customers/user-1`,
      undefined,
      asServer(),
    );
    expect(customer.body.subscriptions).to.have.length(1);
    expect(customer.body.subscriptions[0].transactions).to.have.length(1);
    expect(customer.body.totalSpentUsd).to.equal(9.99);
    expect(await harness.service().services.deps.log.head()).to.equal(before);
  });

  it('ends access at a refund and gives it back when the refund is reversed', async () => {
    const refunded = { ...purchase, revocationDate: now - DAY, revocationReason: 1 as const };
    await notify(notification({ notificationType: 'REFUND', signedDate: now - DAY, transaction: refunded }));
    expect((await subscriber('user-1')).entitlements.pro.isActive).to.equal(false);
    await notify(notification({ notificationType: 'REFUND_REVERSED', signedDate: now, transaction: purchase }));
    expect((await subscriber('user-1')).entitlements.pro.isActive).to.equal(true);
  });

  it('shows support the whole timeline with its causes', async () => {
    const path = `/v1/projects/${slice.projectId}/customers/user-1/timeline?order=oldest&limit=100`;
    const { body } = await harness.call('GET', path, undefined, { token: slice.token });
    const types = body.items.map((e: { type: string }) => e.type);
    expect(types).to.include.members(['SubscriptionStarted', 'TransactionRefunded', 'TransactionRefundReversed']);
    const refund = body.items.find((e: { type: string }) => e.type === 'TransactionRefunded');
    expect(refund.cause.notification).to.include({ store: 'ios-store', type: 'REFUND' });
    expect(refund.cause.notification.rawBody).to.include('signedPayload');
    expect(refund.access.before).to.have.property('pro');
    expect(refund.access.after).to.deep.equal({});
    expect(refund.summary).to.match(/refunded \(9\.99 USD\), which ended its purchase/);
  });

  it('knows it all again after a restart', async () => {
    const before = await subscriber('user-1');
    await harness.restart();
    expect((await subscriber('user-1')).entitlements).to.deep.equal(before.entitlements);
  });
});
