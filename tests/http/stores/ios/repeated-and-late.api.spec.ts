// The same from outside when notifications come repeated, in the wrong order, late, or not at all; and grants beside purchases.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { FIRST, MILLISECOND, type Period } from './scenario.js';
import { setUpScenarios } from './scenarios.js';

const MINUTE = 1 / 1440;
const SECOND: Period = { n: 2, from: 31, to: 62 };

describe('the service, after repeated, disordered, late or missing ios notifications,', () => {
  const { scenario, post, clock, idle, sentAbout } = setUpScenarios();
  /** A customer whom the store names by an account token. */
  const named = async () => {
    const appUserId = randomUUID();
    await post(`/v1/subscribers/${appUserId}`, {});
    return { appUserId, period: { ...FIRST, appAccountToken: appUserId } };
  };

  it('counts once what arrives three times, under another id and as a receipt', async () => {
    const { notify, events, customer, receipt, appId, kinds } = scenario();
    const { appUserId, period } = await named();
    const first = { period, notificationUUID: '10000000-0000-4000-8000-000000000017' };
    for (let i = 0; i < 3; i++) await notify(0, 'SUBSCRIBED/INITIAL_BUY', first);
    await notify(0, 'SUBSCRIBED/INITIAL_BUY', { period });
    await post(`/v1/subscribers/${appUserId}/receipts`, { store: 'ios-store', receipt: receipt(period), appId });
    expect(await events()).to.deep.equal(['SubscriptionStarted T+0']);
    expect((await customer()).totalSpentUsd).to.equal(9.99);
    expect(await kinds()).to.deep.equal(['INITIAL_PURCHASE']);
  });

  it('records a purchase whose price no store could ask for as one of unknown price', async () => {
    const s = scenario();
    const { appUserId, period } = await named();
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY', { period: { ...period, price: 10 ** 15 } });
    expect(await s.events()).to.deep.equal(['SubscriptionStarted T+0']);
    await s.see(0, 'active', true);
    expect([appUserId.length, (await s.customer()).totalSpentUsd]).to.deep.equal([36, 0]);
  });

  it('ends the same for a recovery, its failure and its purchase in the wrong order', async () => {
    const s = scenario();
    await s.notify(34, 'DID_RENEW/BILLING_RECOVERY', { period: SECOND });
    await s.see(34, 'active', true);
    await s.notify(34, 'DID_FAIL_TO_RENEW/GRACE_PERIOD', { ...s.inGrace, signed: 31 });
    await s.notify(34, 'SUBSCRIBED/INITIAL_BUY', { signed: 0 });
    await s.see(34, 'active', true);
    expect(await s.events()).to.deep.equal([
      'SubscriptionStarted T+0',
      'SubscriptionBillingIssueDetected T+31',
      'SubscriptionGracePeriodEntered T+31',
      'SubscriptionRenewed T+31',
    ]);
    expect(await s.dataOf('SubscriptionStarted')).to.include({ startReason: 'first_purchase' });
    expect(await s.dataOf('SubscriptionRenewed')).to.include({ recoveredFrom: 'grace_period' });
    const [subscription] = (await s.customer()).subscriptions;
    expect(subscription).to.include({ renewalNumber: 1, billingIssueDetectedAt: null });
    expect(subscription.startedAt).to.equal(new Date(s.ms(0)).toISOString());
    expect(await s.kinds()).to.deep.equal(['RENEWAL', 'INITIAL_PURCHASE']);
  });

  it('sends the price that only a late message brings', async () => {
    const s = scenario();
    const off = { period: { ...FIRST, price: undefined }, renewal: { autoRenewStatus: 0 } };
    await s.notify(5, 'DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED', off);
    const sent = ['INITIAL_PURCHASE', 'CANCELLATION UNSUBSCRIBE'];
    expect([await s.kinds(), (await s.customer()).totalSpentUsd]).to.deep.equal([sent, 0]);
    for (let i = 0; i < 2; i++) await s.notify(6, 'SUBSCRIBED/INITIAL_BUY', { signed: 0 });
    expect((await s.customer()).totalSpentUsd).to.equal(9.99);
    expect(await s.kinds()).to.deep.equal([...sent, 'PRICE_CORRECTED']);
  });

  it('moves a purchase to the customer who presents its receipt next, in both timelines', async () => {
    const { receipt, appId } = scenario();
    const body = { store: 'ios-store', receipt: receipt(FIRST), appId };
    const [buyer, other] = [randomUUID(), randomUUID()];
    const show = async (appUserId: string) => (await post(`/v1/subscribers/${appUserId}/receipts`, body)).subscriber;
    expect((await show(buyer)).entitlements.pro.isActive).to.equal(true);
    expect((await show(other)).entitlements.pro.isActive).to.equal(true);
    expect((await post(`/v1/subscribers/${buyer}`, {})).subscriber.entitlements).to.deep.equal({});
    expect(await sentAbout(buyer)).to.deep.equal(['INITIAL_PURCHASE', 'ENTITLEMENT_CHANGED', 'ENTITLEMENT_CHANGED']);
    expect(await sentAbout(other)).to.deep.equal(['TRANSFER', 'ENTITLEMENT_CHANGED']);
  });

  it('never closes access when a purchase follows a promotional grant', async () => {
    const { notify, see, events, dataOf, kinds } = scenario();
    const { appUserId, period } = await named();
    await post(`/v1/subscribers/${appUserId}/entitlements`, { entitlementId: 'pro', duration: 'weekly' });
    await notify(3, 'SUBSCRIBED/INITIAL_BUY', { period: { ...period, from: 3, to: 34 } });
    await see(3, 'active', true);
    await see(7, 'active', true);
    await see(7 + MILLISECOND, 'active', true);
    await clock.step('deadlines');
    await idle();
    await see(8, 'active', true);
    expect(await events()).to.deep.equal([
      'EntitlementGranted T+0',
      'SubscriptionStarted T+3',
      'EntitlementGrantExpired T+7',
    ]);
    expect(await dataOf('EntitlementGranted')).to.include({ duration: 'weekly', lookupKey: 'pro' });
    expect(await kinds()).to.deep.equal(['NON_RENEWING_PURCHASE', 'INITIAL_PURCHASE', 'EXPIRATION UNKNOWN']);
  });

  it('ends access by itself at the end, with an event after an hour without notification', async () => {
    const { notify, see, events, dataOf, kinds } = scenario();
    await notify(0, 'SUBSCRIBED/INITIAL_BUY');
    await see(31 - MILLISECOND, 'active', true);
    await see(31, 'expired', false);
    await see(31 + 59 * MINUTE, 'expired', false);
    await clock.step('deadlines');
    expect(await events()).to.deep.equal(['SubscriptionStarted T+0']);
    await see(31 + 61 * MINUTE, 'expired', false);
    await clock.step('deadlines');
    expect(await events()).to.deep.equal(['SubscriptionStarted T+0', 'SubscriptionExpired T+31']);
    expect(await dataOf('SubscriptionExpired')).to.include({ by: 'sweeper', reason: 'unknown' });
    expect(await kinds()).to.deep.equal(['INITIAL_PURCHASE', 'EXPIRATION UNKNOWN']);
  });

  it('fills the gap when a renewal is received after the end', async () => {
    const { notify, see, events, customer, ms, kinds } = scenario();
    await notify(0, 'SUBSCRIBED/INITIAL_BUY');
    clock.set(ms(31.1));
    await clock.step('deadlines');
    await idle();
    await see(32 - MILLISECOND, 'expired', false);
    await notify(32, 'DID_RENEW', { period: SECOND, signed: 31 });
    await see(32, 'active', true);
    expect(await events()).to.deep.equal([
      'SubscriptionStarted T+0',
      'SubscriptionExpired T+31',
      'SubscriptionRenewed T+31',
    ]);
    const [subscription] = (await customer()).subscriptions;
    expect(subscription).to.include({ expirationReason: null, renewalNumber: 1 });
    expect(await kinds()).to.deep.equal(['INITIAL_PURCHASE', 'EXPIRATION UNKNOWN', 'RENEWAL']);
  });
});
