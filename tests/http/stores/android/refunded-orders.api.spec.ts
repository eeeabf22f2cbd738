// Orders that were refunded at the store without being revoked: no notification and no list names them, and access goes on.
import { expect } from 'chai';
import { money } from '../../../../simulator/android-store/payloads.js';
import { setUpAndroidScenarios } from './scenarios.js';

const HOUR_MS = 3_600_000;

describe('the daily look at the orders of the android-store', () => {
  const { scenario, store, clock, idle } = setUpAndroidScenarios();
  const refund = (orderId: string, purchaseToken: string, more: object) =>
    store().orders.set(orderId, { orderId, purchaseToken, total: money(9990), ...more });
  /** Lets all tasks run that are due by then, each followed by what it leads to. */
  const passDay = async (ms: number) => {
    for (const before of [27, 26, 2, 1, 0]) {
      clock.set(ms - before * HOUR_MS);
      await idle();
    }
  };

  it('records a refund, which leaves the access that the store shows', async () => {
    const { notify, see, events, dataOf, orderOf, purchase, ms } = scenario();
    await notify(0, 'PURCHASED');
    const eventTime = new Date(ms(1)).toISOString();
    refund(orderOf(0), purchase, {
      state: 'REFUNDED',
      orderHistory: { refundEvent: { eventTime, refundDetails: { total: money(9990) } } },
    });
    await passDay(ms(2));
    await see(3, 'active', true);
    expect(await events()).to.deep.equal(['SubscriptionStarted T+0', 'TransactionRefunded T+1']);
    expect(await dataOf('TransactionRefunded')).to.deep.include({ accessRevoked: false });
    await passDay(ms(4));
    expect(await events(), 'looked at again').to.have.length(2);
  });

  it('records parts as they add up, also of a renewal', async () => {
    const { notify, see, events, timeline, orderOf, purchase, ms } = scenario();
    await notify(0, 'PURCHASED');
    await notify(31, 'RENEWED', { n: 1, to: 62 });
    const part = (day: number, milli: number) => ({
      ...{ createTime: new Date(ms(day)).toISOString(), state: 'PROCESSED_SUCCESSFULLY' },
      refundDetails: { total: money(milli) },
    });
    const give = (...parts: readonly object[]) =>
      refund(orderOf(1), purchase, { state: 'PARTIALLY_REFUNDED', orderHistory: { partialRefundEvents: parts } });
    give(part(33, 999));
    await passDay(ms(35));
    await passDay(ms(36));
    give(part(33, 999), part(37, 1998));
    await passDay(ms(38));
    await see(39, 'active', true);
    expect(await events()).to.deep.equal([
      ...['SubscriptionStarted T+0', 'SubscriptionRenewed T+31'],
      ...['TransactionRefunded T+33', 'TransactionRefunded T+37'],
    ]);
    const shares = (await timeline()).flatMap(({ type, data }) =>
      type === 'TransactionRefunded' ? [(data['refund'] as { share: number }).share] : [],
    );
    expect(shares.map((share) => Number(share.toFixed(6)))).to.deep.equal([0.1, 0.2]);
  });

  it('asks for all orders of a page with one request, and not for those that are refunded', async () => {
    const { notify, orderOf, purchase, ms } = scenario();
    await notify(0, 'PURCHASED');
    refund(orderOf(0), purchase, { state: 'REFUNDED' });
    await passDay(ms(2));
    const before = store().requests.length;
    await passDay(ms(4));
    const asked = store()
      .requests.slice(before)
      .filter((request) => request.includes(orderOf(0)));
    expect(asked).to.deep.equal([]);
  });
});
