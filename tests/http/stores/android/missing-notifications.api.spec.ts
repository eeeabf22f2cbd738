// Android subscriptions without notifications: the store is polled before a deadline expires them.
import { expect } from 'chai';
import { orderResource } from '../../../../simulator/android-store/payloads.js';
import { setUpAndroidScenarios } from './scenarios.js';
import { BASE_PLAN, PRO } from './scenario.js';

const CANCELLED_BY_USER = { canceledStateContext: { userInitiatedCancellation: {} } };

type ChargedPeriod = { readonly amountMicros: number | null };

describe('an android-store that sends no notifications', () => {
  const { scenario, store, clock, idle } = setUpAndroidScenarios();

  it('is polled before a subscription without notification expires', async () => {
    const { notify, show, see, events, ms } = scenario();
    await notify(0, 'PURCHASED');
    show({ n: 1, to: 62 });
    clock.set(ms(31.1));
    await clock.step('deadlines');
    await idle();
    await see(32, 'active', true);
    show({ n: 1, to: 62, state: 'EXPIRED', also: CANCELLED_BY_USER });
    clock.set(ms(62.1));
    await clock.step('deadlines');
    await idle();
    await see(63, 'expired', false);
    expect(await events()).to.deep.equal([
      'SubscriptionStarted T+0',
      'SubscriptionRenewed T+31',
      'SubscriptionExpired T+62',
    ]);
  });

  it('is polled for the purchase that replaced the first one', async () => {
    const { purchase, notify, show, see, events, ms } = scenario();
    const again = { token: `${purchase}-again`, linkedPurchaseToken: purchase };
    await notify(0, 'PURCHASED');
    await notify(20, 'CANCELED', { state: 'CANCELED', also: CANCELLED_BY_USER });
    await notify(25, 'PURCHASED', { ...again, from: 25, to: 31 });
    show({ state: 'EXPIRED', to: 25, also: CANCELLED_BY_USER });
    show({ ...again, n: 1, from: 25, to: 62 });
    clock.set(ms(31.1));
    await clock.step('deadlines');
    await idle();
    await see(32, 'active', true);
    expect((await events()).at(-1)).to.equal('SubscriptionRenewed T+31');
  });

  it('adds charges later that were not read in time', async () => {
    const { notify, show, events, orderOf, timeline, see, ms } = scenario();
    await notify(0, 'PURCHASED');
    const charge = (n: number, from: number, to: number, priceMilli: number) => {
      const orderId = orderOf(n);
      const times = { fromMs: ms(from), toMs: ms(to) };
      const order = orderResource({ orderId, productId: PRO, basePlanId: BASE_PLAN, ...times, priceMilli });
      store().orders.set(orderId, order);
    };
    charge(1, 31, 62, 8990);
    store().orders.set(orderOf(2), { orderId: orderOf(2), state: 'CANCELED' });
    charge(3, 70, 101, 7990);
    charge(4, 101, 132, 6990);
    await notify(102, 'RENEWED', { n: 4, to: 132 });
    show({ n: 4, to: 132 });
    await see(103, 'active', true);
    expect(await events()).to.deep.equal([
      'SubscriptionStarted T+0',
      'SubscriptionRenewed T+31',
      'SubscriptionRenewed T+70',
      'SubscriptionRenewed T+101',
    ]);
    const money = (await timeline()).flatMap(
      ({ data }) => (data['money'] as ChargedPeriod | undefined)?.amountMicros ?? [],
    );
    expect(money).to.deep.equal([9_990_000, 8_990_000, 7_990_000, 6_990_000]);
    await notify(132, 'RENEWED', { n: 5, to: 163 });
    const asked = store().requests.filter(
      (path) => path.includes('orders') && path.includes(encodeURIComponent(orderOf(1))),
    );
    expect(asked, 'each is asked for once').to.have.length(1);
  });

  it('leaves a renewal without a price whose order it does not list', async () => {
    const { notify, events, timeline } = scenario();
    await notify(0, 'PURCHASED');
    await notify(62, 'RENEWED', { n: 2, to: 93 });
    expect((await events()).map((e) => e.split(' ')[0])).to.deep.equal([
      'SubscriptionStarted',
      'SubscriptionRenewed',
      'SubscriptionRenewed',
    ]);
    const money = (await timeline()).flatMap(({ data }) => (data['money'] ? [data['money'] as ChargedPeriod] : []));
    expect(money.map((m) => m.amountMicros)).to.deep.equal([9_990_000, null, 9_990_000]);
  });

  it('sends one EXPIRATION when time ended what was to be paused, and the pause is read later', async () => {
    const { notify, see, events, kinds, ms } = scenario();
    const also = { pausedStateContext: { autoResumeTime: new Date(ms(61)).toISOString() } };
    await notify(0, 'PURCHASED');
    await notify(10, 'PAUSE_SCHEDULE_CHANGED', { also });
    store().setFailure(503);
    clock.set(ms(33));
    await clock.step('deadlines');
    clock.set(ms(33.02));
    await clock.step('deadlines');
    await idle();
    const expected = ['INITIAL_PURCHASE', 'SUBSCRIPTION_PAUSED', 'EXPIRATION SUBSCRIPTION_PAUSED'];
    expect(await kinds()).to.deep.equal(expected);
    store().setFailure(null);
    await notify(34, 'PAUSED', { state: 'PAUSED', also });
    await see(35, 'paused', false);
    expect((await events()).slice(2)).to.deep.equal(['SubscriptionExpired T+31', 'SubscriptionPaused T+31']);
    expect(await kinds()).to.deep.equal(expected);
    await notify(61, 'RECOVERED', { n: 1, to: 92 });
    await see(62, 'active', true);
    expect(await kinds()).to.deep.equal([...expected, 'RENEWAL']);
  });

  it('is waited for while it is unavailable, for a limited time', async () => {
    const { notify, see, events, ms } = scenario();
    await notify(0, 'PURCHASED');
    store().setFailure(503);
    clock.set(ms(31.1));
    await clock.step('deadlines');
    await idle();
    await see(31.2, 'expired', false);
    expect(await events()).to.deep.equal(['SubscriptionStarted T+0']);
    clock.set(ms(33));
    await clock.step('deadlines');
    await idle();
    expect(await events()).to.deep.equal(['SubscriptionStarted T+0', 'SubscriptionExpired T+31']);
  });
});
