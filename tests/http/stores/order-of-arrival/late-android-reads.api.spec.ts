// Reads of the android-store that come late, when it shows another state than its message reported. Each case was wrong once.
import { expect } from 'chai';
import { orderResource } from '../../../../simulator/android-store/payloads.js';
import { setUpAndroidScenarios } from '../android/scenarios.js';
import { BASE_PLAN, PRO } from '../android/scenario.js';

const CANCELLED_BY_USER = { canceledStateContext: { userInitiatedCancellation: {} } };

describe('an android purchase that is read late', () => {
  const ground = setUpAndroidScenarios();
  const { scenario, store, clock, call } = ground;
  const charged = (s: ReturnType<typeof scenario>, n: number, from: number, to: number) => {
    const named = { orderId: s.orderOf(n), productId: PRO, basePlanId: BASE_PLAN, priceMilli: 9990 };
    store().orders.set(named.orderId, orderResource({ ...named, fromMs: s.ms(from), toMs: s.ms(to) }));
  };
  const present = (receipt: string, more: object = {}) => {
    const body = { store: 'android-store', receipt, productId: `${PRO}:${BASE_PLAN}`, appId: ground.appId(), ...more };
    return call('POST', `/v1/subscribers/reader/receipts`, body);
  };
  const giveBack = (s: ReturnType<typeof scenario>, day: number, n = 0) => {
    const voided = { purchaseToken: s.purchase, orderId: s.orderOf(n), voidedTimeMillis: String(s.ms(day)) };
    store().voided.push(voided);
    return { voidedPurchaseNotification: { ...voided, productType: 1, refundType: 1 } };
  };

  for (const [order, first] of [
    ['before', true],
    ['after', false],
  ] as const)
    it(`keeps the offering that the device named ${order} the message came`, async () => {
      const s = scenario();
      const fields = { lookupKey: `sale-${order}`, displayName: 'Sale' };
      const { id: offeringId } = await call('POST', `${ground.base()}/offerings`, fields);
      s.show();
      if (first) await present(s.purchase, { offeringId });
      await s.notify(0, 'PURCHASED');
      if (!first) await present(s.purchase, { offeringId });
      await s.notify(1, 'CANCELED', { state: 'CANCELED', willRenew: false, also: CANCELLED_BY_USER });
      const started = (await s.timeline()).filter(({ type }) => type === 'SubscriptionStarted').at(-1);
      expect((started?.data['purchase'] as { offeringId?: string }).offeringId).to.equal(offeringId);
    });

  it('gives no access by the receipt of what was ended before its time', async () => {
    const s = scenario();
    charged(s, 0, 0, 31);
    charged(s, 1, 31, 62);
    s.show({ n: 1, state: 'EXPIRED', to: 40, willRenew: false });
    clock.set(s.ms(45));
    await present(s.purchase);
    await s.see(45, 'expired', false);
    expect((await s.events()).slice(-3)).to.deep.equal([
      'SubscriptionStarted T+0',
      'SubscriptionRenewed T+31',
      'SubscriptionExpired T+40',
    ]);
  });

  it('shows a refund also when the revocation is received before it', async () => {
    const s = scenario();
    await s.notify(0, 'PURCHASED');
    const kind = giveBack(s, 10);
    await s.notify(10, 'REVOKED', { state: 'EXPIRED', to: 10, willRenew: false });
    await s.push(10, kind);
    await s.see(10, 'refunded', false);
    expect(await s.dataOf('SubscriptionExpired')).to.include({ reason: 'customer_support' });
    expect(await s.dataOf('TransactionRefunded')).to.include({ accessRevoked: true });
  });

  it('plans no pause by a message of a period that is past', async () => {
    const s = scenario();
    await s.notify(0, 'PURCHASED');
    s.show({ n: 1, to: 62 });
    clock.set(s.ms(33));
    await present(s.purchase);
    await s.push(20, { subscriptionNotification: { version: '1.0', notificationType: 11, purchaseToken: s.purchase } });
    const events = (await s.events()).filter((event) => event.startsWith('Subscription'));
    expect(events.slice(-2)).to.deep.equal(['SubscriptionStarted T+0', 'SubscriptionRenewed T+31']);
    await s.see(33, 'active', true);
  });

  it('ends when it ended, though a message of its renewal leads to the read', async () => {
    const s = scenario();
    charged(s, 0, 0, 31);
    charged(s, 1, 31, 62);
    await s.notify(0, 'PURCHASED');
    s.show({ n: 1, state: 'EXPIRED', to: 62, willRenew: false, also: CANCELLED_BY_USER });
    clock.set(s.ms(63));
    await s.push(31, { subscriptionNotification: { version: '1.0', notificationType: 2, purchaseToken: s.purchase } });
    expect((await s.events()).slice(1)).to.deep.equal(['SubscriptionRenewed T+31', 'SubscriptionExpired T+62']);
  });

  it('keeps the whole first period of a purchase that was refunded before it was read', async () => {
    const s = scenario();
    charged(s, 0, 0, 31);
    s.show({ state: 'EXPIRED', to: 10, willRenew: false });
    const kind = giveBack(s, 10);
    clock.set(s.ms(12));
    await s.push(10, kind);
    await s.see(12, 'refunded', false);
    expect(await s.dataOf('SubscriptionStarted')).to.include({ expiresAt: new Date(s.ms(31)).toISOString() });
  });
});
