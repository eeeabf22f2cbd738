// Changes of terms in the android-store: moved ends, changed prices, plans for the next renewal, top-ups, doubts about a refund.
import { expect } from 'chai';
import { money, orderResource } from '../../../../simulator/android-store/payloads.js';
import { setUpAndroidScenarios } from './scenarios.js';
import { BASE_PLAN, PRO } from './scenario.js';
import { expectRefusal } from '../../support/refusal.js';

const CANCELLED_BY_USER = { canceledStateContext: { userInitiatedCancellation: {} } };

describe('the terms of an android subscription', () => {
  const { scenario, store, clock, idle, call, base, appId, harness, slice } = setUpAndroidScenarios();
  const plan = (more: object) => ({
    autoRenewingPlan: { autoRenewEnabled: true, recurringPrice: money(9990), ...more },
  });

  it('are moved by the developer without money', async () => {
    const { notify, see, events, dataOf } = scenario();
    await notify(0, 'PURCHASED');
    await notify(20, 'DEFERRED', { to: 45 });
    await see(40, 'active', true);
    expect(await events()).to.deep.equal(['SubscriptionStarted T+0', 'SubscriptionExtended T+20']);
    expect(await dataOf('SubscriptionExtended')).to.include.keys('previousExpiresAt', 'expiresAt');
  });

  it('end with the commitment when the customer gives notice', async () => {
    const { notify, see, events } = scenario();
    await notify(0, 'PURCHASED');
    await notify(3, 'CANCELLATION_SCHEDULED', { state: 'CANCELED', willRenew: false, also: CANCELLED_BY_USER });
    await see(4, 'active', true);
    expect(await events()).to.deep.equal(['SubscriptionStarted T+0', 'SubscriptionAutoRenewDisabled T+3']);
  });

  it('cost more once the customer has agreed', async () => {
    const { notify, events, dataOf } = scenario();
    const change = (priceChangeState: string) => {
      const details = { newPrice: money(12_990), priceChangeMode: 'PRICE_INCREASE', priceChangeState };
      return { item: plan({ priceChangeDetails: details }) };
    };
    await notify(0, 'PURCHASED');
    await notify(5, 'PRICE_CHANGE_UPDATED', change('OUTSTANDING'));
    await notify(9, 'PRICE_CHANGE_UPDATED', change('CONFIRMED'));
    expect(await events()).to.deep.equal([
      'SubscriptionStarted T+0',
      'PriceIncreaseConsentRequested T+5',
      'PriceIncreaseAccepted T+9',
    ]);
    expect((await dataOf('PriceIncreaseConsentRequested'))?.['newPrice']).to.deep.equal({
      amountMicros: 12_990_000,
      currency: 'USD',
    });
  });

  it('step up once the customer has agreed', async () => {
    const { notify, events } = scenario();
    const stepUp = (state: string) => ({
      item: plan({ priceStepUpConsentDetails: { state, newPrice: money(12_990) } }),
    });
    await notify(0, 'PURCHASED');
    await notify(5, 'PRICE_STEP_UP_CONSENT_UPDATED', stepUp('PENDING'));
    await notify(9, 'PRICE_STEP_UP_CONSENT_UPDATED', stepUp('COMPLETED'));
    expect(await events()).to.deep.equal([
      'SubscriptionStarted T+0',
      'PriceIncreaseConsentRequested T+5',
      'PriceIncreaseAccepted T+9',
    ]);
  });

  it('change to another product at the renewal that was chosen', async () => {
    const { notify, see, events } = scenario();
    await notify(0, 'PURCHASED');
    await notify(5, 'ITEMS_CHANGED', { item: { deferredItemReplacement: { productId: 'pro_year' } } });
    await see(6, 'active', true);
    await notify(31, 'RENEWED', { n: 1, productId: 'pro_year', basePlanId: 'p1y', to: 396 });
    await see(32, 'active', true);
    expect(await events()).to.deep.equal([
      'SubscriptionStarted T+0',
      'SubscriptionProductChangeScheduled T+5',
      'SubscriptionProductChanged T+31',
      'SubscriptionExpired T+31',
      'SubscriptionStarted T+31',
    ]);
  });

  it('change at the renewal by a purchase of its own, which lists both products until then', async () => {
    const { notify, see, events, kinds, customer, purchase, orderOf, ms } = scenario();
    const next = { token: `${purchase}-b`, linkedPurchaseToken: purchase, from: 10 };
    const chosen = { productId: 'pro_year', offerDetails: { basePlanId: 'p1y' }, ...plan({}) };
    const current = {
      productId: PRO,
      offerDetails: { basePlanId: BASE_PLAN },
      expiryTime: new Date(ms(31)).toISOString(),
      latestSuccessfulOrderId: orderOf(0),
      deferredItemReplacement: { productId: 'pro_year' },
      ...plan({}),
    };
    await notify(0, 'PURCHASED');
    await notify(10, 'PURCHASED', { ...next, also: { lineItems: [chosen, current] } });
    await see(11, 'active', true);
    expect((await customer()).subscriptions).to.have.length(1);
    await notify(31, 'RENEWED', { ...next, n: 1, productId: 'pro_year', basePlanId: 'p1y', to: 396 });
    await see(300, 'active', true);
    expect((await events()).filter((e) => !e.startsWith('SubscriptionConfirmed'))).to.deep.equal([
      'SubscriptionStarted T+0',
      'SubscriptionProductChangeScheduled T+10',
      'SubscriptionProductChanged T+31',
      'SubscriptionExpired T+31',
      'SubscriptionStarted T+31',
    ]);
    expect(await kinds()).to.deep.equal(['INITIAL_PURCHASE', 'PRODUCT_CHANGE', 'RENEWAL']);
  });

  it('stay as they are while another purchase is not paid, and change when it is', async () => {
    const { notify, events, customer, purchase } = scenario();
    const next = { linkedPurchaseToken: purchase, productId: 'pro_year', basePlanId: 'p1y' };
    const unpaid = { ...next, token: `${purchase}-b`, item: { expiryTime: undefined } };
    const hasAccess = async () => {
      const { entitlements } = await customer();
      return entitlements.some((e: { active: boolean }) => e.active);
    };
    await notify(0, 'PURCHASED');
    await notify(10, 'PURCHASED', { ...unpaid, state: 'PENDING', from: 10 });
    await notify(13, 'PENDING_PURCHASE_CANCELED', { ...unpaid, state: 'PENDING_PURCHASE_CANCELED', from: 10 });
    await notify(31, 'IN_GRACE_PERIOD', { state: 'IN_GRACE_PERIOD', to: 37 });
    clock.set(clock.now() + 86_400_000);
    expect(await hasAccess()).to.equal(true);
    await notify(34, 'RECOVERED', { n: 1, to: 62 });
    const second = { ...next, token: `${purchase}-c`, from: 40 };
    await notify(40, 'PURCHASED', { ...second, state: 'PENDING', item: { expiryTime: undefined } });
    await notify(42, 'PURCHASED', { ...second, from: 42, to: 407 });
    await notify(42, 'EXPIRED', { n: 1, state: 'EXPIRED', to: 42, willRenew: false });
    expect(await hasAccess()).to.equal(true);
    expect(await events()).to.deep.equal([
      'SubscriptionStarted T+0',
      'SubscriptionPending T+10',
      'SubscriptionPendingCancelled T+13',
      'SubscriptionBillingIssueDetected T+31',
      'SubscriptionGracePeriodEntered T+31',
      'SubscriptionRenewed T+31',
      'SubscriptionPending T+40',
      'SubscriptionProductChanged T+42',
      'SubscriptionExpired T+42',
      'SubscriptionStarted T+42',
    ]);
  });

  it('are topped up ahead of their end by a prepaid customer', async () => {
    const { notify, see, events, purchase } = scenario();
    const item = { prepaidPlan: {}, autoRenewingPlan: undefined };
    await notify(0, 'PURCHASED', { item });
    const again = { token: `${purchase}-b`, linkedPurchaseToken: purchase };
    await notify(19, 'PURCHASED', { ...again, state: 'PENDING', item: { ...item, expiryTime: undefined }, from: 19 });
    await notify(20, 'PURCHASED', { ...again, item, from: 20, to: 62 });
    await see(50, 'active', true);
    expect((await events()).map((e) => e.split(' ')[0])).to.deep.equal(['SubscriptionStarted', 'SubscriptionRenewed']);
  });

  it('count the money of a top-up on the day on which it was paid', async () => {
    const { notify, see, purchase, orderOf, ms, customer } = scenario();
    const item = { prepaidPlan: {}, autoRenewingPlan: undefined };
    const again = { token: `${purchase}-b`, linkedPurchaseToken: purchase };
    const charge = (orderId: string, paidOn: number, from: number, priceMilli: number) => {
      const named = { orderId, productId: PRO, basePlanId: BASE_PLAN, priceMilli };
      const order = orderResource({ ...named, fromMs: ms(from), toMs: ms(from + 31) });
      store().orders.set(orderId, { ...order, createTime: new Date(ms(paidOn)).toISOString() });
    };
    charge(orderOf(0), 0, 0, 9990);
    charge(orderOf(0, again.token), 20, 31, 7990);
    await notify(0, 'PURCHASED', { item });
    await notify(20, 'PURCHASED', { ...again, item, from: 20, to: 62 });
    await see(40, 'active', true);
    const dayOf = (day: number) => new Date(ms(day)).toISOString().slice(0, 10);
    const range = `startDate=${dayOf(0)}&endDate=${dayOf(40)}&interval=day`;
    const { buckets } = await call('GET', `${base()}/metrics/charts/revenue?${range}`);
    const paid = (buckets as readonly Bucket[]).filter(({ values }) => values.revenue !== 0);
    expect(paid.map(({ start, values }) => [start.slice(0, 10), values.revenue])).to.deep.equal([
      [dayOf(0), 9.99],
      [dayOf(20), 7.99],
    ]);
    const { items } = await call('GET', `${base()}/transactions?limit=100`);
    const { id } = await customer();
    const own = (items as readonly ChargedPeriod[]).filter(({ customerId }) => customerId === id);
    expect(own.map((one) => [one.id, one.at, one.amountUsd]).sort()).to.deep.equal([
      [orderOf(0), new Date(ms(0)).toISOString(), 9.99],
      [orderOf(0, again.token), new Date(ms(20)).toISOString(), 7.99],
    ]);
  });

  it('name a planned product without a base plan where the store lists no item of it', async () => {
    const { notify, dataOf } = scenario();
    await notify(0, 'PURCHASED');
    await notify(5, 'ITEMS_CHANGED', { item: { deferredItemReplacement: { productId: 'pro_year' } } });
    expect(await dataOf('SubscriptionProductChangeScheduled')).to.deep.include({ newStoreProductId: 'pro_year' });
  });

  it('end for the price where the customer did not agree to a step-up, though the store names only itself', async () => {
    const { notify, see, kinds } = scenario();
    const details = { priceStepUpConsentDetails: { state: 'PENDING', newPrice: money(12_990) } };
    const cancelled = { canceledStateContext: { systemInitiatedCancellation: {} } };
    await notify(0, 'PURCHASED');
    await notify(5, 'PRICE_STEP_UP_CONSENT_UPDATED', { item: plan(details) });
    await notify(31, 'EXPIRED', { state: 'EXPIRED', willRenew: false, item: plan(details), also: cancelled });
    await see(32, 'expired', false);
    expect((await kinds()).join())
      .to.include('PRICE_INCREASE')
      .and.not.include('BILLING_ERROR');
  });

  it('renew at the times of their orders where the renewals were not announced, but not by a pending order', async () => {
    const { notify, see, events, orderOf, ms } = scenario();
    for (const [n, paidOn, state] of [
      [0, 0, 'PROCESSED'],
      [1, 30.25, 'PROCESSED'],
      [2, 61.5, 'PROCESSED'],
      [3, 62, 'PENDING'],
      [4, 92, 'PROCESSED'],
    ] as const) {
      const named = { orderId: orderOf(n), productId: PRO, basePlanId: BASE_PLAN, priceMilli: 9990 };
      const { lineItems: _, ...order } = orderResource({ ...named, fromMs: ms(paidOn), toMs: ms(paidOn + 31) });
      store().orders.set(orderOf(n), { ...order, state, lineItems: [{ productId: PRO }] });
    }
    await notify(0, 'PURCHASED');
    await notify(92, 'RENEWED', { n: 4, to: 123 });
    await see(93, 'active', true);
    expect((await events()).filter((event) => event.startsWith('SubscriptionRenewed'))).to.deep.equal([
      ...['SubscriptionRenewed T+30.25', 'SubscriptionRenewed T+61.5', 'SubscriptionRenewed T+92'],
    ]);
  });

  it('end with a refund that only the store’s list has', async () => {
    const { notify, see, events, purchase, orderOf, ms } = scenario();
    await notify(0, 'PURCHASED');
    store().voided.push({ purchaseToken: purchase, orderId: orderOf(0), voidedTimeMillis: String(ms(10)) });
    clock.set(ms(10.5));
    await idle();
    await see(11, 'refunded', false);
    expect(await events()).to.deep.equal([
      'SubscriptionStarted T+0',
      'TransactionRefunded T+10',
      'SubscriptionExpired T+10',
    ]);
  });

  it('are requested before a refund is decided', async () => {
    const { notify, push, events, dataOf, purchase, orderOf, ms } = scenario();
    await notify(0, 'PURCHASED');
    clock.set(ms(4));
    const orderId = orderOf(0);
    const review = { version: '1.0', pendingRefundToken: 'review-1', orderId, refundReason: 7 };
    store().orders.set(orderId, { orderId, purchaseToken: purchase, total: money(9990) });
    await push(4, { pendingRefundReviewNotification: review });
    expect(await events()).to.deep.equal(['SubscriptionStarted T+0', 'ConsumptionInformationRequested T+4']);
    const respondBy = new Date(ms(5)).toISOString();
    expect(await dataOf('ConsumptionInformationRequested')).to.include({
      pendingRefundToken: 'review-1',
      transactionId: orderId,
      reason: '7',
      respondBy,
    });
  });

  it('are answered by the setting of the app, once', async () => {
    const { notify, push, dataOf, purchase, orderOf, ms } = scenario();
    const app = `${base()}/apps/${appId()}`;
    const set = (refundAnswer: string) => call('PATCH', app, { refundAnswer });
    const prorated = { refundAnswer: 'grant_prorated' };
    expectRefusal(await harness().call('PATCH', app, prorated, { key: slice().secretKey }), 400);
    await set('decline');
    await notify(0, 'PURCHASED');
    clock.set(ms(4));
    const orderId = orderOf(0);
    const review = { version: '1.0', pendingRefundToken: 'review-3', orderId, refundReason: 7 };
    store().orders.set(orderId, { orderId, purchaseToken: purchase, total: money(9990) });
    await push(4, { pendingRefundReviewNotification: review });
    await idle();
    await set('none');
    const sent = { pendingRefundToken: 'review-3', sampleContentProvided: false, refundPreference: 'DECLINE' };
    expect(store().reviews.get(orderId)).to.deep.equal(sent);
    expect(await dataOf('RefundAnswerSent')).to.include({
      decidedBy: 'policy',
      customerConsented: false,
      refusal: null,
    });
  });

  it('of an order unknown to the store are not requested', async () => {
    const { notify, push, events, ms } = scenario();
    await notify(0, 'PURCHASED');
    clock.set(ms(4));
    const review = { version: '1.0', pendingRefundToken: 'review-2', orderId: 'GPA.nobody', refundReason: 7 };
    await push(4, { pendingRefundReviewNotification: review });
    expect(await events()).to.deep.equal(['SubscriptionStarted T+0']);
  });
});

type Bucket = { readonly start: string; readonly values: { readonly revenue: number } };
type ChargedPeriod = {
  readonly id: string;
  readonly at: string;
  readonly amountUsd: number;
  readonly customerId: string;
};
