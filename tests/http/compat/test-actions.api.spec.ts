// Actions of the test store on a purchase: each state of a subscription without an account at a store.
import { expect } from 'chai';
import type { HttpResponse } from '../support/harness.js';
import { createManualClock } from '../support/manual-clock.js';
import { expectRefusal } from '../support/refusal.js';
import { setUpScenarios } from '../stores/ios/scenarios.js';
import { setUpService } from '../support/setup.js';
import { listenForKinds, type SentKinds } from '../support/webhook-messages.js';
import { addTestApp, sdkClient, TEST_COINS, TEST_MONTHLY, testToken, type TestApp } from './setup.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const iso = (ms: number) => new Date(ms).toISOString();

describe('an action of the test store', () => {
  const clock = createManualClock(NOW);
  const { harness, slice, as } = setUpService({ COMPAT_PORT: '0' }, clock.runtime);
  let app: TestApp;
  let sent: SentKinds;
  let readKey: string;
  before(async () => {
    app = await addTestApp(harness, slice);
    sent = await listenForKinds(harness, slice);
    const reader = { name: 'reader', scopes: ['read'] };
    readKey = (await harness.call('POST', `${base()}/api-keys`, reader, { token: slice.token })).body.key;
  });
  beforeEach(() => clock.set(clock.now() + MINUTE));
  const sdk = sdkClient(harness, () => app.key);
  const base = () => `/v1/projects/${slice.projectId}`;
  const post = (path: string, body?: object) => harness.call('POST', base() + path, body, as);
  let buyers = 0;

  /** Buys and returns how to act on the purchase and read its subscription. */
  const buy = async (product_id = TEST_MONTHLY) => {
    const who = `buyer-${++buyers}`;
    const token = testToken(clock.now());
    const receipt = { app_user_id: who, fetch_token: token, product_id };
    expect((await sdk('POST', '/v1/receipts', receipt)).status).to.equal(200);
    const act = (action: string, more: object = {}): Promise<HttpResponse> => {
      clock.set(clock.now() + MINUTE);
      return post(`/transactions/${token}/test-action`, { action, ...more });
    };
    const subscription = async () =>
      (await harness.call('GET', `${base()}/customers/${who}`, undefined, as)).body.subscriptions;
    const info = async () => (await sdk('GET', `/v1/subscribers/${who}`)).body.subscriber;
    return { who, token, act, subscription, info };
  };
  const ok = ({ status, body }: HttpResponse) => {
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };
  const typesOf = (body: { changed: { type: string }[] }) => body.changed.map(({ type }) => type);

  it('renews: the next period begins now, at the price of the catalogue', async () => {
    const { act, info } = await buy();
    const body = ok(await act('renew'));
    expect(typesOf(body)).to.deep.equal(['SubscriptionRenewed']);
    const [s] = body.customer.subscriptions;
    expect(s).to.include({ state: 'active', renewalNumber: 1, autoRenewStatus: 'will_renew', environment: 'sandbox' });
    expect([s.currentPeriodStartsAt, s.currentPeriodEndsAt]).to.deep.equal([
      iso(clock.now()),
      '2026-12-20T10:02:00.000Z',
    ]);
    expect((await info()).subscriptions[TEST_MONTHLY].expires_date).to.equal('2026-12-20T10:02:00.000Z');
    expect(s.transactions.map((t: { amountUsd: number }) => t.amountUsd)).to.deep.equal([9.99, 9.99]);
  });

  it('renews until the instant that the request names', async () => {
    const { act } = await buy();
    const expiresAt = iso(clock.now() + 5 * MINUTE);
    const body = ok(await act('renew', { expiresAt }));
    expect(body.customer.subscriptions[0].accessEndsAt).to.equal(expiresAt);
    clock.set(clock.now() + 10 * MINUTE);
    expectRefusal(await act('renew', { expiresAt: iso(clock.now()) }), 400);
  });

  it('cancels and turns auto-renewal on again', async () => {
    const { act, info } = await buy();
    const cancelled = ok(await act('cancel'));
    expect(typesOf(cancelled)).to.deep.equal(['SubscriptionAutoRenewDisabled']);
    expect(cancelled.customer.subscriptions[0]).to.include({ state: 'active', autoRenewStatus: 'will_not_renew' });
    expect((await info()).subscriptions[TEST_MONTHLY].unsubscribe_detected_at).to.equal(iso(clock.now()));
    expectRefusal(await act('cancel'), 409);
    expectRefusal(await act('renew'), 409);
    expectRefusal(await act('billing_issue'), 409);
    expect(typesOf(ok(await act('uncancel')))).to.deep.equal(['SubscriptionAutoRenewEnabled']);
    expect((await info()).subscriptions[TEST_MONTHLY].unsubscribe_detected_at).to.equal(null);
    expectRefusal(await act('uncancel'), 409);
  });

  it('expires a subscription now, which a renewal then begins again', async () => {
    const { act, info } = await buy();
    const ended = ok(await act('expire'));
    expect(typesOf(ended)).to.deep.equal(['SubscriptionExpired']);
    expect(ended.customer.subscriptions[0].state).to.equal('expired');
    expect((await info()).entitlements.pro.expires_date).to.equal(iso(clock.now()));
    for (const action of ['expire', 'cancel', 'uncancel', 'billing_issue']) expectRefusal(await act(action), 409);
    const again = ok(await act('renew'));
    expect(typesOf(again)).to.deep.equal(['SubscriptionStarted']);
    expect(again.customer.activeEntitlements).to.deep.equal(['pro']);
    expect(again.customer.subscriptions.map((s: { state: string }) => s.state)).to.have.members(['active', 'expired']);
    expect(typesOf(ok(await act('cancel')))).to.deep.equal(['SubscriptionAutoRenewDisabled']);
  });

  it('fails a renewal: grace period, billing retry, recovery', async () => {
    const { act, subscription, info } = await buy();
    const expiresAt = clock.now() + 5 * MINUTE;
    ok(await act('renew', { expiresAt: iso(expiresAt) }));
    const failed = ok(await act('billing_issue'));
    expect(typesOf(failed)).to.have.members(['SubscriptionBillingIssueDetected', 'SubscriptionGracePeriodEntered']);
    clock.set(expiresAt + MINUTE);
    const [inGrace] = await subscription();
    expect(inGrace).to.include({
      state: 'grace_period',
      givesAccess: true,
      gracePeriodExpiresAt: iso(expiresAt + 3 * DAY),
    });
    expect((await info()).subscriptions[TEST_MONTHLY].grace_period_expires_date).to.equal(iso(expiresAt + 3 * DAY));
    ok(await act('billing_issue', { graceEndsAt: null }));
    expect((await subscription())[0]).to.include({ state: 'billing_retry', givesAccess: false });
    expectRefusal(await act('billing_issue'), 409);
    const recovered = ok(await act('renew'));
    expect(typesOf(recovered)).to.deep.equal(['SubscriptionRenewed']);
    expect(recovered.customer.subscriptions[0]).to.include({ state: 'active', billingIssueDetectedAt: null });
  });

  it('expires for the failed payment', async () => {
    const { act } = await buy();
    ok(await act('billing_issue', { graceEndsAt: '2027-01-20T10:00:00.000Z' }));
    expect(ok(await act('expire')).customer.subscriptions[0].expirationReason).to.equal('billing_error');
  });

  it('refuses a grace period that ends within the paid period', async () => {
    const { act } = await buy();
    expectRefusal(await act('billing_issue', { graceEndsAt: iso(clock.now() + DAY) }), 400);
  });

  it('refunds a transaction once, with its access', async () => {
    const { act, info } = await buy();
    const body = ok(await act('refund'));
    expect(typesOf(body)).to.include('TransactionRefunded');
    expect(body.customer.subscriptions[0].state).to.equal('refunded');
    expect((await info()).subscriptions[TEST_MONTHLY].refunded_at).to.equal(iso(clock.now()));
    expectRefusal(await act('refund'), 409);
  });

  it('refunds by the policy of the app', async () => {
    const patch = (refundPolicy: string) =>
      harness.call('PATCH', `${base()}/apps/${app.appId}`, { refundPolicy }, { token: slice.token });
    expect((await patch('keep_until_expiry')).status).to.equal(200);
    const { act } = await buy();
    expect(ok(await act('refund')).customer.activeEntitlements).to.deep.equal(['pro']);
    await patch('revoke_immediately');
  });

  it('refunds a consumable, and can do nothing else to it', async () => {
    const { act } = await buy(TEST_COINS);
    for (const action of ['renew', 'cancel', 'expire', 'billing_issue']) expectRefusal(await act(action), 409);
    expect(typesOf(ok(await act('refund')))).to.deep.equal(['TransactionRefunded']);
  });

  it('sends webhooks, and counts in sandbox charts alone', async () => {
    const revenueOfToday = async (environment: string) => {
      const path = `${base()}/metrics/charts/revenue?period=last_7_days&environment=${environment}`;
      return ok(await harness.call('GET', path, undefined, as)).buckets.at(-1).values;
    };
    const before = await revenueOfToday('sandbox');
    const { who, act } = await buy();
    await sent.note();
    ok(await act('renew'));
    ok(await act('cancel'));
    ok(await act('uncancel'));
    ok(await act('billing_issue'));
    ok(await act('renew'));
    ok(await act('refund'));
    await sent.note();
    expect((await sent.about(who)).map((kind) => kind.split(' ')[0])).to.deep.equal([
      ...['INITIAL_PURCHASE', 'RENEWAL', 'CANCELLATION', 'UNCANCELLATION', 'BILLING_ISSUE'],
      ...['CANCELLATION', 'RENEWAL', 'REFUND'],
    ]);
    expect(await revenueOfToday('production')).to.include({ transactions: 0, gross_revenue: 0, refunds: 0 });
    const after = await revenueOfToday('sandbox');
    const difference = (measure: string) => Number((after[measure] - before[measure]).toFixed(2));
    expect(['transactions', 'gross_revenue', 'refunds'].map(difference)).to.deep.equal([3, 29.97, 9.99]);
  });

  it('is done once under one idempotency key', async () => {
    const { token, subscription } = await buy();
    const headers = { 'idempotency-key': 'renew-once' };
    const path = `${base()}/transactions/${token}/test-action`;
    const twice = [1, 2].map(() => harness.call('POST', path, { action: 'renew' }, { ...as, headers }));
    const statuses = (await Promise.all(twice)).map(({ status }) => status);
    expect(statuses).to.include(200);
    expect((await subscription())[0].renewalNumber).to.equal(1);
  });

  it('has an order, also within one millisecond', async () => {
    const { token, subscription } = await buy();
    const act = (action: string) => post(`/transactions/${token}/test-action`, { action });
    for (const action of ['cancel', 'uncancel', 'cancel', 'uncancel', 'renew', 'cancel']) ok(await act(action));
    expect((await subscription())[0]).to.include({ autoRenewStatus: 'will_not_renew', renewalNumber: 1 });
  });

  it('needs the permission of support', async () => {
    const { token } = await buy();
    const path = `${base()}/transactions/${token}/test-action`;
    for (const key of [readKey, slice.publicKey, app.key])
      expectRefusal(await harness.call('POST', path, { action: 'renew' }, { key }), 403);
    expectRefusal(await post('/transactions/unknown/test-action', { action: 'renew' }), 404);
    expectRefusal(await post(`/transactions/${token}/test-action`, { action: 'pause' }), 400);
  });
});

describe('an action of the test store on a purchase of a real store', () => {
  const { scenario, call, key, projectId, head } = setUpScenarios({ isAsked: true });

  it('is refused, and changes nothing', async () => {
    const s = scenario();
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY');
    const { transactionId } = s.transaction({ n: 1, from: 0, to: 31 });
    const path = `/v1/projects/${projectId()}/transactions/${transactionId}/test-action`;
    const before = await head();
    for (const action of ['renew', 'cancel', 'uncancel', 'billing_issue', 'expire', 'refund'])
      expectRefusal(await call('POST', path, { action }, { key: key() }), 409);
    expect(await head()).to.equal(before);
  });
});
