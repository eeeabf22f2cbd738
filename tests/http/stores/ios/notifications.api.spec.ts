// Effects of the ios-store's notifications on a subscription over HTTP: events with their order and times, and access.
import { expect } from 'chai';
import { FIRST, MILLISECOND, type Period } from './scenario.js';
import { setUpScenarios } from './scenarios.js';

const SECOND: Period = { n: 2, from: 31, to: 62 };
const TRIAL: Period = {
  n: 1,
  from: 0,
  to: 7,
  price: 0,
  offerType: 1,
  offerDiscountType: 'FREE_TRIAL',
  offerPeriod: 'P1W',
};

describe('an ios notification', () => {
  const { scenario } = setUpScenarios();

  it('turns a trial into a paid subscription with the first charge', async () => {
    const { notify, see, events, dataOf, kinds } = scenario();
    await notify(0, 'SUBSCRIBED/INITIAL_BUY', { period: TRIAL });
    await see(0, 'trial', true);
    await see(7 - MILLISECOND, 'trial', true);
    await notify(7, 'DID_RENEW', { period: { n: 2, from: 7, to: 38 } });
    await see(7, 'active', true);
    expect(await events()).to.deep.equal(['SubscriptionStarted T+0', 'SubscriptionRenewed T+7']);
    expect(await dataOf('SubscriptionStarted')).to.include({ periodType: 'trial', startReason: 'first_purchase' });
    expect(await dataOf('SubscriptionRenewed')).to.include({ isTrialConversion: true, renewalNumber: 1 });
    expect(await kinds()).to.deep.equal(['INITIAL_PURCHASE', 'RENEWAL']);
  });

  it('lets a cancelled trial run to its end', async () => {
    const { notify, see, events, dataOf, kinds } = scenario();
    const off = { period: TRIAL, renewal: { autoRenewStatus: 0 } };
    await notify(0, 'SUBSCRIBED/INITIAL_BUY', { period: TRIAL });
    await notify(2, 'DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED', off);
    await see(7 - MILLISECOND, 'trial', true);
    await see(7, 'expired', false);
    await notify(7, 'EXPIRED/VOLUNTARY', off);
    await see(7, 'expired', false);
    expect(await events()).to.deep.equal([
      'SubscriptionStarted T+0',
      'SubscriptionAutoRenewDisabled T+2',
      'SubscriptionExpired T+7',
    ]);
    expect(await dataOf('SubscriptionAutoRenewDisabled')).to.include({ reason: 'unsubscribe' });
    expect(await dataOf('SubscriptionExpired')).to.include({ reason: 'unsubscribe', by: 'store' });
    expect(await kinds()).to.deep.equal(['INITIAL_PURCHASE', 'CANCELLATION UNSUBSCRIBE', 'EXPIRATION UNSUBSCRIBE']);
  });

  it('takes a cancellation back before the end', async () => {
    const { notify, see, events, kinds } = scenario();
    await notify(0, 'SUBSCRIBED/INITIAL_BUY');
    await notify(3, 'DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED', { renewal: { autoRenewStatus: 0 } });
    await notify(5, 'DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED');
    await see(31 - MILLISECOND, 'active', true);
    await notify(31, 'DID_RENEW', { period: SECOND });
    await see(31, 'active', true);
    expect(await events()).to.deep.equal([
      'SubscriptionStarted T+0',
      'SubscriptionAutoRenewDisabled T+3',
      'SubscriptionAutoRenewEnabled T+5',
      'SubscriptionRenewed T+31',
    ]);
    expect(await kinds()).to.deep.equal(['INITIAL_PURCHASE', 'CANCELLATION UNSUBSCRIBE', 'UNCANCELLATION', 'RENEWAL']);
  });

  const inRetry = { renewal: { isInBillingRetryPeriod: true } };
  const FAILED_INTO_GRACE = [
    'SubscriptionStarted T+0',
    'SubscriptionBillingIssueDetected T+31',
    'SubscriptionGracePeriodEntered T+31',
  ];
  const GRACE_OVER = ['SubscriptionGracePeriodExpired T+37', 'SubscriptionBillingRetryEntered T+37'];

  it('keeps access open through a grace period that ends with a payment', async () => {
    const s = scenario();
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY');
    await s.notify(31, 'DID_FAIL_TO_RENEW/GRACE_PERIOD', s.inGrace);
    await s.see(31, 'grace_period', true);
    await s.see(34 - MILLISECOND, 'grace_period', true);
    await s.notify(34, 'DID_RENEW/BILLING_RECOVERY', { period: SECOND });
    await s.see(34, 'active', true);
    expect(await s.events()).to.deep.equal([...FAILED_INTO_GRACE, 'SubscriptionRenewed T+31']);
    expect(await s.dataOf('SubscriptionRenewed')).to.include({ recoveredFrom: 'grace_period' });
    expect(await s.kinds()).to.deep.equal([
      'INITIAL_PURCHASE',
      'BILLING_ISSUE',
      'CANCELLATION BILLING_ERROR',
      'RENEWAL',
    ]);
  });

  it('closes access when the grace period ends and opens it for the same subscription at a late payment', async () => {
    const s = scenario();
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY');
    await s.notify(31, 'DID_FAIL_TO_RENEW/GRACE_PERIOD', s.inGrace);
    await s.see(37 - MILLISECOND, 'grace_period', true);
    await s.notify(37, 'GRACE_PERIOD_EXPIRED', inRetry);
    await s.see(37, 'billing_retry', false);
    await s.see(50 - MILLISECOND, 'billing_retry', false);
    await s.notify(50, 'DID_RENEW/BILLING_RECOVERY', { period: { n: 2, from: 50, to: 81 } });
    await s.see(50, 'active', true);
    expect(await s.events()).to.deep.equal([...FAILED_INTO_GRACE, ...GRACE_OVER, 'SubscriptionRenewed T+50']);
    expect(await s.dataOf('SubscriptionRenewed')).to.include({ recoveredFrom: 'billing_retry' });
    expect((await s.customer()).subscriptions).to.have.length(1);
    expect(await s.kinds()).to.deep.equal([
      'INITIAL_PURCHASE',
      'BILLING_ISSUE',
      'CANCELLATION BILLING_ERROR',
      'EXPIRATION BILLING_ERROR',
      'RENEWAL',
    ]);
  });

  it('starts another subscription when the customer returns after the store stopped to retry', async () => {
    const s = scenario();
    await s.notify(0, 'SUBSCRIBED/INITIAL_BUY');
    await s.notify(31, 'DID_FAIL_TO_RENEW/GRACE_PERIOD', s.inGrace);
    await s.notify(37, 'GRACE_PERIOD_EXPIRED', inRetry);
    await s.notify(91, 'EXPIRED/BILLING_RETRY');
    await s.see(91, 'expired', false);
    await s.see(120 - MILLISECOND, 'expired', false);
    await s.notify(120, 'SUBSCRIBED/RESUBSCRIBE', {
      period: { n: 2, from: 120, to: 151, transactionReason: 'PURCHASE' },
    });
    await s.see(120, 'active', true);
    expect(await s.events()).to.deep.equal([
      ...FAILED_INTO_GRACE,
      ...GRACE_OVER,
      'SubscriptionExpired T+91',
      'SubscriptionStarted T+120',
    ]);
    expect(await s.dataOf('SubscriptionExpired')).to.include({ reason: 'billing_error' });
    const { subscriptions } = await s.customer();
    expect(new Set(subscriptions.map((one: { id: string }) => one.id)).size).to.equal(2);
    const last = (await s.timeline()).at(-1);
    expect(last?.data).to.include({ startReason: 'resubscribe', previousSubscriptionId: subscriptions[0].id });
    expect(await s.kinds()).to.deep.equal([
      'INITIAL_PURCHASE',
      'BILLING_ISSUE',
      'CANCELLATION BILLING_ERROR',
      'EXPIRATION BILLING_ERROR',
      'INITIAL_PURCHASE',
    ]);
  });

  it('closes access at a refund and opens it again when the refund is reversed', async () => {
    const { notify, see, events, dataOf, ms, kinds } = scenario();
    await notify(0, 'SUBSCRIBED/INITIAL_BUY');
    await see(10 - MILLISECOND, 'active', true);
    await notify(10, 'REFUND', { period: { ...FIRST, revocationDate: ms(10), revocationReason: 1 } });
    await see(10, 'refunded', false);
    await see(20 - MILLISECOND, 'refunded', false);
    await notify(20, 'REFUND_REVERSED');
    await see(20, 'active', true);
    await see(31 - MILLISECOND, 'active', true);
    await see(31, 'expired', false);
    expect(await events()).to.deep.equal([
      'SubscriptionStarted T+0',
      'TransactionRefunded T+10',
      'SubscriptionExpired T+10',
      'TransactionRefundReversed T+20',
    ]);
    expect(await dataOf('TransactionRefunded')).to.include({ isLatest: true, accessRevoked: true });
    expect(await dataOf('SubscriptionExpired')).to.include({ reason: 'customer_support' });
    expect(await dataOf('TransactionRefundReversed')).to.include({ accessRestored: true });
    expect(await kinds()).to.deep.equal([
      'INITIAL_PURCHASE',
      'CANCELLATION CUSTOMER_SUPPORT',
      'REFUND',
      'EXPIRATION CUSTOMER_SUPPORT',
      'REFUND_REVERSED',
    ]);
  });

  it('leaves access until the end after a refund when the app is set so', async () => {
    const { notify, see, events, dataOf, ms, kinds } = scenario({ isKeeping: true });
    await notify(0, 'SUBSCRIBED/INITIAL_BUY');
    await notify(10, 'REFUND', { period: { ...FIRST, revocationDate: ms(10) } });
    await see(10, 'active', true);
    await see(31 - MILLISECOND, 'active', true);
    await see(31, 'expired', false);
    expect(await events()).to.deep.equal(['SubscriptionStarted T+0', 'TransactionRefunded T+10']);
    expect(await dataOf('TransactionRefunded')).to.include({
      isLatest: true,
      accessRevoked: false,
      policy: 'keep_until_expiry',
    });
    expect(await kinds()).to.deep.equal(['INITIAL_PURCHASE', 'CANCELLATION CUSTOMER_SUPPORT', 'REFUND']);
  });

  it('moves only money when an older transaction is refunded', async () => {
    const { notify, see, events, dataOf, ms, customer, kinds } = scenario();
    await notify(0, 'SUBSCRIBED/INITIAL_BUY');
    await notify(31, 'DID_RENEW', { period: SECOND });
    await notify(40, 'REFUND', { period: { ...FIRST, revocationDate: ms(40) } });
    await see(40, 'active', true);
    await see(62 - MILLISECOND, 'active', true);
    expect(await events()).to.deep.equal([
      'SubscriptionStarted T+0',
      'SubscriptionRenewed T+31',
      'TransactionRefunded T+40',
    ]);
    expect(await dataOf('TransactionRefunded')).to.include({ isLatest: false, accessRevoked: false });
    expect((await customer()).totalSpentUsd).to.equal(9.99);
    expect(await kinds()).to.deep.equal(['INITIAL_PURCHASE', 'RENEWAL', 'REFUND']);
  });
});
