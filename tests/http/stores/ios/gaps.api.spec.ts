// Purchases whose past the service does not know: it is read from the ios-store, where credentials allow.
import { expect } from 'chai';
import { createCertificateAuthority } from '../../../../simulator/ios-store/certificate-authority.js';
import { storePayloads } from '../../../../simulator/ios-store/payloads.js';
import { BUNDLE_ID, MONTHLY, store as signer } from '../../support/harness.js';
import { FIRST, type beginScenario, type Period } from './scenario.js';
import { setUpScenarios } from './scenarios.js';

type Scenario = ReturnType<typeof beginScenario>;

const MONTH = 31;
const period = (n: number, more: object = {}): Period => ({ n, from: (n - 1) * MONTH, to: n * MONTH, ...more });
const LIFETIME = 'com.example.app.lifetime';

describe('a history that the ios-store has not sent', () => {
  const { scenario, store, clock, idle, post, call, projectId, key } = setUpScenarios({ isAsked: true });
  let stranger: typeof signer;
  before(async () => {
    stranger = storePayloads((await createCertificateAuthority()).sign);
    const base = `/v1/projects/${projectId()}`;
    const fields = {
      appId: scenario().appId,
      storeProductId: LIFETIME,
      displayName: 'For ever',
      type: 'non_consumable',
    };
    const { id } = await post(`${base}/products`, fields);
    await post(`${base}/entitlements/pro/products`, { productId: id });
  });

  const signed = (s: Scenario, day: number, p: Period, by = signer) =>
    by.signedTransaction({
      ...{ bundleId: BUNDLE_ID, environment: 'Production', signedDate: s.ms(day) },
      ...s.transaction(p),
    });
  /** The store answers so from this day on; `willRenew` false: the customer has turned it off. */
  const show = (s: Scenario, day: number, transactions: readonly string[], { status = 1, willRenew = true } = {}) => {
    const { originalTransactionId } = s.transaction(FIRST);
    const shared = { environment: 'Production' as const, signedDate: s.ms(day), originalTransactionId };
    const renewal = signer.signedRenewalInfo({ ...shared, productId: MONTHLY, autoRenewStatus: willRenew ? 1 : 0 });
    store().chains.set(originalTransactionId, { transactions: [...transactions], renewal, status });
  };
  const historiesAsked = (s: Scenario) =>
    store().requests.filter((path) => path.endsWith(`/history/${s.transaction(FIRST).originalTransactionId}`)).length;
  const subscriptionOf = async (s: Scenario) => {
    const { subscriptions, totalSpentUsd } = await s.customer();
    const [{ startedAt, renewalNumber, autoRenewStatus }] = subscriptions;
    return {
      count: subscriptions.length,
      startedAt: Date.parse(startedAt),
      renewalNumber,
      autoRenewStatus,
      totalSpentUsd,
    };
  };

  it('is requested when a renewal is the first notification of a purchase', async () => {
    const s = scenario();
    const whole = [1, 2, 3, 4].map((n) => signed(s, 93.5, period(n)));
    show(s, 93.5, whole, { willRenew: false });
    await s.notify(93.2, 'DID_RENEW', { period: period(4) });
    await idle();
    await s.see(94, 'active', true);
    const expected = { count: 1, startedAt: s.ms(0), renewalNumber: 3, autoRenewStatus: 'will_not_renew' };
    expect(await subscriptionOf(s)).to.deep.equal({ ...expected, totalSpentUsd: 39.96 });
    expect(historiesAsked(s)).to.equal(1);
  });

  it('is requested when periods in the middle are missing, including refunds', async () => {
    const s = scenario();
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY');
    const refunded = period(2, { revocationDate: s.ms(40), revocationReason: 0 });
    show(
      s,
      93.5,
      [period(1), refunded, period(3), period(4)].map((p) => signed(s, 93.5, p)),
    );
    await s.notify(93, 'DID_RENEW', { period: period(4) });
    await idle();
    expect((await s.events()).filter((e) => !e.startsWith('SubscriptionConfirmed')).sort()).to.deep.equal([
      // The refunded period was the latest when it was given back: access ended then and came back with the next charge.
      'SubscriptionExpired T+40',
      'SubscriptionRenewed T+31',
      'SubscriptionRenewed T+62',
      'SubscriptionRenewed T+93',
      'SubscriptionStarted T+0',
      'TransactionRefunded T+40',
    ]);
    expect(await subscriptionOf(s)).to.include({ renewalNumber: 3, totalSpentUsd: 29.97 });
    await s.notify(124, 'DID_RENEW', { period: period(5) });
    await idle();
    expect(historiesAsked(s), 'once').to.equal(1);
  });

  it('is not requested when nothing is missing', async () => {
    const s = scenario();
    show(s, 0, [signed(s, 0, FIRST)]);
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY');
    await s.notify(31, 'DID_FAIL_TO_RENEW', { renewal: { isInBillingRetryPeriod: true } });
    await s.notify(50, 'DID_RENEW/BILLING_RECOVERY', { period: { n: 2, from: 50, to: 81 } });
    await s.notify(81, 'EXPIRED/VOLUNTARY', { period: { n: 2, from: 50, to: 81 } });
    await s.notify(99, 'SUBSCRIBED/RESUBSCRIBE', {
      period: { n: 3, from: 99, to: 130, transactionReason: 'PURCHASE' },
    });
    await idle();
    expect(historiesAsked(s)).to.equal(0);
  });

  it('is requested again after the store was unavailable', async () => {
    const s = scenario();
    show(
      s,
      31.5,
      [1, 2].map((n) => signed(s, 31.5, period(n))),
    );
    store().setFailure(503);
    await s.notify(31.1, 'DID_RENEW', { period: period(2) });
    await idle();
    expect(await subscriptionOf(s)).to.include({ renewalNumber: 0, totalSpentUsd: 9.99 });
    store().setFailure(null);
    clock.set(s.ms(32));
    await idle();
    expect(await subscriptionOf(s)).to.include({ renewalNumber: 1, totalSpentUsd: 19.98 });
  });

  it('is rejected if the store has not signed it, or if it is of another purchase', async () => {
    const s = scenario();
    const other = signed(s, 62.5, period(2, { originalTransactionId: '77' }));
    show(s, 62.5, [signed(s, 62.5, FIRST, stranger), other, signed(s, 62.5, period(3))]);
    await s.notify(62.1, 'DID_RENEW', { period: period(3) });
    await idle();
    expect(await subscriptionOf(s)).to.include({ count: 1, renewalNumber: 0, totalSpentUsd: 9.99 });
  });

  describe('of what a device shows', () => {
    const lifetime = (more: object = {}): Period => ({
      ...FIRST,
      ...{ productId: LIFETIME, type: 'Non-Consumable', expiresDate: undefined, ...more },
    });
    const show30DaysOld = async (s: Scenario, signedOn: number, p: Period) => {
      clock.set(s.ms(30));
      const appUserId = `device-${s.transaction(FIRST).transactionId}`;
      const body = { store: 'ios-store', receipt: signed(s, signedOn, p), appId: s.appId };
      const { status } = await call('POST', `/v1/subscribers/${appUserId}/receipts`, body, { key: key() });
      expect(status).to.equal(200);
      await idle();
      const shown = await call('GET', `/v1/subscribers/${appUserId}`, undefined, { key: key() });
      return { isOpen: shown.body.subscriber.entitlements.pro.isActive };
    };

    it('is requested for an old signature, as it may have been refunded since', async () => {
      const s = scenario();
      show(s, 30, [signed(s, 30, lifetime({ revocationDate: s.ms(3), revocationReason: 0 }))]);
      expect(await show30DaysOld(s, 0, lifetime())).to.deep.equal({ isOpen: false });
      expect(store().requests).to.include(`GET /inApps/v1/transactions/${s.transaction(FIRST).transactionId}`);
    });

    it('is left alone when it was signed just now', async () => {
      const s = scenario();
      expect(await show30DaysOld(s, 29.9, lifetime())).to.deep.equal({ isOpen: true });
      expect(store().requests).not.to.include(`GET /inApps/v1/transactions/${s.transaction(FIRST).transactionId}`);
    });

    it('is requested for a subscription that has continued since', async () => {
      const s = scenario();
      const trial = { n: 1, from: 0, to: 7 };
      show(
        s,
        30,
        [trial, { n: 2, from: 7, to: 38 }].map((p) => signed(s, 30, p)),
      );
      expect(await show30DaysOld(s, 0, trial)).to.deep.equal({ isOpen: true });
      await s.see(30, 'active', true);
    });
  });
});
