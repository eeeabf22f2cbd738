// Changes of the product that the android-store puts off to the next renewal: taken place, cancelled after, and removed.
import { expect } from 'chai';
import { setUpAndroidScenarios } from './scenarios.js';
import { BASE_PLAN, PRO } from './scenario.js';

const CANCELLED_BY_USER = { canceledStateContext: { userInitiatedCancellation: {} } };
const YEARLY = { productId: 'pro_year', basePlanId: 'p1y' };

describe('a deferred change of an android subscription', () => {
  const { scenario } = setUpAndroidScenarios();
  type Scenario = ReturnType<typeof scenario>;
  const deferred = { deferredItemReplacement: { productId: YEARLY.productId } };
  /** The item that ends does not renew itself: the one after it does. */
  const ending = { ...deferred, autoRenewingPlan: {} };
  const cancelled = { state: 'CANCELED', willRenew: false, also: CANCELLED_BY_USER };

  const eventsOf = async (s: Scenario) => (await s.events()).filter((e) => !e.startsWith('SubscriptionConfirmed'));
  const withChange = async (): Promise<Scenario> => {
    const s = scenario();
    await s.notify(0, 'PURCHASED');
    await s.notify(5, 'ITEMS_CHANGED', { item: ending });
    await s.see(6, 'active', true);
    expect(await eventsOf(s)).to.deep.equal(['SubscriptionStarted T+0', 'SubscriptionProductChangeScheduled T+5']);
    return s;
  };

  it('takes place with the renewal, and is no cancellation before', async () => {
    const s = await withChange();
    await s.notify(31, 'RENEWED', { ...YEARLY, n: 1, to: 396 });
    await s.see(200, 'active', true);
    expect((await eventsOf(s)).slice(2)).to.deep.equal([
      'SubscriptionProductChanged T+31',
      'SubscriptionExpired T+31',
      'SubscriptionStarted T+31',
    ]);
    expect(await s.kinds()).to.deep.equal(['INITIAL_PURCHASE', 'PRODUCT_CHANGE', 'RENEWAL']);
  });

  for (const [form, item] of [
    ['still', ending],
    ['no longer', {}],
  ] as const)
    it(`ends with the period when the customer cancels after it, and the store ${form} shows it`, async () => {
      const s = await withChange();
      await s.notify(9, 'CANCELED', { ...cancelled, item });
      await s.see(30, 'active', true);
      await s.notify(31, 'EXPIRED', { ...cancelled, item, state: 'EXPIRED' });
      await s.see(31, 'expired', false);
      expect((await eventsOf(s)).slice(2)).to.deep.equal([
        'SubscriptionAutoRenewDisabled T+9',
        'SubscriptionExpired T+31',
      ]);
      expect(await s.dataOf('SubscriptionExpired')).to.include({ reason: 'unsubscribe' });
      expect(await s.kinds()).to.deep.equal([
        'INITIAL_PURCHASE',
        'PRODUCT_CHANGE',
        'CANCELLATION UNSUBSCRIBE',
        'EXPIRATION UNSUBSCRIBE',
      ]);
    });

  it('is withdrawn when the store shows it no longer, and the same product renews', async () => {
    const s = await withChange();
    await s.notify(12, 'ITEMS_CHANGED', {});
    await s.notify(31, 'RENEWED', { n: 1, to: 62 });
    await s.see(40, 'active', true);
    expect((await eventsOf(s)).slice(2)).to.deep.equal([
      'SubscriptionProductChangeCancelled T+12',
      'SubscriptionRenewed T+31',
    ]);
    const { subscriptions, totalSpentUsd } = await s.customer();
    expect(subscriptions.map((one: { storeProductId: string }) => one.storeProductId)).to.deep.equal([
      `${PRO}:${BASE_PLAN}`,
    ]);
    expect(totalSpentUsd).to.equal(19.98);
  });
});
