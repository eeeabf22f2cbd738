// Effects of the android-store's notifications on a subscription over HTTP: events with their order and times, and access. Each
// notification is followed by a read of the purchase from the simulated store.
import { expect } from 'chai';
import { setUpAndroidScenarios } from './scenarios.js';
import { MILLISECOND } from '../ios/scenario.js';

const LATE = 1 / 32;

describe('an android notification', () => {
  const { scenario, store, clock, idle } = setUpAndroidScenarios();

  it('turns a trial into a paid subscription with the first charge', async () => {
    const { notify, see, events, dataOf, kinds } = scenario();
    await notify(0, 'PURCHASED', { phase: 'freeTrial', to: 7 });
    await see(0, 'trial', true);
    await see(7 - MILLISECOND, 'trial', true);
    await notify(7 + LATE, 'RENEWED', { n: 1, to: 38 });
    await see(8, 'active', true);
    expect(await events()).to.deep.equal(['SubscriptionStarted T+0', 'SubscriptionRenewed T+7']);
    expect(await dataOf('SubscriptionStarted')).to.include({ periodType: 'trial', startReason: 'first_purchase' });
    expect(await dataOf('SubscriptionRenewed')).to.include({ isTrialConversion: true, renewalNumber: 1 });
    expect(await kinds()).to.deep.equal(['INITIAL_PURCHASE', 'RENEWAL']);
  });

  it('takes a cancellation back, and ends at the end of what was paid', async () => {
    const { notify, see, events, dataOf, kinds } = scenario();
    const cancelled = { state: 'CANCELED', willRenew: false, also: CANCELLED_BY_USER };
    await notify(0, 'PURCHASED');
    await notify(3, 'CANCELED', cancelled);
    await see(3, 'active', true);
    await notify(5, 'RESTARTED');
    await notify(9, 'CANCELED', cancelled);
    await see(31 - MILLISECOND, 'active', true);
    await see(31, 'expired', false);
    await notify(31, 'EXPIRED', { ...cancelled, state: 'EXPIRED' });
    expect(await events()).to.deep.equal([
      'SubscriptionStarted T+0',
      'SubscriptionAutoRenewDisabled T+3',
      'SubscriptionAutoRenewEnabled T+5',
      'SubscriptionAutoRenewDisabled T+9',
      'SubscriptionExpired T+31',
    ]);
    expect(await dataOf('SubscriptionExpired')).to.include({ reason: 'unsubscribe', by: 'store' });
    expect(await kinds()).to.deep.equal([
      'INITIAL_PURCHASE',
      'CANCELLATION UNSUBSCRIBE',
      'UNCANCELLATION',
      'CANCELLATION UNSUBSCRIBE',
      'EXPIRATION UNSUBSCRIBE',
    ]);
  });

  it('pauses at the end of the period and resumes the same subscription', async () => {
    const { notify, see, events, dataOf, ms, customer, kinds } = scenario();
    const autoResumeTime = new Date(ms(61)).toISOString();
    await notify(0, 'PURCHASED');
    await notify(10, 'PAUSE_SCHEDULE_CHANGED', { also: { pausedStateContext: { autoResumeTime } } });
    await see(10, 'active', true);
    await see(31 - MILLISECOND, 'active', true);
    await notify(31, 'PAUSED', { state: 'PAUSED', also: { pausedStateContext: { autoResumeTime } } });
    await see(31, 'paused', false);
    await see(61 - MILLISECOND, 'paused', false);
    await notify(61, 'RECOVERED', { n: 1, to: 92 });
    await see(61, 'active', true);
    expect(await events()).to.deep.equal([
      'SubscriptionStarted T+0',
      'SubscriptionPauseScheduled T+10',
      'SubscriptionPaused T+31',
      'SubscriptionRenewed T+61',
    ]);
    expect(await dataOf('SubscriptionPaused')).to.include({ autoResumeAt: autoResumeTime });
    expect(await dataOf('SubscriptionRenewed')).to.include({ recoveredFrom: 'paused' });
    expect((await customer()).subscriptions).to.have.length(1);
    expect(await kinds()).to.deep.equal([
      'INITIAL_PURCHASE',
      'SUBSCRIPTION_PAUSED',
      'EXPIRATION SUBSCRIPTION_PAUSED',
      'RENEWAL',
    ]);
  });

  it('takes a change of a pause as planned, and a second change as withdrawn', async () => {
    const { notify, see, events } = scenario();
    await notify(0, 'PURCHASED');
    await notify(10, 'PAUSE_SCHEDULE_CHANGED');
    await notify(12, 'PAUSE_SCHEDULE_CHANGED');
    await see(12, 'active', true);
    expect(await events()).to.deep.equal([
      'SubscriptionStarted T+0',
      'SubscriptionPauseScheduled T+10',
      'SubscriptionPauseCancelled T+12',
    ]);
  });

  const IN_GRACE = { state: 'IN_GRACE_PERIOD', to: 37 };

  it('keeps access open through a grace period that ends with a payment', async () => {
    const { notify, see, events, dataOf, kinds } = scenario();
    await notify(0, 'PURCHASED');
    await notify(31 + LATE, 'IN_GRACE_PERIOD', IN_GRACE);
    await see(32, 'grace_period', true);
    await notify(34, 'RECOVERED', { n: 1, to: 62 });
    await see(34, 'active', true);
    expect(await events()).to.deep.equal([
      'SubscriptionStarted T+0',
      `SubscriptionBillingIssueDetected T+${31 + LATE}`,
      `SubscriptionGracePeriodEntered T+${31 + LATE}`,
      'SubscriptionRenewed T+31',
    ]);
    expect(await dataOf('SubscriptionRenewed')).to.include({ recoveredFrom: 'grace_period' });
    expect(await kinds()).to.deep.equal(['INITIAL_PURCHASE', 'BILLING_ISSUE', 'CANCELLATION BILLING_ERROR', 'RENEWAL']);
  });

  it('closes access when grace turns into hold and opens it for the same subscription at a late payment', async () => {
    const { notify, see, events, dataOf, customer, kinds } = scenario();
    await notify(0, 'PURCHASED');
    await notify(31 + LATE, 'IN_GRACE_PERIOD', IN_GRACE);
    await see(37 - MILLISECOND, 'grace_period', true);
    await notify(37, 'ON_HOLD', { state: 'ON_HOLD', to: 37 });
    await see(37, 'billing_retry', false);
    await notify(50, 'RECOVERED', { n: 1, to: 81 });
    await see(50, 'active', true);
    expect((await events()).slice(3)).to.deep.equal([
      'SubscriptionGracePeriodExpired T+37',
      'SubscriptionBillingRetryEntered T+37',
      'SubscriptionRenewed T+50',
    ]);
    expect(await dataOf('SubscriptionRenewed')).to.include({ recoveredFrom: 'billing_retry' });
    expect((await customer()).subscriptions).to.have.length(1);
    expect(await kinds()).to.deep.equal([
      'INITIAL_PURCHASE',
      'BILLING_ISSUE',
      'CANCELLATION BILLING_ERROR',
      'EXPIRATION BILLING_ERROR',
      'RENEWAL',
    ]);
  });

  it('moves to another product at once when a new token takes the place of the old one', async () => {
    const { notify, see, events, dataOf, customer, purchase, kinds } = scenario();
    const upgraded = {
      token: `${purchase}-b`,
      linkedPurchaseToken: purchase,
      productId: 'pro_year',
      basePlanId: 'p1y',
    };
    const replaced = { state: 'EXPIRED', to: 10, also: { canceledStateContext: { replacementCancellation: {} } } };
    await notify(0, 'PURCHASED');
    await notify(10, 'PURCHASED', { ...upgraded, from: 10, to: 375 });
    await notify(10, 'EXPIRED', replaced);
    await see(10, 'active', true);
    await see(375 - MILLISECOND, 'active', true);
    await see(375, 'expired', false);
    expect(await events()).to.deep.equal([
      'SubscriptionStarted T+0',
      'SubscriptionProductChanged T+10',
      'SubscriptionExpired T+10',
      'SubscriptionStarted T+10',
    ]);
    expect(await dataOf('SubscriptionProductChanged')).to.include({ mode: 'immediate' });
    expect(await dataOf('SubscriptionExpired')).to.include({ reason: 'product_change' });
    expect((await customer()).subscriptions).to.have.length(2);
    expect(await kinds()).to.deep.equal(['INITIAL_PURCHASE', 'PRODUCT_CHANGE', 'INITIAL_PURCHASE']);
  });

  it('ends the same when only the new token was received', async () => {
    const { notify, show, see, events, purchase } = scenario();
    const upgraded = {
      token: `${purchase}-b`,
      linkedPurchaseToken: purchase,
      productId: 'pro_year',
      basePlanId: 'p1y',
    };
    show({ state: 'EXPIRED', to: 10, also: { canceledStateContext: { replacementCancellation: {} } } });
    await notify(10, 'PURCHASED', { ...upgraded, from: 10, to: 375 });
    await see(10, 'active', true);
    expect(await events()).to.deep.equal([
      'SubscriptionStarted T+0',
      'SubscriptionProductChanged T+10',
      'SubscriptionExpired T+10',
      'SubscriptionStarted T+10',
    ]);
  });

  it('continues the same subscription when the customer signs up again before the end', async () => {
    const { notify, see, events, purchase, customer } = scenario();
    const again = { token: `${purchase}-b`, linkedPurchaseToken: purchase };
    await notify(0, 'PURCHASED');
    await notify(5, 'CANCELED', { state: 'CANCELED', willRenew: false, also: CANCELLED_BY_USER });
    await notify(9, 'PURCHASED', { ...again, from: 9, to: 31 });
    await notify(31, 'RENEWED', { ...again, n: 1, from: 9, to: 62 });
    await see(40, 'active', true);
    expect(await events()).to.deep.equal([
      'SubscriptionStarted T+0',
      'SubscriptionAutoRenewDisabled T+5',
      'SubscriptionAutoRenewEnabled T+9',
      'SubscriptionRenewed T+31',
    ]);
    expect((await customer()).totalSpentUsd).to.equal(19.98);
  });

  it('takes the access with the money, once the list of refunds confirms it', async () => {
    const { notify, push, see, events, dataOf, purchase, orderOf, ms, kinds } = scenario();
    await notify(0, 'PURCHASED');
    const voided = { purchaseToken: purchase, orderId: orderOf(0), voidedTimeMillis: String(ms(10)) };
    clock.set(ms(10));
    store().voided.push(voided);
    await push(10, { voidedPurchaseNotification: { ...voided, productType: 1, refundType: 1 } });
    await see(10, 'refunded', false);
    await notify(10, 'REVOKED', { state: 'EXPIRED', to: 10, willRenew: false });
    expect(await events()).to.deep.equal([
      'SubscriptionStarted T+0',
      'TransactionRefunded T+10',
      'SubscriptionExpired T+10',
    ]);
    expect(await dataOf('TransactionRefunded')).to.include({ isLatest: true, accessRevoked: true });
    expect(await dataOf('SubscriptionExpired')).to.include({ reason: 'customer_support' });
    expect(await kinds()).to.deep.equal([
      'INITIAL_PURCHASE',
      'CANCELLATION CUSTOMER_SUPPORT',
      'REFUND',
      'EXPIRATION CUSTOMER_SUPPORT',
    ]);
  });

  it('believes no notification of a refund that the store does not list', async () => {
    const { notify, push, see, events, purchase, orderOf, ms } = scenario();
    await notify(0, 'PURCHASED');
    clock.set(ms(10));
    const orderId = orderOf(0);
    await push(10, { voidedPurchaseNotification: { purchaseToken: purchase, orderId, productType: 1, refundType: 1 } });
    clock.set(ms(12));
    await idle();
    await see(12, 'active', true);
    expect(await events()).to.deep.equal(['SubscriptionStarted T+0']);
  });

  it('waits for a payment that is pending, and forgets one that never came', async () => {
    const paid = scenario();
    await paid.notify(0, 'PURCHASED', { state: 'PENDING' });
    await paid.see(0, 'pending', false);
    await paid.notify(2, 'PURCHASED', { from: 2, to: 33 });
    await paid.see(2, 'active', true);
    expect(await paid.events()).to.deep.equal(['SubscriptionPending T+0', 'SubscriptionStarted T+2']);
    const unpaid = scenario();
    await unpaid.notify(3, 'PURCHASED', { state: 'PENDING', from: 3 });
    await unpaid.notify(5, 'PENDING_PURCHASE_CANCELED', { state: 'PENDING_PURCHASE_CANCELED', from: 3 });
    await unpaid.see(5, 'expired', false);
    expect(await unpaid.events()).to.deep.equal(['SubscriptionPending T+3', 'SubscriptionPendingCancelled T+5']);
  });

  it('acknowledges a purchase once', async () => {
    const { notify, purchase } = scenario();
    await notify(0, 'PURCHASED');
    await notify(31, 'RENEWED', { n: 1, to: 62, also: { acknowledgementState: 'ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED' } });
    expect(store().acknowledged.filter((token) => token === purchase)).to.have.length(1);
  });
});

const CANCELLED_BY_USER = { canceledStateContext: { userInitiatedCancellation: {} } };
