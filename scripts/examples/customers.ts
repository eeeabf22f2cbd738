// Customers of the examples: alice buys in one store and renews, ben buys in the other, carol gets a refund; later requests are about all
// of them.
import {
  aboutSubscription,
  orderResource,
  pushBody,
  subscriptionResource,
} from '../../simulator/android-store/payloads.js';
import { BUNDLE_ID, offers } from '../../simulator/offers.js';
import type { ExampleProject } from './example-project.js';
import type { ExampleService } from './example-service.js';

const MONTHLY = offers.monthly.storeProductId;
const ALICE = '2000000123456789';
const CAROL = '2000000123499999';
const TEST_TOKEN = 'test_1795168800000_0b5b2e0a-6f0e-4c8e-9a53-3e0f6d1c2b4a';
const PURCHASE_TOKEN = 'kbjmcfhdepplodnaiochofni.AO-J1OzExample';

type Period = {
  readonly transactionId: string;
  readonly from: string;
  readonly to: string;
  readonly refunded?: string;
};

/** Purchases and renewals until the middle of November. */
export async function simulateCustomers(stage: ExampleService, g: ExampleProject): Promise<void> {
  const { ask, payloads, goOnTo } = stage;
  const transactionOf = (chain: string, p: Period) => ({
    ...{
      transactionId: p.transactionId,
      originalTransactionId: chain,
      productId: MONTHLY,
      price: 9990,
      currency: 'USD',
    },
    ...{ purchaseDate: Date.parse(p.from), expiresDate: Date.parse(p.to), storefront: 'DEU' },
    ...{ environment: 'Production' as const },
    ...(p.refunded !== undefined && { revocationDate: Date.parse(p.refunded), revocationReason: 0 as const }),
  });
  const notify = async (at: string, type: string, chain: string, period: Period, uuid = '002e14d5') => {
    const [notificationType = '', subtype] = type.split('/');
    await goOnTo(at);
    const signedDate = Date.parse(at);
    const body = payloads.signedNotification({
      ...{ notificationType, ...(subtype !== undefined && { subtype }), bundleId: BUNDLE_ID, signedDate },
      ...{ environment: 'Production', appAppleId: 1234567890, transaction: transactionOf(chain, period) },
      notificationUUID: `${uuid}-51f5-4503-b5a8-${period.transactionId.slice(-12)}`,
      renewal: { originalTransactionId: chain, productId: MONTHLY },
    });
    const token = String(g.iosApp.notificationUrl).split('/').at(-1) ?? '';
    await ask('POST /v1/store/ios-store/:token', { path: { token }, body });
    await stage.idle();
  };
  const submit = async (appUserId: string, chain: string, period: Period) => {
    const signed = { bundleId: BUNDLE_ID, signedDate: Date.parse(period.from), ...transactionOf(chain, period) };
    const body = { store: 'ios-store', receipt: payloads.signedTransaction(signed) };
    await ask('POST /v1/subscribers/:appUserId/receipts', { as: g.device, path: { appUserId }, body });
    await stage.idle();
  };

  const began = { transactionId: ALICE, from: '2026-09-02T08:15:00Z', to: '2026-10-02T08:15:00Z' };
  await goOnTo('2026-09-02T08:14:30Z');
  const device = { platform: 'ios', appVersion: '2.1', country: 'DE', locale: 'de' };
  await ask('POST /v1/subscribers/:appUserId', { as: g.device, path: { appUserId: 'alice' }, body: device });
  await ask('POST /v1/subscribers/:appUserId', { as: g.device, path: { appUserId: 'alice' }, body: device });
  await ask('GET /v1/subscribers/:appUserId/offerings', { as: g.device, path: { appUserId: 'alice' } });
  const customEvent = { name: 'paywall_impression', appUserId: 'alice', properties: { placement: 'start' } };
  await ask('POST /v1/events', { as: g.device, body: { events: [customEvent] } });
  await goOnTo(began.from);
  await submit('alice', ALICE, began);
  await notify('2026-09-02T08:15:03Z', 'SUBSCRIBED/INITIAL_BUY', ALICE, began);
  const attributes = { $email: 'alice@example.com', favouriteFood: 'pizza' };
  const alice = { as: g.server, path: { appUserId: 'alice' } };
  await ask('POST /v1/subscribers/:appUserId/attributes', { ...alice, body: { attributes } });

  await goOnTo('2026-09-10T17:40:00Z');
  await ask('POST /v1/subscribers/:appUserId', { as: g.device, path: { appUserId: 'carol' }, body: device });
  const bought = { transactionId: CAROL, from: '2026-09-10T17:40:00Z', to: '2026-10-10T17:40:00Z' };
  await submit('carol', CAROL, bought);
  await simulateAndroidPurchase(stage, g);
  const second = { transactionId: '2000000123460001', from: '2026-10-02T08:15:00Z', to: '2026-11-02T08:15:00Z' };
  await notify('2026-10-02T08:10:11Z', 'DID_RENEW', ALICE, second);
  const third = { transactionId: '2000000123470001', from: '2026-11-02T08:15:00Z', to: '2026-12-02T08:15:00Z' };
  await notify('2026-11-02T08:09:42Z', 'DID_RENEW', ALICE, third);
  await notify('2026-11-05T12:00:00Z', 'REFUND', CAROL, { ...bought, refunded: '2026-11-05T11:58:00Z' });
  const signed = { signedDate: Date.parse(third.from), bundleId: BUNDLE_ID, ...transactionOf(ALICE, third) };
  stage.ios.chains.set(ALICE, {
    transactions: [payloads.signedTransaction(signed)],
    renewal: payloads.signedRenewalInfo({
      ...{ originalTransactionId: ALICE, productId: MONTHLY, autoRenewStatus: 0, environment: 'Production' },
      signedDate: Date.parse('2026-11-19T21:03:00Z'),
    }),
    status: 1,
  });
  await notify('2026-11-20T07:12:40Z', 'CONSUMPTION_REQUEST', ALICE, third, '7c1b0e3a');
}

async function simulateAndroidPurchase(
  { ask, android, goOnTo, idle }: ExampleService,
  g: ExampleProject,
): Promise<void> {
  const at = Date.parse('2026-09-18T06:30:00Z');
  const until = Date.parse('2026-12-18T06:30:00Z');
  const orderId = 'GPA.3345-1122-9980-12345';
  android.orders.set(
    orderId,
    orderResource({ orderId, productId: MONTHLY, fromMs: at, toMs: until, priceMilli: 9990 }),
  );
  const resource = subscriptionResource({ productId: MONTHLY, orderId, startMs: at, expiryMs: until });
  android.subscriptions.set(PURCHASE_TOKEN, resource);
  await goOnTo('2026-09-18T06:30:05Z');
  // The receipt is queued until the store is available.
  const receipt = { store: 'android-store', receipt: PURCHASE_TOKEN, productId: MONTHLY };
  const path = { appUserId: 'ben' };
  await ask('POST /v1/subscribers/:appUserId/receipts', { as: g.server, path, body: receipt });
  const account = { serviceAccountJson: android.identity.keyFile() };
  const toAndroid = 'POST /v1/projects/:id/apps/:appId/credentials/android-store';
  await ask(toAndroid, { as: g.server, path: { id: g.id, appId: g.androidApp.id }, body: account });
  await idle();
  const kind = aboutSubscription('PURCHASED', PURCHASE_TOKEN);
  const body = pushBody({ packageName: BUNDLE_ID, atMs: at, messageId: '11223344556677', kind });
  const token = String(g.androidApp.notificationUrl).split('/').at(-1) ?? '';
  await ask('POST /v1/store/android-store/:token', { path: { token }, body });
  await idle();
}

/** Requests of support staff and servers about the customers. */
export async function requestCustomers(
  stage: ExampleService,
  { about, server, device, id }: ExampleProject,
): Promise<void> {
  const { ask, idle } = stage;
  const customers = await about('GET /v1/projects/:id/customers');
  const cid: string = customers.items.find((c: { appUserId: string }) => c.appUserId === 'alice').id;
  const inGermany = { country: 'DE', minSpentUsd: '5' };
  await ask('GET /v1/projects/:id/customer-count', { as: server, path: { id }, query: inGermany });
  const segment = { name: 'Germany, over $5', query: inGermany };
  const { id: segmentId } = await about('POST /v1/projects/:id/customer-segments', {}, segment);
  await about('GET /v1/projects/:id/customer-segments');
  await about('DELETE /v1/projects/:id/customer-segments/:segmentId', { segmentId });
  await about('GET /v1/projects/:id/customers/:cid', { cid });
  const customerRequest = { as: server, path: { id, cid } };
  await ask('GET /v1/projects/:id/customers/:cid/timeline', { ...customerRequest, query: { limit: '2' } });
  await ask('GET /v1/projects/:id/customers/:cid/access', { ...customerRequest, query: { entitlement: 'pro' } });
  await ask('GET /v1/projects/:id/customers/:cid/offerings', customerRequest);
  await ask('GET /v1/api-key', { as: server });
  await about('GET /v1/projects/:id/transactions/:transactionId', { transactionId: ALICE });
  await ask('GET /v1/projects/:id/transactions', { as: server, path: { id }, query: { limit: '3' } });
  const { items: questions } = await ask('GET /v1/projects/:id/refund-requests', { as: server, path: { id } });
  const answer = { preference: 'decline', customerConsented: true };
  await about('POST /v1/projects/:id/refund-requests/:requestId/answer', { requestId: questions[0].id }, answer);
  await about('GET /v1/projects/:id/events');
  await about('POST /v1/projects/:id/customers/:cid/refresh', { cid });
  await idle();
  const path = { appUserId: 'dora' };
  await ask('GET /v1/subscribers/:appUserId', { as: device, path });
  const move = { transactionId: CAROL, reason: 'The buyer logged in with the wrong account.' };
  await about('POST /v1/projects/:id/customers/:cid/purchases/transfer', { cid: 'dora' }, move);
  const grant = { entitlementId: 'pro', duration: 'weekly' };
  await ask('POST /v1/subscribers/:appUserId/entitlements', { as: server, path, body: grant });
  await ask('DELETE /v1/subscribers/:appUserId/entitlements/:eid', { as: server, path: { ...path, eid: 'pro' } });
  await ask('GET /v1/subscribers/:appUserId', { as: device, path: { appUserId: 'alice' } });
  await ask('GET /v1/offerings', { as: device });
  await ask('GET /v1/offerings/:oid/paywalls', { as: device, path: { oid: 'default' } });
  await actInTestStore(stage, about);
  await idle();
}

/** Renews a purchase of the test store. */
async function actInTestStore({ buyInTestStore }: ExampleService, about: ExampleProject['about']): Promise<void> {
  const { id: appId } = await about('POST /v1/projects/:id/apps', {}, { name: 'Stargazer test', platform: 'test' });
  const { key } = await about('POST /v1/projects/:id/api-keys', {}, { name: 'test app', kind: 'public', appId });
  const product = { appId, storeProductId: 'pro_monthly', displayName: 'Pro monthly', type: 'subscription' };
  const { id: pid } = await about('POST /v1/projects/:id/products', {}, { ...product, duration: 'P1M' });
  await about('POST /v1/projects/:id/products/:pid/prices', { pid }, { amount: 9.99, currency: 'USD' });
  const receipt = { app_user_id: 'erin', fetch_token: TEST_TOKEN, product_id: product.storeProductId };
  await buyInTestStore(key, receipt);
  await about('POST /v1/projects/:id/apps/:appId/test-purchase', { appId }, { productId: pid, appUserId: 'frida' });
  const action = { action: 'renew' };
  await about('POST /v1/projects/:id/transactions/:transactionId/test-action', { transactionId: TEST_TOKEN }, action);
}
